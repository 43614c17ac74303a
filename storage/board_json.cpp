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

/// The pairs of one list. An entry that is none is a fault, and stands in the list as 0,0 so that
/// the places of the others stay right.
std::vector<BoardDescription::Jump> jumps_from(const json::value& list, std::string_view name,
                                               Faults& faults) {
  std::vector<BoardDescription::Jump> jumps;
  if (!list.is_array()) {
    faults.push_back(fmt::format("{}: a list of pairs is expected", name));
    return jumps;
  }
  for (const json::value& entry : list.get_array()) {
    const auto pair = pair_from(entry);
    if (!pair)
      faults.push_back(
          fmt::format("{}[{}]: a pair of cells is expected, such as [17,7] or \"17,7\", not {}",
                      name, jumps.size(), json::serialize(entry)));
    jumps.push_back(pair.value_or(BoardDescription::Jump{0, 0}));
  }
  return jumps;
}

BoardDescription description_from(const json::object& object, Faults& faults) {
  BoardDescription description;
  const auto number_into = [&](std::string_view name, const json::value& value, auto& target) {
    if (const auto number = whole_number(value))
      target = *number;
    else
      faults.push_back(
          fmt::format("{}: a whole number is expected, not {}", name, json::serialize(value)));
  };
  if (!object.contains("cells")) faults.emplace_back("cells: it is missing");
  for (const auto& [key, value] : object) {
    if (key == "cells")
      number_into(key, value, description.cells);
    else if (key == "width")
      number_into(key, value, description.width);
    else if (key == "snakes")
      description.snakes = jumps_from(value, key, faults);
    else if (key == "ladders")
      description.ladders = jumps_from(value, key, faults);
    else if (key != "name" && key != "source")
      faults.push_back(
          fmt::format("{}: a board has cells, width, snakes and ladders", std::string_view(key)));
  }
  return description;
}

std::string with_place(const BoardFault& fault) {
  if (!fault.place) return fault.message;
  return fmt::format("{}s[{}]: {}", to_string(fault.place->list), fault.place->index,
                     fault.message);
}

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
  Faults faults;
  const BoardDescription description = description_from(parsed->get_object(), faults);
  if (!faults.empty()) return std::unexpected(std::move(faults));
  auto board = Board::make(description);
  if (board) return *std::move(board);
  for (const BoardFault& fault : board.error())
    faults.push_back(with_place(fault));
  return std::unexpected(std::move(faults));
}

std::string board_to_json(const Board& board) {
  std::string text = fmt::format("{{\"cells\":{},\"width\":{}", board.cells(), board.width());
  append_jumps(text, "snakes", board.snakes());
  append_jumps(text, "ladders", board.ladders());
  return text + "}";
}

}  // namespace snl
