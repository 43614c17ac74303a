// The games of a store, for clients of HTTP: a request in, an answer out, no sockets. What clients
// may rely on is in the README of this folder.
//
// Reads are answered by as many GameReaders as there are threads for them, each on a store that is
// open for it alone. Writes are answered by one GameWriter, in batches.
//
//   KnownGames known;
//   GameReader reader(*open_store(location, for_reading), *open_hosted_games(location), known,
//                     settings);
//   HttpAnswer answer = reader.answer(request);
//
// Both know /api/games and what is below it, and answer 404 for every other path: what else there
// is (pages, documents, metrics) is asked of others first. Neither throws for anything that a
// client sent or a store did: a store that fails is a 503 with Retry-After.
#pragma once

#include "game_settings.hpp"
#include "http.hpp"
#include "known_games.hpp"
#include "storage/event_store.hpp"
#include "storage/hosted_games.hpp"

#include <memory>

namespace snl::cli {

/// Whether a request is for the writer: POST, PUT and DELETE.
bool is_write(const HttpRequest& request);

/// Answers GET, HEAD and OPTIONS. For one thread at a time.
class GameReader {
 public:
  /// What it is given must outlive it; both stores are used by it alone.
  GameReader(StoreReader& store, HostedGameStore& hosted_games, KnownGames& known,
             GameSettings settings = {});
  ~GameReader();
  GameReader(const GameReader&) = delete;
  GameReader& operator=(const GameReader&) = delete;
  GameReader(GameReader&&) = delete;
  GameReader& operator=(GameReader&&) = delete;

  HttpResponse response(const HttpRequest& request);

  /// Whether both stores answer.
  bool is_ready();

 private:
  class Handlers;
  std::unique_ptr<Handlers> handlers_;
};

}  // namespace snl::cli
