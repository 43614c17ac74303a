// Boards with a name.
#pragma once

#include "board.hpp"
#include "rules.hpp"

#include <span>
#include <string_view>

namespace [[gnu::visibility("default")]] snl {

struct NamedBoard {
  std::string_view name;
  std::string_view source;  // where it comes from
  std::string_view rules;   // the preset that it brings, see preset_names
  std::int32_t cells;
  std::int32_t width;
  std::span<const Jump> snakes;
  std::span<const Jump> ladders;
  std::span<const PowerCell> powers = {};

  Board board() const;
};

/// All named boards, in the order in which lists show them.
std::span<const NamedBoard> named_boards();

/// The board of a game whose player names none.
inline constexpr std::string_view usual_board = "milton-bradley";

/// The board of this name; null if there is none.
const NamedBoard* find_named_board(std::string_view name);
/// The named board with these cells, jumps and powers; null if there is none.
const NamedBoard* find_named_board(const Board& board);

}  // namespace snl
