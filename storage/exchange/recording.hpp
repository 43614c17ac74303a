// Recording the games of a file: all of them, or none.
//
// What takes time is done before the store is locked: games were proven when they were read, and
// where branches begin is proven here. Under the lock the games are written, and only what others
// recorded meanwhile is looked at.
#pragma once

#include "jsonl.hpp"
#include "storage/event_store.hpp"
#include "text_form.hpp"

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// Why the games of a file aren't recorded.
struct NotRecorded {
  enum class Cause : std::uint8_t {
    conflict,  // neither of two games of one ID goes on from the other
    unsound,   // one of them is a branch that begins otherwise than the game that it left
  };
  Cause cause;
  std::string game;
  std::string why;  // in a sentence
};

/// A game of a file, and how much of it the store had already.
struct TakenGame {
  std::string game;
  Version version = 0;  // the file's
  Version before = 0;   // the store's; 0 if it had no such game

  /// How many commands were new.
  Version added() const { return version > before ? version - before : 0; }
};

/// Records what the store hasn't got of games, or nothing; answers them in the order of the file,
/// each once. One whose log goes on from the one in the store brings that up to date; one that is
/// there already, or from which the store has gone on, is left as it is.
std::expected<std::vector<TakenGame>, NotRecorded> record_together(
    EventStore& store, std::span<const ImportedGame> games);

/// What record_together() would answer now, recording nothing. No store: there is none yet.
std::expected<std::vector<TakenGame>, NotRecorded> rehearse_together(
    StoreReader* store, std::span<const ImportedGame> games);

// ---- A game from a text

/// A game that is played while its text is read, and can then be recorded under any ID.
class GameFromText {
 public:
  /// Starts the game; the seed is what its text doesn't tell.
  GameFromText(GameSetup setup, std::uint64_t seed, Clock clock = system_time);
  /// Plays the next turn; or why the rules refuse it, and nothing is changed.
  std::expected<void, Refusal> play(const TurnLine& turn);

  /// Of the whole game so far, which starts with version 1.
  const std::vector<NewCommit>& commits() const { return commits_; }
  const GameState& state() const { return state_; }

 private:
  void add(const Command& command, const std::optional<std::string>& command_id,
           const Event& event);

  Clock clock_;
  std::vector<NewCommit> commits_;
  GameState state_;
};

}  // namespace snl
