#include "known_hosted_games.hpp"

#include <cstddef>

namespace snl::cli {

void KnownHostedGames::know_nothing() {
  ++look_;
  last_revision_.reset();
}

void KnownHostedGames::look_for_others() {
  const std::int64_t last = hosted_games_.last_revision();
  if (last_revision_ == last) return;
  ++look_;
  last_revision_ = last;
}

std::optional<HostedGame> KnownHostedGames::game(const std::string& id) {
  if (const auto known = known_.find(id); known != known_.end() && known->second.look == look_)
    return known->second.hosted;
  auto hosted = hosted_games_.game(id);
  constexpr std::size_t most = 1024;
  if (known_.size() >= most) known_.clear();
  if (hosted && last_revision_)
    known_.insert_or_assign(id, Known{*hosted, look_});
  else
    known_.erase(id);
  return hosted;
}

const HostedGame* KnownHostedGames::remembered(const std::string& id) const {
  const auto known = known_.find(id);
  return known == known_.end() ? nullptr : &known->second.hosted;
}

std::vector<std::optional<std::int64_t>> KnownHostedGames::keep(
    std::span<const HostedGame> hosted_games) {
  try {
    auto changes = hosted_games_.keep(hosted_games);
    for (std::size_t i = 0; i < changes.size(); ++i) {
      if (changes[i])
        changed_here(hosted_games[i].id, *changes[i]);
      else
        know_nothing();
    }
    return changes;
  } catch (...) {
    know_nothing();
    throw;
  }
}

bool KnownHostedGames::forget(const std::string& id, std::int64_t changed) {
  know_nothing();
  return hosted_games_.forget(id, changed);
}

/// Where others have made a change in between, this one has another number than the next one.
void KnownHostedGames::changed_here(const std::string& id, std::int64_t change) {
  if (!last_revision_ || change != *last_revision_ + 1) return know_nothing();
  last_revision_ = change;
  known_.erase(id);
}

}  // namespace snl::cli
