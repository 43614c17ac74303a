// Proving that a log is whole. What each check proves, and what none can, is said in
// storage/README.md, "Audit".
#pragma once

#include "domain/timeline.hpp"
#include "event_store.hpp"
#include "problem.hpp"
#include "recall.hpp"
#include "storage/sqlite/sqlite_store.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace snl {

/// Reads one commit of the game that is being verified.
using CommitLookup = std::function<std::optional<Commit>(Version)>;

/// Verifies the commits of one game, one after another: versions without gaps, the hash chain, the
/// form of every record, and every command decided again, with the same events to the byte. Rolled
/// dice are decided from the seed, so they are proven by that too.
class GameVerifier {
 public:
  GameVerifier(std::string game, CommitLookup lookup);
  ~GameVerifier();
  GameVerifier(const GameVerifier&) = delete;
  GameVerifier& operator=(const GameVerifier&) = delete;
  GameVerifier(GameVerifier&&) = delete;
  GameVerifier& operator=(GameVerifier&&) = delete;

  /// What is wrong with the next commit; after the first problem nothing more can be said.
  std::optional<Problem> add(const CommitView& commit);

  /// The state that the commits fold to, and the head.
  const GameState& state() const { return state_; }
  const Head& head() const { return head_; }
  /// The events of the commit that was added last.
  const std::vector<Event>& events() const { return events_; }
  UnixMilliseconds created() const { return created_; }

 private:
  std::optional<Problem> problem(Version version, std::string kind, std::string detail) const;
  std::optional<Problem> check_record(const CommitView& commit);
  std::optional<Problem> check_decision(const CommitView& commit);
  std::optional<Problem> check_start() const;
  const Event* recall(EventRef ref);

  std::string game_;
  CommitLookup lookup_;
  HashChain chain_;
  GameState state_;
  Head head_;
  UnixMilliseconds created_ = 0;
  StorePosition position_ = 0;
  std::vector<Event> events_;
  std::string json_;  // of events that were decided again

  Recollection recollection_;
};

/// How the dice fell, and how likely fair dice are to fall at least as unevenly: Pearson's
/// chi-squared test of equal chances, dice of different faces added up. Never a failure by itself.
struct Fairness {
  /// By faces of the die: how often each face fell, every turn ever played, undone ones too; seeded
  /// dice that were rolled a second time count once, and in an audit of all not again in a branch
  /// of the game that rolled them too.
  std::map<std::int32_t, std::vector<std::int64_t>> counts;

  void add(const TurnPlayed& turn, std::int32_t faces);
  std::int64_t dice() const;
  double chi_squared() const;
  std::int32_t degrees_of_freedom() const;
  /// None below five expected falls of a face, where the test says nothing.
  std::optional<double> p_value() const;
};

struct AuditReport {
  std::int64_t games = 0;
  std::int64_t turns = 0;    // in force
  std::optional<Hash> head;  // of the game, or of the store; none if it can't be told
  std::vector<Problem> problems;
  std::int64_t unproven_origins = 0;  // branches that left a game which the store doesn't hold so
  Fairness fairness;
  bool ok() const { return problems.empty(); }
};

// Each reads the store as it is at one moment, whoever plays on meanwhile.

/// Audits one game: its log, and its derived rows against what the log folds to. A game that isn't
/// there has no report.
std::optional<AuditReport> audit_game(EventStore& store, const std::string& game);

/// What a branch says of its beginning otherwise than the game that it left; nothing if the store
/// doesn't hold that game, or it never had the head that the branch names.
std::optional<std::string> fault_of_origin(EventStore& store, const GameSetup& branch);

/// Audits every game, in the order of their IDs.
AuditReport audit_store(EventStore& store);

/// Checks a store's file as a database, then audits every game.
AuditReport audit_file(SqliteStore& store);

/// Adds the problem that `report` has another head than the one that was kept elsewhere.
void expect_head(AuditReport& report, const Hash& expected, std::optional<std::string> game);

}  // namespace snl
