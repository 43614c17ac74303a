// A piece as a chain (chain.hpp), in games with powers, faces that enter and sixes that give
// another turn. A state is a cell, the shields of the player, and the turns that the player still
// has to miss.
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
  /// Orders by cells, so that moves up lead to later states. On one cell, states with fewer turns
  /// to miss come later.
  friend std::strong_ordering operator<=>(const ChainState& a, const ChainState& b) {
    if (a.cell != b.cell) return a.cell <=> b.cell;
    if (a.shields != b.shields) return a.shields <=> b.shields;
    return b.skips <=> a.skips;
  }
};

/// The most moves of a chain: they take half a gigabyte.
inline constexpr std::size_t max_effects_moves = 10'000'000;

struct EffectsChain {
  std::unique_ptr<const Chain> chain;
  std::vector<ChainState> states;  // ascending: the chain's, except the last ("finished")

  /// The number of one of these states, or of a piece that has finished on the last cell.
  Cell number_of(const ChainState& state) const;
  /// The lowest cell that a piece may come to and never finish from; none if it surely finishes.
  std::optional<Cell> stranding_cell() const;
};

/// The chain of a piece alone, by the turns that it plays. Turns to miss don't matter to it, and
/// there is nobody to swap with or to capture. For pieces in any state of `from`. An error is a
/// sentence without its full stop: there are too many states.
std::expected<EffectsChain, std::string> chain_of_turns(const Board& board, const Rules& rules,
                                                        std::span<const ChainState> from);

/// The chain of a piece in a race, by rounds. A round is one chance to move, with all turns that
/// `again` and sixes add, or one turn missed. Also an error if a piece may move again without end.
std::expected<EffectsChain, std::string> chain_of_rounds(const Board& board, const Rules& rules,
                                                         std::span<const ChainState> from);

}  // namespace snl
