// Hosted games as they were read last, for as long as nobody changes any: a game that is played is
// asked for with each turn, and its hosted game hardly ever changes then.
#pragma once

#include "storage/hosted_games.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace snl::cli {

/// For one thread. All of it throws StoreError.
class KnownHostedGames {
 public:
  /// The store must outlive it. What this changes in it is changed by keep() and forget() here.
  explicit KnownHostedGames(HostedGameStore& hosted_games) : hosted_games_(hosted_games) {}

  /// Asks the store once whether others have changed any hosted game.
  void look_for_others();

  /// The hosted game as it was at the last look_for_others() or later; none for a game without one.
  std::optional<HostedGame> game(const std::string& id);

  /// The hosted game as it was when it was last asked for, which may be long ago; null if that
  /// isn't known. Asks nobody.
  const HostedGame* remembered(const std::string& id) const;

  /// As HostedGameStore's.
  std::vector<std::optional<std::int64_t>> keep(std::span<const HostedGame> hosted_games);
  bool forget(const std::string& id, std::int64_t changed);

 private:
  void know_nothing();
  void changed_here(const std::string& id, std::int64_t change);

  /// A hosted game, and the look since which nobody but this has changed it.
  struct Known {
    HostedGame hosted;
    std::uint64_t look = 0;
  };

  HostedGameStore& hosted_games_;
  std::unordered_map<std::string, Known> known_;
  std::uint64_t look_ = 1;
  std::optional<std::int64_t> last_revision_;  // of the store, if nobody else changes a hosted game
};

}  // namespace snl::cli
