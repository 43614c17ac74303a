// The signed log of a store: its cost for a turn, the cost of a checkpoint, and that of a proof in
// a log of ten million commits.
#include "endless_game.hpp"
#include "folder.hpp"
#include "rows.hpp"
#include "storage/match.hpp"
#include "storage/sqlite/sqlite_admin.hpp"
#include "storage/sqlite/sqlite_store.hpp"
#include "storage/transparency/signing.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace snl::benchmarks {
namespace {

using transparency::Checkpoint;
using transparency::KeyFile;
using transparency::KeyType;
using transparency::leaf_hash;
using transparency::LogReader;
using transparency::LogStore;
using transparency::SignedCheckpoint;
using transparency::Signing;
using transparency::TreeBuilder;
using transparency::TreeSize;

/// A store, and the key of its log.
class Log {
 public:
  SqliteStore& store() { return *store_; }
  SqliteAdmin& admin() { return admin_; }
  const std::string& file() const { return file_; }

  /// Signs all commits, durably.
  SignedCheckpoint sign() {
    Signing signing(key_);
    std::optional<SignedCheckpoint> checkpoint;
    while (!checkpoint)
      admin_.write_log([&](LogStore& log) { checkpoint = signing.step(log); });
    return *std::move(checkpoint);
  }

 private:
  static std::string made_key(const std::string& file) {
    make_key_file(file, "bench.example/log", KeyType::log);
    return file;
  }

  Folder folder_;
  std::string file_ = folder_.file("snl.db");
  std::unique_ptr<SqliteStore> store_ = SqliteStore::open(file_, SqliteStore::Access::write);
  SqliteAdmin admin_{file_};
  KeyFile key_{made_key(folder_.file("key")), KeyType::log};
};

/// The answer to a SELECT of one number or hash, by SQLite alone.
class BareSelect {
 public:
  BareSelect(const std::string& file, const char* select) {
    if (sqlite3_open(file.c_str(), &handle_) != SQLITE_OK ||
        sqlite3_prepare_v2(handle_, select, -1, &statement_, nullptr) != SQLITE_OK)
      throw std::runtime_error(sqlite3_errmsg(handle_));
  }
  ~BareSelect() {
    sqlite3_finalize(statement_);
    sqlite3_close(handle_);
  }
  BareSelect(const BareSelect&) = delete;
  BareSelect& operator=(const BareSelect&) = delete;

  /// `number` is its parameter, if it has one.
  std::int64_t ask(std::int64_t number = 0) {
    sqlite3_reset(statement_);
    if (sqlite3_bind_parameter_count(statement_) > 0) sqlite3_bind_int64(statement_, 1, number);
    if (sqlite3_step(statement_) != SQLITE_ROW) throw std::runtime_error(sqlite3_errmsg(handle_));
    return sqlite3_column_int64(statement_, 0);
  }

 private:
  sqlite3* handle_ = nullptr;
  sqlite3_stmt* statement_ = nullptr;
};

/// The processor time of this process, in seconds.
double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  constexpr double nanoseconds = 1e9;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / nanoseconds;
}

/// For work that has measured itself.
Done measured(double figure) {
  Done done(1);
  done.figure = figure;
  return done;
}

/// The root over leaves in memory, without keeping a tree.
Hash root_over(const std::vector<Hash>& leaves) {
  TreeBuilder tree;
  for (const Hash& leaf : leaves)
    tree.add(leaf_hash(leaf));
  return tree.root();
}

/// The processor time for that, in seconds.
double seconds_to_hash(double commits) {
  const std::vector<Hash> leaves(static_cast<std::size_t>(commits));
  const double before = processor_seconds();
  if (root_over(leaves) == Hash{}) throw std::logic_error("a root of zeros");
  return processor_seconds() - before;
}

/// Seconds of a processor for all hashes of a store to be read.
double seconds_to_read(const std::string& file) {
  BareSelect greatest(file, "SELECT length(max(hash)) FROM commits");
  const double before = processor_seconds();
  (void)greatest.ask();
  return processor_seconds() - before;
}

/// A game, each turn of which is durable.
struct Game {
  explicit Game(const std::shared_ptr<Log>& in)
      : log(in), match([&] {
          record_endless_game(log->store(), "game", 2000);
          return Match::load(log->store(), "game").value();
        }()) {}
  void play(double turns) {
    for (double i = 0; i < turns; ++i)
      if (!match.execute(RollTurn{})) throw std::logic_error("a turn of the benchmark was refused");
  }

  std::shared_ptr<Log> log;
  Match match;
};

Row keyed_turn_row(const Options& options) {
  return {.name = "log: durable turns with a key",
          .baseline_name = "the same without a key",
          .unit = "turns",
          .bar = Bar{Bar::Of::ratio, 0.98},
          .prepare = [turns = scaled(options, 5000)] {
            const auto with = std::make_shared<Game>(std::make_shared<Log>());
            const auto without = std::make_shared<Game>(std::make_shared<Log>());
            return Contest{[=] {
                             with->play(turns);
                             with->log->sign();
                             return Done(turns);
                           },
                           [=] {
                             without->play(turns);
                             return Done(turns);
                           }};
          }};
}

Row checkpoint_row(const Options& options) {
  const double commits = scaled(options, 1000);
  return {.name = fmt::format("log: a checkpoint of {} commits, processor",
                              with_commas(static_cast<std::int64_t>(commits))),
          .baseline_name = "hashing as many leaves and nodes in memory",
          .unit = "checkpoints",
          .measure = Measure::time,
          .bar = Bar{Bar::Of::figure, 0.001},
          .prepare = [=] {
            const auto log = std::make_shared<Log>();
            const auto games = std::make_shared<int>(0);
            return Contest{[=] {
                             record_endless_game(log->store(), fmt::format("game{}", ++*games),
                                                 static_cast<Turn>(commits) - 1);
                             const double before = processor_seconds();
                             log->sign();
                             return measured(processor_seconds() - before);
                           },
                           [=] { return measured(seconds_to_hash(commits)); }};
          }};
}

/// A log of very many commits.
class LongLog {
 public:
  explicit LongLog(std::int64_t commits) : commits_(commits) {
    constexpr std::int64_t longest_game = 100'000;
    for (std::int64_t left = commits; left > 0; left -= longest_game)
      record_endless_game(log_.store(), fmt::format("game{}", left),
                          static_cast<Turn>(std::min(left, longest_game) - 1));
    const double before = processor_seconds();
    checkpoint_ = log_.sign();
    seconds_to_sign_ = processor_seconds() - before;
    if (checkpoint_.checkpoint.size != static_cast<TreeSize>(commits))
      throw std::logic_error("the log of the benchmark has another size");
  }

  Log& log() { return log_; }
  std::int64_t commits() const { return commits_; }
  const SignedCheckpoint& checkpoint() const { return checkpoint_; }
  /// The processor time for the first checkpoint.
  double seconds_a_commit() const { return seconds_to_sign_ / static_cast<double>(commits_); }
  double bytes_a_commit() const {
    BareSelect bytes(log_.file(), "SELECT sum(pgsize) FROM dbstat WHERE name = 'tree'");
    return static_cast<double>(bytes.ask()) / static_cast<double>(commits_);
  }

 private:
  Log log_;
  std::int64_t commits_;
  SignedCheckpoint checkpoint_;
  double seconds_to_sign_ = 0;
};

using MakeLongLog = std::function<std::shared_ptr<LongLog>()>;

/// Made at the first call, and shared by all rows.
MakeLongLog shared_long_log(std::int64_t commits) {
  return [commits, made = std::make_shared<std::shared_ptr<LongLog>>()] {
    if (!*made) *made = std::make_shared<LongLog>(commits);
    return *made;
  };
}

/// Proves any of its commits, next to reading the hash of one.
Row proof_row(const Options& options, const std::string& name, const MakeLongLog& long_log,
              const std::function<bool(LogReader&, const LongLog&, std::int64_t)>& prove) {
  return {.name = name,
          .baseline_name = "bare SQLite: SELECT of a commit's hash",
          .unit = "proofs",
          .measure = Measure::time,
          .bar = Bar{Bar::Of::figure, 0.001},
          .prepare = [=, times = scaled(options, 1000)] {
            const auto log = long_log();
            const auto bare = std::make_shared<BareSelect>(
                log->log().file(), "SELECT length(hash) FROM commits WHERE position = ?1");
            auto any = [commits = log->commits(), random = std::mt19937_64(1)]() mutable {
              return std::uniform_int_distribution<std::int64_t>(1, commits)(random);
            };
            return Contest{[=]() mutable {
                             log->log().admin().read_log([&](LogReader& reader) {
                               for (double i = 0; i < times; ++i)
                                 if (!prove(reader, *log, any()))
                                   throw std::logic_error("nothing was proven");
                             });
                             return Done(times);
                           },
                           [=]() mutable {
                             std::int64_t bytes = 0;
                             for (double i = 0; i < times; ++i)
                               bytes += bare->ask(any());
                             return Done(bytes > 0 ? times : 0);
                           }};
          }};
}

bool prove_inclusion(LogReader& reader, const LongLog& log, std::int64_t position) {
  Commit commit;
  commit.position = position;
  commit.hash = reader.leaves(static_cast<std::uint64_t>(position - 1), 1).front();
  return prove_commit(reader, log.checkpoint(), commit).has_value();
}

bool prove_goes_on(LogReader& reader, const LongLog& log, std::int64_t size) {
  const Checkpoint& now = log.checkpoint().checkpoint;
  return size == log.commits() ||
         !prove_consistency(reader, now, static_cast<TreeSize>(size), now.size).empty();
}

/// Something that is measured once, while the log is made.
Row long_log_row(std::string name, std::string baseline_name, Measure measure, double bar,
                 std::function<Contest()> prepare) {
  return {.name = std::move(name),
          .baseline_name = std::move(baseline_name),
          .unit = "commits",
          .measure = measure,
          .bar = Bar{Bar::Of::figure, bar},
          .prepare = std::move(prepare),
          .at_most_rounds = 1};
}

}  // namespace

std::vector<Row> log_rows(const Options& options) {
  const double commits = scaled(options, 10'000'000);
  const MakeLongLog long_log = shared_long_log(static_cast<std::int64_t>(commits));
  const std::string many = with_commas(static_cast<std::int64_t>(commits));
  constexpr double microsecond = 1e-6;
  constexpr double most_bytes = 0.25;
  return {keyed_turn_row(options),
          checkpoint_row(options),
          proof_row(options, fmt::format("log: inclusion proof, {} commits", many), long_log,
                    prove_inclusion),
          proof_row(options, fmt::format("log: consistency proof, {} commits", many), long_log,
                    prove_goes_on),
          long_log_row(fmt::format("log: first checkpoint of {}, a commit", many),
                       "bare SQLite: all hashes read, then hashed", Measure::time, microsecond,
                       [=] {
                         const auto log = long_log();
                         return Contest{[=] { return measured(log->seconds_a_commit()); },
                                        [=] {
                                          const double bare = seconds_to_read(log->log().file()) +
                                                              seconds_to_hash(commits);
                                          return measured(bare / commits);
                                        }};
                       }),
          long_log_row(fmt::format("log: tree of {}, disk a commit", many),
                       "the hashes of its nodes alone", Measure::bytes, most_bytes, [=] {
                         const auto log = long_log();
                         constexpr double a_node = sizeof(Hash);
                         constexpr double leaves_a_node = 256;
                         return Contest{[=] { return Done(log->bytes_a_commit()); },
                                        [=] { return Done(a_node / leaves_a_node); }};
                       })};
}

}  // namespace snl::benchmarks
