#include "rejection.hpp"

#include "domain/narration.hpp"
#include "domain/overloaded.hpp"
#include "storage/game_id.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <variant>

namespace snl::cli {

Failure no_such_game(std::string_view reference) {
  return {Exit::no_such, fmt::format("no game \"{}\"; {} shows the games there are", reference,
                                     snl_command({"list"}))};
}

Failure damaged_log(const Damage& damage) {
  return {Exit::failed, explain(Refusal(damage)) + "; see " + snl_command({"audit"})};
}

void check_turn(Turn turn, Turn first, Turn last) {
  if (turn < first || turn > last)
    throw Failure(Exit::usage,
                  explain(Refusal(TurnOutOfRange{.asked = turn, .first = first, .last = last})));
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
          [&](const NotEnoughTurns&) { return Failure(Exit::refused, explain(refusal)); },
          [](const WrongStart&) {
            return Failure(Exit::failed,
                           "the game has not been started; see " + snl_command({"audit"}));
          },
          [](const Damage& damage) { return damaged_log(damage); },
          [&](const auto& /*the request is wrong*/) {
            return Failure(Exit::usage, explain(refusal));
          },
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
                fmt::format("game {} is at version {}, not {}; look at it with {}", game,
                            conflict.actual, conflict.expected, snl_command({"show", game})));
          },
          [&](const CommandIdTaken& taken) {
            return Failure(Exit::conflict, explain(Rejection(taken)) + "; use a new one");
          },
          [](const InvalidCommandId& invalid) {
            return Failure(Exit::usage, explain(Rejection(invalid)));
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

Failure failure_from(const Rejection& rejection, const Match& match, const Command& command) {
  const auto* refusal = std::get_if<Refusal>(&rejection);
  const auto* few = refusal == nullptr ? nullptr : std::get_if<NotEnoughTurns>(refusal);
  if (few == nullptr) return failure_from(rejection, *match.state().setup, match.id());
  const std::string_view verb = std::holds_alternative<RedoTurns>(command) ? "redo" : "undo";
  if (few->possible == 0 || few->asked == 0)
    return {Exit::refused,
            fmt::format("nothing to {}: game {} is at turn {}; see {}", verb, match.id(),
                        match.state().position.turn, snl_command({"log", match.id()}))};
  return {Exit::refused, fmt::format("{} turns are too many to {}: {} is the most; give -n {}",
                                     few->asked, verb, few->possible, few->possible)};
}

}  // namespace snl::cli
