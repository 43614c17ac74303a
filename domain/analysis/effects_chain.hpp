// A piece in games with powers, faces that enter and sixes that give another turn, as a chain
// (chain.hpp): its states are a cell, the shields that its player has, and the turns that are still
// to miss.
#pragma once

#include "chain.hpp"
#include "domain/board.hpp"
#include "domain/rules.hpp"

#include <compare>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace snl {

struct ChainState {
  Cell cell = 0;
  std::int32_t shields = 0;
  std::int32_t skips = 0;
  friend bool operator==(const ChainState&, const ChainState&) = default;
  /// By cells, so that moves up lead to later states; on a cell with fewer turns to miss later.
  friend std::strong_ordering operator<=>(const ChainState& a, const ChainState& b) {
    if (a.cell != b.cell) return a.cell <=> b.cell;
    if (a.shields != b.shields) return a.shields <=> b.shields;
    return b.skips <=> a.skips;
  }
};

/// The most moves that a chain may be made of: they take half a gigabyte.
inline constexpr std::size_t max_effects_moves = 10'000'000;

struct EffectsChain {
  std::unique_ptr<const Chain> chain;
  std::vector<ChainState> states;  // ascending, the chain's without the last, which has finished

  /// The number of a state that is one of them, or of having finished on the last cell.
  Cell number_of(const ChainState& state) const;
  /// The lowest cell that a piece may come to and never finish from; none if it surely finishes.
  std::optional<Cell> stranding_cell() const;
};

/// Of a piece alone, turn by turn that it plays: turns to miss don't matter to it, and there is
/// nobody to swap with or to capture. For pieces in any state of `from`. An error is a sentence
/// without its full stop: there are too many states.
std::expected<EffectsChain, std::string> chain_of_turns(const Board& board, const Rules& rules,
                                                        std::span<const ChainState> from);

/// Of a piece in a race, round by round: one chance to move, with all turns of `again` and of
/// sixes, or one turn missed. An error also where a piece may move again without end.
std::expected<EffectsChain, std::string> chain_of_rounds(const Board& board, const Rules& rules,
                                                         std::span<const ChainState> from);

}  // namespace snl
