#include "board_json.hpp"

#include "board_lists.hpp"
#include "board_text.hpp"
#include "byte_order_mark.hpp"
#include "domain/board_forms.hpp"
#include "domain/names.hpp"
#include "domain/overloaded.hpp"
#include "json_handler.hpp"
#include "json_numbers.hpp"

#include <boost/json.hpp>
#include <boost/json/basic_parser_impl.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace snl {
namespace {

namespace json = boost::json;

/// "line 3, column 7" of a byte offset.
std::string place_in(std::string_view text, std::size_t offset) {
  std::size_t line = 1;
  std::size_t line_start = 0;
  for (std::size_t i = 0; i < offset && i < text.size(); ++i) {
    if (text[i] != '\n') continue;
    ++line;
    line_start = i + 1;
  }
  return fmt::format("line {}, column {}", line, offset - line_start + 1);
}

std::string not_json(std::string_view text, std::size_t offset, const json::error_code& error) {
  if (error == json::error::too_deep)
    return fmt::format("{}: no board has lists in lists as deep as this", place_in(text, offset));
  return fmt::format("{}: this isn't JSON ({})", place_in(text, offset), error.message());
}

/// Checks an object before a tree is made of it, which has a node of 24 bytes for each value.
class Overview : public JsonHandler {
 public:
  bool on_array_begin(Error& error) { return add_value(error) && open(); }
  bool on_array_end(std::size_t /*size*/, Error& /*error*/) { return close(); }
  bool on_object_begin(Error& error) { return add_value(error) && open(); }
  bool on_object_end(std::size_t /*size*/, Error& /*error*/) { return close(); }
  bool on_int64(std::int64_t /*number*/, Text /*text*/, Error& error) { return add_value(error); }
  bool on_uint64(std::uint64_t /*number*/, Text /*text*/, Error& error) { return add_value(error); }
  bool on_double(double /*number*/, Text /*text*/, Error& error) { return add_value(error); }
  bool on_bool(bool /*value*/, Error& error) { return add_value(error); }
  bool on_null(Error& error) { return add_value(error); }
  bool on_string(Text /*end*/, std::size_t /*size*/, Error& error) { return add_value(error); }

  bool on_key_part(Text part, std::size_t /*size*/, Error& /*error*/) {
    key_ += part;
    return true;
  }
  bool on_key(Text end, std::size_t /*size*/, Error& error) {
    key_ += end;
    const std::string key = std::exchange(key_, {});
    if (depth_ > 1 || keys_.insert(key).second) return add_value(error);
    return fail(key + ": it appears twice", error);
  }

  /// The reason not to make a tree; empty if there is none.
  const std::string& fault() const { return fault_; }

 private:
  static constexpr std::size_t most_values = 10'000'000;  // keys too

  bool open() {
    ++depth_;
    return true;
  }
  bool close() {
    --depth_;
    return true;
  }
  bool add_value(Error& error) {
    if (++values_ <= most_values) return true;
    return fail(
        fmt::format("more than {} values: give a board of so many jumps as a list", most_values),
        error);
  }
  bool fail(std::string fault, Error& error) {
    fault_ = std::move(fault);
    error = json::error::array_too_large;
    return false;
  }

  std::size_t depth_ = 0;
  std::size_t values_ = 0;
  std::string key_;  // the part that has come so far
  std::unordered_set<std::string> keys_;
  std::string fault_;
};

std::expected<json::value, std::string> parse_json(std::string_view text) {
  json::error_code error;
  json::basic_parser<Overview> overview(json::parse_options{});
  overview.write_some(false, text.data(), text.size(), error);
  if (!overview.handler().fault().empty()) return std::unexpected(overview.handler().fault());
  json::stream_parser parser;
  const std::size_t read = parser.write_some(text.data(), text.size(), error);
  if (!error && read < text.size() &&
      text.substr(read).find_first_not_of(" \t\r\n") != std::string_view::npos)
    error = json::error::extra_data;
  if (!error) parser.finish(error);
  if (error) return std::unexpected(not_json(text, read, error));
  return parser.release();
}

/// JSON with numbers as people write them: 100.5, not 1.005E2.
std::string as_written(const json::value& value) {
  if (const double* number = value.if_double())
    return std::isfinite(*number) ? fmt::format("{}", *number) : "a number too large";
  std::string text;
  if (const json::array* list = value.if_array()) {
    for (const json::value& member : *list)
      text += (text.empty() ? "" : ",") + as_written(member);
    return '[' + text + ']';
  }
  if (const json::object* object = value.if_object()) {
    for (const auto& [key, member] : *object)
      text +=
          (text.empty() ? "" : ",") + json::serialize(json::string(key)) + ':' + as_written(member);
    return '{' + text + '}';
  }
  return json::serialize(value);
}

std::string cut_short(std::string text) {
  std::size_t end = 60;
  if (text.size() <= end) return text;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
    --end;  // not within a character
  return text.substr(0, end) + "…";
}

/// A value for a message, shortened if it is long.
std::string shown(const json::value& value) {
  if (value.is_array() && value.get_array().size() > 8)
    return fmt::format("a list of {}", value.get_array().size());
  if (value.is_object()) return "an object";
  return cut_short(as_written(value));
}

std::optional<DescribedJump> pair_from(const json::value& value) {
  if (value.is_string()) return jump_from_text(value.get_string());
  if (!value.is_array() || value.get_array().size() != 2) return std::nullopt;
  const auto from = whole_number(value.get_array()[0]);
  const auto to = whole_number(value.get_array()[1]);
  if (!from || !to) return std::nullopt;
  return DescribedJump{*from, *to};
}

/// A power as an object or as a text, "30,skip,2"; none for anything else.
std::optional<DescribedPower> power_from(const json::value& value) {
  if (value.is_string()) return power_from_text(value.get_string());
  if (!value.is_object()) return std::nullopt;
  std::optional<std::int64_t> cell;
  std::optional<PowerKind> kind;
  std::optional<std::int64_t> n;
  for (const auto& [key, member] : value.get_object()) {
    if (key == "cell") cell = whole_number(member);
    if (key == "power" && member.is_string()) kind = power_named(member.get_string());
    if (key == "n") n = whole_number(member);
    if (key == "n" ? !n : key != "cell" && key != "power") return std::nullopt;
  }
  if (!cell || !kind) return std::nullopt;
  return DescribedPower{.cell = *cell, .kind = *kind, .n = n};
}

bool is_remark(std::string_view key) {
  return key == "name" || key == "source";
}

std::optional<std::int64_t> read_number(std::string_view name, const json::value& value,
                                        FaultList& faults) {
  const auto number = whole_number(value);
  if (!number)
    faults.add(
        [&] { return fmt::format("{}: a whole number is expected, not {}", name, shown(value)); });
  return number;
}

/// A described board, as far as it could be read.
class DescriptionReading {
 public:
  explicit DescriptionReading(const json::object& object) {
    if (!object.contains("cells")) faults_.add([] { return "cells: it is missing"; });
    for (const auto& [key, value] : object)
      read(key, value);
  }

  explicit DescriptionReading(BoardDescription description)
      : description_(std::move(description)), sized_(true) {}

  bool is_one_cell() const { return faults_.empty() && snl::is_one_cell(description_); }

  std::expected<Board, Faults> board() && {
    auto board = Board::make(description_);
    if (board && faults_.empty()) return *std::move(board);
    if (!board && sized_) {
      for (const BoardFault& fault : board.error())
        if (could_be_read(fault)) faults_.add([&] { return with_place(fault); });
    }
    return std::unexpected(std::move(faults_).take());
  }

 private:
  bool could_be_read(const BoardFault& fault) const {
    if (fault.power) return !unreadable_powers_.contains(*fault.power);
    return !fault.jump || !unreadable_.contains({fault.jump->list, fault.jump->index});
  }

  static std::string with_place(const BoardFault& fault) {
    if (fault.power) return fmt::format("powers[{}]: {}", *fault.power, fault.message);
    if (!fault.jump) return fault.message;
    return fmt::format("{}s[{}]: {}", to_string(fault.jump->list), fault.jump->index,
                       fault.message);
  }

  void read(std::string_view key, const json::value& value) {
    if (key == "cells") {
      const auto cells = read_number(key, value, faults_);
      sized_ = cells.has_value();
      description_.cells = cells.value_or(description_.cells);
    } else if (key == "width") {
      description_.width = read_number(key, value, faults_);
    } else if (key == "snakes") {
      description_.snakes = jumps(JumpKind::snake, key, value);
    } else if (key == "ladders") {
      description_.ladders = jumps(JumpKind::ladder, key, value);
    } else if (key == "powers") {
      read_powers(value);
    } else if (!is_remark(key)) {
      faults_.add([&] {
        return fmt::format("{}: a board has cells, width, snakes, ladders and powers", key);
      });
    }
  }

  /// As with jumps, a value that is no power still stands in the list as one, so that places stay
  /// right.
  void read_powers(const json::value& list) {
    if (!list.is_array()) {
      faults_.add([] { return "powers: a list is expected"; });
      return;
    }
    for (const json::value& entry : list.get_array()) {
      const std::size_t place = description_.powers.size();
      const auto power = power_from(entry);
      if (!power) {
        unreadable_powers_.insert(place);
        faults_.add([&] {
          return fmt::format(
              "powers[{}]: a cell, a power (again, skip, restart, shield or swap) and perhaps n "
              "are expected, such as {{\"cell\":30,\"power\":\"skip\",\"n\":2}}, not {}",
              place, cut_short(as_written(entry)));
        });
      }
      description_.powers.push_back(
          power.value_or(DescribedPower{.cell = 0, .kind = PowerKind::again}));
    }
  }

  /// The pairs of a list. An entry that isn't a pair is a fault of its own, and stands in the list
  /// as 0,0 so that the places of the others stay right.
  std::vector<DescribedJump> jumps(JumpKind kind, std::string_view name, const json::value& list) {
    std::vector<DescribedJump> jumps;
    if (!list.is_array()) {
      faults_.add([&] { return fmt::format("{}: a list of pairs is expected", name); });
      return jumps;
    }
    jumps.reserve(list.get_array().size());
    for (const json::value& entry : list.get_array()) {
      const auto pair = pair_from(entry);
      if (!pair) {
        unreadable_.insert({kind, jumps.size()});
        faults_.add([&] {
          return fmt::format(
              "{}[{}]: a pair of cells is expected, such as [17,7] or \"17,7\", not {}", name,
              jumps.size(), shown(entry));
        });
      }
      jumps.push_back(pair.value_or(DescribedJump{0, 0}));
    }
    return jumps;
  }

  BoardDescription description_;
  bool sized_ = false;
  std::set<std::pair<JumpKind, std::size_t>> unreadable_;
  std::unordered_set<std::size_t> unreadable_powers_;
  FaultList faults_;
};

class EntriesReading {
 public:
  explicit EntriesReading(const json::object& object) {
    if (!object.contains("size")) faults_.add([] { return "size: it is missing"; });
    for (const auto& [key, value] : object)
      read(key, value);
  }

  bool is_one_cell() const { return faults_.empty() && snl::is_one_cell(entries_); }

  std::expected<Board, Faults> board() && {
    if (!sized_) return std::unexpected(std::move(faults_).take());
    auto board = board_from_entries(entries_);
    if (board && faults_.empty()) return *std::move(board);
    if (!board) {
      for (std::string& fault : board.error())
        if (!unreadable_.contains(fault.substr(0, fault.find(':'))))
          faults_.add([&] { return std::move(fault); });
    }
    return std::unexpected(std::move(faults_).take());
  }

 private:
  void read(std::string_view key, const json::value& value) {
    if (key == "size") {
      const auto size = read_number(key, value, faults_);
      sized_ = size.has_value();
      entries_.size = size.value_or(0);
    } else if (key == "entries") {
      read_entries(value);
    } else if (!is_remark(key)) {
      faults_.add(
          [&] { return fmt::format("{}: a board of entries has a size and entries", key); });
    }
  }

  void read_entries(const json::value& list) {
    if (!list.is_array()) {
      faults_.add([&] { return fmt::format("entries: a list is expected, not {}", shown(list)); });
      return;
    }
    entries_.entries.reserve(list.get_array().size());
    for (const json::value& value : list.get_array())
      entries_.entries.push_back(entry_from(value));
  }

  /// An entry that can't be read is a fault of its own, and stands in the list as one off the
  /// board, so that the places of the others stay right.
  BoardEntry entry_from(const json::value& value) {
    constexpr BoardEntry stand_in{-1, -1, EntryKind::snake_upper, -1, -1};
    const auto fault = [&](std::string_view expected, const json::value& found) {
      const std::string place = fmt::format("entry {}", entries_.entries.size());
      unreadable_.insert(place);
      faults_.add([&] { return fmt::format("{}: {}, not {}", place, expected, shown(found)); });
      return stand_in;
    };
    if (!value.is_array() || value.get_array().size() != 5)
      return fault("[row,column,kind,row2,column2] is expected", value);
    const json::array& parts = value.get_array();
    if (!parts[2].is_string() || !entry_kind_named(parts[2].get_string()))
      return fault("its kind is \"SU\", \"SL\", \"LU\" or \"LL\"", parts[2]);
    const auto row = whole_number(parts[0]);
    const auto column = whole_number(parts[1]);
    const auto row2 = whole_number(parts[3]);
    const auto column2 = whole_number(parts[4]);
    if (!row || !column || !row2 || !column2)
      return fault("rows and columns are whole numbers", value);
    return {*row, *column, *entry_kind_named(parts[2].get_string()), *row2, *column2};
  }

  BoardEntries entries_{.size = 0, .entries = {}};
  bool sized_ = false;
  std::unordered_set<std::string> unreadable_;  // "entry 4"
  FaultList faults_;
};

// ---- Any form

constexpr std::array form_names{
    NamedValue{"snl", BoardForm::snl}, NamedValue{"matrix", BoardForm::matrix},
    NamedValue{"moves", BoardForm::moves}, NamedValue{"entries", BoardForm::entries}};

constexpr const char* what_a_board_is =
    "a board is an object such as {\"cells\":100,\"snakes\":[[17,7]],\"ladders\":[[3,22]]} or "
    "{\"size\":10,\"entries\":[…]}, a matrix or a list of moves";

using Reading = std::variant<DescriptionReading, EntriesReading, BoardList>;

std::expected<Reading, Faults> read_list(std::string_view text) {
  auto list = read_board_list(text);
  if (list && list->form == decltype(list->form)(BoardMoves()))
    return std::unexpected(Faults{what_a_board_is});
  if (list) return *std::move(list);
  return std::unexpected(std::visit(
      Overloaded{
          [](Faults& faults) { return std::move(faults); },
          [&](const JsonError& error) { return Faults{not_json(text, error.offset, error.code)}; }},
      list.error()));
}

std::expected<Reading, Faults> read(std::string_view text) {
  text = without_byte_order_mark(text);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin != std::string_view::npos && text[begin] == '[') return read_list(text);
  if (auto described = read_board_text(text)) {
    if (!*described) return std::unexpected(std::move(*described).error());
    return DescriptionReading(**std::move(described));
  }
  const auto parsed = parse_json(text);
  if (!parsed) return std::unexpected(Faults{parsed.error()});
  if (!parsed->is_object()) return std::unexpected(Faults{what_a_board_is});
  const json::object& object = parsed->get_object();
  if (object.contains("entries")) return EntriesReading(object);
  return DescriptionReading(object);
}

std::expected<BoardFile, Faults> with_form(std::expected<Board, Faults> board, BoardForm form) {
  if (!board) return std::unexpected(std::move(board).error());
  return BoardFile{*std::move(board), form};
}

/// The faults of reading come first, then those of the board.
std::expected<BoardFile, Faults> board_from(BoardList list) {
  BoardForm form = BoardForm::matrix;
  auto board = std::visit(
      Overloaded{[](BoardSquare& square) { return board_from_square(std::move(square)); },
                 [](const BoardMatrix& matrix) { return board_from_matrix(matrix); },
                 [&](const BoardMoves& moves) {
                   form = BoardForm::moves;
                   return board_from_moves(moves);
                 }},
      list.form);
  if (board && !list.faults.empty()) return std::unexpected(std::move(list.faults));
  if (!board) std::ranges::move(board.error(), std::back_inserter(list.faults));
  if (!board) return std::unexpected(std::move(list.faults));
  return with_form(std::move(board), form);
}

// ---- Writing

void append(std::string& text, std::int64_t number) {
  const fmt::format_int digits(number);
  text.append(digits.data(), digits.size());
}

/// Numbers between brackets.
template <class Numbers>
void append_list(std::string& text, const Numbers& numbers) {
  text += '[';
  for (const std::int64_t number : numbers) {
    append(text, number);
    text += ',';
  }
  if (text.back() == ',') text.pop_back();
  text += ']';
}

void append_jumps(std::string& text, std::string_view name, std::span<const Jump> jumps) {
  text += fmt::format(",\"{}\":[", name);
  for (const Jump& jump : jumps) {
    if (&jump != jumps.data()) text += ',';
    append_list(text, std::initializer_list<std::int64_t>{jump.from, jump.to});
  }
  text += ']';
}

void append_powers(std::string& text, std::span<const PowerCell> powers) {
  if (powers.empty()) return;
  text += ",\"powers\":[";
  for (const PowerCell& at : powers) {
    if (&at != powers.data()) text += ',';
    text += fmt::format("{{\"cell\":{},\"power\":\"{}\"", at.cell, to_string(at.power.kind));
    if (has_number(at.power.kind)) text += fmt::format(",\"n\":{}", at.power.n);
    text += '}';
  }
  text += ']';
}

std::string text_of(const BoardMatrix& matrix) {
  std::string text = "[";
  for (const auto& row : matrix) {
    if (&row != &matrix.front()) text += ',';
    append_list(text, row);
  }
  return text + "]";
}

std::string text_of(const BoardEntries& board) {
  std::string text = fmt::format("{{\"size\":{},\"entries\":[", board.size);
  for (const BoardEntry& entry : board.entries) {
    if (&entry != &board.entries.front()) text += ',';
    text += fmt::format("[{},{},\"{}\",{},{}]", entry.row, entry.column, to_string(entry.kind),
                        entry.row2, entry.column2);
  }
  return text + "]}";
}

}  // namespace

std::expected<BoardFile, Faults> parse_board(std::string_view text) {
  auto reading = read(text);
  if (!reading) return std::unexpected(std::move(reading).error());
  return std::visit(Overloaded{[](DescriptionReading& description) {
                                 return with_form(std::move(description).board(), BoardForm::snl);
                               },
                               [](EntriesReading& entries) {
                                 return with_form(std::move(entries).board(), BoardForm::entries);
                               },
                               [](BoardList& list) { return board_from(std::move(list)); }},
                    *reading);
}

bool is_one_cell_board(std::string_view text) {
  const auto reading = read(text);
  if (!reading) return false;
  const auto is_one = Overloaded{[](const BoardSquare& /*larger*/) { return false; },
                                 [](const auto& form) { return is_one_cell(form); }};
  return std::visit(Overloaded{[&](const BoardList& list) {
                                 return list.faults.empty() && std::visit(is_one, list.form);
                               },
                               [](const auto& described) { return described.is_one_cell(); }},
                    *reading);
}

Cell usual_start(BoardForm form) {
  return form == BoardForm::entries ? 0 : 1;
}

std::string board_to_json(const Board& board) {
  std::string text = fmt::format("{{\"cells\":{},\"width\":{}", board.cells(), board.width());
  append_jumps(text, "snakes", board.snakes());
  append_jumps(text, "ladders", board.ladders());
  append_powers(text, board.powers());
  return text + "}";
}

std::expected<std::string, std::string> board_to_json(const Board& board, BoardForm form) {
  const auto written_as = [](const auto& held) -> std::expected<std::string, std::string> {
    if (!held) return std::unexpected(held.error());
    return text_of(*held);
  };
  if (form != BoardForm::snl && !board.powers().empty())
    return std::unexpected(
        fmt::format("a board with powers can't be written as {}: only the form snl holds them",
                    to_string(form)));
  switch (form) {
    case BoardForm::snl:
      return board_to_json(board);
    case BoardForm::matrix:
      return written_as(matrix_from(board));
    case BoardForm::entries:
      return written_as(entries_from(board));
    case BoardForm::moves:
      break;
  }
  std::string text;
  append_list(text, moves_from(board));
  return text;
}

std::string to_string(BoardForm form) {
  return std::string(name_of(form_names, form));
}

std::optional<BoardForm> board_form_named(std::string_view name) {
  return value_named(form_names, name);
}

}  // namespace snl
