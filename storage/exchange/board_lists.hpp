// The two board files that are plain lists, read straight into vectors: a million numbers take a
// few milliseconds and no memory beside them.
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
  Faults faults;  // of values that can't be in such a list; no_jump stands in their place
};

/// Where JSON stops being readable, and why.
struct JsonError {
  std::size_t offset;
  boost::json::error_code code;
};

/// Reads the JSON of a list: of lists, which is a matrix (a square of at least two rows, if nothing
/// in it is odd), or of anything else, which is moves. Faults instead if there is more of it than a
/// board can have.
std::expected<BoardList, std::variant<JsonError, Faults>> read_board_list(std::string_view json);

}  // namespace snl
