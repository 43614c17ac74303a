// The base of the server's tests: a store, a writer and a reader, and clients that remember every
// byte that they received.
#pragma once

#include "../../storage/counted_store.hpp"
#include "../../storage/hosted_games_in_memory.hpp"
#include "../../storage/testbed.hpp"
#include "cli/server/game_feed.hpp"
#include "cli/server/game_reader.hpp"
#include "cli/server/game_writer.hpp"
#include "storage/memory/memory_store.hpp"
#include "storage/open_store.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace snl::test {

using cli::HttpHeaders;
using cli::HttpRequest;
using cli::HttpResponse;

/// An answer to a client.
struct Reply {
  HttpResponse response;
  boost::json::value body;  // null if there is none, or if it isn't JSON

  unsigned status() const { return response.status; }
  const boost::json::value& at(std::string_view pointer) const { return body.at_pointer(pointer); }
  std::string text(std::string_view pointer) const { return std::string(at(pointer).as_string()); }
  std::int64_t number(std::string_view pointer) const {
    return at(pointer).to_number<std::int64_t>();
  }
  /// The type of a problem, without urn:snl:; empty in any other answer.
  std::string problem() const;
};

/// Stores that tests run against.
struct MemoryHouse {
  std::unique_ptr<HostedGameStore> hosted_memory = hosted_games_in_memory();
  MemoryStore memory{hosted_memory.get()};
  EventStore& store() { return memory; }
  StoreReader& reader() { return memory; }
  HostedGameStore& hosted_games() { return *hosted_memory; }
  HostedGameStore& reader_hosted_games() { return *hosted_memory; }
};

/// In memory, with a store that counts its calls.
struct CountedHouse {
  std::unique_ptr<HostedGameStore> hosted_memory = hosted_games_in_memory();
  MemoryStore memory{hosted_memory.get()};
  CountedStore counted{memory};
  CountedStore& store() { return counted; }
  StoreReader& reader() { return memory; }
  HostedGameStore& hosted_games() { return *hosted_memory; }
  HostedGameStore& reader_hosted_games() { return *hosted_memory; }
};

struct SqliteHouse {
  Folder folder;
  std::string path = folder.file("store.db");
  std::unique_ptr<EventStore> writing = open_store(path, for_writing);
  std::unique_ptr<HostedGameStore> hosted_file = open_hosted_games(path);
  std::unique_ptr<StoreReader> reading = open_store(path, for_reading);
  std::unique_ptr<HostedGameStore> reading_hosted_games = open_hosted_games(path);
  EventStore& store() { return *writing; }
  StoreReader& reader() { return *reading; }
  HostedGameStore& hosted_games() { return *hosted_file; }
  HostedGameStore& reader_hosted_games() { return *reading_hosted_games; }
};

/// The clock starts at 2026-01-01 and advances a second at each reading. The random bytes are the
/// same in each run.
class TestSettings {
 public:
  cli::GameSettings settings();
  UnixMilliseconds now = 1'767'225'600'000;
  /// Advances both clocks.
  void pass(UnixMilliseconds time) {
    now += time;
    passed_ += std::chrono::milliseconds(time);
  }

 private:
  std::chrono::milliseconds passed_{0};
  std::uint64_t drawn_ = 0;
};

/// The place of a stream that begins with a version.
inline cli::FeedPlace place_before(Version from) {
  return cli::GameFeed::opening({.game = {}, .from = from});
}

/// A server without sockets, over stores that outlive it.
class Desk {
 public:
  Desk(EventStore& store, HostedGameStore& hosted_games, StoreReader& reader,
       HostedGameStore& reader_hosted_games, cli::GameSettings settings);
  template <class House>
  Desk(House& house, TestSettings& test)
      : Desk(house.store(), house.hosted_games(), house.reader(), house.reader_hosted_games(),
             test.settings()) {}

  Reply send(const HttpRequest& request);
  Reply get(const std::string& target, const std::string& token = "", HttpHeaders headers = {});
  /// An empty body isn't sent.
  Reply post(const std::string& target, const boost::json::value& body = nullptr,
             const std::string& token = "", HttpHeaders headers = {});
  Reply remove(const std::string& target, const std::string& token = "");

  /// Everything that a new stream gets now.
  std::string stream(const std::string& game, Version from = 1);

  /// Every byte that any client received.
  std::string published;

  cli::KnownGames known;
  cli::GameWriter writer;
  cli::GameReader reader;
  cli::GameFeed feed;
};

HttpRequest request_of(std::string method, std::string target, const boost::json::value& body,
                       const std::string& token, HttpHeaders headers = {});
Reply reply_of(HttpResponse response);

/// Starts a game of these players, on 100 empty cells unless a board is given. Returns the answer
/// to POST /api/games.
struct Table {
  std::string id;
  std::string path;  // "/api/games/ID"
  std::string host;
  std::vector<std::string> seats;  // tokens
};
Table seated(Desk& desk, const std::vector<std::string>& players, boost::json::object more = {});

/// The same as an open game, with all seats taken, and with commitments if there is entropy.
Table opened(Desk& desk, const std::vector<std::string>& players, boost::json::object more = {});

std::string hex_of(std::uint8_t byte);  // 32 of it
std::string entropy_hash_of(const std::string& hex);

/// Plays rolled turns until a player has won.
void play_out(Desk& desk, const Table& table);

}  // namespace snl::test
