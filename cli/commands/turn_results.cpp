#include "turn_results.hpp"

#include "cli/reports/json_output.hpp"
#include "cli/session/near_word.hpp"
#include "cli/session/next_step.hpp"
#include "cli/session/rejection.hpp"
#include "domain/narration.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <variant>

namespace snl::cli {

std::optional<std::string_view> refusal_result(const Rejection& rejection) {
  const auto* refusal = std::get_if<Refusal>(&rejection);
  if (refusal == nullptr) return std::nullopt;
  if (std::holds_alternative<InvalidMove>(*refusal)) return invalid_move_result;
  if (std::holds_alternative<GameCompleted>(*refusal)) return game_completed_result;
  return std::nullopt;
}

void TurnPrinter::print_turn(const Recorded& recorded) const {
  const auto& turn = std::get<TurnPlayed>(recorded.events.front());
  const auto& players = setup_->players;
  if (form_ == OutputForm::json) return print_json(played_json(turn, players, recorded.head));
  if (style_ == Style::rolled) {
    print_names(fmt::format("{} {}", players[turn.seat], to_string(turn.dice)));
    print("\t");
  }
  print_names(result_of(turn, players) + '\n');
}

void TurnPrinter::print_refusal(std::string_view result) const {
  if (form_ == OutputForm::json)
    print_json({{"result", result}});
  else
    print_line(result);
}

Failure turn_failure(const Rejection& rejection, const Match& match, std::string_view player,
                     std::string_view dice) {
  const GameSetup& setup = *match.state().setup;
  const Position& position = match.state().position;
  if (const auto* refusal = std::get_if<Refusal>(&rejection)) {
    if (std::holds_alternative<UnknownPlayer>(*refusal))
      return {Exit::no_such,
              fmt::format("no player \"{}\"{}; the players are {}", player,
                          suggestion(player, setup.players), fmt::join(setup.players, ", "))};
    if (const auto* impossible = std::get_if<ImpossibleDice>(refusal))
      return {Exit::usage,
              fmt::format("dice {} are impossible: {}", dice, possible_dice(impossible->rules))};
    if (std::holds_alternative<InvalidMove>(*refusal))
      return {Exit::refused, fmt::format("{} is to move; see {}", setup.players[position.next],
                                         snl_command({"show", match.id()}))};
    const bool can_be_undone = !setup.origin || position.turn > setup.origin->position.turn;
    if (std::holds_alternative<GameCompleted>(*refusal) && position.winner && !can_be_undone)
      return {Exit::refused,
              fmt::format("{} has won already; see {}", setup.players[*position.winner],
                          snl_command({"show", match.id()}))};
    if (std::holds_alternative<GameCompleted>(*refusal) && position.winner)
      return {Exit::refused,
              fmt::format("{} has won already; {} takes the last turn back",
                          setup.players[*position.winner], snl_command({"undo", match.id()}))};
  }
  return failure_from(rejection, setup, match.id());
}

void refuse_turn(const TurnPrinter& printer, const Rejection& rejection, const Failure& failure) {
  if (const auto result = refusal_result(rejection)) printer.print_refusal(*result);
  throw failure;
}

}  // namespace snl::cli
