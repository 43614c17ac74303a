#include "branch_point_check.hpp"

#include "codec.hpp"

#include <fmt/format.h>

#include <string_view>
#include <variant>

namespace snl {
namespace {

/// The difference between a branch's beginning and the game that it left, as that game stood then.
std::optional<std::string> fault_of(const GameSetup& branch, const Timeline& then) {
  const GameSetup& left = *then.state().setup;
  const Position& position = branch.origin->position;
  const auto differs = [&](std::string_view what) {
    return fmt::format("{} aren't those of game {} at the head that it names", what,
                       branch.origin->game);
  };
  if (branch.players != left.players) return differs("its players");
  if (branch.board != left.board || branch.rules != left.rules)
    return differs("its board and rules");
  if (branch.seed != left.seed) return differs("its seed and dice");
  const bool is_in_force = position.turn >= then.first_turn() && position.turn <= then.last_turn();
  if (!is_in_force || then.position_after(position.turn) != position)
    return differs(fmt::format("its turn {} and the pieces on it", position.turn));
  return std::nullopt;
}

}  // namespace

std::shared_ptr<const GameSetup> setup_of(EventReader& store, const std::string& game) {
  const auto first = store.commit(game, 1);
  const auto events = first ? decode_events(first->events) : std::unexpected(Unreadable{});
  const auto* started = events ? std::get_if<GameStarted>(&events->front()) : nullptr;
  return started != nullptr ? started->setup : nullptr;
}

void BranchPointCheck::expect(const std::string& branch, const std::string& head) {
  // A head that is no hash is kept as HashChain::origin, which no commit has: it is never seen.
  expected_.emplace(hash_from_hex(head).value_or(HashChain::origin), branch);
}

void BranchPointCheck::follow(const Hash& hash, std::span<const Event> events) {
  for (const Event& event : events)
    if (!timeline_.add(event)) return;
  const auto [begin, end] = expected_.equal_range(hash);
  for (auto branch = begin; branch != end; ++branch)
    if (const auto setup = setup_of_(branch->second))
      if (auto fault = fault_of(*setup, timeline_))
        faults_.emplace(branch->second, *std::move(fault));
  expected_.erase(begin, end);
}

std::set<std::string> BranchPointCheck::unseen() const {
  std::set<std::string> branches;
  for (const auto& [head, branch] : expected_)
    branches.insert(branch);
  return branches;
}

// ---- In a store

OriginProof::OriginProof(std::string game, BranchPointCheck::SetupOf setup_of)
    : game_(std::move(game)), setup_of_(std::move(setup_of)) {
  begin();
}

void OriginProof::begin() {
  verifier_.emplace(game_, [this](Version version) { return store_->commit(game_, version); });
  branch_points_.emplace(setup_of_);
  for (const auto& [branch, head] : heads_)
    branch_points_->expect(branch, head);
  is_sound_ = true;
}

void OriginProof::expect(const std::string& branch, const std::string& head) {
  heads_.emplace(branch, head);
  branch_points_->expect(branch, head);
}

void OriginProof::catch_up(EventReader& store) {
  const Head proven = verifier_->head();
  if (proven.version > 0) {
    const auto commit = store.commit(game_, proven.version);
    if (!commit || commit->hash != proven.hash) begin();
  }
  if (branch_points_->all_seen() || !is_sound_) return;
  store_ = &store;
  for_each_commit(store, game_, verifier_->head().version + 1, [&](const CommitView& commit) {
    is_sound_ = !verifier_->add(commit).has_value();
    if (is_sound_) branch_points_->follow(commit.hash, verifier_->events());
    return is_sound_ && !branch_points_->all_seen();
  });
}

}  // namespace snl
