// Boards that are known by a name.
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

/// All of them, in the order in which they are listed.
std::span<const NamedBoard> named_boards();

/// The board that people play on where they name none.
inline constexpr std::string_view usual_board = "milton-bradley";

/// Null if there is none of this name.
const NamedBoard* find_named_board(std::string_view name);
/// The one with these cells, jumps and powers; null if none has.
const NamedBoard* find_named_board(const Board& board);

}  // namespace snl
