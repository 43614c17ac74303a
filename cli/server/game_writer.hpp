// The one writer, which records the commands of HTTP's clients: see game_reader.hpp.
#pragma once

#include "game_settings.hpp"
#include "http.hpp"
#include "known_games.hpp"
#include "storage/event_store.hpp"
#include "storage/hosted_games.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace snl::cli {

/// Answers POST, PUT and DELETE, and acts when a game's deadline has come. For one thread at a
/// time.
class GameWriter {
 public:
  GameWriter(EventStore& store, HostedGameStore& hosted_games, KnownGames& known,
             GameSettings settings = {});
  ~GameWriter();
  GameWriter& operator=(GameWriter&&) = delete;

  /// The responses to requests that wait, in their order. Commands for different games share one
  /// transaction, and so do their changes of hosted games. Requests to one game are answered one
  /// after another. A request that is refused, or fails, has no effect on the others. When this
  /// returns, everything that the responses report is durable.
  std::vector<HttpResponse> response(std::span<const HttpRequest> requests);

  /// Call it once before the first request. It records the beginnings that a crash left between
  /// their two transactions, and reports those that it can't record as failures. Throws StoreError
  /// if hosted games can't be read at all.
  void recover();

  /// When to call play_on() next, by the steady clock. Call it again after each call of this class.
  SteadyTime next_deadline() const;
  /// Rolls for the seats whose time is up, and repeats draws that wait for too long. It also
  /// looks for games that wait: at first among all games, later among those that others changed.
  /// Returns whether any game was due. Throws StoreError.
  bool play_on();

  /// Call it now and then. It does the work of recover(), a few milliseconds at a time. From the
  /// first hour on, it forgets games that weren't started within a day, and gives up those without
  /// a turn for thirty days; a clock that is set forward makes no game older. Returns the IDs of
  /// games that changed or are gone. Throws StoreError.
  std::vector<std::string> maintain();

 private:
  class Handlers;
  std::unique_ptr<Handlers> handlers_;
};

}  // namespace snl::cli
