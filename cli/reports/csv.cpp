#include "csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace snl::cli {
namespace {

/// Whether a spreadsheet takes a text for a formula, or would if apostrophes in front of it, which
/// make it a text, were fewer: else a name that has one already would look like one that got it.
bool begins_a_formula(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of('\''), text.size()));
  static constexpr std::array<std::string_view, 10> beginnings{"=",  "+",  "-",  "@",  "\t",
                                                               "\r", "＝", "＋", "－", "＠"};
  return std::ranges::any_of(
      beginnings, [&](std::string_view beginning) { return text.starts_with(beginning); });
}

/// Semicolons and tabs part the fields where a comma is a decimal point; some readers trim blanks.
bool needs_quotes(std::string_view text) {
  return text.find_first_of("\",;\t\r\n'") != std::string_view::npos || text.starts_with(' ') ||
         text.ends_with(' ');
}

}  // namespace

std::string csv_field(std::string_view text) {
  std::string field = begins_a_formula(text) ? "'" : "";
  field += text;
  if (!needs_quotes(field)) return field;
  std::string quoted = "\"";
  for (const char character : field)
    quoted += character == '"' ? "\"\"" : std::string(1, character);
  return quoted + '"';
}

std::string_view csv_header() {
  return "turn,player,dice,rolled,from,landed,to,jump,outcome,next\r\n";
}

std::string csv_line(const TurnPlayed& turn, std::span<const std::string> players) {
  const auto jump = jump_of(turn);
  return fmt::format("{},{},{},{},{},{},{},{},{},{}\r\n", turn.turn, csv_field(players[turn.seat]),
                     to_string(turn.dice), turn.rolled, turn.from, turn.landed, turn.to,
                     jump ? to_string(*jump) : "", to_string(turn.outcome),
                     turn.next ? csv_field(players[*turn.next]) : "");
}

}  // namespace snl::cli
