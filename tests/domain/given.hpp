// Tests of a decider: given(events).when(command).then(events) or .refused<Refusal>().
#pragma once

#include "printing.hpp"
#include "recorded_game.hpp"

#include <boost/test/unit_test.hpp>

#include <expected>
#include <memory>
#include <source_location>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace snl::test {

using Here = std::source_location;

/// The outcome of a command.
class Decided {
 public:
  Decided(std::expected<std::vector<Event>, Refusal> decided, GameState state)
      : decided_(std::move(decided)), state_(std::move(state)) {}

  /// The command caused exactly these events. Returns the state after them.
  const GameState& then(const std::vector<Event>& expected, Here here = Here::current()) const;

  /// The command was refused for this reason. Returns the refusal.
  template <class Reason>
  Reason refused(Here here = Here::current()) const {
    require_refusal(here);
    BOOST_REQUIRE_MESSAGE(std::holds_alternative<Reason>(decided_.error()),
                          "refused otherwise: " << decided_.error());
    return std::get<Reason>(decided_.error());
  }

 private:
  void require_refusal(Here here) const;

  std::expected<std::vector<Event>, Refusal> decided_;
  GameState state_;
};

class Given {
 public:
  explicit Given(const std::vector<Event>& events);

  Decided when(const Command& command) const;
  const GameState& state() const { return game_.state(); }

 private:
  RecordedGame game_;
};

/// A game with the history `events`; without any, it hasn't been started.
inline Given given(const std::vector<Event>& events) {
  return Given(events);
}

/// A board that is sound.
Board board_of(const BoardDescription& description);

/// Two players, Ann and Bob, standard rules, seed 0, unless the test says otherwise.
struct Table {
  std::vector<std::string> players = {"Ann", "Bob"};
  BoardDescription board = {};
  Rules rules = {};
  std::uint64_t seed = 0;
  std::optional<Origin> origin = std::nullopt;
};
std::shared_ptr<const GameSetup> setup_of(const Table& table);

/// The first event of a game at this table.
Event started(const std::shared_ptr<const GameSetup>& setup);

}  // namespace snl::test
