#include "schema_check.hpp"

#include "storage/ascii.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace snl::postgres {
namespace {

/// The parts of a function that determine what it does.
struct Function {
  std::string body;
  bool is_by_owner = false;  // SECURITY DEFINER
  bool sets = false;         // its own search_path
  friend bool operator==(const Function&, const Function&) = default;
};

/// The objects that migrations make, by name.
struct Made {
  std::map<std::string, Function, std::less<>> functions;
  std::map<std::string, std::string, std::less<>> triggers;
  std::map<std::string, std::string, std::less<>> views;
};

/// A server prints a trigger or a view with parentheses, quotes, spaces and schemas of its own, and
/// may add or omit the names of tables in front of columns.
std::string without_ornaments(std::string_view text) {
  constexpr std::string_view ornaments = " \n()\"";
  std::string bare;
  std::size_t name = 0;  // where the last name begins
  for (const char c : text) {
    if (c == '.') {
      bare.resize(name);
      continue;
    }
    if (ornaments.find(c) == std::string_view::npos) bare += lower_case(c);
    if (!is_letter_or_digit(c) && c != '_') name = bare.size();
  }
  return bare;
}

/// The text before the first `end`; all of it if there is none.
std::string_view before(std::string_view text, std::string_view end) {
  return text.substr(0, text.find(end));
}

/// The name at the beginning of a text.
std::string name_in(std::string_view text) {
  return std::string(text.substr(0, text.find_first_of(" (;")));
}

/// The option of a view that was created WITH CHECK OPTION.
constexpr const char* checked_view = "check_option=cascaded";

void read_function(Made& made, std::string_view text) {
  const std::string_view quote = before(text, "AS $$").size() < before(text, "AS '").size()
                                     ? std::string_view("$$")
                                     : std::string_view("'");
  const std::string_view head = before(text, fmt::format("AS {}", quote));
  const std::string_view rest = text.substr(head.size() + 3 + quote.size());
  made.functions[name_in(text)] = {
      .body = std::string(before(rest, quote)),
      .is_by_owner = head.find("SECURITY DEFINER") != std::string_view::npos,
      .sets = head.find("SET search_path") != std::string_view::npos};
}

void read_view(Made& made, std::string_view text) {
  const std::string_view definition = before(text, "WITH CHECK OPTION");
  made.views[name_in(text)] =
      without_ornaments(definition.substr(std::min(definition.find("SELECT"), definition.size()))) +
      (definition.size() < text.size() ? checked_view : "");
}

/// Reads a migration's statement from the beginning of a line.
void read_statement(Made& made, std::string_view text) {
  const auto is = [&](std::string_view words) {
    if (!text.starts_with(words)) return false;
    text.remove_prefix(words.size());
    return true;
  };
  if (is("CREATE FUNCTION ") || is("CREATE OR REPLACE FUNCTION "))
    read_function(made, text);
  else if (is("CREATE VIEW "))
    read_view(made, before(text, ";"));
  else if (is("CREATE TRIGGER ") || is("CREATE OR REPLACE TRIGGER "))
    made.triggers[name_in(text)] =
        without_ornaments(fmt::format("CREATE TRIGGER {}", before(text, ";")));
  else if (is("DROP FUNCTION "))
    made.functions.erase(name_in(text));
  else if (is("DROP TRIGGER "))
    made.triggers.erase(name_in(text));
}

/// A later migration overrides an earlier one.
Made made_by(std::span<const ServerMigration> migrations) {
  Made made;
  for (const ServerMigration& migration : migrations)
    for (std::size_t at = 0; at != std::string_view::npos; at = migration.sql.find('\n', at + 1))
      read_statement(made, migration.sql.substr(at == 0 ? 0 : at + 1));
  return made;
}

Made found_in(ServerConnection& connection) {
  static constexpr ServerStatement functions{
      "functions",
      "SELECT proname, prosrc, prosecdef, proconfig IS NOT NULL FROM pg_proc "
      "WHERE pronamespace = to_regnamespace('snl')"};
  static constexpr ServerStatement triggers{
      "triggers",
      "SELECT t.tgname, pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c "
      "ON c.oid = t.tgrelid WHERE c.relnamespace = to_regnamespace('snl') "
      "AND NOT t.tgisinternal AND t.tgenabled IN ('O', 'A')"};
  static constexpr ServerStatement views{
      "views",
      "SELECT relname, pg_get_viewdef(oid), coalesce(array_to_string(reloptions, ' '), '') "
      "FROM pg_class WHERE relnamespace = to_regnamespace('snl') AND relkind = 'v'"};
  Made found;
  const Rows all = connection.run(functions);
  for (int row = 0; row < all.size(); ++row)
    found.functions[std::string(all.text(row, 0))] = {.body = std::string(all.text(row, 1)),
                                                      .is_by_owner = all.boolean(row, 2),
                                                      .sets = all.boolean(row, 3)};
  const Rows guards = connection.run(triggers);
  for (int row = 0; row < guards.size(); ++row)
    found.triggers[std::string(guards.text(row, 0))] = without_ornaments(guards.text(row, 1));
  const Rows seen = connection.run(views);
  for (int row = 0; row < seen.size(); ++row)
    found.views[std::string(seen.text(row, 0))] =
        without_ornaments(before(seen.text(row, 1), ";")) + std::string(seen.text(row, 2));
  return found;
}

template <class Things>
void compare(const Things& made, const Things& found, std::string_view kind,
             std::vector<Problem>& problems) {
  for (const auto& [name, thing] : made) {
    const auto there = found.find(name);
    if (there != found.end() && there->second == thing) continue;
    problems.push_back({std::nullopt, std::nullopt, std::string(kind),
                        there == found.end()
                            ? fmt::format("the {} {} is missing, or switched off", kind, name)
                            : fmt::format("the {} {} was changed", kind, name)});
  }
}

}  // namespace

std::vector<Problem> faults_of_schema(ServerConnection& connection,
                                      std::span<const ServerMigration> migrations) {
  const Made made = made_by(migrations);
  const Made found = found_in(connection);
  std::vector<Problem> problems;
  compare(made.triggers, found.triggers, "trigger", problems);
  compare(made.functions, found.functions, "function", problems);
  compare(made.views, found.views, "view", problems);
  return problems;
}

}  // namespace snl::postgres
