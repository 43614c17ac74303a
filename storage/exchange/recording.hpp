// Recording the games of a file: all of them, or none.
//
// Slow work is done before the store is locked: games were proven when they were read, and this
// proves where branches begin. Under the lock it reads only what others recorded meanwhile, and
// writes the games.
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
    unsound,   // a branch doesn't begin where the game that it left stood
  };
  Cause cause;
  std::string game;
  std::string why;  // in a sentence
};

/// A game of a file, and how much of it the store already had.
struct TakenGame {
  std::string game;
  Version version = 0;  // the file's
  Version before = 0;   // the store's; 0 if it had no such game

  /// How many commands were new.
  Version added() const { return version > before ? version - before : 0; }
};

/// Records the parts of games that the store lacks, or nothing. Returns the games in the order of
/// the file, each once. If a game of the file goes on from the store's, the store's is brought up
/// to date. If the store has the game already, or has gone on from it, it stays as it is.
/// Throws StoreError; after OutcomeUnknown, a second call finds out what is recorded.
std::expected<std::vector<TakenGame>, NotRecorded> record_together(
    EventStore& store, std::span<const ImportedGame> games);

/// Returns what record_together() would return now, and records nothing. Null: there is no store
/// yet.
std::expected<std::vector<TakenGame>, NotRecorded> rehearse_together(
    StoreReader* store, std::span<const ImportedGame> games);

// ---- A game from a text

/// A game that is played while its text is read, and can then be recorded under any ID.
class GameFromText {
 public:
  /// Starts the game. The seed is a parameter because the text has none.
  GameFromText(GameSetup setup, std::uint64_t seed, Clock clock = system_time);
  /// Plays the next turn. If the rules refuse it, returns why and changes nothing.
  std::expected<void, Refusal> play(const TurnLine& turn);

  /// The whole game so far, from version 1.
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
