// Boards as JSON files.
//
//   {"cells":100,"width":10,"snakes":[[17,7]],"ladders":[["3","22"] or "3,22"]}
#pragma once

#include "domain/board.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace snl {

/// The largest board file that is read, in bytes.
inline constexpr std::size_t max_board_bytes = std::size_t{256} << 20U;

/// The board in a file's text, or every fault it has, each with its place: a line and column where
/// it isn't JSON, else the list and index ("snakes[2]").
std::expected<Board, std::vector<std::string>> parse_board(std::string_view json);

/// The first form above, pairs as lists, in one line.
std::string board_to_json(const Board& board);

}  // namespace snl
