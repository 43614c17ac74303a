// Recording turns and reading them back, next to bare SQLite with the same rows.
#include "bare_store.hpp"
#include "domain/timeline.hpp"
#include "endless_game.hpp"
#include "folder.hpp"
#include "rows.hpp"
#include "storage/audit.hpp"
#include "storage/match.hpp"
#include "storage/sqlite_store.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace snl::benchmarks {
namespace {

using Access = SqliteStore::Access;

/// One game in a store of its own.
struct Played {
  Folder folder;
  std::string path = folder.file("store.db");
  std::unique_ptr<SqliteStore> store = SqliteStore::open(path, Access::write);

  explicit Played(double turns) { record_endless_game(*store, "game", static_cast<Turn>(turns)); }
  Match match() { return *Match::load(*store, "game"); }
};

void roll(Match& match) {
  if (!match.execute(RollTurn{})) throw std::logic_error("a turn of the benchmark was refused");
}

/// Cycles through rows that were recorded before, as if they were new.
class Rows {
 public:
  explicit Rows(std::vector<BareRow> rows) : rows_(std::move(rows)) {}
  const BareRow& next() {
    BareRow& row = rows_[next_++ % rows_.size()];
    row.version = ++version_;
    return row;
  }

 private:
  std::vector<BareRow> rows_;
  std::size_t next_ = 0;
  std::int64_t version_ = 0;
};

/// Turns of a game, one by one, and their rows.
struct Recording {
  explicit Recording(BareStore::Keys keys)
      : bare(folder.file("bare.db"), keys), rows(rows_of(played.path, "game")) {}
  Folder folder;
  Played played{2000};
  Match match = played.match();
  BareStore bare;
  Rows rows;
};

Row durable_row(const Options& options) {
  return {.name = "a durable turn",
          .baseline_name = "bare SQLite: INSERT of the same rows, each durable",
          .unit = "turns",
          .bar = Bar{Bar::Of::ratio, 0.85},
          .prepare = [turns = scaled(options, 1500)] {
            const auto on = std::make_shared<Recording>(BareStore::Keys::position);
            return Contest{[=] {
                             for (double i = 0; i < turns; ++i)
                               roll(on->match);
                             return Done(turns);
                           },
                           [=] {
                             for (double i = 0; i < turns; ++i)
                               on->bare.insert(on->rows.next());
                             return Done(turns);
                           }};
          }};
}

Work inserting_at_once(const std::shared_ptr<Recording>& on, double turns) {
  return [=] {
    on->bare.begin();
    for (double i = 0; i < turns; ++i)
      on->bare.insert(on->rows.next());
    on->bare.commit();
    return Done(turns);
  };
}

constexpr std::string_view bulk_baseline =
    "bare SQLite: the same rows, UNIQUE (game, version), one commit";

Row bulk_row(const Options& options) {
  return {.name = "turns in bulk, a game at a time",
          .baseline_name = std::string(bulk_baseline),
          .unit = "turns",
          .bar = Bar{Bar::Of::ratio, 0.5},
          .prepare = [turns = scaled(options, 50'000)] {
            const auto on = std::make_shared<Recording>(BareStore::Keys::position_and_version);
            return Contest{[=, games = 0]() mutable {
                             record_endless_game(*on->played.store,
                                                 "bulk" + std::to_string(games++),
                                                 static_cast<Turn>(turns));
                             return Done(turns);
                           },
                           inserting_at_once(on, turns)};
          }};
}

Row atomic_row(const Options& options) {
  return {.name = "turns in bulk, command by command",
          .baseline_name = std::string(bulk_baseline),
          .unit = "turns",
          .prepare = [turns = scaled(options, 20'000)] {
            const auto on = std::make_shared<Recording>(BareStore::Keys::position_and_version);
            return Contest{[=] {
                             on->played.store->atomically([&] {
                               for (double i = 0; i < turns; ++i)
                                 roll(on->match);
                             });
                             return Done(turns);
                           },
                           inserting_at_once(on, turns)};
          }};
}

/// Reads a long game as `reading` does, next to stepping over its rows.
Row reading_row(const Options& options, std::string name, double bar,
                std::function<void(Played&)> reading) {
  return {.name = std::move(name),
          .baseline_name = "sqlite3_step over the same rows",
          .unit = "turns",
          .bar = Bar{Bar::Of::ratio, bar},
          .prepare = [reading = std::move(reading), turns = scaled(options, 100'000)] {
            const auto played = std::make_shared<Played>(turns);
            const auto bare = std::make_shared<BareReader>(played->path, "game");
            return Contest{[=] {
                             reading(*played);
                             return Done(turns);
                           },
                           [=] { return Done(bare->read() > 0 ? turns : 0); }};
          }};
}

void fold_whole(Played& played) {
  const Match match = played.match();
  if (match.summary_at(match.head().version) != match.summary())
    throw std::logic_error("the log folds to something else");
}

void audit_whole(Played& played) {
  if (!audit_game(*played.store, "game")->ok()) throw std::logic_error("the audit found a problem");
}

Row disk_row(const Options& options) {
  return {.name = "disk a turn, all tables and indexes",
          .baseline_name = "bare SQLite: the same rows, primary key alone",
          .unit = "turns",
          .measure = Measure::bytes,
          .bar = Bar{Bar::Of::figure, 160},
          .prepare =
              [turns = scaled(options, 50'000)] {
                const auto size_of = [](const std::string& path) {
                  return static_cast<double>(std::filesystem::file_size(path));
                };
                return Contest{[=] {
                                 Played played(turns);
                                 played.store.reset();  // empties the write-ahead log
                                 return Done(size_of(played.path) / turns);
                               },
                               [=] {
                                 Played played(turns);
                                 const Folder folder;
                                 const std::string path = folder.file("bare.db");
                                 {
                                   BareStore bare(path, BareStore::Keys::position);
                                   bare.begin();
                                   for (const BareRow& row : rows_of(played.path, "game"))
                                     bare.insert(row);
                                   bare.commit();
                                 }
                                 return Done(size_of(path) / turns);
                               }};
              },
          .at_most_rounds = 1};
}

/// A turn of a game of so many turns: played, taken back and put back.
Work three_commands(double turns, double times) {
  struct Game {
    explicit Game(double turns) : played(turns) {}
    Played played;
    Match match = played.match();
  };
  return [=, game = std::make_shared<Game>(turns)] {
    for (double i = 0; i < times; ++i) {
      roll(game->match);
      if (!game->match.execute(UndoTurns{1}) || !game->match.execute(RedoTurns{1}))
        throw std::logic_error("an undo of the benchmark was refused");
    }
    return Done(3 * times);
  };
}

Row length_row(const Options& options) {
  return {.name = "a turn, undo and redo at turn 100,000",
          .baseline_name = "the same at turn 10",
          .unit = "commands",
          .measure = Measure::time,
          .bar = Bar{Bar::Of::ratio, 1.1},
          .prepare = [&options] {
            const double times = scaled(options, 300);
            return Contest{three_commands(scaled(options, 100'000), times),
                           three_commands(10, times)};
          }};
}

Timeline timeline_of(Played& played) {
  return history_of(*played.store, "game").timeline;
}

Row seek_row(const Options& options) {
  return {.name = "seek to any turn of 10,000",
          .baseline_name = "folding the log up to there",
          .unit = "seeks",
          .measure = Measure::time,
          .bar = Bar{Bar::Of::figure, 0.010},
          .prepare = [turns = static_cast<Turn>(scaled(options, 10'000)), &options] {
            const double times = scaled(options, 10'000);
            const auto played = std::make_shared<Played>(static_cast<double>(turns));
            const auto timeline = std::make_shared<Timeline>(timeline_of(*played));
            const auto some_turn = [=](double i) {
              return static_cast<Turn>(i * 7919) % timeline->last_turn();
            };
            return Contest{[=] {
                             Turn sum = 0;
                             for (double i = 0; i < times; ++i)
                               sum += timeline->position_after(some_turn(i)).turn;
                             return Done(sum >= 0 ? times : 0);
                           },
                           [=] {
                             const Match match = played->match();
                             constexpr double few = 20;
                             for (double i = 0; i < few; ++i)
                               match.summary_at(some_turn(i) + 1);
                             return Done(few);
                           }};
          }};
}

}  // namespace

std::vector<Row> store_rows(const Options& options) {
  return {durable_row(options),
          bulk_row(options),
          atomic_row(options),
          reading_row(options, "load and fold", 0.6, fold_whole),
          reading_row(options, "audit", 0.4, audit_whole),
          disk_row(options),
          length_row(options),
          seek_row(options)};
}

}  // namespace snl::benchmarks
