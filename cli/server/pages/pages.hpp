// The pages of a server: where people start, join, play and watch games in a browser.
#pragma once

#include "cli/server/http.hpp"
#include "cli/server/known_games.hpp"
#include "storage/event_store.hpp"
#include "storage/hosted_games.hpp"

#include <memory>
#include <optional>
#include <string>

namespace snl::cli {

/// Answers GET and HEAD of /, /g/ID and what these load (/assets/…). For one thread at a time.
///
/// Pages show what the API tells anybody: who has which seat is known to the browser alone, which
/// keeps the tokens. Only scripts and styles from here run on them.
class Pages {
 public:
  struct Settings {
    std::string
        url;  // by which others reach the server, without a slash at its end; empty: unknown
  };

  /// What it is given must outlive it; both stores are used by its thread alone.
  Pages(StoreReader& store, HostedGameStore& hosted_games, KnownGames& known, Settings settings);
  ~Pages();
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  Pages(Pages&&) = delete;
  Pages& operator=(Pages&&) = delete;

  /// None for a path that is no page's. A store that fails is a page that says so (503). Never
  /// throws for what a client sent.
  std::optional<HttpResponse> response(const HttpRequest& request);

 private:
  class Handlers;
  std::unique_ptr<Handlers> handlers_;
};

/// What a problem's answer tells, as a page: for a person who opened an address that is no page's,
/// or by a name that isn't the server's. The other fields stay.
HttpResponse page_of_problem(const HttpResponse& problem, const Pages::Settings& settings);

/// Whether a path is one of these pages', or loaded by them.
bool is_page(std::string_view path);

}  // namespace snl::cli
