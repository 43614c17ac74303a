// Random boards to draw.
#pragma once

#include "domain/board.hpp"

#include <random>
#include <set>

namespace snl {

/// A board with about `jumps` jumps, the same for the same arguments.
inline Board random_board(std::int64_t cells, std::int64_t width, int jumps, unsigned seed) {
  std::mt19937 random(seed);
  const auto any_cell = [&] {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(cells)) + 1;
  };
  BoardDescription description{.cells = cells, .width = width};
  std::set<std::int64_t> starts{cells};
  for (int i = 0; i < jumps; ++i) {
    const std::int64_t from = any_cell();
    const std::int64_t to = any_cell();
    if (from == to || !starts.insert(from).second) continue;
    (to > from ? description.ladders : description.snakes).push_back({from, to});
  }
  return *Board::make(description);
}

}  // namespace snl
