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
    conflict,  // another game has the ID of one of them
    unsound,   // one of them is a branch that begins otherwise than the game that it left
  };
  Cause cause;
  std::string game;
  std::string why;  // what is unsound, in a sentence
};

/// Records games, or nothing. One that is there already, to the letter, is left as it is.
std::expected<void, NotRecorded> record_together(EventStore& store,
                                                 std::span<const ImportedGame> games);

/// What record_together() would answer now, recording nothing. No store: there is none yet.
std::expected<void, NotRecorded> rehearse_together(StoreReader* store,
                                                   std::span<const ImportedGame> games);

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
