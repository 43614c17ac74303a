// The fewest throws of one die from a cell to others, if the player may choose the faces. A throw
// takes one jump, never two, and none goes past the last cell. (fewest_turns() in
// domain/reachability.hpp counts turns under a game's rules.)
#pragma once

#include "domain/board.hpp"
#include "domain/board_forms.hpp"

#include <cstdint>
#include <expected>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// One best way to the last cell, or none.
struct FewestThrows {
  std::int32_t count;                // -1: the last cell can't be reached
  std::vector<std::int32_t> throws;  // `count` of them, 1 to faces
  std::vector<Cell> cells;           // after each throw, jumps taken

  bool reachable() const { return count >= 0; }
  friend bool operator==(const FewestThrows&, const FewestThrows&) = default;
};

/// `start` is 0 to cells. A jump that starts there isn't taken before the first throw. `faces` is 1
/// or more, and may be more than cells. The choice among several best ways is always the same.
///
/// O(cells) time, whatever the faces, and at most 5 bytes a cell beside the board and the answer.
FewestThrows fewest_throws(const Board& board, Cell start, std::int32_t faces);

/// The count alone. It takes less than a byte a cell.
std::int32_t fewest_throws_count(const Board& board, Cell start, std::int32_t faces);

/// The fewest throws after which a piece can rest on each cell, 0 to cells. The value is -1 if a
/// piece can never rest there, as where a jump starts and no other jump ends. `start`, `faces` and
/// the cost are those of fewest_throws().
std::vector<std::int32_t> fewest_throws_to_every_cell(const Board& board, Cell start,
                                                      std::int32_t faces);

inline constexpr std::int32_t usual_faces = 6;

/// fewest_throws() of the board that a form means, or every fault of the form. A board of one cell
/// takes no throw.
std::expected<FewestThrows, Faults> fewest_throws_of_matrix(const BoardMatrix& matrix,
                                                            Cell start = 1,
                                                            std::int32_t faces = usual_faces);
std::expected<FewestThrows, Faults> fewest_throws_of_moves(std::span<const Cell> moves,
                                                           Cell start = 1,
                                                           std::int32_t faces = usual_faces);
std::expected<FewestThrows, Faults> fewest_throws_of_entries(const BoardEntries& entries,
                                                             Cell start = 0,
                                                             std::int32_t faces = usual_faces);
std::expected<FewestThrows, Faults> fewest_throws_of_jumps(const BoardDescription& description,
                                                           Cell start = 1,
                                                           std::int32_t faces = usual_faces);

}  // namespace snl
