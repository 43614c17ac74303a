// Tables of values with their names, as options, errors, files and the log use them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace [[gnu::visibility("default")]] snl {

template <class Value>
struct NamedValue {
  std::string_view name;
  Value value;
};

/// Empty for a value that the table doesn't have.
template <class Table, class Value>
constexpr std::string_view name_of(const Table& table, const Value& value) {
  for (const auto& [name, known] : table)
    if (known == value) return name;
  return {};
}

template <class Table>
constexpr auto value_named(const Table& table, std::string_view name) {
  std::optional<decltype(table.front().value)> found;
  for (const auto& [known, value] : table)
    if (known == name) found = value;
  return found;
}

/// "exact, overshoot or bounce".
template <class Table>
std::string alternatives(const Table& table) {
  std::string text;
  for (const auto& entry : table)
    text.append(&entry == &table.front()  ? ""
                : &entry == &table.back() ? " or "
                                          : ", ")
        .append(entry.name);
  return text;
}

}  // namespace snl
