#include "schema_check.hpp"

#include "storage/ascii.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace snl::postgres {
namespace {

/// The parts of a function that say what it does.
struct Function {
  std::string body;
  bool is_by_owner = false;  // SECURITY DEFINER
  bool sets = false;         // its own search_path
  friend bool operator==(const Function&, const Function&) = default;
};

/// By their names.
struct Made {
  std::map<std::string, Function, std::less<>> functions;
  std::map<std::string, std::string, std::less<>> triggers;
};

/// A server tells a trigger with parentheses, quotes, spaces and schemas of its own.
std::string without_ornaments(std::string_view text) {
  constexpr std::string_view schema = "snl.";
  std::string bare;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with(schema)) {
      i += schema.size() - 1;
      continue;
    }
    const char c = text[i];
    if (c == ' ' || c == '\n' || c == '(' || c == ')' || c == '"') continue;
    bare += lower_case(c);
  }
  return bare;
}

/// What stands before the first of these.
std::string_view before(std::string_view text, std::string_view end) {
  return text.substr(0, text.find(end));
}

void read_function(Made& made, std::string_view text) {
  const std::string_view quote = before(text, "AS $$").size() < before(text, "AS '").size()
                                     ? std::string_view("$$")
                                     : std::string_view("'");
  const std::string_view head = before(text, fmt::format("AS {}", quote));
  const std::string_view rest = text.substr(head.size() + 3 + quote.size());
  made.functions[std::string(before(text, "("))] = {
      .body = std::string(before(rest, quote)),
      .is_by_owner = head.find("SECURITY DEFINER") != std::string_view::npos,
      .sets = head.find("SET search_path") != std::string_view::npos};
}

/// A later migration's have the last word.
Made made_by(std::span<const ServerMigration> migrations) {
  constexpr std::string_view create = "\nCREATE ";
  Made made;
  for (const ServerMigration& migration : migrations) {
    const std::string_view sql = migration.sql;
    for (std::size_t at = sql.find(create); at != std::string_view::npos;
         at = sql.find(create, at + 1)) {
      std::string_view text = sql.substr(at + create.size());
      for (const std::string_view word : {"OR REPLACE ", "FUNCTION ", "TRIGGER "}) {
        if (!text.starts_with(word)) continue;
        text.remove_prefix(word.size());
        if (word == "FUNCTION ") read_function(made, text);
        if (word == "TRIGGER ")
          made.triggers[std::string(before(text, " "))] =
              without_ornaments(fmt::format("CREATE TRIGGER {}", before(text, ";")));
      }
    }
  }
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
  Made found;
  const Rows all = connection.run(functions);
  for (int row = 0; row < all.size(); ++row)
    found.functions[std::string(all.text(row, 0))] = {.body = std::string(all.text(row, 1)),
                                                      .is_by_owner = all.boolean(row, 2),
                                                      .sets = all.boolean(row, 3)};
  const Rows guards = connection.run(triggers);
  for (int row = 0; row < guards.size(); ++row)
    found.triggers[std::string(guards.text(row, 0))] = without_ornaments(guards.text(row, 1));
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
  return problems;
}

}  // namespace snl::postgres
