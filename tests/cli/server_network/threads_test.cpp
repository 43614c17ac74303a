// Goal: the server's threads have no data races. Method: a whole server in this process, with
// clients that play, watch, connect and disconnect at once. It also runs under ThreadSanitizer.
#include "../../storage/testbed.hpp"
#include "cli/server/network/server.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace snl::cli;
using namespace std::chrono_literals;

namespace {

using Tcp = boost::asio::ip::tcp;

/// A client that sends a request and waits.
class Caller {
 public:
  explicit Caller(std::uint16_t port) : socket_(context_) {
    socket_.connect({boost::asio::ip::make_address("127.0.0.1"), port});
  }

  void send(const std::string& method, const std::string& path, const std::string& body = "",
            const std::string& token = "") {
    std::string request = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n";
    if (!token.empty()) request += "Authorization: Bearer " + token + "\r\n";
    if (!body.empty())
      request +=
          "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
          "\r\n";
    send_bytes(request + "\r\n" + body);
  }
  void send_bytes(std::string_view bytes) {
    boost::asio::write(socket_, boost::asio::buffer(bytes));
  }

  /// The body of the next answer.
  std::string response() {
    while (!read_.contains("\r\n\r\n"))
      if (!read_some()) return "";
    const std::size_t end = read_.find("\r\n\r\n") + 4;
    const std::size_t length = read_.find("Content-Length: ");
    const std::size_t size = length < end ? std::stoul(read_.substr(length + 16)) : 0;
    while (read_.size() < end + size)
      if (!read_some()) return "";
    std::string body = read_.substr(end, size);
    read_.erase(0, end + size);
    return body;
  }

  boost::json::value ask(const std::string& method, const std::string& path,
                         const std::string& body = "", const std::string& token = "") {
    send(method, path, body, token);
    return boost::json::parse(response());
  }

  /// The bytes received once `mark` is in them, or all bytes where the server closed before.
  std::string until(std::string_view mark) {
    while (!read_.contains(mark) && read_some()) {
    }
    return read_;
  }

  /// All bytes until the server closes.
  std::string rest() {
    while (read_some()) {
    }
    return std::move(read_);
  }

 private:
  bool read_some() {
    std::array<char, 4096> bytes{};
    boost::system::error_code error;
    const std::size_t size = socket_.read_some(boost::asio::buffer(bytes), error);
    read_.append(bytes.data(), size);
    return !error;
  }

  boost::asio::io_context context_;
  Tcp::socket socket_;
  std::string read_;
};

/// A server on its own store, which writes no log.
struct Running {
  explicit Running(const ClientTimeouts& timeouts = {}) {
    ServerSettings settings;
    settings.timeouts = timeouts;
    settings.store = folder.file("snl.db");
    settings.listen.port = 0;
    settings.threads = 2;
    settings.gate.limits.writes = 0;
    settings.gate.limits.games = 0;
    settings.log_descriptor = open("/dev/null", O_WRONLY | O_CLOEXEC);
    server = std::make_unique<Server>(std::move(settings));
    server->start();
    const std::string address = server->address();
    port = static_cast<std::uint16_t>(std::stoul(address.substr(address.rfind(':') + 1)));
  }

  snl::test::Folder folder;
  std::unique_ptr<Server> server;
  std::uint16_t port = 0;
};

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; at += part.size())
    ++found;
  return found;
}

/// Plays turns in a game of its own; returns its path.
std::string play_a_game(std::uint16_t port, int turns) {
  Caller caller(port);
  const auto made =
      caller.ask("POST", "/api/games", R"({"players":["Ann","Bob"],"board":"empty"})");
  const std::string path = "/api/games/" + std::string(made.at("id").as_string());
  for (int turn = 0; turn < turns; ++turn) {
    const auto state = caller.ask("GET", path);
    if (state.at("next").is_null()) break;
    const std::size_t seat = state.at("next").as_string() == "Ann" ? 0 : 1;
    const std::string token(made.at("seats").at(seat).at("token").as_string());
    caller.ask("POST", path + "/turns", "{}", token);
  }
  return path;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(many_at_once)

BOOST_AUTO_TEST_CASE(players_and_spectators_of_several_games) {
  Running running;
  constexpr int games = 4;
  constexpr int turns = 20;
  std::vector<std::jthread> threads;
  std::atomic<int> played = 0;
  std::atomic<int> wrong = 0;  // in the stream of a spectator
  for (int game = 0; game < games; ++game)
    threads.emplace_back([&] {
      Caller host(running.port);
      const auto made =
          host.ask("POST", "/api/games", R"({"players":["Ann","Bob"],"board":"empty"})");
      const std::string path = "/api/games/" + std::string(made.at("id").as_string());
      std::vector<std::unique_ptr<Caller>> spectators;
      for (int i = 0; i < 3; ++i) {
        spectators.push_back(std::make_unique<Caller>(running.port));
        spectators.back()->send("GET", path + "/events");
      }
      int version = 1;
      for (int turn = 0; turn < turns; ++turn) {
        const auto state = host.ask("GET", path);
        if (state.at("next").is_null()) break;
        const std::size_t seat = state.at("next").as_string() == "Ann" ? 0 : 1;
        const std::string token(made.at("seats").at(seat).at("token").as_string());
        host.ask("POST", path + "/turns", "{}", token);
        ++version;
        ++played;
      }
      host.ask("POST", path + "/abandon", "{}", std::string(made.at("token").as_string()));
      for (const auto& spectator : spectators) {
        const std::string published = spectator->rest();
        for (int number = 1; number <= version; ++number)
          wrong += count(published, "\nid: " + std::to_string(number) + ".") !=
                   (number == version ? 2 : 1);  // the event of the end has the last one's too
        wrong += count(published, "event: end\n") != 1;
      }
    });
  threads.clear();
  BOOST_TEST(played > 0);
  BOOST_TEST(wrong == 0);
  running.server->stop();
}

BOOST_AUTO_TEST_CASE(clients_that_come_and_go_while_others_play) {
  Running running;
  std::atomic<bool> done = false;
  std::vector<std::jthread> threads;
  const std::string path = play_a_game(running.port, 1);
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&] {
      while (!done) {
        Caller stream(running.port);
        stream.send("GET", path + "/events");
        Caller half(running.port);
        half.send("POST", "/api/games", "");
        Caller metrics(running.port);
        metrics.send("GET", "/metrics");
        (void)metrics.response();
      }
    });
  for (int i = 0; i < 3; ++i)
    play_a_game(running.port, 10);
  done = true;
  threads.clear();
  running.server->stop();
}

BOOST_AUTO_TEST_CASE(who_says_nothing_is_closed_and_who_listens_is_told_that_all_is_well) {
  // Only the limit under test is short.
  const Running with_silence({.idle = 200ms});
  Caller silent(with_silence.port);
  BOOST_TEST(silent.rest().empty());
  Caller idle(with_silence.port);
  idle.send("GET", "/healthz");
  BOOST_TEST(idle.rest().ends_with("alive\n"));
  with_silence.server->stop();
  // An empty line isn't the beginning of a request.
  const Running with_empty_lines({.head = 100ms, .idle = 300ms});
  Caller empty(with_empty_lines.port);
  empty.send_bytes("\r\n");
  BOOST_TEST(empty.rest().empty());
  with_empty_lines.server->stop();

  const Running with_spectators({.comment = 200ms});
  const std::string path = play_a_game(with_spectators.port, 1);
  Caller spectator(with_spectators.port);
  spectator.send("GET", path + "/events");
  BOOST_TEST(spectator.until("\n\n:\n\n:\n\n").ends_with("\n\n:\n\n:\n\n"));
  with_spectators.server->stop();
}

BOOST_AUTO_TEST_CASE(a_client_that_asks_before_its_body_has_no_more_time_for_it) {
  constexpr auto idle = 30s;
  const Running running({.body = 100ms, .idle = idle});
  const auto begun = std::chrono::steady_clock::now();
  Caller caller(running.port);
  caller.send_bytes(
      "POST /api/games HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
      "Content-Length: 10\r\n\r\n");
  const std::string received = caller.rest();
  BOOST_TEST(received.starts_with("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 408 "), received);
  const bool is_in_time = std::chrono::steady_clock::now() - begun < idle;
  BOOST_TEST(is_in_time);
  running.server->stop();
}

BOOST_AUTO_TEST_CASE(a_server_ends_while_all_is_under_way) {
  for (int round = 0; round < 3; ++round) {
    Running running;
    std::atomic<bool> done = false;
    const std::string path = play_a_game(running.port, 1);
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i)
      threads.emplace_back([&] {
        while (!done) {
          try {
            Caller stream(running.port);
            stream.send("GET", path + "/events");
            play_a_game(running.port, 5);
          } catch (const std::exception&) {
            return;  // the server is gone
          }
        }
      });
    std::this_thread::sleep_for(100ms);
    running.server->stop();
    done = true;
    running.server.reset();
  }
}

BOOST_AUTO_TEST_SUITE_END()
