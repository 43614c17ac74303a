#include "board_lists.hpp"

#include "json_handler.hpp"
#include "json_numbers.hpp"

#include <boost/json/basic_parser_impl.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

namespace snl {
namespace {

namespace json = boost::json;

constexpr std::string_view blanks = " \t\r\n";

/// At most 40 bytes of a number, for a message.
std::string shortened(std::string_view number) {
  constexpr std::size_t longest = 40;
  return number.size() <= longest ? std::string(number)
                                  : fmt::format("{}…", number.substr(0, longest));
}

/// Takes the parser's values. Lists within the cells and all objects are skipped as a whole.
class ListHandler : public JsonHandler {
 public:
  bool on_array_begin(json::error_code& error) {
    if (depth_ == 1 && moves_.empty() && matrix_.empty()) is_matrix_ = true;
    const bool begins_row = depth_ == 1 && is_matrix_;
    if (begins_row ? !begin_row(error) : depth_ > 0 && !odd("a list", error)) return false;
    ++depth_;
    in_row_ = in_row_ || begins_row;
    return true;
  }
  bool on_array_end(std::size_t /*size*/, json::error_code& /*error*/) { return leave(); }

  bool on_object_begin(json::error_code& error) {
    if (!odd("an object", error)) return false;
    ++depth_;
    return true;
  }
  bool on_object_end(std::size_t /*size*/, json::error_code& /*error*/) { return leave(); }

  bool on_int64(std::int64_t number, json::string_view text, json::error_code& error) {
    if (std::in_range<Cell>(number)) return put(static_cast<Cell>(number), error);
    return off_any_board(text, error);
  }
  bool on_uint64(std::uint64_t /*number*/, json::string_view text, json::error_code& error) {
    return off_any_board(text, error);
  }
  bool on_double(double number, json::string_view text, json::error_code& error) {
    if (text.find_first_of(".eE") == json::string_view::npos) return off_any_board(text, error);
    if (const auto whole = whole_number(number)) return on_int64(*whole, text, error);
    return odd(shortened(text), error);
  }
  bool on_bool(bool value, json::error_code& error) { return odd(value ? "true" : "false", error); }
  bool on_null(json::error_code& error) { return odd("null", error); }
  bool on_string(json::string_view /*end*/, std::size_t /*size*/, json::error_code& error) {
    return odd("a string", error);
  }

  /// True once the list is longer than a board can be; the last fault says so.
  bool is_too_large() const { return too_large_; }

  Faults take_faults() { return std::move(faults_).take(); }

  decltype(BoardList::form) take_form() {
    if (is_matrix_) return std::move(matrix_);
    return std::move(moves_);
  }

 private:
  bool is_cell() const { return in_row_ && depth_ == 2; }
  bool is_item() const { return !in_row_ && depth_ == 1; }  // a move, or in place of a row

  bool leave() {
    --depth_;
    if (depth_ == 1) in_row_ = false;
    return true;
  }

  bool begin_row(json::error_code& error) {
    if (std::cmp_equal(matrix_.size(), max_rows))
      return too_large(fmt::format("more than {} rows: a board has no more", max_rows), error);
    matrix_.emplace_back();
    matrix_.back().reserve(matrix_.front().size());
    return true;
  }

  bool put(Cell cell, json::error_code& error) {
    if (is_cell()) return put_in_row(cell, error);
    if (!is_item()) return true;
    if (is_matrix_) return odd(std::to_string(cell), error);
    if (std::cmp_equal(moves_.size(), max_cells))
      return too_large(fmt::format("more than {} cells: a board has no more", max_cells), error);
    moves_.push_back(cell);
    return true;
  }

  bool put_in_row(Cell cell, json::error_code& error) {
    BoardMatrix::value_type& row = matrix_.back();
    if (std::cmp_equal(row.size(), max_rows))
      return too_large(fmt::format("row {}: more than {} columns: a board has no more",
                                   matrix_.size() - 1, max_rows),
                       error);
    row.push_back(cell);
    return true;
  }

  /// A value that can't stand here. no_jump takes its place, so that later places stay right and
  /// nothing else is found wrong with it.
  bool odd(const std::string& what, json::error_code& error) {
    return fault(fmt::format("a whole number is expected, not {}", what), error);
  }

  bool off_any_board(std::string_view number, json::error_code& error) {
    return fault(fmt::format("{} is off any board", shortened(number)), error);
  }

  bool fault(const std::string& sentence, json::error_code& error) {
    if (is_cell()) {
      faults_.add([&] {
        return fmt::format("row {}, column {}: {}", matrix_.size() - 1, matrix_.back().size(),
                           sentence);
      });
      return put_in_row(no_jump, error);
    }
    if (!is_item()) return true;
    if (!is_matrix_) {
      faults_.add([&] { return fmt::format("index {}: {}", moves_.size(), sentence); });
      return put(no_jump, error);
    }
    faults_.add([&] { return fmt::format("row {}: it isn't a list", matrix_.size()); });
    if (!begin_row(error)) return false;
    matrix_.back().assign(matrix_.front().size(), no_jump);
    return true;
  }

  bool too_large(std::string sentence, json::error_code& error) {
    faults_.add([&] { return std::move(sentence); });
    too_large_ = true;
    error = json::error::array_too_large;
    return false;
  }

  BoardMatrix matrix_;
  BoardMoves moves_;
  bool is_matrix_ = false;
  std::size_t depth_ = 0;  // of open lists and objects
  bool in_row_ = false;    // in a row of the matrix, or deeper
  bool too_large_ = false;
  FaultList faults_;
};

/// Reads a list in which nothing is odd, as nearly all are, several times as fast as a parser of
/// all JSON can. It gives up at anything that it doesn't know, and finds no faults.
class PlainList {
 public:
  using Form = decltype(BoardList::form);

  static std::optional<Form> read(std::string_view text) {
    const std::size_t last = text.find_last_not_of(blanks);
    if (last == std::string_view::npos || text[last] != ']') return std::nullopt;
    return PlainList(text.substr(0, last + 1)).read();
  }

 private:
  explicit PlainList(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}

  std::optional<Form> read() {
    if (!take('[')) return std::nullopt;
    skip_blanks();
    if (*at_ == '[') {
      BoardSquare square{};
      if (rows(square) && at_ == end_) return square;
    } else {
      BoardMoves moves;
      if (numbers(moves, max_cells) && at_ == end_) return moves;
    }
    return std::nullopt;
  }

  // The text ends with a bracket. Until that is taken, code that skips or takes anything else stops
  // there, and needn't look for the end of the text.

  void skip_blanks() {
    while (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')
      ++at_;
  }

  bool take(char expected) {
    skip_blanks();
    if (*at_ != expected) return false;
    ++at_;
    return true;
  }

  /// Two rows or more, each as long as there are rows.
  bool rows(BoardSquare& square) {
    std::vector<Cell> row(max_rows);
    std::size_t columns = max_rows;
    std::int32_t read = 0;
    do {
      if (std::cmp_equal(read, columns) || !take('[')) return false;
      const auto end = cells(row.data(), row.data() + columns);
      if (end == nullptr || at_ == end_) return false;
      if (read == 0) {
        columns = static_cast<std::size_t>(end - row.data());
        square.rows = static_cast<std::int32_t>(columns);
        square.landings.resize(columns * columns + 1);
      }
      if (end != row.data() + columns) return false;
      put_row(square, read, row.data());
      ++read;
    } while (take(','));
    return columns > 1 && std::cmp_equal(read, columns) && take(']');
  }

  static void put_row(BoardSquare& square, std::int32_t row, const Cell* destinations) {
    auto [cell, step] = place_of_row(row, square.rows);
    Cell* const landings = square.landings.data();
    for (std::int32_t column = 0; column < square.rows; ++column, cell += step) {
      const Cell destination = destinations[column];
      landings[cell] = destination == no_jump ? static_cast<Cell>(cell) : destination;
    }
  }

  /// Reads one or more numbers, as many as there is room for, and the bracket behind them. Returns
  /// the end of the numbers; null if anything else is there.
  Cell* cells(Cell* first, const Cell* last) {
    Cell* next = first;
    do {
      // Nearly all numbers are −1.
      for (; next != last && end_ - at_ > 3 && std::memcmp(at_, "-1,", 3) == 0; at_ += 3)
        *next++ = no_jump;
      skip_blanks();
      Cell number = 0;
      if (!take_number(number) || next == last) return nullptr;
      *next++ = number;
    } while (take(','));
    return take(']') ? next : nullptr;
  }

  /// One or more numbers, at most `most`, and the bracket behind them.
  bool numbers(std::vector<Cell>& list, std::int64_t most) {
    do {
      skip_blanks();
      Cell number = 0;
      if (!take_number(number) || std::cmp_equal(list.size(), most)) return false;
      list.push_back(number);
    } while (take(','));
    return take(']');
  }

  /// Takes up to nine digits: fewer than a Cell holds, and more than a cell has.
  bool take_number(Cell& number) {
    const char* digit = at_;
    const bool negative = *digit == '-';
    if (negative) ++digit;
    const char* const first = digit;
    std::uint32_t value = 0;
    for (; *digit >= '0' && *digit <= '9'; ++digit)
      value = value * 10 + static_cast<std::uint32_t>(*digit - '0');
    at_ = digit;
    const auto digits = digit - first;
    if (digits == 0 || digits > 9 || (digits > 1 && *first == '0')) return false;
    number = negative ? -static_cast<Cell>(value) : static_cast<Cell>(value);
    return true;
  }

  const char* at_;
  const char* end_;
};

}  // namespace

std::expected<BoardList, std::variant<JsonError, Faults>> read_board_list(std::string_view text) {
  if (auto plain = PlainList::read(text)) return BoardList{*std::move(plain), {}};
  json::basic_parser<ListHandler> parser(json::parse_options{});
  json::error_code error;
  std::size_t read = parser.write_some(false, text.data(), text.size(), error);
  ListHandler& handler = parser.handler();
  if (handler.is_too_large()) return std::unexpected(handler.take_faults());
  if (!error) {
    read = std::min(text.find_first_not_of(blanks, read), text.size());
    if (read < text.size()) error = json::error::extra_data;
  }
  if (error) return std::unexpected(JsonError{read, error});
  return BoardList{handler.take_form(), handler.take_faults()};
}

}  // namespace snl
