// The games of a store, for clients of HTTP: a request in, a response out, no sockets. The README
// of this folder has the guarantees to clients.
//
// Each thread for reads has a GameReader, on a store that is open for it alone. One GameWriter
// answers the writes, in batches.
//
//   KnownGames known;
//   GameReader reader(*open_store(location, for_reading), *open_hosted_games(location), known,
//                     settings);
//   HttpResponse response = reader.response(request);
//
// Both know /api/games and the paths below it, and answer 404 for every other path: requests for
// pages, documents and metrics don't come here. Neither throws because of a request or of a store:
// if the store fails, the response is a 503 with Retry-After.
#pragma once

#include "game_settings.hpp"
#include "http.hpp"
#include "known_games.hpp"
#include "storage/event_store.hpp"
#include "storage/hosted_games.hpp"

#include <memory>

namespace snl::cli {

/// Answers GET, HEAD and OPTIONS. For one thread at a time.
class GameReader {
 public:
  /// The arguments must outlive it; nobody else uses the two stores.
  GameReader(StoreReader& store, HostedGameStore& hosted_games, KnownGames& known,
             GameSettings settings = {});
  ~GameReader();
  GameReader& operator=(GameReader&&) = delete;

  HttpResponse response(const HttpRequest& request);

  /// Whether both stores can be read.
  bool is_ready();

 private:
  class Handlers;
  std::unique_ptr<Handlers> handlers_;
};

}  // namespace snl::cli
