// The rules of a game: here in words, below as data.
//
// The board is a track of numbered cells, 1 to the last. Some cells start a snake, which leads down
// to a lower cell, or a ladder, which leads up to a higher one. Two to ten players have a piece
// each. All pieces start on cell 1, or off the board if the rules say so, and any number of them
// may stand on one cell. Players take turns in an order that never changes.
//
// A turn. The player throws a die, or two dice at once, and moves the piece forward by the sum, in
// one move. If the move ends on the lower end of a ladder the piece climbs it, and if it ends on
// the head of a snake it slides down. What lies between is passed over. One snake or ladder a turn:
// where it ends the piece stays, even if another starts there, and a piece that hasn't moved takes
// none. Then it is the next player's turn.
//
// Sixes. With one die of six faces, a 6 may roll again: the player throws once more before anything
// moves, after a second 6 a third time, and moves by the sum of all (6 and 3 make 9: the piece
// doesn't touch the cell 6 steps on). Three sixes are no move: the turn is forfeited, and the piece
// stays. Under a second rule, `each`, a throw is a turn: a 6 moves the piece as any number does,
// and the same player has another turn, however many sixes follow each other, and even where the
// piece couldn't move. Under the third, `plain`, a 6 is a number as any other.
//
// The end. Whoever comes to the last cell first, by dice or by a ladder, wins, and the game is
// over. A sum that would carry the piece past the last cell is settled by one of three rules.
// `exact`: it isn't moved, nothing is taken where it stands, and the turn is over. `overshoot`:
// passing the last cell wins as well. `bounce`: the piece goes on to the last cell and comes back
// from there by what is left; a snake or ladder where it ends is taken. (On the shortest boards it
// may come back to cell 1 with steps to go: there it turns again.)
//
// Powers. A cell may have one (power.hpp), and two more rules belong to them. Under `enter` a piece
// that is off the board needs one of some faces among the turn's dice; then it moves by their whole
// sum, else it stays. Under `capture` a piece that ends its move where others stand sends them back
// to the start, but not from cell 1 and not from cells that the rules call safe. A turn goes in
// this order: three sixes are forfeited; a piece that can't enter stays; the rule of the end; a
// jump (a snake takes one of the piece's shields instead, if it has any, and the piece stays on the
// head); on the last cell it has won; captures; the power of its cell. What a power does sets off
// nothing else. Then the next player moves who has no turn to miss; whoever is passed over has
// missed one. (Who has another turn by a 6 is next, but may miss that turn as any other.)
//
// Dice that somebody else threw. decide() takes dice as a list that is said to have fallen, 6-6-1.
// Where a 6 rolls again it also takes a list that stops too soon, [6] or [6,6], as a move of 6 or
// 12: another program may report a turn so, and what it says is recorded, not corrected. [6,6,6] is
// the forfeit. A list that goes on too long, such as [3,6], is refused. Dice from the game's seed
// are always rolled to their end; so is every turn of the odds and the simulations in
// domain/analysis, for which a move of just 6 or 12 doesn't exist.
//
// In code: which dice a turn may have is in turn_dice.hpp, what they do to a piece in move.hpp,
// whose turn it is and when the game is over in engine.hpp.
//
// The rules are part of a game's first event, so a recorded game is judged for ever by those that
// it was played by.
#pragma once

#include "board.hpp"
#include "names.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

enum class Finish : std::uint8_t {
  exact,      // a move past the end is not made: the piece stays and the turn passes
  overshoot,  // passing the end wins as reaching it does
  bounce,     // a move past the end comes back by the excess; a jump there is taken
};

enum class Meet : std::uint8_t {
  share,    // any number of pieces stand on a cell
  capture,  // whoever ends a move on a cell sends the others there back to the start
};

enum class Sixes : std::uint8_t {
  again,  // a 6 rolls again, up to three dice; their sum is one move; 6-6-6 moves nothing
  plain,  // the dice are thrown once
  each,   // the same; a 6 gives its player another turn, whatever else it did
};

struct Rules {
  Cell start = 1;  // 1, or 0: pieces begin off the board
  Finish finish = Finish::exact;
  std::int32_t dice = 1;       // 1, or 2 dice thrown together and summed
  std::int32_t faces = 6;      // of each die, 2 to 100
  Sixes sixes = Sixes::again;  // see can_roll_again
  /// The faces that bring a piece onto the board, ascending; none: any. Only with start 0.
  std::vector<std::int32_t> enter = {};
  Meet meet = Meet::share;
  /// Where nobody is captured, ascending, 2 to the last cell but one. Only with Meet::capture.
  std::vector<Cell> safe = {};

  friend bool operator==(const Rules&, const Rules&) = default;
};

inline constexpr std::int32_t min_faces = 2;
inline constexpr std::int32_t max_faces = 100;

/// Everything wrong with the rules, a sentence each; none for rules that can be played by. Whether
/// safe cells are on a board is faults_of_safe_cells' to say.
std::vector<std::string> faults_of(const Rules& rules);

/// The safe cells that a board of so many cells doesn't have, a sentence each.
std::vector<std::string> faults_of_safe_cells(const Rules& rules, std::int32_t cells);

/// Whether `again` is possible, and `each` too: with one die of 6 faces alone.
bool can_roll_again(const Rules& rules);

// ---- The names of each rule's values, the default first

inline constexpr std::array finish_names{NamedValue{"exact", Finish::exact},
                                         NamedValue{"overshoot", Finish::overshoot},
                                         NamedValue{"bounce", Finish::bounce}};
inline constexpr std::array sixes_names{NamedValue{"again", Sixes::again},
                                        NamedValue{"plain", Sixes::plain},
                                        NamedValue{"each", Sixes::each}};
inline constexpr std::array meet_names{NamedValue{"share", Meet::share},
                                       NamedValue{"capture", Meet::capture}};

/// `standard` is the class SnakeAndLadderGame's rules; `lld` the low-level design's and
/// `milton-bradley` the ones that analyses of Chutes and Ladders use (both: start 0, plain).
inline constexpr std::array preset_names{
    NamedValue{"standard", Rules{}}, NamedValue{"lld", Rules{.start = 0, .sixes = Sixes::plain}},
    NamedValue{"milton-bradley", Rules{.start = 0, .sixes = Sixes::plain}}};

constexpr std::string_view to_string(Finish finish) {
  return name_of(finish_names, finish);
}
constexpr std::string_view to_string(Sixes sixes) {
  return name_of(sixes_names, sixes);
}
constexpr std::string_view to_string(Meet meet) {
  return name_of(meet_names, meet);
}

}  // namespace snl
