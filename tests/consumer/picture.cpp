// Prints a position as SVG: the board, its pieces, the last move and who is to move.
#include "cli/drawing/position_svg.hpp"
#include "domain/engine.hpp"
#include "domain/named_boards.hpp"

#include <iostream>

int main() {
  const auto setup = std::make_shared<snl::GameSetup>(snl::GameSetup{
      .players = {"Ann", "Bob"}, .board = snl::find_named_board("class")->board(), .rules = {}});
  snl::GameState state = snl::evolve({}, snl::decide({}, snl::StartGame{setup}).value()).value();
  const auto turn = snl::decide(state, snl::PlayTurn{.seat = 0, .dice = {2}}).value();
  state = snl::evolve(state, turn).value();

  std::cout << snl::cli::position_svg(
      {.game = "final", .setup = *setup, .position = state.position, .last_move = turn});
}
