// Commands as processes, from the start of the program to its end: the cost for a script.
#include "endless_game.hpp"
#include "folder.hpp"
#include "process.hpp"
#include "rows.hpp"
#include "storage/sqlite/sqlite_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

namespace snl::benchmarks {
namespace {

constexpr std::size_t processes_a_round = 20;

/// Runs the commands that `next` returns, one after another.
template <class Next>
Work running(double commands, Next next) {
  return [=]() mutable {
    std::int64_t peak = 0;
    for (double done = 0; done < commands; ++done)
      peak = std::max(peak, run_program(next()));
    return Done(commands, peak);
  };
}

/// The turns of an endless game that is at turn 0, played by processes.
auto playing(const Options& options, std::string store, std::string game) {
  return [=, program = options.snl, turn = std::size_t{0}]() mutable {
    const char* const player = turn++ % 2 == 0 ? "A" : "B";
    return std::vector<std::string>{program, "play", game, player, "4", "--db", store};
  };
}

// ---- Next to the sqlite3 shell

/// A turn's commit in a table of the same columns, without checks, keys and triggers.
constexpr const char* bare_table =
    "PRAGMA journal_mode = WAL;"
    "CREATE TABLE commits (position INTEGER PRIMARY KEY, game INTEGER, version INTEGER,"
    " time INTEGER, command TEXT, events TEXT, hash BLOB, command_id TEXT);";

/// synchronous is FULL by default.
constexpr const char* bare_insert =
    "INSERT INTO commits (game, version, time, command, events, hash) VALUES (1, 2, 1767225600000,"
    " '{\"play\":[1,0,[4]]}', '[{\"played\":[1,1,0,[4],false,1,5,5,\"moved\",1,0]}]',"
    " randomblob(32))";

Contest next_to_sqlite(const Options& options) {
  const auto folder = std::make_shared<Folder>();
  const std::string store = folder->file("snl.db");
  const std::string bare = folder->file("bare.db");
  record_endless_game(*SqliteStore::open(store, SqliteStore::Access::write), "game", 0);
  run_program({"sqlite3", bare, bare_table});
  const double commands = scaled(options, processes_a_round);
  return {running(commands, playing(options, store, "game")), running(commands, [folder, bare] {
            return std::vector<std::string>{"sqlite3", bare, bare_insert};
          })};
}

// ---- Long games next to short ones

constexpr Turn turns_of_short_game = 10;

/// A store with one long game and many of ten turns.
class LongAndShort {
 public:
  LongAndShort(Turn turns_of_long_game, std::size_t short_games) {
    const auto store = SqliteStore::open(file(), SqliteStore::Access::write);
    record_endless_game(*store, "long", turns_of_long_game);
    store->locked("any", [&](EventStore&) {
      for (std::size_t game = 0; game < short_games; ++game)
        record_endless_game(*store, short_game(game), turns_of_short_game);
    });
  }

  std::string file() const { return folder_.file("snl.db"); }
  static std::string short_game(std::size_t number) { return fmt::format("short.{}", number); }

 private:
  Folder folder_;
};

/// `snl WORDS…` on a game of the store.
std::vector<std::string> command_on(const Options& options, const LongAndShort& games,
                                    const std::string& command, const std::string& game,
                                    std::vector<std::string> words = {}) {
  std::vector<std::string> all{options.snl, command, game, "--db", games.file()};
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

/// Every turn is the long game's next one; every turn of the baseline is the 11th of another game.
Contest turns_of(const Options& options, Turn turns, int rounds) {
  const double commands = scaled(options, processes_a_round);
  const auto short_games = static_cast<std::size_t>(commands) * static_cast<std::size_t>(rounds);
  const auto games = std::make_shared<LongAndShort>(turns, short_games);
  return {running(commands, [=] { return command_on(options, *games, "roll", "long"); }),
          running(commands, [=, next = std::size_t{0}]() mutable {
            return command_on(options, *games, "roll", LongAndShort::short_game(next++));
          })};
}

/// Undo and redo by turns, so that the game stays as long as it is.
Contest undos_of(const Options& options, Turn turns) {
  const auto games = std::make_shared<LongAndShort>(turns, 1);
  const double commands = scaled(options, processes_a_round / 2) * 2;
  const auto undo_and_redo = [=](const std::string& game) {
    return running(commands, [=, undo = false]() mutable {
      undo = !undo;
      return command_on(options, *games, undo ? "undo" : "redo", game);
    });
  };
  return {undo_and_redo("long"), undo_and_redo(LongAndShort::short_game(0))};
}

}  // namespace

std::vector<Row> process_rows(const Options& options) {
  if (options.snl.empty()) return {};
  const auto turns = static_cast<Turn>(scaled(options, 100'000));
  const std::string long_game = fmt::format("a game of {} turns", with_commas(turns));
  const std::string short_game = fmt::format("a game of {} turns", turns_of_short_game);
  return {{.name = "one snl play process",
           .baseline_name = "sqlite3 FILE \"INSERT …\"",
           .unit = "processes",
           .measure = Measure::time,
           .bar = Bar{Bar::Of::ratio, 1.75},
           .prepare = [=] { return next_to_sqlite(options); }},
          {.name = "a turn as a process, in " + long_game,
           .baseline_name = "the same in " + short_game,
           .unit = "processes",
           .measure = Measure::time,
           .bar = Bar{Bar::Of::ratio, 1.5},
           .prepare = [=] { return turns_of(options, turns, options.rounds); }},
          {.name = fmt::format("undo, redo as processes, game of {} turns", with_commas(turns)),
           .baseline_name = "the same in " + short_game,
           .unit = "processes",
           .measure = Measure::time,
           .bar = Bar{Bar::Of::ratio, 1.5},
           .prepare = [=] { return undos_of(options, turns); }}};
}

}  // namespace snl::benchmarks
