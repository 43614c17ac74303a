#include "pages.hpp"

#include "assets.hpp"
#include "cli/server/game_list.hpp"
#include "cli/server/gzip.hpp"
#include "home_page.hpp"
#include "hosted_game_page.hpp"
#include "markup.hpp"
#include "storage/bounded_map.hpp"
#include "storage/game_id.hpp"
#include "storage/hash.hpp"
#include "storage/store_error.hpp"

#include <boost/json.hpp>

#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace snl::cli {
namespace {

namespace json = boost::json;

constexpr std::string_view game_prefix = "/g/";

constexpr std::string_view policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'";

using SharedText = std::shared_ptr<const std::string>;

/// A page, with the fields that keep it and its reader apart from other sites.
HttpResponse html_response(unsigned status, SharedText body, std::string_view caching) {
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

/// A page that was made once for all readers, plain and as gzip.
struct MadePage {
  explicit MadePage(std::string made)
      : text(shared(std::move(made))), gzipped(gzip(*text)), tag(tag_of(*text)) {}

  static std::string tag_of(std::string_view text) {
    return "\"" + to_hex(hash_of(text)).substr(0, 32) + "\"";
  }

  SharedText text;
  SharedText gzipped;
  std::string tag;  // in its ETag, which is weak: both forms share it
};

HttpResponse page_response(const MadePage& page, std::string_view caching) {
  HttpResponse response = html_response(200, page.text, caching);
  response.gzipped = page.gzipped;
  return response;
}

/// A page that a browser may keep, and checks by its tag.
HttpResponse kept_response(const HttpRequest& request, const MadePage& page) {
  HttpResponse response = page_response(page, "no-cache");
  if (client_has(request, page.tag)) {
    response.status = 304;
    response.body = nullptr;
    response.gzipped = nullptr;
  }
  response.headers.emplace_back("ETag", "W/" + page.tag);
  return response;
}

}  // namespace

class Pages::Handlers {
 public:
  Handlers(StoreReader& store, HostedGameStore& hosted_games, KnownGames& known,
           const Settings& settings)
      : store_(store),
        hosted_games_(hosted_games),
        viewer_(store, hosted_games, known),
        settings_(settings) {}

  HttpResponse response(const HttpRequest& request, std::string_view path) {
    if (request.method != "GET" && request.method != "HEAD") {
      HttpResponse refused = missing(405, "This page can only be read", "");
      refused.headers.emplace_back("Allow", "GET, HEAD");
      return refused;
    }
    if (auto asset = asset_response(path)) return *std::move(asset);
    try {
      if (path == "/") return kept_response(request, home());
      if (path.starts_with(game_prefix)) return game(request, path.substr(game_prefix.size()));
    } catch (const StoreError&) {
      HttpResponse failed = missing(503, "Something went wrong here", "Try again in a moment.");
      failed.headers.emplace_back("Retry-After", "2");
      return failed;
    }
    return missing(404, "There is no such page", "");
  }

 private:
  const MadePage& home() {
    viewer_.refresh();
    const auto list = [this](GameStatus status) {
      constexpr std::size_t most = 10;
      return list_games(store_, hosted_games_, viewer_, {.status = status, .limit = most})->games;
    };
    std::string text = home_page(list, settings_);
    if (!home_ || *home_->text != text) home_.emplace(std::move(text));
    return *home_;
  }

  HttpResponse missing(unsigned status, std::string_view heading, std::string_view words) {
    return html_response(status, shared(missing_page(heading, words, settings_)), "no-store");
  }

  HttpResponse game(const HttpRequest& request, std::string_view id) {
    if (!is_game_id(id)) return no_such_game();
    viewer_.refresh();
    const SharedView view = viewer_.current_view(std::string(id));
    if (!view) return no_such_game();
    const MadePage& page = page_of(view);
    return view->is_private() ? page_response(page, "no-store") : kept_response(request, page);
  }

  HttpResponse no_such_game() {
    return missing(404, "There is no such game",
                   "It may have been deleted: a game that nobody starts within a day is.");
  }

  /// A page is made once for all readers while the game stays as it is.
  const MadePage& page_of(const SharedView& view) {
    const Made* known = made_.find(view->id);
    if (known != nullptr && known->view == view) return known->page;
    MadePage page(hosted_game_page(*view, store_, settings_));
    const std::size_t bytes = page.text->size() + page.gzipped->size();
    return made_.put(view->id, {view, std::move(page)}, bytes).page;
  }

  struct Made {
    SharedView view;
    MadePage page;
  };
  static constexpr std::size_t most_bytes = 16 << 20;

  StoreReader& store_;
  HostedGameStore& hosted_games_;
  GameViewer viewer_;
  const Settings& settings_;
  BoundedMap<std::string, Made> made_{most_bytes};  // by game
  std::optional<MadePage> home_;
};

Pages::Pages(StoreReader& store, HostedGameStore& hosted_games, KnownGames& known,
             const Settings& settings)
    : handlers_(std::make_unique<Handlers>(store, hosted_games, known, settings)) {}
Pages::~Pages() = default;

std::optional<HttpResponse> Pages::response(const HttpRequest& request) {
  const std::string_view path = path_of(request.target);
  if (!is_page(path)) return std::nullopt;
  return handlers_->response(request, path);
}

namespace {

/// "There is nothing here." of "there is nothing here".
std::string as_sentence(std::string_view words) {
  std::string text(words);
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  if (!text.ends_with('.')) text += '.';
  return text;
}

}  // namespace

HttpResponse page_of_problem(const HttpResponse& problem, const Pages::Settings& settings) {
  const json::value published = json::parse(problem.text());
  HttpResponse page =
      html_response(problem.status,
                    shared(missing_page(published.at("title").as_string(),
                                        as_sentence(published.at("detail").as_string()), settings)),
                    "no-store");
  for (const auto& header : problem.headers)
    if (!page.header(header.first)) page.headers.push_back(header);
  return page;
}

bool is_page_of_game(std::string_view path) {
  return path.starts_with(game_prefix);
}

bool is_page(std::string_view path) {
  return path == "/" || is_page_of_game(path) || path.starts_with("/assets/");
}

}  // namespace snl::cli
