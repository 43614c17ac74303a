// snl serve, as players over a network experience it.
#include "bare_store.hpp"
#include "endless_game.hpp"
#include "folder.hpp"
#include "http_load.hpp"
#include "rows.hpp"
#include "served_games.hpp"
#include "storage/sqlite/sqlite_store.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace snl::benchmarks {
namespace {

constexpr std::size_t many_clients = 64;
constexpr std::size_t most_spectators = 10'000;

/// snl serve on its own store, without limits.
class OurServer {
 public:
  explicit OurServer(const Options& options, int threads = 2)
      : server_({options.snl, "--db", store(), "serve", "--listen", "127.0.0.1:0", "--threads",
                 fmt::to_string(threads), "--limit", "streams=0", "--limit", "connections=0",
                 "--limit", "writes=0", "--limit", "games=0", "--limit", "open=0"}) {}
  /// On a store that already has this number of games.
  OurServer(const Options& options, std::int64_t games) : OurServer(filled(games), options) {}

  const ServerProcess& process() const { return server_; }
  std::uint16_t port() const { return server_.port(); }

 private:
  OurServer(std::unique_ptr<Folder> folder, const Options& options)
      : folder_(std::move(folder)),
        server_({options.snl, "--db", store(), "serve", "--listen", "127.0.0.1:0", "--threads", "2",
                 "--limit", "writes=0", "--limit", "games=0", "--limit", "connections=0"}) {}

  static std::unique_ptr<Folder> filled(std::int64_t games) {
    auto folder = std::make_unique<Folder>();
    const auto store = SqliteStore::open(folder->file("snl.db"), SqliteStore::Access::write);
    store->locked("any", [&](EventStore&) {
      for (std::int64_t game = 0; game < games; ++game)
        record_endless_game(*store, fmt::format("game{}", game), 0);
    });
    return folder;
  }

  std::string store() const { return folder_->file("snl.db"); }

  std::unique_ptr<Folder> folder_ = std::make_unique<Folder>();
  ServerProcess server_;
};

std::vector<std::string> bare_server(std::size_t bytes, std::vector<std::string> more = {}) {
  std::vector<std::string> command{BARE_SERVER, fmt::to_string(bytes), "2"};
  command.insert(command.end(), more.begin(), more.end());
  return command;
}

/// This number of answers to the same request.
Work asking(const std::shared_ptr<HttpClients>& clients, const std::string& request, double answers,
            const std::function<std::int64_t()>& peak) {
  return [=] {
    clients->ask(static_cast<std::size_t>(answers),
                 [&](std::size_t, std::string_view) { return request; });
    return Done(answers, peak());
  };
}

// ---- Reading

Contest states(const Options& options) {
  const auto ours = std::make_shared<OurServer>(options);
  const auto clients = std::make_shared<HttpClients>(ours->port(), many_clients);
  const ServedGame game(*clients);
  const std::string request = request_text("GET", game.path());
  const std::size_t size = clients->ask_once(0, request).size();
  const auto bare = std::make_shared<ServerProcess>(bare_server(size));
  const auto of_bare = std::make_shared<HttpClients>(bare->port(), many_clients);
  const double answers = scaled(options, 40'000);
  return {asking(clients, request, answers, [ours] { return ours->process().peak_bytes(); }),
          asking(of_bare, request, answers, [bare] { return bare->peak_bytes(); })};
}

/// The limit of the load generator, with a server that does nothing.
Contest generator(const Options& options) {
  constexpr std::size_t size = 800;
  const auto bare = std::make_shared<ServerProcess>(bare_server(size));
  const auto echo = std::make_shared<ServerProcess>(bare_server(size, {"echoes"}));
  const std::string request = request_text("GET", "/api/games/k3v9x2");
  const double answers = scaled(options, 40'000);
  const auto work = [&](const std::shared_ptr<ServerProcess>& server) {
    return asking(std::make_shared<HttpClients>(server->port(), many_clients), request, answers,
                  [server] { return server->peak_bytes(); });
  };
  return {work(bare), work(echo)};
}

// ---- Turns

Work playing(const std::shared_ptr<OurServer>& server, std::size_t players, double turns) {
  const auto table = std::make_shared<Table>(server->port(), players);
  return [=] {
    table->play(static_cast<std::size_t>(turns));
    return Done(turns, server->process().peak_bytes());
  };
}

Contest turns_next_to_one_client(const Options& options) {
  const auto server = std::make_shared<OurServer>(options);
  return {playing(server, many_clients, scaled(options, 4'000)),
          playing(server, 1, scaled(options, 200))};
}

Contest turns_next_to_requests(const Options& options) {
  const auto server = std::make_shared<OurServer>(options);
  constexpr std::size_t size_of_turn = 250;
  const auto bare = std::make_shared<ServerProcess>(bare_server(size_of_turn));
  const auto of_bare = std::make_shared<HttpClients>(bare->port(), many_clients);
  const std::string request = request_text("POST", "/turns", "{}", std::string(43, 'x'));
  return {playing(server, many_clients, scaled(options, 4'000)),
          asking(of_bare, request, scaled(options, 20'000), [bare] { return bare->peak_bytes(); })};
}

double seconds_of(const std::function<void()>& work) {
  const auto begun = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

double median_of(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  return numbers[numbers.size() / 2];
}

/// One turn and one bare INSERT that is as durable, alternately: the difference is the cost of a
/// turn beyond its sync.
Contest quiet_turns(const Options& options) {
  struct Measured {
    Measured(const Options& options_, std::size_t times_)
        : server(options_),
          clients(server.port(), 1),
          game(clients),
          bare(folder.file("bare.db"), BareStore::Keys::position_and_version),
          times(times_) {}
    void measure() {
      std::vector<double> turns;
      std::vector<double> inserts;
      for (std::size_t i = 0; i < times; ++i) {
        turns.push_back(seconds_of([&] { body = clients.ask_once(0, game.next_turn(body)); }));
        row.version += 1;
        inserts.push_back(seconds_of([&] { bare.insert(row); }));
      }
      insert = median_of(inserts);
      beyond = std::max(1e-6, median_of(turns) - insert);
    }
    OurServer server;
    HttpClients clients;
    ServedGame game;
    Folder folder;
    BareStore bare;
    std::size_t times;
    std::string body;
    BareRow row{.game = 1,
                .version = 0,
                .time = 1,
                .command = std::string(40, 'c'),
                .events = std::string(100, 'e'),
                .hash = std::string(32, 'h')};
    double insert = 0;
    double beyond = 0;
  };
  const auto measured =
      std::make_shared<Measured>(options, static_cast<std::size_t>(scaled(options, 60)));
  return {[measured] {
            measured->measure();
            Done done(1);
            done.figure = measured->beyond;
            return done;
          },
          [measured] {
            measured->measure();
            Done done(1);
            done.figure = measured->insert;
            return done;
          }};
}

// ---- Spectators

void allow_many_files() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

/// The time within which 99 of 100 spectators have the notification.
double almost_all(std::vector<double> after) {
  std::ranges::sort(after);
  return after[after.size() * 99 / 100];
}

/// A game with spectators, on a server with one thread.
class Arena {
 public:
  Arena(const Options& options, std::size_t spectators)
      : server_(options, 1), player_(server_.port(), 1), game_(player_) {
    const std::int64_t before = server_.process().resident_bytes();
    spectators_.emplace(server_.port(), spectators, game_.path() + "/events");
    spectators_->wait_for("id: 1.");
    bytes_ = static_cast<double>(server_.process().resident_bytes() - before) /
             static_cast<double>(spectators);
  }

  double bytes_a_spectator() const { return bytes_; }
  std::int64_t peak_bytes() const { return server_.process().peak_bytes(); }

  /// Plays turns; the mean time until almost all spectators have one.
  double play(int turns) {
    std::vector<double> after;
    for (int turn = 0; turn < turns; ++turn) {
      body_ = player_.ask_once(0, game_.next_turn(body_));
      std::ranges::copy(spectators_->wait_for(fmt::format("id: {}.", ++version_)),
                        std::back_inserter(after));
    }
    return almost_all(std::move(after));
  }

 private:
  OurServer server_;
  HttpClients player_;
  ServedGame game_;
  std::optional<Spectators> spectators_;
  std::string body_;
  int version_ = 1;
  double bytes_ = 0;
};

/// Only one side at a time has its spectators, since each is an open file of this process.
Contest spectators(const Options& options) {
  allow_many_files();
  const auto count =
      static_cast<std::size_t>(scaled(options, static_cast<double>(most_spectators)));
  constexpr int turns = 5;
  return {[=] {
            Arena arena(options, count);
            Done done(1, arena.peak_bytes());
            done.figure = arena.play(turns);
            return done;
          },
          [=] {
            const ServerProcess bare({BARE_SERVER, "1000", "1"});
            Spectators told(bare.port(), count, "/events");
            told.wait_for("\r\n\r\n");
            HttpClients teller(bare.port(), 1);
            std::vector<double> after;
            for (int turn = 1; turn <= turns; ++turn) {
              const double asked =
                  seconds_of([&] { teller.ask_once(0, request_text("POST", "/turns", "{}")); });
              for (const double each : told.wait_for(fmt::format("id: {}.", turn)))
                after.push_back(asked + each);
            }
            Done done(1, bare.peak_bytes());
            done.figure = almost_all(std::move(after));
            return done;
          }};
}

Contest memory_of_spectators(const Options& options) {
  allow_many_files();
  const auto count =
      static_cast<std::size_t>(scaled(options, static_cast<double>(most_spectators)));
  return {[=] {
            const Arena arena(options, count);
            return Done(std::max(1.0, arena.bytes_a_spectator()), arena.peak_bytes());
          },
          [=] {
            const ServerProcess bare({BARE_SERVER, "1000", "1"});
            const std::int64_t before = bare.resident_bytes();
            Spectators told(bare.port(), count, "/events");
            told.wait_for("\r\n\r\n");
            const auto more = static_cast<double>(bare.resident_bytes() - before);
            return Done(std::max(1.0, more / static_cast<double>(count)), bare.peak_bytes());
          }};
}

// ---- One visitor and the others

/// A visitor that repeats the same request over new connections until it is destroyed.
class Visitor {
 public:
  Visitor(std::uint16_t port, std::string request)
      : thread_([this, port, request = std::move(request)](const std::stop_token& stop) {
          while (!stop.stop_requested()) {
            try {
              const LocalSocket socket(port);
              descriptor_ = socket.descriptor();
              socket.send(request);
              while (true)
                (void)socket.receive();
            } catch (const std::runtime_error&) {
              descriptor_ = -1;  // the answer has ended
            }
          }
        }) {}
  /// Waits for no answer.
  ~Visitor() {
    thread_.request_stop();
    (void)shutdown(descriptor_, SHUT_RDWR);
  }
  Visitor(const Visitor&) = delete;
  Visitor& operator=(const Visitor&) = delete;
  Visitor(Visitor&&) = delete;
  Visitor& operator=(Visitor&&) = delete;

 private:
  std::atomic<int> descriptor_ = -1;
  std::jthread thread_;
};

/// A request after whose answer the server closes the connection.
std::string last_request(std::string_view method, std::string_view path,
                         std::string_view body = "") {
  std::string text = request_text(method, path, body);
  text.insert(text.find("\r\n") + 2, "Connection: close\r\n");
  return text;
}

/// A visitor's request, which comes by a proxy from an address of its own.
std::string from_elsewhere(std::string_view method, std::string_view path,
                           std::string_view body = "") {
  std::string text = last_request(method, path, body);
  text.insert(text.find("\r\n") + 2, "X-Forwarded-For: 203.0.113.1\r\n");
  return text;
}

/// A game that waits, with a jump on almost every cell of the largest board.
std::string largest_game() {
  std::string row = "[9999";
  for (int column = 1; column < 100; ++column)
    row += ",9999";
  std::string rows = "[-1,-1" + row.substr(row.find(',', row.find(',') + 1)) + "]";
  for (int each = 1; each < 99; ++each)
    rows += "," + row + "]";
  rows += ",[-1" + row.substr(row.find(',')) + "]";
  return R"({"open":2,"board":[)" + rows + "]}";
}

/// The time within which 99 of 100 states arrive, or of 100 lists if that is longer. Meanwhile
/// visitors at another address request exports, pages and lists of large games, and make the
/// largest games, as fast as the server allows.
Contest reads_next_to_visitors(const Options& options) {
  struct Measured {
    explicit Measured(const Options& options)
        : server({options.snl, "--db", store(), "serve", "--listen", "127.0.0.1:0", "--threads",
                  "2", "--trusted-proxy", "127.0.0.1"}),
          requests{request_of_state(server.port()), request_text("GET", "/api/games")} {}
    static std::string request_of_state(std::uint16_t port) {
      HttpClients host(port, 1);
      return request_text("GET", ServedGame(host).path());
    }
    std::string store() const {
      const std::string path = folder.file("snl.db");
      const auto large = SqliteStore::open(path, SqliteStore::Access::write);
      record_endless_game(*large, "large", 2'000);
      return path;
    }
    double almost_all_reads(double count) const {
      HttpClients clients(server.port(), 1);
      double longest = 0;
      for (const std::string& request : requests) {
        std::vector<double> after;
        for (double i = 0; i < count; ++i)
          after.push_back(seconds_of([&] { clients.ask_once(0, request); }));
        longest = std::max(longest, almost_all(std::move(after)));
      }
      return longest;
    }
    Folder folder;
    ServerProcess server;
    std::vector<std::string> requests;
  };
  const auto measured = std::make_shared<Measured>(options);
  const double count = scaled(options, 1'000);
  const auto result = [measured](double figure) {
    Done done(1, measured->server.peak_bytes());
    done.figure = figure;
    return done;
  };
  return {[=] {
            const std::uint16_t port = measured->server.port();
            const Visitor exports(port,
                                  from_elsewhere("GET", "/api/games/large/export?format=cast"));
            const Visitor pages(port, from_elsewhere("GET", "/g/large"));
            const Visitor lists(port, from_elsewhere("GET", "/api/games?limit=100"));
            const Visitor makes(port, from_elsewhere("POST", "/api/games", largest_game()));
            return result(measured->almost_all_reads(count));
          },
          [=] { return result(measured->almost_all_reads(count)); }};
}

// ---- A store of very many games

Work ten_played(const std::shared_ptr<OurServer>& server, double turns) {
  constexpr std::size_t players = 10;
  return playing(server, players, turns);
}

Contest many_games(const Options& options) {
  constexpr std::int64_t many = 100'000;
  constexpr std::int64_t few = 10;
  const auto all = static_cast<std::int64_t>(scaled(options, static_cast<double>(many)));
  const double turns = scaled(options, 2'000);
  return {ten_played(std::make_shared<OurServer>(options, all), turns),
          ten_played(std::make_shared<OurServer>(options, few), turns)};
}

}  // namespace

std::vector<Row> serve_rows(const Options& options) {
  if (options.snl.empty()) return {};
  const auto at_least = [](double ratio) { return Bar{Bar::Of::ratio, ratio}; };
  const auto at_most = [](double figure) { return Bar{Bar::Of::figure, figure}; };
  const auto at_most_times = [](double ratio) { return Bar{Bar::Of::ratio, ratio}; };
  constexpr double bytes_a_spectator = 12 * 1024;
  return {
      {.name = "serve: a game's state, 64 clients",
       .baseline_name = "bare Beast: a constant of the same size",
       .unit = "requests",
       .bar = at_least(0.6),
       .prepare = [=] { return states(options); }},
      {.name = "serve: bare Beast, 64 clients",
       .baseline_name = "a server that reads nothing: what the generator can do",
       .unit = "requests",
       .prepare = [=] { return generator(options); }},
      {.name = "serve: turns, 64 clients in 64 games",
       .baseline_name = "the same of one client alone",
       .unit = "turns",
       .bar = at_least(2),
       .prepare = [=] { return turns_next_to_one_client(options); }},
      {.name = "serve: turns, 64 clients, next to requests",
       .baseline_name = "bare Beast: a constant of the same size",
       .unit = "turns",
       .bar = at_least(0.3),
       .prepare = [=] { return turns_next_to_requests(options); }},
      {.name = "serve: one turn, beyond its sync",
       .baseline_name = "bare SQLite: one INSERT of the same size, durable",
       .unit = "turns",
       .measure = Measure::time,
       .bar = at_most(0.0005),
       .prepare = [=] { return quiet_turns(options); }},
      {.name = "serve: a turn at 10,000 spectators, p99",
       .baseline_name = "bare Beast: a constant written to each, one thread",
       .unit = "turns",
       .measure = Measure::time,
       .bar = at_most(0.25),
       .prepare = [=] { return spectators(options); },
       .at_most_rounds = 5},
      {.name = "serve: memory of a spectator, of 10,000",
       .baseline_name = "bare Beast, one thread",
       .unit = "spectators",
       .measure = Measure::bytes,
       .bar = at_most(bytes_a_spectator),
       .prepare = [=] { return memory_of_spectators(options); },
       .at_most_rounds = 1},
      {.name = "serve: a read next to visitors who ask for the most, p99",
       .baseline_name = "the same, of a quiet server",
       .unit = "states, or lists",
       .measure = Measure::time,
       .bar = at_most(0.05),
       .prepare = [=] { return reads_next_to_visitors(options); },
       .at_most_rounds = 5},
      {.name = "serve: the same, in times of a quiet server",
       .baseline_name = "the same, of a quiet server",
       .unit = "states, or lists",
       .measure = Measure::time,
       .bar = at_most_times(10),
       .prepare = [=] { return reads_next_to_visitors(options); },
       .at_most_rounds = 5},
      {.name = "serve: ten games of 100,000",
       .baseline_name = "the same, of ten",
       .unit = "turns",
       .bar = at_least(0.9),
       .prepare = [=] { return many_games(options); }},
  };
}

}  // namespace snl::benchmarks
