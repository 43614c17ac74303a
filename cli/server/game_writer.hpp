// The one who records what clients of HTTP want recorded: see game_reader.hpp.
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

/// Answers POST, PUT and DELETE, and does what nobody waits for any longer. For one thread at a
/// time.
class GameWriter {
 public:
  GameWriter(EventStore& store, HostedGameStore& hosted_games, KnownGames& known,
             GameSettings settings = {});
  ~GameWriter();
  GameWriter(const GameWriter&) = delete;
  GameWriter& operator=(const GameWriter&) = delete;
  GameWriter(GameWriter&&) = delete;
  GameWriter& operator=(GameWriter&&) = delete;

  /// The answers to requests that wait, in their order. What they record of different games is
  /// recorded in one transaction, and so is what they change in hosted games; requests to one game
  /// are answered one after another. One that is refused, or fails, has no effect on the others.
  /// When this returns, all that the answers tell is durable.
  std::vector<HttpResponse> response(std::span<const HttpRequest> requests);

  /// To be called once before the first request: records the beginnings that a crash left between
  /// their two transactions. One that can't be recorded is told as a failure. Throws StoreError
  /// where hosted games can't be read at all.
  void recover();

  /// When play_on() is to be called next, by the steady clock; again after each call of this class.
  SteadyTime next_deadline() const;
  /// Rolls for the seats that are rolled for by now, and begins draws anew that wait for too long.
  /// Looks for games that wait too: after its beginning at all there are, later at those that
  /// others changed. Answers whether anything was recorded. Throws StoreError.
  bool play_on();

  /// To be called now and then: forgets games that weren't started within a day, gives up those
  /// without a turn for thirty, and does what recover() does. Does at most some milliseconds of
  /// work at a time. Answers the IDs of games that changed or are gone. Throws StoreError.
  std::vector<std::string> look_after();

 private:
  class Handlers;
  std::unique_ptr<Handlers> handlers_;
};

}  // namespace snl::cli
