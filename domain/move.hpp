// One move of one piece: the rules that need a board, but no game.
#pragma once

#include "board.hpp"
#include "rules.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace [[gnu::visibility("default")]] snl {

enum class Outcome : std::uint8_t {
  moved,
  blocked,    // an overshoot under Finish::exact: the piece stays
  forfeited,  // three sixes: the piece stays
  waiting,    // off the board without a face of Rules::enter: the piece stays
  won,
};
std::string_view to_string(Outcome outcome);
std::optional<Outcome> outcome_named(std::string_view name);

/// Whether a piece stays where it is after a turn with this outcome.
constexpr bool stays(Outcome outcome) {
  return outcome == Outcome::blocked || outcome == Outcome::forfeited ||
         outcome == Outcome::waiting;
}

struct Move {
  Cell landed;  // before the jump, after a bounce; where the piece stood if it stays
  Cell to;
  Outcome outcome;
};

/// Whether a turn on this board, by these rules, may do more than move one piece: there are powers,
/// or the rules say `enter`, `capture` or `each`. For such turns, move_piece isn't enough: see
/// effects.hpp.
inline bool has_effects(const Board& board, const Rules& rules) {
  return !board.powers().empty() || rules.meet == Meet::capture || !rules.enter.empty() ||
         rules.sixes == Sixes::each;
}

/// Moves a piece from `from` (0 to cells − 1) by `distance` (≥ 0; 0 is a forfeit). A bounce that
/// would carry it back past cell 1 turns there again.
Move move_piece(const Board& board, const Rules& rules, Cell from, std::int32_t distance);

}  // namespace snl
