// The games of a store, for clients of HTTP: a request in, an answer out, no sockets. What clients
// may rely on is in the README of this folder.
//
// Reads are answered by as many GameReaders as there are threads for them, each on a store that is
// open for it alone. Writes are answered by one GameWriter, in batches.
//
//   GameReader reader(*open_store(location, for_reading), *open_hosted_games(location), settings);
//   HttpAnswer answer = reader.answer(request);
//
// Both know /api/games and what is below it, and answer 404 for every other path: what else there
// is (pages, documents, metrics) is asked of others first. Neither throws for anything that a
// client sent or a store did: a store that fails is a 503 with Retry-After.
#pragma once

#include "http.hpp"
#include "storage/event_store.hpp"
#include "storage/hosted_games.hpp"
#include "storage/time.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snl::cli {

/// 32 bytes that nobody can guess, from the operating system.
Hash random_bytes();

struct GameSettings {
  Clock clock = system_time;
  std::function<Hash()> random = random_bytes;
  std::int64_t most_cells = 10'000;   // of a board of a new game; 0: any
  std::int64_t most_waiting = 1'000;  // games that aren't started; 0: any number
  /// Is told, in a line for the operator, why a request was answered 503; on the thread that
  /// answers. Clients aren't told.
  std::function<void(std::string_view why)> tell_failure = [](std::string_view) {};
};

/// Whether a request is for the writer: POST and DELETE.
bool is_write(const HttpRequest& request);

/// Answers GET, HEAD and OPTIONS. For one thread at a time.
class GameReader {
 public:
  /// Both stores must outlive it, and are used by it alone.
  GameReader(StoreReader& store, HostedGameStore& hosted_games, GameSettings settings = {});
  ~GameReader();
  GameReader(const GameReader&) = delete;
  GameReader& operator=(const GameReader&) = delete;
  GameReader(GameReader&&) = delete;
  GameReader& operator=(GameReader&&) = delete;

  HttpAnswer answer(const HttpRequest& request);

  /// Whether both stores answer.
  bool is_ready();

 private:
  class Answers;
  std::unique_ptr<Answers> answers_;
};

/// Answers POST and DELETE. For one thread at a time.
class GameWriter {
 public:
  GameWriter(EventStore& store, HostedGameStore& hosted_games, GameSettings settings = {});
  ~GameWriter();
  GameWriter(const GameWriter&) = delete;
  GameWriter& operator=(const GameWriter&) = delete;
  GameWriter(GameWriter&&) = delete;
  GameWriter& operator=(GameWriter&&) = delete;

  /// The answers to requests that wait, in their order. What they record of different games is
  /// recorded in one transaction, and so is what they change in hosted games; requests to one game
  /// are answered one after another. One that is refused, or fails, has no effect on the others.
  /// When this returns, all that the answers tell is durable.
  std::vector<HttpAnswer> answer(std::span<const HttpRequest> requests);

  /// To be called once before the first request: records the beginnings that a crash left between
  /// their two transactions. One that can't be recorded is told as a failure. Throws StoreError
  /// where hosted games can't be read at all.
  void recover();

  /// To be called now and then: forgets games that weren't started within a day, gives up those
  /// without a turn for thirty, and does what recover() does. Does at most some milliseconds of
  /// work at a time. Answers the IDs of games that changed or are gone. Throws StoreError.
  std::vector<std::string> look_after();

 private:
  class Answers;
  std::unique_ptr<Answers> answers_;
};

}  // namespace snl::cli
