#include "csv.hpp"

#include "json_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace snl::cli {
namespace {

namespace json = boost::json;

/// Whether a spreadsheet takes a text for a formula, or would without the apostrophes in front,
/// which make it plain text. A name that has an apostrophe already must get another, or it would
/// look like a name that got its first one here.
bool begins_a_formula(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of('\''), text.size()));
  static constexpr std::array<std::string_view, 10> beginnings{"=",  "+",  "-",  "@",  "\t",
                                                               "\r", "＝", "＋", "－", "＠"};
  return std::ranges::any_of(
      beginnings, [&](std::string_view beginning) { return text.starts_with(beginning); });
}

/// In countries with a decimal comma, semicolons and tabs separate fields. Some readers trim
/// blanks.
bool needs_quotes(std::string_view text) {
  return text.find_first_of("\",;\t\r\n'") != std::string_view::npos || text.starts_with(' ') ||
         text.ends_with(' ');
}

/// `text` as a field, in quotes if it needs them. A spreadsheet runs a field as a formula if it
/// begins with = + - or @ (or one of their full-width forms), with a tab or with a carriage return.
/// Such text gets an apostrophe in front, as OWASP advises ("CSV Injection"). A text that has
/// apostrophes in front already gets one more, so that different names stay different.
std::string csv_field(std::string_view text) {
  std::string field = begins_a_formula(text) ? "'" : "";
  field += text;
  if (!needs_quotes(field)) return field;
  std::string quoted = "\"";
  for (const char character : field)
    quoted += character == '"' ? "\"\"" : std::string(1, character);
  return quoted + '"';
}

void flatten(std::string_view name, const json::value& value, json::object& flat) {
  if (const json::object* members = value.if_object()) {
    for (const auto& [key, member] : *members)
      flatten(fmt::format("{}_{}", name, std::string_view(key)), member, flat);
  } else if (const json::array* parts = value.if_array()) {
    for (std::size_t part = 0; part < parts->size(); ++part)
      flatten(fmt::format("{}_{}", name, part + 1), (*parts)[part], flat);
  } else {
    flat[name] = value;
  }
}

std::string field_of(const json::value& value) {
  if (value.is_null()) return "";
  if (const json::string* text = value.if_string()) return csv_field(*text);
  if (const double* number = value.if_double())
    return std::isfinite(*number) ? fmt::format("{}", *number) : "";
  return json::serialize(value);
}

}  // namespace

std::string csv_header(const CsvColumns& columns) {
  return fmt::format("{}\r\n", fmt::join(columns, ","));
}

std::string csv_row(const CsvColumns& columns, const json::object& values) {
  json::object flat;
  for (const auto& [name, value] : values)
    flatten(name, value, flat);
  std::vector<std::string> fields;
  for (const std::string& column : columns) {
    const json::value* value = flat.if_contains(column);
    fields.push_back(value == nullptr ? "" : field_of(*value));
  }
  return csv_header(fields);
}

void add_list(CsvColumns& columns, std::string_view list, std::size_t count) {
  for (std::size_t part = 1; part <= count; ++part)
    columns.push_back(fmt::format("{}_{}", list, part));
}

CsvColumns turn_columns() {
  return {"turn", "player", "dice", "rolled", "from", "landed", "to", "jump", "outcome", "next"};
}

json::object turn_values(const TurnPlayed& turn, std::span<const std::string> players) {
  json::object values = turn_json(turn, players);
  values["dice"] = to_string(turn.dice);
  return values;
}

}  // namespace snl::cli
