// The pages of a server: here people start, join, play and watch games in a browser.
#pragma once

#include "cli/server/http.hpp"
#include "cli/server/known_games.hpp"
#include "storage/event_store.hpp"
#include "storage/hosted_games.hpp"

#include <memory>
#include <optional>
#include <string>

namespace snl::cli {

/// Answers GET and HEAD of /, /g/ID and the files that these load (/assets/…). For one thread at a
/// time.
///
/// Pages show what the API tells anybody. Only the browser knows which seats are its own: it keeps
/// the tokens. Pages run only scripts and styles from here.
class Pages {
 public:
  struct Settings {
    /// Without a slash at the end; empty: unknown.
    std::string url;     // the server's public one
    std::string others;  // by which other machines may reach a server without one
  };

  /// The arguments must outlive it; only its thread uses the two stores.
  Pages(StoreReader& store, HostedGameStore& hosted_games, KnownGames& known,
        const Settings& settings);
  ~Pages();
  Pages& operator=(Pages&&) = delete;

  /// None for a path that is no page's. If the store fails, a page says so (503). No request makes
  /// it throw.
  std::optional<HttpResponse> response(const HttpRequest& request);

 private:
  class Handlers;
  std::unique_ptr<Handlers> handlers_;
};

/// A problem's response as a page, for a person who opened an address that no page has, or used a
/// name that isn't the server's. The other fields stay.
HttpResponse page_of_problem(const HttpResponse& problem, const Pages::Settings& settings);

/// Whether a path is a page's, or a file's that pages load.
bool is_page(std::string_view path);

/// Whether a path is that of a game's page.
bool is_page_of_game(std::string_view path);

}  // namespace snl::cli
