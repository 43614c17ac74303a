// The rules of a game: first in words, then as data.
//
// The board is a track of cells with numbers from 1 to the last. Some cells start a snake, which
// leads down to a lower cell, or a ladder, which leads up to a higher one. Two to ten players have
// a piece each. All pieces start on cell 1, or off the board if the rules say so. Any number of
// pieces may stand on one cell. Players take turns in an order that never changes.
//
// A turn. The player throws a die, or two dice at once, and moves the piece forward by the sum, in
// one move. If the move ends on the lower end of a ladder, the piece climbs it. If the move ends on
// the head of a snake, the piece slides down. Cells between are passed over. There is one snake or
// ladder a turn: the piece stays where it ends, even if another one starts there. A piece that
// hasn't moved takes none. Then it is the next player's turn.
//
// Sixes. With one die of six faces, there are three rules for a 6. Other dice allow only `plain`.
// - `again`: the player throws once more before anything moves, and after a second 6 a third time.
//   The piece moves by the sum in one move (6 and 3 make 9: it doesn't touch the cell 6 steps on).
//   Three sixes forfeit the turn, and the piece stays.
// - `each`: a throw is a turn. A 6 moves the piece like any number, and then the same player has
//   another turn. That holds however many sixes follow each other, and even if the piece couldn't
//   move.
// - `plain`: a 6 is a number like any other.
//
// The end. The first player to reach the last cell, by dice or by a ladder, wins, and the game is
// over. There are three rules for a sum that would carry the piece past the last cell.
// - `exact`: the piece doesn't move, takes nothing where it stands, and the turn is over.
// - `overshoot`: passing the last cell wins as well.
// - `bounce`: the piece goes on to the last cell and comes back by the rest, and takes a snake or
//   ladder where it ends. (On the shortest boards it may come back to cell 1 with steps to go.
//   There it turns again.)
//
// Powers. A cell may have a power (power.hpp). Two more rules belong to powers. Under `enter`, a
// piece off the board needs one of the given faces among the turn's dice. Then it moves by their
// whole sum; else it stays. Under `capture`, a piece that ends its move where others stand sends
// them back to the start. It captures nothing on cell 1, or on cells that the rules call safe.
//
// A turn goes in this order:
// - three sixes are forfeited;
// - a piece that can't enter stays;
// - the rule of the end applies;
// - the piece takes a jump; if it has a shield, a snake takes the shield instead, and the piece
//   stays on the head;
// - on the last cell, it has won;
// - captures;
// - the power of its cell, whose effects set off nothing else.
//
// The next player to move is the first who has no turn to miss. A player who is passed over has
// missed one. (A player who has another turn by a 6 is next, but may miss that turn like any
// other.)
//
// Dice from elsewhere. decide() takes dice as a list that the sender reports, 6-6-1. Under `again`,
// it also takes a list that stops too soon, [6] or [6,6], as a move of 6 or 12. Another program may
// report a turn that way, and its report is recorded, not corrected. [6,6,6] is the forfeit. A list
// that goes on too long, such as [3,6], is refused. Dice from the game's seed are always rolled to
// their end. So is every turn of the odds and the simulations in domain/analysis: there, a move of
// just 6 or 12 doesn't exist.
//
// In code: turn_dice.hpp says which dice a turn may have, move.hpp how they move a piece, and
// engine.hpp whose turn it is and when the game is over.
//
// The rules are part of a game's first event. So a recorded game keeps the rules that it was played
// by.
#pragma once

#include "board.hpp"
#include "names.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

enum class Finish : std::uint8_t {
  exact,      // a move past the end isn't made: the piece stays and the turn passes
  overshoot,  // passing the end wins, like reaching it
  bounce,     // a move past the end comes back by the excess; a jump there is taken
};

enum class Meet : std::uint8_t {
  share,    // any number of pieces stand on a cell
  capture,  // a piece that ends its move on a cell sends the others there back to the start
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
  /// The faces that bring a piece onto the board, ascending; empty: any face. Only with start 0.
  std::vector<std::int32_t> enter = {};
  Meet meet = Meet::share;
  /// The cells without captures, ascending, 2 to the last cell but one. Only with Meet::capture.
  std::vector<Cell> safe = {};

  friend bool operator==(const Rules&, const Rules&) = default;
};

inline constexpr std::int32_t min_faces = 2;
inline constexpr std::int32_t max_faces = 100;

/// All faults of the rules, a sentence each; none for playable rules. faults_of_safe_cells checks
/// whether safe cells are on a board.
std::vector<std::string> faults_of(const Rules& rules);

/// The safe cells that a board of this many cells doesn't have, a sentence each.
std::vector<std::string> faults_of_safe_cells(const Rules& rules, std::int32_t cells);

/// Whether `again` and `each` are possible: only with one die of 6 faces.
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

/// `standard` has the rules of the class SnakeAndLadderGame, `lld` those of the low-level design,
/// and `milton-bradley` those of analyses of Chutes and Ladders. The last two are the same: start
/// 0, plain.
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
