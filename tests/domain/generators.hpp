// RapidCheck generators for all parts of a game, small values first. So a failing property shrinks
// to a small board, few players and few commands. All boards, rules, setups and positions are
// sound. The commands of a script are a mix of legal and illegal ones.
#pragma once

#include "domain/engine.hpp"
#include "printing.hpp"

#include <rapidcheck.h>

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace snl::test {

/// 2 to 120 cells, any width, any allowed jumps: chained, on cell 1, onto the last cell.
rc::Gen<BoardDescription> any_board_description();
rc::Gen<Board> any_board();

rc::Gen<Rules> any_rules();

/// Any UTF-8, without control characters: commas, quotes, spaces, emoji.
rc::Gen<std::string> any_name();

/// One in five is a branch. One in five has a draw, with arbitrary bytes
/// (tests/storage/scripted.hpp makes them sound). Half of them have powers, and perhaps captures
/// and faces that enter.
rc::Gen<GameSetup> any_setup();

/// Dice with which a turn under `rules` can be played, and dice with which it can't.
rc::Gen<Dice> possible_dice_under(const Rules& rules);
rc::Gen<Dice> impossible_dice_under(const Rules& rules);

/// A player's wish, relative to the state of the game at that time. So it still means something
/// once earlier commands have been shrunk away.
struct Wish {
  enum class Kind : std::uint8_t {
    play,              // the player to move, possible dice
    roll,              //
    undo,              // `amount` turns
    redo,              // `amount` turns
    undo_to,           // `amount` turns before the last one
    play_out_of_turn,  // the player `amount` seats after the one to move; amount ≥ 1
    play_as_nobody,    //
    play_impossibly,   // impossible dice
    start,             // again
  };
  Kind kind = Kind::play;
  Turn amount = 1;
  Dice dice;
};

/// The command for the wish in `state`, a started game.
Command command_for(const Wish& wish, const GameState& state);

/// A game and its players' wishes, one after the other.
struct Script {
  std::shared_ptr<const GameSetup> setup;
  std::vector<Wish> wishes;
};
rc::Gen<Script> any_script();

std::ostream& operator<<(std::ostream& out, const Wish& wish);
std::ostream& operator<<(std::ostream& out, const Script& script);

}  // namespace snl::test

namespace rc {

template <>
struct Arbitrary<snl::BoardDescription> {
  static Gen<snl::BoardDescription> arbitrary() { return snl::test::any_board_description(); }
};
template <>
struct Arbitrary<snl::Board> {
  static Gen<snl::Board> arbitrary() { return snl::test::any_board(); }
};
template <>
struct Arbitrary<snl::Rules> {
  static Gen<snl::Rules> arbitrary() { return snl::test::any_rules(); }
};
template <>
struct Arbitrary<snl::GameSetup> {
  static Gen<snl::GameSetup> arbitrary() { return snl::test::any_setup(); }
};
template <>
struct Arbitrary<snl::test::Script> {
  static Gen<snl::test::Script> arbitrary() { return snl::test::any_script(); }
};

}  // namespace rc
