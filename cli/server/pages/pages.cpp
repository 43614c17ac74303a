#include "pages.hpp"

#include "assets.hpp"
#include "home_page.hpp"
#include "markup.hpp"
#include "room_page.hpp"
#include "storage/game_id.hpp"
#include "storage/hash.hpp"
#include "storage/store_error.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <deque>
#include <string_view>
#include <utility>

namespace snl::cli {
namespace {

namespace json = boost::json;

constexpr std::string_view game_prefix = "/g/";

constexpr std::string_view policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'";

using SharedText = std::shared_ptr<const std::string>;

/// A page, with what keeps it and its reader apart from other sites.
HttpAnswer html_answer(unsigned status, SharedText body, std::string_view caching) {
  return {.status = status,
          .headers = {{"Content-Type", "text/html; charset=utf-8"},
                      {"Content-Security-Policy", std::string(policy)},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Referrer-Policy", "no-referrer"},
                      {"Cross-Origin-Resource-Policy", "same-origin"},
                      {"Cache-Control", std::string(caching)}},
          .body = std::move(body)};
}

SharedText shared(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

std::string etag_of(std::string_view body) {
  Sha256 sha256;
  sha256.update(body);
  return "\"" + to_hex(sha256.finish()).substr(0, 32) + "\"";
}

/// A page that may be kept, and is asked for again by what it is.
HttpAnswer kept_answer(const HttpRequest& request, const SharedText& body) {
  const std::string etag = etag_of(*body);
  const auto known = request.header("if-none-match");
  HttpAnswer answer = html_answer(200, body, "no-cache");
  if (known && known->find(etag) != std::string_view::npos) {
    answer.status = 304;
    answer.body = nullptr;
  }
  answer.headers.emplace_back("ETag", etag);
  return answer;
}

}  // namespace

class Pages::Answers {
 public:
  Answers(StoreReader& store, Ask ask, Settings settings)
      : store_(store), ask_(std::move(ask)), settings_(std::move(settings)) {}

  HttpAnswer answer(const HttpRequest& request, std::string_view path) {
    if (request.method != "GET" && request.method != "HEAD") {
      HttpAnswer refused = missing(405, "This page can only be read", "");
      refused.headers.emplace_back("Allow", "GET, HEAD");
      return refused;
    }
    if (auto asset = asset_answer(path)) return *std::move(asset);
    try {
      if (path == "/") return kept_answer(request, shared(home_page(ask_, settings_)));
      if (path.starts_with(game_prefix)) return game(request, path.substr(game_prefix.size()));
    } catch (const StoreError&) {
      HttpAnswer failed = missing(503, "Something went wrong here", "Try again in a moment.");
      failed.headers.emplace_back("Retry-After", "2");
      return failed;
    }
    return missing(404, "There is no such page", "");
  }

 private:
  HttpAnswer missing(unsigned status, std::string_view heading, std::string_view words) {
    return html_answer(status, shared(missing_page(heading, words, settings_)), "no-store");
  }

  HttpAnswer game(const HttpRequest& request, std::string_view id) {
    if (!is_game_id(id)) return no_such_game();
    const HttpAnswer told = ask_({.method = "GET", .target = "/api/games/" + std::string(id)});
    if (told.status == 404) return no_such_game();
    if (told.status != 200)
      return missing(503, "Something went wrong here", "Try again in a moment.");
    const json::value state = json::parse(told.text());
    const bool is_private = state.at("private").as_bool();
    const SharedText body = page_of(std::string(id), told, state.as_object());
    return is_private ? html_answer(200, body, "no-store") : kept_answer(request, body);
  }

  HttpAnswer no_such_game() {
    return missing(404, "There is no such game",
                   "It may have been deleted: games that aren’t started within a day are.");
  }

  /// A page is made once for all who ask while the game is as it is.
  SharedText page_of(const std::string& id, const HttpAnswer& told, const json::object& state) {
    const std::string edition = id + std::string(told.header("ETag").value_or(told.text()));
    const auto known = std::ranges::find(made_, edition, &Made::edition);
    if (known != made_.end()) return known->page;
    SharedText page = shared(room_page(state, store_, ask_, settings_));
    made_.push_front({edition, page});
    if (made_.size() > most_made) made_.pop_back();
    return page;
  }

  struct Made {
    std::string edition;
    SharedText page;
  };
  static constexpr std::size_t most_made = 32;

  StoreReader& store_;
  Ask ask_;
  Settings settings_;
  std::deque<Made> made_;  // the last ones, newest first
};

Pages::Pages(StoreReader& store, Ask ask, Settings settings)
    : answers_(std::make_unique<Answers>(store, std::move(ask), std::move(settings))) {}
Pages::~Pages() = default;

std::optional<HttpAnswer> Pages::answer(const HttpRequest& request) {
  const std::string_view path = path_of(request.target);
  if (!is_page(path)) return std::nullopt;
  return answers_->answer(request, path);
}

bool is_page(std::string_view path) {
  return path == "/" || path.starts_with(game_prefix) || path.starts_with("/assets/");
}

}  // namespace snl::cli
