#include "board_json.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace snl {
namespace {

namespace json = boost::json;

using Faults = std::vector<std::string>;

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

std::expected<json::value, std::string> parse_json(std::string_view text) {
  json::stream_parser parser;
  json::error_code error;
  const std::size_t read = parser.write_some(text.data(), text.size(), error);
  if (!error && read < text.size() &&
      text.substr(read).find_first_not_of(" \t\r\n") != std::string_view::npos)
    error = json::error::extra_data;
  if (!error) parser.finish(error);
  if (error)
    return std::unexpected(
        fmt::format("{}: this isn't JSON ({})", place_in(text, read), error.message()));
  return parser.release();
}

std::optional<std::int64_t> whole_number(const json::value& value) {
  json::error_code error;
  const auto number = value.to_number<std::int64_t>(error);
  if (error || value.is_double()) return std::nullopt;
  return number;
}

std::optional<BoardDescription::Jump> pair_from_text(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto number = [](std::string_view digits) -> std::optional<std::int64_t> {
    const std::size_t begin = std::min(digits.find_first_not_of(' '), digits.size());
    const std::size_t end = std::max(digits.find_last_not_of(' ') + 1, begin);
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(digits.data() + begin, digits.data() + end, value);
    if (error != std::errc{} || stop != digits.data() + end) return std::nullopt;
    return value;
  };
  const auto from = number(text.substr(0, comma));
  const auto to = number(text.substr(comma + 1));
  if (!from || !to) return std::nullopt;
  return BoardDescription::Jump{*from, *to};
}

std::optional<BoardDescription::Jump> pair_from(const json::value& value) {
  if (value.is_string()) return pair_from_text(value.get_string());
  if (!value.is_array() || value.get_array().size() != 2) return std::nullopt;
  const auto from = whole_number(value.get_array()[0]);
  const auto to = whole_number(value.get_array()[1]);
  if (!from || !to) return std::nullopt;
  return BoardDescription::Jump{*from, *to};
}

/// A described board, as far as it could be read.
class Reading {
 public:
  explicit Reading(const json::object& object) {
    if (!object.contains("cells")) faults_.emplace_back("cells: it is missing");
    for (const auto& [key, value] : object)
      read(key, value);
  }

  std::expected<Board, Faults> board() && {
    auto board = Board::make(description_);
    if (board && faults_.empty()) return *std::move(board);
    if (!board && sized_) {
      for (const BoardFault& fault : board.error())
        if (!fault.place || std::ranges::find(unreadable_, *fault.place) == unreadable_.end())
          faults_.push_back(with_place(fault));
    }
    return std::unexpected(std::move(faults_));
  }

 private:
  static std::string with_place(const BoardFault& fault) {
    if (!fault.place) return fault.message;
    return fmt::format("{}s[{}]: {}", to_string(fault.place->list), fault.place->index,
                       fault.message);
  }

  void read(std::string_view key, const json::value& value) {
    if (key == "cells") {
      const auto cells = number(key, value);
      sized_ = cells.has_value();
      description_.cells = cells.value_or(description_.cells);
    } else if (key == "width") {
      description_.width = number(key, value);
    } else if (key == "snakes") {
      description_.snakes = jumps(JumpKind::snake, key, value);
    } else if (key == "ladders") {
      description_.ladders = jumps(JumpKind::ladder, key, value);
    } else if (key != "name" && key != "source") {
      faults_.push_back(fmt::format("{}: a board has cells, width, snakes and ladders", key));
    }
  }

  std::optional<std::int64_t> number(std::string_view name, const json::value& value) {
    const auto number = whole_number(value);
    if (!number)
      faults_.push_back(
          fmt::format("{}: a whole number is expected, not {}", name, json::serialize(value)));
    return number;
  }

  /// The pairs of a list. An entry that is none is a fault of its own, and stands in the list as
  /// 0,0 so that the places of the others stay right.
  std::vector<BoardDescription::Jump> jumps(JumpKind kind, std::string_view name,
                                            const json::value& list) {
    std::vector<BoardDescription::Jump> jumps;
    if (!list.is_array()) {
      faults_.push_back(fmt::format("{}: a list of pairs is expected", name));
      return jumps;
    }
    for (const json::value& entry : list.get_array()) {
      const auto pair = pair_from(entry);
      if (!pair) {
        unreadable_.push_back({kind, jumps.size()});
        faults_.push_back(
            fmt::format("{}[{}]: a pair of cells is expected, such as [17,7] or \"17,7\", not {}",
                        name, jumps.size(), json::serialize(entry)));
      }
      jumps.push_back(pair.value_or(BoardDescription::Jump{0, 0}));
    }
    return jumps;
  }

  BoardDescription description_;
  bool sized_ = false;
  std::vector<BoardFault::Place> unreadable_;
  Faults faults_;
};

void append_jumps(std::string& text, std::string_view name, std::span<const Jump> jumps) {
  text += fmt::format(",\"{}\":[", name);
  for (std::size_t i = 0; i < jumps.size(); ++i)
    text += fmt::format("{}[{},{}]", i == 0 ? "" : ",", jumps[i].from, jumps[i].to);
  text += ']';
}

}  // namespace

std::expected<Board, std::vector<std::string>> parse_board(std::string_view json) {
  const auto parsed = parse_json(json);
  if (!parsed) return std::unexpected(Faults{parsed.error()});
  if (!parsed->is_object())
    return std::unexpected(Faults{
        "a board is an object such as {\"cells\":100,\"snakes\":[[17,7]],\"ladders\":[[3,22]]}"});
  return Reading(parsed->get_object()).board();
}

std::string board_to_json(const Board& board) {
  std::string text = fmt::format("{{\"cells\":{},\"width\":{}", board.cells(), board.width());
  append_jumps(text, "snakes", board.snakes());
  append_jumps(text, "ladders", board.ladders());
  return text + "}";
}

}  // namespace snl
