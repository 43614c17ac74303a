#include "game_reader.hpp"

#include "cli/exports/export_formats.hpp"
#include "domain/whole_number.hpp"
#include "game_list.hpp"
#include "published_log.hpp"
#include "query.hpp"
#include "responses.hpp"
#include "storage/ascii.hpp"
#include "storage/bounded_map.hpp"
#include "tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace snl::cli {

namespace {

using SharedText = std::shared_ptr<const std::string>;

std::string percent_encoded(std::string_view text) {
  std::string encoded;
  for (const char letter : text) {
    const bool is_plain = is_letter_or_digit(letter) || std::string_view("-._~").contains(letter);
    encoded += is_plain ? std::string(1, letter)
                        : fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  }
  return encoded;
}

}  // namespace

class GameReader::Handlers {
 public:
  Handlers(StoreReader& store, HostedGameStore& hosted_games, KnownGames& known,
           GameSettings settings)
      : store_(store),
        hosted_games_(hosted_games),
        settings_(std::move(settings)),
        viewer_(store, hosted_games, known) {}

  HttpResponse response(const HttpRequest& request) {
    return responded([&] { return find_response(request); }, settings_.report_failure);
  }

  bool is_ready() {
    try {
      store_.wait_for_append(0, std::chrono::milliseconds{0});
      hosted_games_.last_revision();
      return true;
    } catch (const std::exception&) {
      return false;
    }
  }

 private:
  HttpResponse find_response(const HttpRequest& request) {
    const Route route = require_route(request);
    using enum Route::Resource;
    viewer_.refresh();
    const SharedView view = route.resource == games ? nullptr : viewer_.current_view(route.game);
    if (route.resource != games) {
      if (!view) throw_no_such_game();
      require_place(route, *view);
    }
    require_method(request, route);
    if (request.method == "OPTIONS")
      return {.status = 204, .headers = {{"Allow", std::string(allowed_methods(route.resource))}}};
    switch (route.resource) {
      case games:
        return list(request);
      case game:
        return state(request, *view);
      case events:
        return stream(request, *view);
      case export_file:
        return export_game(request, *view);
      case proof:
        return prove(request, *view);
      default:
        throw_no_such_game();  // never: all else takes POST or DELETE
    }
  }

  static HttpResponse state(const HttpRequest& request, const GameView& view) {
    const Caller caller = caller_of(request, view);
    const Query nothing(request, {});
    HttpResponse response{.status = 200};
    add_cache_headers(response, request, view);
    if (client_has(request, *response.header("ETag"))) {
      response.status = 304;
    } else {
      response.headers.emplace_back("Content-Type", "application/json");
      response.body = caller.has_token
                          ? std::make_shared<const std::string>(state_with_you(view, caller))
                          : view.state_text();
    }
    return response;
  }

  HttpResponse list(const HttpRequest& request) {
    const Query query(request, {"status", "player", "limit", "before"});
    GameListQuery asked{.player = query.text("player"), .before = query.text("before")};
    constexpr std::int64_t most = 100;
    const std::int64_t limit = query.number("limit").value_or(std::int64_t{20});
    if (limit < 1 || limit > most)
      throw HttpProblem(422, "invalid-value", "limit is 1 to 100").with_value(limit);
    asked.limit = static_cast<std::size_t>(limit);
    if (const auto status = query.text("status")) {
      asked.status = value_named(status_names, *status);
      if (!asked.status)
        throw HttpProblem(422, "invalid-value", "status is " + alternatives(status_names))
            .with_value(*status);
    }
    const auto found = list_games(store_, hosted_games_, viewer_, asked);
    if (!found)
      throw HttpProblem(422, "invalid-value", "before is the ID of a game that is there")
          .with_value(*asked.before);
    std::string games;
    for (const SharedListedGame& game : found->games)
      games += (games.empty() ? "" : ",") + game->json;
    HttpResponse response{
        .status = 200,
        .headers = {{"Content-Type", "application/json"}},
        .body = std::make_shared<const std::string>(fmt::format(R"({{"games":[{}]}})", games))};
    if (found->next) response.headers.emplace_back("Link", next_page(query, asked, *found->next));
    response.headers.emplace_back("Vary", "Authorization");
    response.headers.emplace_back("Cache-Control", token_of(request) ? "no-store" : "no-cache");
    return response;
  }

  static std::string next_page(const Query& query, const GameListQuery& asked,
                               const std::string& last) {
    std::string target = "/api/games?";
    for (const std::string_view name : {"status", "player"})
      if (const auto value = query.text(name))
        target += fmt::format("{}={}&", name, percent_encoded(*value));
    return fmt::format("<{}limit={}&before={}>; rel=\"next\"", target, asked.limit, last);
  }

  /// The content of an event's ID: VERSION.HEAD8, or a version alone.
  struct EventId {
    std::optional<Version> version;
    std::string_view mark;
    explicit EventId(std::string_view text)
        : version(whole_number<Version>(text.substr(0, text.find('.')))),
          mark(text.substr(std::min(text.find('.'), text.size()))) {
      if (!mark.empty()) mark.remove_prefix(1);
    }
    bool is_of(const Hash& hash) const { return mark.empty() || mark == head_mark(hash); }
  };

  static bool is_last_of(const GameView& view, std::string_view last) {
    const EventId id(last);
    return id.version == view.version() && id.is_of(view.head().hash);
  }

  /// Goes on after the last event that the client got. If the log doesn't have it, the stream
  /// begins anew. An ID that no stream ever had counts as none.
  void resume(StreamOpening& opening, const GameView& view, std::string_view last) {
    const EventId id(last);
    if (!id.version || *id.version < 0) return;
    opening.from = 1;
    if (*id.version == 0) return;
    const auto commit = store_.commit(view.id, *id.version);
    opening.reset = !commit || !id.is_of(commit->hash);
    if (opening.reset) return;
    opening.from = next_number(*id.version);
    opening.head = commit->hash;
  }

  HttpResponse stream(const HttpRequest& request, const GameView& view) {
    std::ignore = caller_of(request, view);
    const Query query(request, {"from"});
    const Version from = query.number("from").value_or(1);
    if (from < 1)
      throw HttpProblem(422, "invalid-value", "from is a version, 1 or more").with_value(from);
    StreamOpening opening{.game = view.id, .from = from};
    if (const auto last = request.header("last-event-id")) {
      if (view.has_ended() && is_last_of(view, *last)) return {.status = 204};
      resume(opening, view, *last);
    }
    HttpResponse response{.status = 200,
                          .headers = {{"Content-Type", "text/event-stream"},
                                      {"Cache-Control", "no-store"},
                                      {"X-Accel-Buffering", "no"}}};
    response.stream = opening;
    return response;
  }

  HttpResponse export_game(const HttpRequest& request, const GameView& view) {
    const std::string& id = view.id;
    std::ignore = caller_of(request, view);
    const Query query(request, {"format", "at"});
    const std::string name = query.text("format").value_or("jsonl");
    ExportOptions options;
    options.at = query.number("at");
    const ExportFormat* format = find_export_format(name);
    if (!view.game)
      throw HttpProblem(409, "not-started", "the game hasn't begun: there is nothing to export");
    if (format != nullptr && format->holds != ExportFormat::Holds::turns && !view.reveal_permit)
      throw HttpProblem(409, "not-yet",
                        "the log tells the game's seed: it is exported once the game has ended");
    if (format == nullptr)
      throw HttpProblem(422, "invalid-value", "format is jsonl, text, csv, html, svg or cast")
          .with_value(name);
    if (options.at && format->takes != ExportFormat::Takes::turn)
      throw HttpProblem(422, "invalid-value", "at is the turn of a picture: format=svg")
          .with_value(*options.at);
    HttpResponse response{
        .status = 200,
        .headers = {{"Content-Type", std::string(format->media_type)},
                    {"Content-Disposition",
                     fmt::format("attachment; filename=\"{}.{}\"", id, format->ending)},
                    {"Content-Security-Policy", "sandbox"},
                    {"X-Content-Type-Options", "nosniff"}},
        .body = exported(request.target, *format, options, view)};
    add_cache_headers(response, request, view);
    return response;
  }

  struct Exported {
    Head head;
    SharedText text;
    std::optional<int> proven;  // of a page: amount_of() its proof
  };

  /// The export of a game that has ended is made once, as long as its log ends where it did. A page
  /// is made again when more can be proven of it.
  SharedText exported(const std::string& target, const ExportFormat& format,
                      const ExportOptions& options, const GameView& view) {
    const bool is_final = view.has_ended() && view.reveal_permit;
    const Exported* known = is_final ? exported_.find(target) : nullptr;
    if (known != nullptr && known->head == view.head() && !can_prove_more(*known, view))
      return known->text;
    std::string text;
    std::optional<int> proven;
    const auto prove = [&](const Commit& head) {
      auto proof = proof_of(head);
      proven = amount_of(proof);
      return proof;
    };
    try {
      format.write({.store = store_, .id = view.id, .options = options, .prove = prove},
                   [&](std::string_view part) { text += part; });
    } catch (const NotExportable& error) {
      throw HttpProblem(422, "invalid-value", error.what());
    }
    const std::size_t bytes = text.size();
    const auto made = std::make_shared<const std::string>(std::move(text));
    if (is_final && bytes <= most_exported_bytes)
      exported_.put(target, {view.head(), made, proven}, bytes);
    return made;
  }

  std::optional<ProofInLog> proof_of(const Commit& head) const {
    return settings_.log == nullptr ? std::nullopt : settings_.log->proof_for_page(head);
  }

  /// How much a proof proves: nothing, then that the game is in the log, then each witness.
  static int amount_of(const std::optional<ProofInLog>& proof) {
    return proof ? 1 + static_cast<int>(proof->witnesses.size()) : 0;
  }

  bool can_prove_more(const Exported& page, const GameView& view) {
    if (!page.proven || settings_.log == nullptr) return false;
    return amount_of(proof_of(store_.commit(view.id, view.version()).value())) > *page.proven;
  }

  /// For callers who may have the export of the log.
  HttpResponse prove(const HttpRequest& request, const GameView& view) {
    std::ignore = caller_of(request, view);
    const Query query(request, {"version"});
    if (!view.game)
      throw HttpProblem(409, "not-started", "the game hasn't begun: there is nothing to prove");
    if (!view.reveal_permit)
      throw HttpProblem(409, "not-yet",
                        "a game is proven once it has ended, as its log is exported");
    const Version version = query.number("version").value_or(view.version());
    if (version < 1 || version > view.version())
      throw HttpProblem(422, "invalid-value", fmt::format("version is 1 to {}", view.version()))
          .with_value(version);
    if (settings_.log == nullptr)
      throw HttpProblem(404, "not-found", "this store has published no log");
    return settings_.log->proof_of(store_.commit(view.id, version).value());
  }

  static constexpr std::size_t most_exported_bytes = 16 << 20;

  StoreReader& store_;
  HostedGameStore& hosted_games_;
  GameSettings settings_;
  GameViewer viewer_;
  BoundedMap<std::string, Exported> exported_{most_exported_bytes};  // by their targets
};

GameReader::GameReader(StoreReader& store, HostedGameStore& hosted_games, KnownGames& known,
                       GameSettings settings)
    : handlers_(std::make_unique<Handlers>(store, hosted_games, known, std::move(settings))) {}

GameReader::~GameReader() = default;

HttpResponse GameReader::response(const HttpRequest& request) {
  return handlers_->response(request);
}

bool GameReader::is_ready() {
  return handlers_->is_ready();
}

}  // namespace snl::cli
