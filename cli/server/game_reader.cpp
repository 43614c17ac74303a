#include "answers.hpp"
#include "cli/drawing/terminal_text.hpp"
#include "cli/exports/export_formats.hpp"
#include "domain/whole_number.hpp"
#include "game_list.hpp"
#include "service.hpp"
#include "storage/ascii.hpp"
#include "tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <unordered_map>
#include <utility>

namespace snl::cli {

namespace json = boost::json;

bool is_write(const HttpRequest& request) {
  return request.method == "POST" || request.method == "DELETE";
}

namespace {

/// A query's parts, each known and there once.
class Query {
 public:
  Query(const HttpRequest& request, std::initializer_list<std::string_view> known) {
    auto parts = query_of(request.target);
    if (!parts) throw HttpProblem(400, "unreadable", "the query can't be read");
    parts_ = *std::move(parts);
    for (const auto& [name, value] : parts_) {
      if (valid_utf8(name + value) != name + value)
        throw HttpProblem(400, "unreadable", "the query isn't UTF-8");
      if (std::ranges::find(known, name) == known.end())
        throw HttpProblem(400, "unreadable", "this path doesn't know the parameter")
            .with_value(name);
      if (std::ranges::count(parts_, name, &HttpHeaders::value_type::first) > 1)
        throw HttpProblem(400, "unreadable", "the parameter is there twice").with_value(name);
    }
  }

  std::optional<std::string> text(std::string_view name) const {
    const auto found = std::ranges::find(parts_, name, &HttpHeaders::value_type::first);
    return found == parts_.end() ? std::nullopt : std::optional(found->second);
  }

  std::optional<std::int64_t> number(std::string_view name) const {
    const auto value = text(name);
    if (!value) return std::nullopt;
    const auto number = whole_number(*value);
    if (!number)
      throw HttpProblem(400, "unreadable", fmt::format("{} is a whole number", name))
          .with_value(*value);
    return number;
  }

 private:
  HttpHeaders parts_;
};

/// Whether a list of entity tags has this one (RFC 9110, 13.1.2: compared weakly).
bool names_tag(std::string_view list, std::string_view tag) {
  while (!list.empty()) {
    std::string_view one = list.substr(0, list.find(','));
    list.remove_prefix(std::min(one.size() + 1, list.size()));
    const std::size_t from = std::min(one.find_first_not_of(" \t"), one.size());
    one = one.substr(from, one.find_last_not_of(" \t") + 1 - from);
    if (one.starts_with("W/")) one.remove_prefix(2);
    if (one == "*" || one == tag) return true;
  }
  return false;
}

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

/// STATE as it was made last for a game, kept for as long as neither log nor hosted game change.
struct SeenState {
  GameView view;
  std::string state;  // without "you"
  std::shared_ptr<const std::string> to_anybody;
  StorePosition position = 0;  // of the store, up to which that was looked at
  std::int64_t change = 0;
};

namespace {

std::string state_text(std::string_view state, const json::value& you) {
  state.remove_suffix(1);  // its brace
  return fmt::format("{},\"you\":{}}}", state, json::serialize(you));
}

}  // namespace

class GameReader::Answers {
 public:
  Answers(StoreReader& store, HostedGameStore& hosted_games, GameSettings settings)
      : store_(store),
        hosted_games_(hosted_games),
        settings_(std::move(settings)),
        viewer_(store, hosted_games, [&store](const std::string& id) {
          auto game = RecordedGame::load(store, id);
          return game ? std::make_shared<const RecordedGame>(*std::move(game)) : nullptr;
        }) {}

  HttpAnswer answer(const HttpRequest& request) {
    return answered([&] { return find_answer(request); }, settings_.tell_failure);
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
  HttpAnswer find_answer(const HttpRequest& request) {
    const Route route = require_route(request);
    using enum Route::Resource;
    const SeenState* seen = route.resource == games ? nullptr : state_of(route.game);
    if (route.resource != games) {
      if (seen == nullptr) throw_no_such_game();
      require_place(route, seen->view);
    }
    require_method(request, route);
    if (request.method == "OPTIONS")
      return {.status = 204, .headers = {{"Allow", std::string(allowed_methods(route.resource))}}};
    switch (route.resource) {
      case games:
        return list(request);
      case game:
        return state(request, *seen);
      case events:
        return stream(request, *seen);
      case export_file:
        return export_game(request, *seen);
      default:
        throw_no_such_game();  // never: all else takes POST or DELETE
    }
  }

  /// Of a game: null if there is none.
  const SeenState* state_of(const std::string& id) {
    const StorePosition position = store_.wait_for_append(0, std::chrono::milliseconds{0});
    const std::int64_t change = hosted_games_.last_revision();
    if (const auto found = seen_.find(id); found != seen_.end()) {
      SeenState& seen = found->second;
      if (seen.position == position && seen.change == change) return &seen;
      auto hosted = hosted_games_.game(id);
      const auto head = store_.head(id);
      // What a branch may tell is decided by the game that it left, too.
      const bool is_a_branch = seen.view.game && seen.view.game->state().setup->origin;
      const bool is_as_it_was =
          !is_a_branch &&
          head.value_or(Head{}) == (seen.view.game ? seen.view.game->head() : Head{}) &&
          (hosted ? hosted->revision : 0) == seen.view.change() && (hosted || head);
      if (is_as_it_was) {
        seen.position = position;
        seen.change = change;
        return &seen;
      }
      seen_.erase(found);
    }
    auto view = viewer_.look(id);
    if (!view) return nullptr;
    std::string state = json::serialize(state_json(*view));
    auto to_anybody = std::make_shared<const std::string>(state_text(state, nullptr));
    constexpr std::size_t most = 1024;
    if (seen_.size() >= most) seen_.clear();
    const auto kept = seen_.insert_or_assign(
        id, SeenState{*std::move(view), std::move(state), std::move(to_anybody), position, change});
    return &kept.first->second;
  }

  static HttpAnswer state(const HttpRequest& request, const SeenState& seen) {
    const Caller caller = caller_of(request, seen.view);
    const Query nothing(request, {});
    HttpAnswer answer{.status = 200};
    const auto known = request.header("if-none-match");
    if (known && names_tag(*known, entity_tag(seen.view))) {
      answer.status = 304;
    } else {
      answer.headers.emplace_back("Content-Type", "application/json");
      answer.body = caller.has_token ? std::make_shared<const std::string>(
                                           state_text(seen.state, you_json(seen.view, caller)))
                                     : seen.to_anybody;
    }
    add_cache_headers(answer, request, seen.view);
    return answer;
  }

  HttpAnswer list(const HttpRequest& request) {
    const Query query(request, {"status", "player", "limit", "before"});
    GameListQuery asked{.player = query.text("player"), .before = query.text("before")};
    constexpr std::int64_t most = 100;
    const std::int64_t limit = query.number("limit").value_or(std::int64_t{20});
    if (limit < 1 || limit > most)
      throw HttpProblem(422, "invalid-value", "limit is 1 to 100").with_value(limit);
    asked.limit = static_cast<std::size_t>(limit);
    if (const auto status = query.text("status")) {
      asked.status = status_named(*status);
      if (!asked.status)
        throw HttpProblem(422, "invalid-value",
                          "status is open, drawing, in-progress, completed or abandoned")
            .with_value(*status);
    }
    const auto found = list_games(store_, hosted_games_, viewer_, asked);
    if (!found)
      throw HttpProblem(422, "invalid-value", "before is the ID of a game that is there")
          .with_value(*asked.before);
    json::array games;
    for (const GameView& view : found->games)
      games.emplace_back(listed_json(view));
    HttpAnswer answer = json_answer(200, json::object{{"games", std::move(games)}});
    if (found->next) answer.headers.emplace_back("Link", next_page(query, asked, *found->next));
    answer.headers.emplace_back("Vary", "Authorization");
    answer.headers.emplace_back("Cache-Control", token_of(request) ? "no-store" : "no-cache");
    return answer;
  }

  static std::string next_page(const Query& query, const GameListQuery& asked,
                               const std::string& last) {
    std::string target = "/api/games?";
    for (const std::string_view name : {"status", "player"})
      if (const auto value = query.text(name))
        target += fmt::format("{}={}&", name, percent_encoded(*value));
    return fmt::format("<{}limit={}&before={}>; rel=\"next\"", target, asked.limit, last);
  }

  static HttpAnswer stream(const HttpRequest& request, const SeenState& seen) {
    std::ignore = caller_of(request, seen.view);
    const Query query(request, {"from"});
    Version from = query.number("from").value_or(1);
    if (from < 1)
      throw HttpProblem(422, "invalid-value", "from is a version, 1 or more").with_value(from);
    if (const auto last = request.header("last-event-id")) {
      // A client repeats what it was told; what nobody told is begun anew.
      const auto version = whole_number<Version>(*last);
      if (version && *version >= 0) {
        if (seen.view.has_ended() && *version >= seen.view.version()) return {.status = 204};
        from = next_number(*version);
      }
    }
    HttpAnswer answer{.status = 200,
                      .headers = {{"Content-Type", "text/event-stream"},
                                  {"Cache-Control", "no-store"},
                                  {"X-Accel-Buffering", "no"}}};
    answer.stream = StreamOpening{seen.view.id, from};
    return answer;
  }

  HttpAnswer export_game(const HttpRequest& request, const SeenState& seen) {
    const std::string& id = seen.view.id;
    std::ignore = caller_of(request, seen.view);
    const Query query(request, {"format", "at"});
    const std::string name = query.text("format").value_or("jsonl");
    ExportOptions options;
    options.at = query.number("at");
    const ExportFormat* format = find_export_format(name);
    if (!seen.view.game)
      throw HttpProblem(409, "not-started", "the game hasn't begun: there is nothing to export");
    // These two hold the whole log.
    if ((name == "jsonl" || name == "html") && !seen.view.secrets_out)
      throw HttpProblem(409, "not-yet",
                        "the log tells the game's seed: it is exported once the game has ended");
    if (format == nullptr)
      throw HttpProblem(422, "invalid-value", "format is jsonl, text, csv, html, svg or cast")
          .with_value(name);
    if (options.at && format->takes != ExportFormat::Takes::turn)
      throw HttpProblem(422, "invalid-value", "at is the turn of a picture: format=svg")
          .with_value(*options.at);
    auto bytes = std::make_shared<std::string>();
    try {
      format->write({.store = store_, .id = id, .options = options},
                    [&](std::string_view part) { *bytes += part; });
    } catch (const NotExportable& error) {
      throw HttpProblem(422, "invalid-value", error.what());
    }
    HttpAnswer answer{
        .status = 200,
        .headers = {{"Content-Type", std::string(format->media_type)},
                    {"Content-Disposition",
                     fmt::format("attachment; filename=\"{}.{}\"", id, format->ending)},
                    {"Content-Security-Policy", "sandbox"},
                    {"X-Content-Type-Options", "nosniff"}},
        .body = std::move(bytes)};
    add_cache_headers(answer, request, seen.view);
    return answer;
  }

  StoreReader& store_;
  HostedGameStore& hosted_games_;
  GameSettings settings_;
  GameViewer viewer_;
  std::unordered_map<std::string, SeenState> seen_;
};

GameReader::GameReader(StoreReader& store, HostedGameStore& hosted_games, GameSettings settings)
    : answers_(std::make_unique<Answers>(store, hosted_games, std::move(settings))) {}

GameReader::~GameReader() = default;

HttpAnswer GameReader::answer(const HttpRequest& request) {
  return answers_->answer(request);
}

bool GameReader::is_ready() {
  return answers_->is_ready();
}

}  // namespace snl::cli
