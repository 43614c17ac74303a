// The two board forms that are plain lists, read straight into vectors: a million numbers take a
// few milliseconds and no other memory.
#pragma once

#include "domain/board_forms.hpp"
#include "domain/faults.hpp"

#include <boost/json/error.hpp>

#include <expected>
#include <string_view>
#include <variant>

namespace snl {

struct BoardList {
  std::variant<BoardSquare, BoardMatrix, BoardMoves> form;
  Faults faults;  // of values that such a list can't have; no_jump stands in their place
};

/// The place where JSON stops being readable, and why.
struct JsonError {
  std::size_t offset;
  boost::json::error_code code;
};

/// Reads the JSON of a list. A list of lists is a matrix (a square of at least two rows, if nothing
/// in it is odd); any other list is moves. Returns faults instead if the list is longer than a
/// board can be.
std::expected<BoardList, std::variant<JsonError, Faults>> read_board_list(std::string_view json);

}  // namespace snl
