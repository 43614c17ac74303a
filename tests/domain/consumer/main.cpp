// Plays a few turns through the class and a whole game through play_out; exits with 0 if both have
// the right results.
#include "domain/engine.hpp"
#include "domain/named_boards.hpp"
#include "domain/narration.hpp"
#include "domain/snake_and_ladder_game.hpp"

#include <iostream>
#include <memory>

namespace {

bool the_class_answers() {
  snl::SnakeAndLadderGame game({"A", "B"}, {"17,7"}, {"3,22"});
  return game.playTurn("A", {2}) == "A,22,B,CONTINUE" && game.playTurn("A", {1}) == "INVALID MOVE";
}

bool a_game_plays_out() {
  const auto* lld = snl::find_named_board("lld");
  const auto setup = std::make_shared<snl::GameSetup>(
      snl::GameSetup{.players = {"Ann", "Bob", "Cy"},
                     .board = lld->board(),
                     .rules = snl::value_named(snl::preset_names, lld->rules).value(),
                     .seed = 42});
  const auto start = snl::evolve({}, snl::decide({}, snl::StartGame{setup}).value()).value();
  const auto tell = [&](const snl::Event& event) {
    std::cout << snl::narrate(event, setup->players, snl::Glyphs::ascii) << '\n';
  };
  return snl::play_out(start, snl::seeded_dice, tell, 1000).value().completed();
}

}  // namespace

int main() {
  return the_class_answers() && a_game_plays_out() ? 0 : 1;
}
