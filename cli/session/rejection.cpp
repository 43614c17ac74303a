#include "rejection.hpp"

#include "domain/narration.hpp"
#include "domain/overloaded.hpp"
#include "domain/wording.hpp"
#include "storage/game_id.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <variant>

namespace snl::cli {
namespace {

std::string turns(Turn count) {
  return counted(count, "turn");
}

Failure out_of_range(const TurnOutOfRange& range) {
  return {Exit::usage,
          fmt::format("turn {} is out of range: {} to {}", range.asked, range.first, range.last)};
}

}  // namespace

Failure damaged_log(const Damage& damage) {
  return {Exit::failed, fmt::format("the log is damaged: {}; see snl audit", damage.what)};
}

void check_turn(Turn turn, Turn first, Turn last) {
  if (turn < first || turn > last)
    throw out_of_range({.asked = turn, .first = first, .last = last});
}

Failure failure_from(const Refusal& refusal, const GameSetup& setup) {
  return std::visit(
      Overloaded{
          [](const InvalidMove&) { return Failure(Exit::refused, invalid_move_result); },
          [](const GameCompleted&) { return Failure(Exit::refused, game_completed_result); },
          [&](const UnknownPlayer&) {
            return Failure(Exit::no_such,
                           fmt::format("nobody plays under this name; the players are {}",
                                       fmt::join(setup.players, ", ")));
          },
          [](const ImpossibleDice& impossible) {
            return Failure(Exit::usage,
                           fmt::format("dice {} are impossible: {}", to_string(impossible.dice),
                                       possible_dice(impossible.rules)));
          },
          [](const NotEnoughTurns& few) {
            if (few.possible == 0)
              return Failure(Exit::refused, "there is no turn to take back or to put back");
            return Failure(
                Exit::refused,
                fmt::format("{} can't be taken or put back: there {} {}", turns(few.asked),
                            few.possible == 1 ? "is" : "are", turns(few.possible)));
          },
          [](const TurnOutOfRange& range) { return out_of_range(range); },
          [](const InvalidSetup& invalid) {
            return Failure(Exit::usage, fmt::format("{}", fmt::join(invalid.faults, "; ")));
          },
          [](const WrongStart&) {
            return Failure(Exit::failed, "the game has not been started; see snl audit");
          },
          [](const Damage& damage) { return damaged_log(damage); },
      },
      refusal);
}

Failure failure_from(const Rejection& rejection, const GameSetup& setup, const std::string& game) {
  return std::visit(
      Overloaded{
          [&](const Refusal& refusal) { return failure_from(refusal, setup); },
          [&](const Conflict& conflict) {
            return Failure(
                Exit::conflict,
                fmt::format("game {} is at version {}, not {}; look at it with snl show {}", game,
                            conflict.actual, conflict.expected, game));
          },
          [&](const CommandIdTaken& taken) {
            return Failure(
                Exit::conflict,
                fmt::format("command ID \"{}\" was used for another command, version {}; "
                            "use a new one",
                            taken.command_id, taken.version));
          },
          [](const InvalidCommandId& invalid) {
            return Failure(Exit::usage,
                           fmt::format("command ID \"{}\" {}", invalid.command_id, invalid.fault));
          },
          [&](const GameIdTaken&) {
            return Failure(Exit::conflict,
                           fmt::format("game ID {} is taken; choose another", game));
          },
          [&](const InvalidGameId&) {
            return Failure(Exit::usage, fmt::format("ID \"{}\": {}", game, game_id_rule));
          },
      },
      rejection);
}

}  // namespace snl::cli
