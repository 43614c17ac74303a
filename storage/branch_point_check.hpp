// Checks that branches begin where the games that they left stood (storage/proving.md, "Audit").
//
// A branch names a game, one of its heads and a turn. Finding a head means reading the game's log
// from its beginning. So one reading compares all branches of a game, however many there are.
#pragma once

#include "domain/timeline.hpp"
#include "event_store.hpp"
#include "game_verifier.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace snl {

/// The setup of a game, by its own first event; null if that can't be read.
std::shared_ptr<const GameSetup> setup_of(EventReader& store, const std::string& game);

/// Compares the branches of one game with its log while the log goes by.
class BranchPointCheck {
 public:
  /// Finds the setup of a branch when it is needed, so that only IDs are kept.
  using SetupOf = std::function<std::shared_ptr<const GameSetup>(const std::string& branch)>;

  explicit BranchPointCheck(SetupOf setup_of) : setup_of_(std::move(setup_of)) {}

  /// Expects a branch that left at `head`, 64 hex digits.
  void expect(const std::string& branch, const std::string& head);

  /// Takes the game's next proven commit, from the first one on.
  void follow(const Hash& hash, std::span<const Event> events);

  /// The branches whose head hasn't come by.
  std::set<std::string> unseen() const;
  bool all_seen() const { return expected_.empty(); }

  /// The differences between this game and what its branches say of their beginning, by branch.
  const std::map<std::string, std::string>& faults() const { return faults_; }

 private:
  SetupOf setup_of_;
  std::multimap<Hash, std::string> expected_;
  std::map<std::string, std::string> faults_;
  Timeline timeline_;
};

/// Compares branches of one game with a store's log of it, and proves that log as far as needed.
class OriginProof {
 public:
  OriginProof(std::string game, BranchPointCheck::SetupOf setup_of);
  OriginProof(const OriginProof&) = delete;
  OriginProof& operator=(const OriginProof&) = delete;

  /// Expects a branch. Add all of them before the first catch_up().
  void expect(const std::string& branch, const std::string& head);

  /// Reads on from where it left off, or from the beginning if the store has another history by
  /// now.
  void catch_up(EventReader& store);

  const BranchPointCheck& branch_points() const { return *branch_points_; }

 private:
  void begin();

  std::string game_;
  BranchPointCheck::SetupOf setup_of_;
  std::map<std::string, std::string> heads_;  // the expected ones, by branch
  EventReader* store_ = nullptr;              // while it catches up
  std::optional<GameVerifier> verifier_;
  std::optional<BranchPointCheck> branch_points_;
  bool is_sound_ = true;  // if not, an audit of the game says why
};

}  // namespace snl
