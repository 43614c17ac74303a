// The export and the import of a long game, next to the JSON library alone on the same bytes. An
// import also proves the game and records it.
#include "endless_game.hpp"
#include "folder.hpp"
#include "rows.hpp"
#include "storage/exchange/recording.hpp"
#include "storage/memory/memory_store.hpp"
#include "storage/sqlite/sqlite_store.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>

namespace snl::benchmarks {
namespace {

namespace json = boost::json;

const std::string game_id = "game";

/// Calls `visit` with each line of an export, without its end.
template <class Visit>
void for_each_line(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    visit(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
}

std::string exported(EventStore& store) {
  std::string text;
  export_jsonl(store, game_id, store.head(game_id).value(), [&](std::string_view line) {
    text += line;
    text += '\n';
  });
  return text;
}

std::string export_of_game(Turn turns) {
  MemoryStore store;
  record_endless_game(store, game_id, turns);
  return exported(store);
}

// ---- Import

/// Into a new store each time.
Work importing(const std::shared_ptr<const std::string>& text, Turn turns) {
  return [=, folder = std::make_shared<Folder>(), files = 0]() mutable {
    JsonlReader reader;
    for_each_line(*text, [&](std::string_view line) { reader.add(line); });
    if (!reader.finish()) throw std::runtime_error(reader.fault()->why);
    const auto store =
        SqliteStore::open(folder->file(fmt::format("{}.db", files++)), SqliteStore::Access::write);
    if (!record_together(*store, reader.games())) throw std::logic_error("it is another game");
    return static_cast<double>(turns);
  };
}

Work parsing(const std::shared_ptr<const std::string>& text, Turn turns) {
  return [=] {
    std::size_t members = 0;
    for_each_line(*text,
                  [&](std::string_view line) { members += json::parse(line).as_object().size(); });
    return members == 0 ? 0 : static_cast<double>(turns);
  };
}

Contest import_contest(Turn turns) {
  const auto text = std::make_shared<const std::string>(export_of_game(turns));
  return {importing(text, turns), parsing(text, turns)};
}

// ---- Export

/// Out of a store on disk.
Work exporting(Turn turns) {
  const auto folder = std::make_shared<Folder>();
  const std::shared_ptr<SqliteStore> store =
      SqliteStore::open(folder->file("snl.db"), SqliteStore::Access::write);
  record_endless_game(*store, game_id, turns);
  return
      [folder, store, turns] { return exported(*store).empty() ? 0 : static_cast<double>(turns); };
}

Work serialising(Turn turns) {
  std::vector<json::value> values;
  for_each_line(export_of_game(turns),
                [&](std::string_view line) { values.push_back(json::parse(line)); });
  return [=, values = std::make_shared<const std::vector<json::value>>(std::move(values))] {
    std::string text;
    for (const json::value& value : *values) {
      text += json::serialize(value);
      text += '\n';
    }
    return text.empty() ? 0 : static_cast<double>(turns);
  };
}

}  // namespace

std::vector<Row> exchange_rows(const Options& options) {
  const auto turns = static_cast<Turn>(scaled(options, 100'000));
  constexpr int few_rounds = 7;
  return {{.name = fmt::format("import of a game of {} turns", with_commas(turns)),
           .baseline_name = "parsing its lines with Boost.JSON alone",
           .unit = "turns",
           .prepare = [=] { return import_contest(turns); },
           .at_most_rounds = few_rounds},
          {.name = fmt::format("export of a game of {} turns", with_commas(turns)),
           .baseline_name = "serialising its values with Boost.JSON alone",
           .unit = "turns",
           .prepare = [=] { return Contest{exporting(turns), serialising(turns)}; },
           .at_most_rounds = few_rounds}};
}

}  // namespace snl::benchmarks
