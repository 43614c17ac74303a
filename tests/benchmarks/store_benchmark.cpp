// Recording turns and reading them back, next to bare SQLite with the same rows.
#include "bare_store.hpp"
#include "domain/timeline.hpp"
#include "endless_game.hpp"
#include "folder.hpp"
#include "rows.hpp"
#include "storage/audit.hpp"
#include "storage/match.hpp"
#include "storage/sqlite/sqlite_store.hpp"

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
  std::vector<const BareRow*> next(std::size_t count) {
    std::vector<const BareRow*> rows;
    while (rows.size() < count)
      rows.push_back(&next());
    return rows;
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
          .bar = Bar{Bar::Of::ratio, 0.9},
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

/// The same, many rows by a statement.
Work inserting_many_at_once(const std::shared_ptr<Recording>& on, double turns) {
  return [=] {
    on->bare.begin();
    double done = 0;
    for (; done < turns; done += static_cast<double>(BareStore::rows_at_once))
      on->bare.insert_many(on->rows.next(BareStore::rows_at_once));
    on->bare.commit();
    return Done(done);
  };
}

Work recording_at_once(const std::shared_ptr<Recording>& on, double turns) {
  return [=, games = 0]() mutable {
    record_endless_game(*on->played.store, "bulk" + std::to_string(games++),
                        static_cast<Turn>(turns));
    return Done(turns);
  };
}

constexpr std::string_view bulk_baseline =
    "bare SQLite: the same rows, UNIQUE (game, version), one commit";

Row bulk_row(const Options& options) {
  return {.name = "turns in bulk, a game at a time",
          .baseline_name = std::string(bulk_baseline),
          .unit = "turns",
          .bar = Bar{Bar::Of::ratio, 0.75},
          .prepare = [turns = scaled(options, 50'000)] {
            const auto on = std::make_shared<Recording>(BareStore::Keys::position_and_version);
            return Contest{recording_at_once(on, turns), inserting_at_once(on, turns)};
          }};
}

Row bulk_by_many_row(const Options& options) {
  return {.name = "turns in bulk, leaner baseline",
          .baseline_name = "bare SQLite: as above, 16 rows an INSERT",
          .unit = "turns",
          .prepare = [turns = scaled(options, 50'000)] {
            const auto on = std::make_shared<Recording>(BareStore::Keys::position_and_version);
            return Contest{recording_at_once(on, turns), inserting_many_at_once(on, turns)};
          }};
}

Row atomic_row(const Options& options) {
  return {.name = "turns in bulk, command by command",
          .baseline_name = std::string(bulk_baseline),
          .unit = "turns",
          .bar = Bar{Bar::Of::ratio, 0.45},
          .prepare = [turns = scaled(options, 20'000)] {
            const auto on = std::make_shared<Recording>(BareStore::Keys::position_and_version);
            return Contest{[=] {
                             on->played.store->locked("game", [&](EventStore&) {
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
  if (match.position_at(match.head().version) != match.state().position)
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
          .bar = Bar{Bar::Of::figure, 145},
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

/// A game that stays at a turn, in one transaction, so that the disk isn't part of the comparison.
class Standing {
 public:
  explicit Standing(double turns) : played_(turns) {}

  template <class Commands>
  Done repeat(double times, const Commands& commands) {
    played_.store->locked("game", [&](EventStore&) {
      for (double i = 0; i < times; ++i)
        commands(match_);
    });
    return {2 * times};
  }

 private:
  Played played_;
  Match match_ = played_.match();
};

void undo(Match& match) {
  if (!match.execute(UndoTurns{1})) throw std::logic_error("an undo of the benchmark was refused");
}

void redo(Match& match) {
  if (!match.execute(RedoTurns{1})) throw std::logic_error("a redo of the benchmark was refused");
}

/// Two commands that together leave a game at its turn.
template <class Commands>
Row length_row(const Options& options, const std::string& name, const Commands& commands) {
  const double late = scaled(options, 100'000);
  return {.name = name + " at turn " + with_commas(static_cast<std::int64_t>(late)),
          .baseline_name = "the same at turn 10",
          .unit = "commands",
          .measure = Measure::time,
          .bar = Bar{Bar::Of::ratio, 1.1},
          .prepare = [=, &options] {
            const double times = scaled(options, 5000);
            const auto repeating = [=](double turns) -> Work {
              return [=, game = std::make_shared<Standing>(turns)] {
                return game->repeat(times, commands);
              };
            };
            return Contest{repeating(late), repeating(10)};
          }};
}

/// Turns that are spread over a whole game, including the first and the last.
Turn some_turn(double i, Turn last) {
  return static_cast<Turn>(i * 7919) % (last + 1);
}

Row seek_row(const Options& options) {
  const auto turns = static_cast<Turn>(scaled(options, 10'000));
  return {.name = "seek to any turn of " + with_commas(turns) + ", from the store",
          .baseline_name = "sqlite3_step over all rows of the game",
          .unit = "seeks",
          .measure = Measure::time,
          .bar = Bar{Bar::Of::figure, 0.010},
          .prepare = [=, &options] {
            const double times = scaled(options, 20);
            const auto played = std::make_shared<Played>(static_cast<double>(turns));
            const auto bare = std::make_shared<BareReader>(played->path, "game");
            return Contest{[=] {
                             Turn sum = 0;
                             for (double i = 0; i < times; ++i) {
                               const History history = history_of(*played->store, "game");
                               sum += history.timeline.position_after(some_turn(i, turns)).turn;
                             }
                             return Done(sum >= 0 ? times : 0);
                           },
                           [=] {
                             std::int64_t sum = 0;
                             for (double i = 0; i < times; ++i)
                               sum += bare->read();
                             return Done(sum > 0 ? times : 0);
                           }};
          }};
}

Row open_seek_row(const Options& options) {
  return {.name = "seek in a replay that is open",
          .baseline_name = "reading the game again",
          .unit = "seeks",
          .measure = Measure::time,
          .bar = Bar{Bar::Of::figure, 0.010},
          .prepare = [turns = static_cast<Turn>(scaled(options, 10'000)), &options] {
            const double times = scaled(options, 1000);
            const auto played = std::make_shared<Played>(static_cast<double>(turns));
            const auto open = std::make_shared<History>(history_of(*played->store, "game"));
            return Contest{[=] {
                             Turn sum = 0;
                             for (double i = 0; i < times; ++i)
                               sum += open->timeline.position_after(some_turn(i, turns)).turn;
                             return Done(sum >= 0 ? times : 0);
                           },
                           [=] {
                             constexpr double few = 5;
                             Turn sum = 0;
                             for (double i = 0; i < few; ++i)
                               sum += history_of(*played->store, "game").timeline.last_turn();
                             return Done(sum > 0 ? few : 0);
                           }};
          }};
}

}  // namespace

std::vector<Row> store_rows(const Options& options) {
  return {durable_row(options),
          bulk_row(options),
          bulk_by_many_row(options),
          atomic_row(options),
          reading_row(options, "load and fold", 0.65, fold_whole),
          reading_row(options, "audit", 0.42, audit_whole),
          disk_row(options),
          length_row(options, "a turn and its undo",
                     [](Match& match) {
                       roll(match);
                       undo(match);
                     }),
          length_row(options, "undo and redo",
                     [](Match& match) {
                       undo(match);
                       redo(match);
                     }),
          seek_row(options),
          open_seek_row(options)};
}

}  // namespace snl::benchmarks
