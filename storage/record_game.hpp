// Whole games that are played with seeded dice and recorded at once: simulations, tournaments.
#pragma once

#include "event_store.hpp"

#include <expected>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// The most turns that a caller should allow in a game that is recorded at once.
inline constexpr Turn max_recorded_turns = 1'000'000;

/// A game that was played and can be recorded. It takes some 250 bytes a turn.
struct PlayedGame {
  std::string id;
  std::vector<NewCommit> commits;
  GameState state;

  /// The append for a game that isn't there yet.
  Append append() const {
    return {.game = id, .expected = Version{0}, .commits = commits, .after = &state};
  }
};

/// Plays a game with its own seeded dice until somebody wins or `max_turns` turns were played, just
/// as if each turn had been a command to roll. `observer` receives each turn and returns whether to
/// go on. Fails with a sentence if the setup has faults, the ID isn't valid (game_id.hpp), or the
/// observer stops the game.
std::expected<PlayedGame, std::string> play_game(
    std::string id, const std::shared_ptr<const GameSetup>& setup, Turn max_turns,
    const std::function<bool(const TurnPlayed&)>& observer = {}, const Clock& clock = system_time);

/// Records games, all of them or none. Fails with a sentence if an ID is taken. Throws StoreError.
std::expected<void, std::string> record_games(EventStore& store, std::span<const PlayedGame> games);

/// Plays a game and records it as it goes, all of it or nothing. Returns its state. A long game
/// takes no more memory than a short one. Others may have to wait meanwhile. Fails with a sentence,
/// recording nothing. Throws StoreError.
std::expected<GameState, std::string> record_game(EventStore& store, std::string id,
                                                  const std::shared_ptr<const GameSetup>& setup,
                                                  Turn max_turns, const Clock& clock = system_time);

/// Collects games of a series, which are played one after another and recorded together, as many at
/// once as memory allows.
class GameRecorder {
 public:
  explicit GameRecorder(EventStore& store) : store_(store) {}

  /// Whether so many games, or such long ones, wait that record() is due.
  bool is_full() const { return games_.size() >= most_games || commits_ >= most_commits; }
  void add(PlayedGame game);
  /// Records all waiting games, or none, like record_games().
  std::expected<void, std::string> record();

 private:
  static constexpr std::size_t most_games = 250;
  static constexpr std::size_t most_commits = 100'000;

  EventStore& store_;
  std::vector<PlayedGame> games_;
  std::size_t commits_ = 0;
};

}  // namespace snl
