// The minimum that a game needs around the engine: it keeps the events in memory, and undo and redo
// read them back.
#pragma once

#include "domain/engine.hpp"

#include <cstddef>
#include <expected>
#include <memory>
#include <vector>

namespace snl::test {

class RecordedGame {
 public:
  RecordedGame() = default;
  /// A game that has just been started. Throws std::logic_error for a setup that can't be played.
  explicit RecordedGame(std::shared_ptr<const GameSetup> setup);

  /// The events that a command would cause.
  std::expected<std::vector<Event>, Refusal> decided(const Command& command);

  /// Decides and records. Throws std::logic_error if the engine decides an event that it can't
  /// evolve, or none at all.
  std::expected<std::vector<Event>, Refusal> perform(const Command& command);

  /// Records an event that was made elsewhere. Nothing changes on damage.
  std::expected<void, Damage> record(const Event& event);

  const GameState& state() const { return state_; }
  const std::vector<Event>& events() const { return events_; }

  /// The number of events that decide() has read back so far.
  std::size_t recalls() const { return recalls_; }

 private:
  const Event* recall(EventRef ref);

  GameState state_;
  std::vector<Event> events_;
  std::vector<std::size_t> commits_;  // by version, from 1: its first event's index in events_
  std::size_t recalls_ = 0;
};

/// Every event of a game with `setup` and these commands. Throws std::logic_error if one isn't
/// accepted.
std::vector<Event> events_of(std::shared_ptr<const GameSetup> setup,
                             const std::vector<Command>& commands);

}  // namespace snl::test
