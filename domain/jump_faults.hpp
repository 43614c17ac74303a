// The faults that one jump can have by itself. Every reader of boards checks them here.
#pragma once

#include "board.hpp"

#include <cstdint>
#include <string_view>

namespace snl {

struct JumpFaults {
  bool starts_off_the_board = false;
  bool ends_off_the_board = false;
  bool starts_on_the_last_cell = false;
  bool goes_nowhere = false;    // it ends where it starts
  bool goes_wrong_way = false;  // a snake up, a ladder down

  constexpr bool any() const {
    return starts_off_the_board || ends_off_the_board || starts_on_the_last_cell || goes_nowhere ||
           goes_wrong_way;
  }
};

/// The faults of a jump on a board of this many cells (≥ 1).
constexpr JumpFaults faults_of(JumpKind kind, DescribedJump jump, std::int64_t cells) {
  const auto is_off = [&](std::int64_t cell) { return cell < 1 || cell > cells; };
  return {.starts_off_the_board = is_off(jump.from),
          .ends_off_the_board = is_off(jump.to),
          .starts_on_the_last_cell = jump.from == cells,
          .goes_nowhere = jump.from == jump.to,
          .goes_wrong_way = kind == JumpKind::snake ? jump.to > jump.from : jump.to < jump.from};
}

inline constexpr std::string_view no_start_on_the_last_cell = "nothing may start on the last cell";
inline constexpr std::string_view goes_nowhere = "it starts and ends on the same cell";

}  // namespace snl
