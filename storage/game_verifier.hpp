// Proving one game, commit by commit. storage/proving.md, "Audit", says what each check proves.
#pragma once

#include "event_store.hpp"
#include "problem.hpp"
#include "recollection.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace snl {

/// Reads one commit of the game under verification.
using CommitLookup = std::function<std::optional<Commit>(Version)>;

/// Verifies the commits of one game, one after another: versions without gaps, the hash chain, the
/// form of every record. Every command is decided again and must cause the same events, to the
/// byte. Rolled dice are decided from the seed, so this proves them too.
class GameVerifier {
 public:
  GameVerifier(std::string game, CommitLookup lookup);

  /// The fault of the next commit, if it has one. After the first problem nothing more can be said.
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
  std::string json_;  // of the events that a decision causes again

  Recollection recollection_;
};

}  // namespace snl
