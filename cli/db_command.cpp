// db info, db migrate, db check

#include "commands.hpp"
#include "json_output.hpp"
#include "terminal_text.hpp"

#include <fmt/format.h>

namespace snl::cli {
namespace {

/// The path of a store that is there.
std::string present_store(const Session& session) {
  const std::string path = session.db_path();
  if (!SqliteStore::exists(path))
    throw Failure(Exit::failed,
                  fmt::format("store {}: there is no store yet; snl new makes one", path));
  return path;
}

void show_facts(const Session& session, bool as_json) {
  const std::string path = present_store(session);
  const SqliteStore::Facts facts = SqliteStore::facts(path);
  if (as_json)
    return print_json({{"path", path},
                       {"schema_version", facts.schema_version},
                       {"latest_schema_version", SqliteStore::latest_schema_version()},
                       {"games", facts.games},
                       {"commits", facts.commits},
                       {"bytes", facts.bytes}});
  print_line(fmt::format("store:   {}", printable(path)));
  print_line(fmt::format("schema:  version {} (this snl: {})", facts.schema_version,
                         SqliteStore::latest_schema_version()));
  if (facts.games >= 0) {
    print_line(fmt::format("games:   {}", facts.games));
    print_line(fmt::format("commits: {}", facts.commits));
  }
  print_line(fmt::format("size:    {} bytes", facts.bytes));
}

void migrate_store(const Session& session, bool as_json) {
  const std::string path = present_store(session);
  const std::int64_t before = SqliteStore::facts(path).schema_version;
  SqliteStore::open(path, SqliteStore::Access::write);
  const std::int64_t after = SqliteStore::latest_schema_version();
  if (as_json) return print_json({{"from", before}, {"to", after}});
  print_line(before == after ? fmt::format("schema version {}: nothing to do", after)
                             : fmt::format("upgraded from schema version {} to {}", before, after));
}

/// What is wrong with a store as a database; opening it is part of the check.
std::vector<Problem> check_file(const std::string& path) {
  try {
    return SqliteStore::open(path, SqliteStore::Access::read)->check();
  } catch (const StoreError& error) {
    if (!error.is_damage()) throw;
    return {{std::nullopt, std::nullopt, "file", error.what()}};
  }
}

void check_store(const Session& session, bool as_json) {
  const auto problems = check_file(present_store(session));
  if (as_json)
    print_json({{"ok", problems.empty()}, {"problems", problems_json(problems)}});
  else if (problems.empty())
    print_line("ok: the file is a sound database; snl audit proves the games in it");
  for (const Problem& problem : problems)
    if (!as_json) print_line(printable(fmt::format("{}: {}", problem.kind, problem.detail)));
  if (!problems.empty()) throw Failure(Exit::unsound, "");
}

}  // namespace

void add_db_command(CLI::App& app, Session& session) {
  auto* db = app.add_subcommand("db", "Look after the store");
  db->require_subcommand(1);
  auto json = std::make_shared<bool>(false);
  const auto add = [&](const char* name, const char* about, auto run) {
    auto* command = db->add_subcommand(name, about);
    command->add_flag("--json", *json, "Print JSON");
    command->callback([json, run, &session] { run(session, *json); });
  };
  add("info", "Say where it is and what it holds", show_facts);
  add("migrate", "Upgrade it to this program's schema", migrate_store);
  add("check", "Check the file as a database", check_store);
}

}  // namespace snl::cli
