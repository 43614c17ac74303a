// A store on PostgreSQL next to bare libpq on the same server, whose files are on a disk: clients
// are threads, each with a connection and games of its own.
#include "../storage/postgres/cluster.hpp"
#include "bare_postgres.hpp"
#include "endless_game.hpp"
#include "folder.hpp"
#include "http_load.hpp"
#include "rows.hpp"
#include "served_games.hpp"
#include "storage/audit.hpp"
#include "storage/group_commit.hpp"
#include "storage/match.hpp"
#include "storage/postgres/postgres_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <future>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace snl::benchmarks {
namespace {

using Use = PostgresStore::Use;

constexpr std::size_t games_of_flush = 16;

/// The server of all rows, configured as in production.
test::Cluster& cluster() {
  static test::Cluster only({"autovacuum = on", "shared_buffers = 256MB", "max_wal_size = 8GB",
                             "checkpoint_timeout = 1h", "max_connections = 200"},
                            place_of_folders());
  return only;
}

/// Runs `work(0)` to `work(clients - 1)` at once; throws what one of them threw.
void at_once(std::size_t clients, const std::function<void(std::size_t client)>& work) {
  std::vector<std::future<void>> running;
  for (std::size_t client = 0; client < clients; ++client)
    running.push_back(std::async(std::launch::async, work, client));
  for (auto& each : running)
    each.get();
}

/// The rows of a game that was played in a store, for inserting them again and again.
class BareRows {
 public:
  BareRows(EventReader& store, const std::string& game, std::int64_t key) {
    constexpr std::size_t enough = 2000;
    CommitPage page;
    store.read(game, 2, enough, page);
    for (const CommitView& commit : page)
      rows_.push_back({.game = key,
                       .version = 0,
                       .time = commit.time,
                       .command = std::string(commit.command),
                       .events = std::string(commit.events),
                       .hash = std::string(commit.hash.begin(), commit.hash.end())});
  }
  const BareRow* next() {
    BareRow& row = rows_[next_++ % rows_.size()];
    row.version = ++version_;
    return &row;
  }

 private:
  std::vector<BareRow> rows_;
  std::size_t next_ = 0;
  std::int64_t version_ = 0;
};

void roll(Match& match) {
  if (!match.execute(RollTurn{})) throw std::logic_error("a turn of the benchmark was refused");
}

std::string id_of(std::size_t game) {
  return fmt::format("game{}", game);
}

/// A client that plays turns, each durable by itself.
struct TurnPlayer {
  TurnPlayer(const std::string& location, const std::string& game) : store(location, Use::write) {
    record_endless_game(store, game, 0);
    match.emplace(*Match::load(store, game));
  }
  void play(std::size_t turns) {
    for (std::size_t turn = 0; turn < turns; ++turn)
      roll(*match);
  }
  PostgresStore store;
  std::optional<Match> match;
};

/// A client that plays turns of sixteen games in one transaction.
struct FlushPlayer {
  FlushPlayer(const std::string& location, const std::string& name) : store(location, Use::write) {
    for (std::size_t game = 0; game < games_of_flush; ++game) {
      const std::string id = fmt::format("{}-{}", name, game);
      record_endless_game(store, id, 0);
      commands.push_back({.game = id, .command = RollTurn{}});
    }
  }
  void play(std::size_t turns) {
    for (std::size_t played = 0; played < turns; played += games_of_flush) {
      const auto outcomes = group.execute(commands);
      for (std::size_t game = 0; game < games_of_flush; ++game) {
        const auto* committed = std::get_if<Committed>(&outcomes[game]);
        if (committed == nullptr) throw std::logic_error("a turn of the benchmark was refused");
        commands[game].known = committed->game;
      }
    }
  }
  PostgresStore store;
  GroupCommit group{store};
  std::vector<WaitingCommand> commands;
};

/// A client that inserts the rows of such turns, one by one or sixteen at once.
struct BarePlayer {
  BarePlayer(const std::string& location, EventReader& store, std::int64_t key)
      : connection(location), rows(store, "played", key) {}
  void insert(std::size_t count) {
    for (std::size_t row = 0; row < count; ++row)
      connection.insert(*rows.next());
  }
  void insert_together(std::size_t count) {
    for (std::size_t row = 0; row < count; row += games_of_flush) {
      std::vector<const BareRow*> some;
      while (some.size() < games_of_flush)
        some.push_back(rows.next());
      connection.insert_together(some);
    }
  }
  BarePostgres connection;
  BareRows rows;
};

/// A database, and clients that play or insert in it.
template <class Player>
class Clients {
 public:
  explicit Clients(std::vector<std::unique_ptr<Player>> players) : players_(std::move(players)) {}

  /// Plays this number of turns in all; returns how many there were.
  double play(double turns, void (Player::*how)(std::size_t)) {
    const auto each =
        static_cast<std::size_t>(std::max(1.0, turns / static_cast<double>(players_.size())));
    at_once(players_.size(), [&](std::size_t client) { (*players_[client].*how)(each); });
    return static_cast<double>(each * players_.size());
  }

 private:
  std::vector<std::unique_ptr<Player>> players_;
};

template <class Player>
std::shared_ptr<Clients<Player>> playing_clients(const std::string& location, std::size_t count) {
  std::vector<std::unique_ptr<Player>> players;
  for (std::size_t client = 0; client < count; ++client)
    players.push_back(std::make_unique<Player>(location, id_of(client)));
  return std::make_shared<Clients<Player>>(std::move(players));
}

std::shared_ptr<Clients<BarePlayer>> bare_clients(std::size_t count) {
  const std::string location = cluster().store_database();
  PostgresStore store(location, Use::write);
  constexpr Turn enough = 2000;
  record_endless_game(store, "played", enough);
  BarePostgres::make_table(location);
  std::vector<std::unique_ptr<BarePlayer>> players;
  for (std::size_t client = 0; client < count; ++client)
    players.push_back(
        std::make_unique<BarePlayer>(location, store, static_cast<std::int64_t>(client)));
  return std::make_shared<Clients<BarePlayer>>(std::move(players));
}

template <class Player>
Work work_of(std::shared_ptr<Clients<Player>> clients, double turns,
             void (Player::*how)(std::size_t)) {
  return [=] { return Done(clients->play(turns, how)); };
}

std::string of_clients(std::size_t clients) {
  return fmt::format("{} client{}", clients, clients == 1 ? "" : "s");
}

/// The number of turns that take about a second.
double turns_of_round(const Options& options, std::size_t clients) {
  return scaled(options, clients == 1 ? 400 : clients == 8 ? 2'000 : 4'000);
}

constexpr int rounds_of_turns = 7;

Row durable_turns_row(const Options& options, std::size_t clients, double bar) {
  return {.name = fmt::format("postgres: durable turns, {}", of_clients(clients)),
          .baseline_name = "libpq: INSERT of the same rows, primary key alone",
          .unit = "turns",
          .bar = Bar{Bar::Of::ratio, bar},
          .prepare =
              [=, turns = turns_of_round(options, clients)] {
                return Contest{
                    work_of(playing_clients<TurnPlayer>(cluster().store_database(), clients), turns,
                            &TurnPlayer::play),
                    work_of(bare_clients(clients), turns, &BarePlayer::insert)};
              },
          .at_most_rounds = rounds_of_turns};
}

constexpr double more_by_flushes = 4;  // turns in the same time

Row flush_row(const Options& options, std::size_t clients) {
  return {.name = fmt::format("postgres: 16 a transaction, {}", of_clients(clients)),
          .baseline_name = "libpq: 16 bare rows a transaction, in a pipeline",
          .unit = "turns",
          .bar = Bar{Bar::Of::ratio, 0.25},
          .prepare =
              [=, turns = more_by_flushes * turns_of_round(options, clients)] {
                return Contest{
                    work_of(playing_clients<FlushPlayer>(cluster().store_database(), clients),
                            turns, &FlushPlayer::play),
                    work_of(bare_clients(clients), turns, &BarePlayer::insert_together)};
              },
          .at_most_rounds = rounds_of_turns};
}

Row flush_next_to_turns_row(const Options& options, std::size_t clients) {
  return {.name = fmt::format("postgres: 16 a transaction, {}, next to a transaction each",
                              of_clients(clients)),
          .baseline_name = "the same turns, each durable by itself",
          .unit = "turns",
          .bar = Bar{Bar::Of::ratio, 3},
          .prepare =
              [=, turns = turns_of_round(options, clients)] {
                return Contest{
                    work_of(playing_clients<FlushPlayer>(cluster().store_database(), clients),
                            more_by_flushes * turns, &FlushPlayer::play),
                    work_of(playing_clients<TurnPlayer>(cluster().store_database(), clients), turns,
                            &TurnPlayer::play)};
              },
          .at_most_rounds = rounds_of_turns};
}

// ---- snl serve

std::vector<std::string> serving(const Options& options, const std::string& location) {
  std::vector<std::string> words{options.snl, "--db",        location,    "serve",
                                 "--listen",  "127.0.0.1:0", "--threads", "2"};
  for (const char* limit : {"streams=0", "connections=0", "writes=0", "games=0", "open=0"}) {
    words.emplace_back("--limit");
    words.emplace_back(limit);
  }
  return words;
}

/// Two servers on one database.
struct TwoServers {
  explicit TwoServers(const Options& options)
      : location(cluster().store_database()),
        here(serving(options, location)),
        there(serving(options, location)) {}
  std::int64_t peak_bytes() const { return std::max(here.peak_bytes(), there.peak_bytes()); }

  std::string location;
  ServerProcess here;
  ServerProcess there;
};

/// Half of the clients at each.
struct TwoTables {
  TwoTables(const Options& options, std::size_t clients) : servers(options) {
    tables.push_back(std::make_unique<Table>(servers.here.port(), (clients + 1) / 2));
    if (clients > 1) tables.push_back(std::make_unique<Table>(servers.there.port(), clients / 2));
  }
  TwoServers servers;
  std::vector<std::unique_ptr<Table>> tables;
};

Row served_turns_row(const Options& options, std::size_t clients) {
  return {.name = fmt::format("postgres: through two servers, {}", of_clients(clients)),
          .baseline_name = "libpq: INSERT of the same rows, primary key alone",
          .unit = "turns",
          .bar = Bar{Bar::Of::ratio, 0.35},
          .prepare =
              [=, turns = turns_of_round(options, clients)] {
                const auto on = std::make_shared<TwoTables>(options, clients);
                return Contest{[=] {
                                 const std::size_t count = on->tables.size();
                                 const auto each = static_cast<std::size_t>(
                                     std::max(1.0, turns / static_cast<double>(count)));
                                 at_once(count, [&](std::size_t i) { on->tables[i]->play(each); });
                                 return Done(static_cast<double>(each * count),
                                             on->servers.peak_bytes());
                               },
                               work_of(bare_clients(clients), turns, &BarePlayer::insert)};
              },
          .at_most_rounds = rounds_of_turns};
}

/// The time from a turn's answer until 99 of 100 spectators have its notification.
Work telling(const std::shared_ptr<TwoServers>& servers, std::uint16_t port, int turns) {
  constexpr std::size_t watching = 10;
  struct Watched {
    Watched(std::uint16_t played_at, std::uint16_t watched_at)
        : player(played_at, 1),
          game(player),
          spectators(watched_at, watching, game.path() + "/events") {
      spectators.wait_for("id: 1.");
    }
    HttpClients player;
    ServedGame game;
    Spectators spectators;
    std::string body;
    int version = 1;
  };
  const auto watched = std::make_shared<Watched>(servers->here.port(), port);
  return [=] {
    std::vector<double> after;
    for (int turn = 0; turn < turns; ++turn) {
      watched->body = watched->player.ask_once(0, watched->game.next_turn(watched->body));
      const std::string mark = fmt::format("id: {}.", ++watched->version);
      std::ranges::copy(watched->spectators.wait_for(mark), std::back_inserter(after));
    }
    std::ranges::sort(after);
    Done done(1, servers->peak_bytes());
    done.figure = std::max(1e-6, after[after.size() * 99 / 100]);
    return done;
  };
}

Row heard_row(const Options& options) {
  constexpr double longest = 0.1;
  return {.name = "postgres: heard of at another server, p99",
          .baseline_name = "heard of at the server where it was played",
          .unit = "turns",
          .measure = Measure::time,
          .bar = Bar{Bar::Of::figure, longest},
          .prepare = [=, turns = static_cast<int>(scaled(options, 100))] {
            const auto servers = std::make_shared<TwoServers>(options);
            return Contest{telling(servers, servers->there.port(), turns),
                           telling(servers, servers->here.port(), turns)};
          }};
}

// ---- Reading

/// Reads a long game as `reading` does, next to one cursor over its rows.
Row reading_row(const Options& options, const std::string& name,
                std::function<void(PostgresStore&)> reading) {
  return {.name = "postgres: " + name,
          .baseline_name = "libpq: the same rows by one cursor",
          .unit = "turns",
          .bar = Bar{Bar::Of::ratio, 0.6},
          .prepare = [reading = std::move(reading), turns = scaled(options, 100'000)] {
            const std::string location = cluster().store_database();
            const auto store = std::make_shared<PostgresStore>(location, Use::write);
            record_endless_game(*store, "game", static_cast<Turn>(turns));
            const auto bare = std::make_shared<BarePostgres>(location);
            return Contest{[=] {
                             reading(*store);
                             return Done(turns);
                           },
                           [=] { return Done(bare->read("game") > 0 ? turns : 0); }};
          }};
}

void fold_whole_game(PostgresStore& store) {
  const Match match = *Match::load(store, "game");
  if (match.position_at(match.head().version) != match.state().position)
    throw std::logic_error("the log folds to something else");
}

void audit_whole_game(PostgresStore& store) {
  if (!audit_game(store, "game")->ok()) throw std::logic_error("the audit found a problem");
}

// ---- Very many games

/// A store of games that have just been started.
struct GamesThere {
  explicit GamesThere(std::int64_t games)
      : count(games),
        location(cluster().store_database()),
        store(std::make_shared<PostgresStore>(location, Use::write)) {
    constexpr std::int64_t batch = 1000;
    constexpr std::size_t fillers = 2;
    at_once(fillers, [&](std::size_t filler) {
      PostgresStore mine(location, Use::write);
      GroupCommit group(mine);
      for (auto first = static_cast<std::int64_t>(filler) * batch; first < games;
           first += static_cast<std::int64_t>(fillers) * batch) {
        std::vector<WaitingCommand> starts;
        for (std::int64_t game = first; game < std::min(first + batch, games); ++game)
          starts.push_back({.game = id_of(static_cast<std::size_t>(game)),
                            .command = StartGame{endless_game()}});
        for (const CommandOutcome& outcome : group.execute(starts))
          if (!std::holds_alternative<Committed>(outcome))
            throw std::logic_error("a game of the benchmark was refused");
      }
    });
    test::PlainSession owner(location);
    owner.execute("VACUUM ANALYZE");
    owner.execute("CHECKPOINT");
  }
  std::int64_t count;
  std::string location;
  std::shared_ptr<PostgresStore> store;
};

using MakeGames = std::function<std::shared_ptr<const GamesThere>()>;

/// This number of games, made at the first call and shared by all rows.
MakeGames shared_games(std::int64_t count) {
  return [count, made = std::make_shared<std::shared_ptr<const GamesThere>>()] {
    if (!*made) *made = std::make_shared<const GamesThere>(count);
    return *made;
  };
}

/// Turns, each of any game.
Work any_turns(const std::shared_ptr<const GamesThere>& there, double turns) {
  return [=, random = std::mt19937_64(1)]() mutable {
    std::uniform_int_distribution<std::int64_t> any(0, there->count - 1);
    for (double played = 0; played < turns; ++played) {
      const auto game = static_cast<std::size_t>(any(random));
      Match match = Match::load(*there->store, id_of(game)).value();
      roll(match);
    }
    return turns;
  };
}

/// Lists the newest games and their positions.
Work any_lists(const std::shared_ptr<const GamesThere>& there, double lists) {
  return [=] {
    constexpr std::size_t listed = 20;
    std::size_t found = 0;
    for (double done = 0; done < lists; ++done)
      for (const std::string& id : there->store->list({}, listed))
        found += Match::load(*there->store, id)->state().players();
    if (found == 0) throw std::runtime_error("nothing was listed");
    return lists;
  };
}

}  // namespace

std::vector<Row> postgres_rows(const Options& options) {
  std::vector<Row> rows;
  constexpr std::array<std::size_t, 3> numbers_of_clients{1, 8, 32};
  constexpr std::array bars{0.85, 0.6, 0.45};
  for (std::size_t i = 0; i < bars.size(); ++i)
    rows.push_back(durable_turns_row(options, numbers_of_clients[i], bars[i]));
  for (const std::size_t clients : numbers_of_clients) {
    rows.push_back(flush_row(options, clients));
    rows.push_back(flush_next_to_turns_row(options, clients));
  }
  if (!options.snl.empty()) {
    for (const std::size_t clients : numbers_of_clients)
      rows.push_back(served_turns_row(options, clients));
    rows.push_back(heard_row(options));
  }
  rows.push_back(reading_row(options, "load and fold", fold_whole_game));
  rows.push_back(reading_row(options, "audit", audit_whole_game));

  const auto many = static_cast<std::int64_t>(scaled(options, 1'000'000));
  constexpr std::int64_t few = 1000;
  const MakeGames large = shared_games(many);
  const MakeGames small = shared_games(std::min(few, many));
  const auto in_both = [=](const auto& work, double amount) {
    return [=] { return Contest{work(large(), amount), work(small(), amount)}; };
  };
  const std::string baseline = fmt::format("the same next to {}", with_commas(few));
  constexpr double most = 1.3;
  rows.push_back({.name = fmt::format("postgres: a turn in {} games", with_commas(many)),
                  .baseline_name = baseline,
                  .unit = "turns",
                  .measure = Measure::time,
                  .bar = Bar{Bar::Of::ratio, most},
                  .prepare = in_both(any_turns, scaled(options, 500))});
  rows.push_back({.name = fmt::format("postgres: a list in {} games", with_commas(many)),
                  .baseline_name = baseline,
                  .unit = "lists",
                  .measure = Measure::time,
                  .bar = Bar{Bar::Of::ratio, most},
                  .prepare = in_both(any_lists, scaled(options, 50))});
  return rows;
}

}  // namespace snl::benchmarks
