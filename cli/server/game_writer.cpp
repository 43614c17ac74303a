#include "game_writer.hpp"

#include "cli/drawing/seen_names.hpp"
#include "cli/reports/json_output.hpp"
#include "domain/narration.hpp"
#include "domain/turn_dice.hpp"
#include "domain/whole_number.hpp"
#include "known_games.hpp"
#include "new_hosted_game.hpp"
#include "policy.hpp"
#include "request_body.hpp"
#include "responses.hpp"
#include "storage/codec.hpp"
#include "storage/game_id.hpp"
#include "storage/group_commit.hpp"
#include "tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

namespace snl::cli {

namespace json = boost::json;

namespace {

constexpr UnixMilliseconds day = 24LL * 60 * 60 * 1000;
constexpr UnixMilliseconds most_waiting_time = day;
constexpr UnixMilliseconds most_idle_time = 30 * day;

// ---- Refusals

/// Whether an entity tag names a version: "4.2", or "4" alone.
bool is_of_version(std::string_view tag, Version version) {
  if (tag.size() < 2 || tag.front() != '"' || tag.back() != '"') return false;
  return whole_number<Version>(tag.substr(1, tag.find_first_of(".\"", 1) - 1)) == version;
}

HttpProblem elsewhere(Version version) {
  return HttpProblem(412, "precondition-failed",
                     fmt::format("the game is at version {}: look at it again", version))
      .with_value(version);
}

void require_version(const HttpRequest& request, const GameView& view) {
  const auto expected = request.header("if-match");
  const auto is_it = [&](std::string_view tag) { return is_of_version(tag, view.version()); };
  if (expected && !names_tag(*expected, is_it)) throw elsewhere(view.version());
}

/// Throws HttpProblem where the game is elsewhere than its client thinks, or something stands in
/// the way of what is asked for.
void admit(const HttpRequest& request, Route::Resource action, const GameView& view,
           std::optional<Seat> of = {}) {
  require_version(request, view);
  if (auto problem = obstacle_to(action, view, of)) throw *std::move(problem);
}

/// Every one of these seats, and no other.
bool have_all_agreed(const SeatSet& agreed, std::size_t players) {
  for (std::size_t seat = 0; seat < players; ++seat)
    if (!agreed.has(static_cast<Seat>(seat))) return false;
  return true;
}

}  // namespace

class GameWriter::Handlers {
 public:
  Handlers(EventStore& store, HostedGameStore& hosted_games, KnownGames& known,
           GameSettings settings)
      : store_(store),
        hosted_games_(hosted_games),
        known_(known),
        settings_(std::move(settings)),
        group_(store, settings_.clock),
        viewer_(store, hosted_games, known) {}

  std::vector<HttpResponse> response(std::span<const HttpRequest> requests);
  void recover();
  std::vector<std::string> look_after();

 private:
  /// What a request is to record, and how it is answered then.
  struct Work {
    SharedView view = nullptr;                             // that it was planned on
    std::optional<HostedGame> hosted = std::nullopt;       // to be kept
    std::optional<WaitingCommand> command = std::nullopt;  // to be recorded after that
    /// Of what became of the command; null where there is none. No answer: the game has moved in
    /// between, and the request is looked at again.
    std::function<std::optional<HttpResponse>(const CommandOutcome*)> response = nullptr;
  };
  using Planned = std::variant<HttpResponse, Work>;

  /// A request that has no answer yet.
  struct Pending {
    std::size_t index = 0;
    int tries = 0;
    bool has_to_look = false;  // what was remembered was old
  };
  struct Planning {
    Pending pending;
    Work work;
  };

  std::vector<Planning> plan_round(std::span<const HttpRequest> requests,
                                   std::vector<Pending>& pending,
                                   std::vector<HttpResponse>& responses);
  void keep_hosted_games(std::vector<Planning>& round, std::vector<Pending>& again,
                         std::vector<HttpResponse>& responses);
  using Outcomes = std::vector<CommandOutcome>;
  Outcomes record(const std::vector<Planning>& round);
  void mark_started(std::vector<Planning>& round, const Outcomes& outcomes);
  void notify_others(const std::vector<Planning>& round, const Outcomes& outcomes);

  std::optional<Work> plan_optimistic(const HttpRequest& request);
  Planned plan(const HttpRequest& request);
  Planned create(const HttpRequest& request);
  Planned take_seat(const HttpRequest& request, const SharedView& view);
  Planned leave(const HttpRequest& request, const SharedView& view, Seat seat);
  Planned renew_token(const HttpRequest& request, const SharedView& view, Seat seat);
  Planned start(const HttpRequest& request, const SharedView& view);
  Planned abandon(const HttpRequest& request, const SharedView& view);
  Planned send_entropy(const HttpRequest& request, const SharedView& view, Seat seat);
  static void require_turn(const HttpRequest& request, const GameView& view, Seat seat,
                           const json::value* dice);
  enum class Asking : std::uint8_t { as_needed, nobody };
  Planned play(const HttpRequest& request, const SharedView& view, Seat seat, Asking asking);
  Planned ask(const HttpRequest& request, const SharedView& view, Seat seat);
  Planned reply(const HttpRequest& request, const SharedView& view, Seat seat,
                std::int64_t question);

  SharedView look(const std::string& id);
  bool recover_start(const SharedView& view);
  using Changes = std::vector<std::optional<std::int64_t>>;
  Changes keep(std::span<const HostedGame> hosted_games);
  bool forget(const std::string& id, std::int64_t revision);
  void moved(StoreMoment moment);
  void settle(HostedGame& hosted) const;
  Work work_on(const SharedView& view, HostedGame hosted, std::function<HttpResponse()> response);
  std::string new_id(HostedGame::Visibility visibility);
  std::string new_token(const std::optional<std::string>& asked) const;
  bool has_been_idle(const std::string& id);

  std::function<HttpResponse()> state_later(const HttpRequest& request, const SharedView& view);
  HttpResponse state_of(const HttpRequest& request, const GameView& view) const;
  HttpResponse turn_response(const GameView& view, const Recorded& recorded) const;
  HttpResponse created_response(const std::string& id, const std::string& token, json::array seats,
                                unsigned status);

  EventStore& store_;
  HostedGameStore& hosted_games_;
  KnownGames& known_;
  GameSettings settings_;
  GroupCommit group_;
  GameViewer viewer_;
  std::string looked_after_;  // the last game that was looked at for being idle
};

// ---- A batch

namespace {

/// Requests of one key are answered one after another. Those that make games have none.
std::string key_of(const HttpRequest& request) {
  const auto route = route_of(path_of(request.target));
  return route ? route->game : std::string();
}

}  // namespace

std::vector<HttpResponse> GameWriter::Handlers::response(std::span<const HttpRequest> requests) {
  std::vector<HttpResponse> responses(requests.size());
  std::vector<Pending> pending;
  pending.reserve(requests.size());
  for (std::size_t index = 0; index < requests.size(); ++index)
    pending.push_back({.index = index});
  while (!pending.empty()) {
    std::vector<Planning> round = plan_round(requests, pending, responses);
    std::vector<Pending> again;
    keep_hosted_games(round, again, responses);
    const Outcomes outcomes = record(round);
    mark_started(round, outcomes);
    notify_others(round, outcomes);
    std::size_t next = 0;
    for (Planning& planning : round) {
      const CommandOutcome* outcome = planning.work.command ? &outcomes[next++] : nullptr;
      bool is_undecided = false;
      HttpResponse done = responded(
          [&] {
            auto made = planning.work.response(outcome);
            is_undecided = !made;
            return made ? *std::move(made) : HttpResponse{};
          },
          settings_.report_failure);
      if (is_undecided) {
        planning.pending.has_to_look = true;
        again.push_back(planning.pending);
      } else
        responses[planning.pending.index] = std::move(done);
    }
    for (Pending& one : again) {
      constexpr int most_tries = 8;
      if (++one.tries < most_tries)
        pending.push_back(one);
      else
        responses[one.index] =
            response_of_failure(settings_.report_failure, "others change a game all the time");
    }
    std::ranges::sort(pending, {}, &Pending::index);
  }
  return responses;
}

/// Takes the first request of each game that waits. What needs nothing recorded is answered.
std::vector<GameWriter::Handlers::Planning> GameWriter::Handlers::plan_round(
    std::span<const HttpRequest> requests, std::vector<Pending>& pending,
    std::vector<HttpResponse>& responses) {
  std::vector<Planning> round;
  std::vector<Pending> later;
  std::set<std::string> games;
  bool has_looked = false;
  for (const Pending& one : pending) {
    const HttpRequest& request = requests[one.index];
    const std::string key = key_of(request);
    if (!key.empty() && games.contains(key)) {
      later.push_back(one);
      continue;
    }
    std::optional<Planned> planned;
    const HttpResponse refused = responded(
        [&] {
          if (!one.has_to_look)
            if (auto work = plan_optimistic(request)) {
              planned = *std::move(work);
              return HttpResponse{};
            }
          if (!has_looked) known_.find_at(viewer_.refresh());
          has_looked = true;
          planned = plan(request);
          return HttpResponse{};
        },
        settings_.report_failure);
    if (!planned) {
      responses[one.index] = refused;
    } else if (auto* response = std::get_if<HttpResponse>(&*planned)) {
      responses[one.index] = std::move(*response);
    } else {
      games.insert(key);
      round.push_back({one, std::get<Work>(std::move(*planned))});
    }
  }
  pending = std::move(later);
  return round;
}

/// All in one transaction. What isn't kept, since another process changed it, is looked at again.
void GameWriter::Handlers::keep_hosted_games(std::vector<Planning>& round,
                                             std::vector<Pending>& again,
                                             std::vector<HttpResponse>& responses) {
  std::vector<HostedGame> hosted_games;
  for (const Planning& planning : round)
    if (planning.work.hosted) hosted_games.push_back(*planning.work.hosted);
  if (hosted_games.empty()) return;
  Changes changes;
  std::optional<HttpResponse> failed;
  try {
    changes = keep(hosted_games);
  } catch (const StoreError& error) {
    failed = response_of_failure(settings_.report_failure, error.what());
  }
  std::size_t next = 0;
  std::erase_if(round, [&](Planning& planning) {
    if (!planning.work.hosted) return false;
    if (failed) {
      responses[planning.pending.index] = *failed;
      return true;
    }
    const auto change = changes[next++];
    if (!change) {
      again.push_back(planning.pending);
      return true;
    }
    planning.work.hosted->revision = *change;
    return false;
  });
}

GameWriter::Handlers::Outcomes GameWriter::Handlers::record(const std::vector<Planning>& round) {
  std::vector<WaitingCommand> commands;
  for (const auto& [pending, work] : round)
    if (work.command) commands.push_back(*work.command);
  if (commands.empty()) return {};
  return group_.execute(commands);
}

/// A hosted game whose game is in the log says so. Where that fails it is done at the next look.
void GameWriter::Handlers::mark_started(std::vector<Planning>& round, const Outcomes& outcomes) {
  std::vector<HostedGame> started;
  std::vector<HostedGame*> planned;
  std::size_t next = 0;
  for (auto& [pending, work] : round) {
    if (!work.command || !std::holds_alternative<Committed>(outcomes[next++]) || !work.hosted)
      continue;
    planned.push_back(&*work.hosted);
    started.push_back(*work.hosted);
    started.back().stage = HostedGameStage::started;
  }
  if (started.empty()) return;
  try {
    const Changes changes = keep(started);
    for (std::size_t i = 0; i < started.size(); ++i) {
      *planned[i] = std::move(started[i]);
      planned[i]->revision = changes[i].value_or(0);
    }
  } catch (const StoreError& error) {
    settings_.report_failure(error.what());
  }
}

/// What was recorded is what all threads see from now on: nobody reads it again.
void GameWriter::Handlers::notify_others(const std::vector<Planning>& round,
                                         const Outcomes& outcomes) {
  StoreMoment now = viewer_.moment();
  std::size_t next = 0;
  std::vector<SharedView> views;
  for (const auto& [pending, work] : round) {
    const auto* done = work.command ? std::get_if<Committed>(&outcomes[next++]) : nullptr;
    if (work.command ? done == nullptr || done->again : !work.hosted) continue;
    const std::string& id = work.hosted ? work.hosted->id : work.view->id;
    auto hosted = work.hosted ? work.hosted : work.view->hosted;
    auto game = work.view ? work.view->game : nullptr;
    SharedStep step = nullptr;
    if (done != nullptr) {
      now.position = next_number(now.position);
      now.hash = done->head.hash;
      game = done->game;
      if (!done->commit.events.empty())
        step = std::make_shared<RecordedStep>(done->commit, done->events, done->game);
    }
    try {
      views.push_back(
          viewer_.view_of(id, std::move(hosted), std::move(game), work.view.get(), step));
    } catch (const StoreError&) {
      known_.forget(id);  // it is recorded: whoever looks at it next is told
    }
  }
  moved(now);
  for (const SharedView& view : views)
    known_.keep(view, now);
}

/// Where others have written in between, the store is elsewhere: the next look finds that out.
void GameWriter::Handlers::moved(StoreMoment moment) {
  known_.move_to(moment);
  viewer_.expect(moment);
}

GameWriter::Handlers::Changes GameWriter::Handlers::keep(std::span<const HostedGame> hosted_games) {
  for (const HostedGame& hosted : hosted_games)
    known_.forget(hosted.id);
  Changes changes = hosted_games_.keep(hosted_games);
  StoreMoment now = viewer_.moment();
  for (const auto& change : changes)
    if (change) now.change = *change == now.change + 1 ? *change : -1;
  moved(now);
  return changes;
}

bool GameWriter::Handlers::forget(const std::string& id, std::int64_t revision) {
  known_.forget(id);
  return hosted_games_.forget(id, revision);
}

// ---- One request

/// A turn that is admitted by what is remembered of its game, where the append finds out whether
/// that is old. None for any other: whoever is refused is refused for what is so now.
std::optional<GameWriter::Handlers::Work> GameWriter::Handlers::plan_optimistic(
    const HttpRequest& request) {
  const auto route = route_of(path_of(request.target));
  if (!route || route->resource != Route::Resource::turns ||
      !allows(route->resource, request.method))
    return std::nullopt;
  const SharedView view = known_.find(route->game, viewer_.moment()).view;
  if (!view || !view->hosted || view->hosted->stage != HostedGameStage::started || !view->game ||
      !token_of(request))
    return std::nullopt;
  try {
    const Caller caller = caller_of(request, *view);
    if (!caller.seat) return std::nullopt;
    auto planned = play(request, view, *caller.seat, Asking::nobody);
    auto* work = std::get_if<Work>(&planned);
    return work == nullptr ? std::nullopt : std::optional(std::move(*work));
  } catch (const HttpProblem&) {
    return std::nullopt;
  }
}

GameWriter::Handlers::Planned GameWriter::Handlers::plan(const HttpRequest& request) {
  using enum Route::Resource;
  const Route route = require_route(request);
  if (route.resource == games) {
    require_method(request, route);
    return create(request);
  }
  const SharedView view = look(route.game);
  if (!view) throw_no_such_game();
  require_place(route, *view);
  require_method(request, route);
  if (!view->hosted)
    throw HttpProblem(403, "forbidden",
                      "this game was made at the command line, and is played there");
  if (route.resource != seats && !token_of(request))
    throw HttpProblem(401, "unauthorized", "a token of this game is needed")
        .with_header("WWW-Authenticate", "Bearer");
  const Caller caller = caller_of(request, *view);
  const auto number = static_cast<Seat>(route.number);
  if (!is_for(route.resource, caller, number)) throw_forbidden();
  switch (route.resource) {
    case seats:
      return take_seat(request, view);
    case seat:
      return leave(request, view, number);
    case seat_token:
      return renew_token(request, view, number);
    case start:
      return this->start(request, view);
    case abandon:
      return this->abandon(request, view);
    case entropy:
      return send_entropy(request, view, *caller.seat);
    case turns:
      return play(request, view, *caller.seat, Asking::as_needed);
    case takebacks:
      return ask(request, view, *caller.seat);
    case takeback:
      return reply(request, view, *caller.seat, route.number);
    default:
      throw_no_such_game();  // never: all else takes GET
  }
}

/// A start that was cut between its two transactions is finished before anything else is done.
SharedView GameWriter::Handlers::look(const std::string& id) {
  SharedView view = viewer_.look(id);
  const bool is_cut = view && view->hosted && view->hosted->stage == HostedGameStage::settled;
  if (is_cut && recover_start(view)) view = viewer_.look(id);
  // A hosted game whose ID was taken at the command line is nobody's any more.
  if (view && !view->hosted)
    if (const auto hosted = hosted_games_.game(id)) forget(id, hosted->revision);
  return view;
}

/// Records version 1 unless it is there. True if the hosted game is another one then.
bool GameWriter::Handlers::recover_start(const SharedView& view) {
  const HostedGame& hosted = *view->hosted;
  const StartGame command{setup_of(hosted)};
  const auto outcomes = group_.execute(std::vector{WaitingCommand{hosted.id, command}});
  if (const auto* error = std::get_if<StoreError>(&outcomes.front())) throw StoreError(*error);
  known_.forget(hosted.id);
  if (!std::holds_alternative<Committed>(outcomes.front())) {
    const auto first = store_.commit(hosted.id, 1);
    // A command line has taken the ID meanwhile and keeps it: the hosted game is dropped.
    if (first && first->command != encode(Command{command}))
      return forget(hosted.id, hosted.revision);
    if (!first)
      throw StoreError(
          StoreError::Cause::damaged,
          fmt::format("what the server keeps of game {} is damaged: it can't be started; restore "
                      "a copy",
                      hosted.id));
  }
  HostedGame started = hosted;
  started.stage = HostedGameStage::started;
  return keep(std::span(&started, 1)).front().has_value();
}

GameWriter::Handlers::Work GameWriter::Handlers::work_on(const SharedView& view, HostedGame hosted,
                                                         std::function<HttpResponse()> response) {
  Work work{.view = view};
  if (hosted.stage == HostedGameStage::settled)
    work.command = WaitingCommand{hosted.id, StartGame{setup_of(hosted)}};
  work.hosted = std::move(hosted);
  work.response = [response = std::move(response)](
                      const CommandOutcome* outcome) -> std::optional<HttpResponse> {
    if (outcome != nullptr) {
      if (const auto* error = std::get_if<StoreError>(outcome)) throw StoreError(*error);
      // The ID was taken at the command line: looked at again, the hosted game is gone, or started.
      if (std::holds_alternative<Rejection>(*outcome)) return std::nullopt;
    }
    return response();
  };
  return work;
}

// ---- Making a game

GameWriter::Handlers::Planned GameWriter::Handlers::create(const HttpRequest& request) {
  const NewGameRequest asked(request);
  if (asked.token()) {
    check_token(*asked.token());
    if (const auto made = hosted_games_.hosted_by(hash_of(*asked.token()))) {
      const SharedView view = look(*made);
      if (view && view->hosted && view->hosted->request == asked.fingerprint())
        return created_response(*made, *asked.token(), {}, 200);
      throw HttpProblem(422, "token-reused", "this token is that of another game's host");
    }
  }
  HostedGame hosted = asked.hosted_game(settings_);
  if (!asked.players() && settings_.most_waiting > 0 &&
      hosted_games_.count_waiting() >= settings_.most_waiting)
    throw HttpProblem(429, "too-many-open-games",
                      "too many games wait for players; try again later")
        .with_header("Retry-After", "60");
  const std::string token = new_token(asked.token());
  hosted.id = new_id(hosted.visibility);
  hosted.created = time_to_record(settings_.clock);
  hosted.host_token = hash_of(token);
  hosted.request = asked.fingerprint();
  hosted.secret.emplace(settings_.random());
  json::array seats;
  if (asked.players()) {
    for (std::size_t seat = 0; seat < asked.players()->size(); ++seat) {
      const std::string of_seat = new_token(std::nullopt);
      const std::string& name = (*asked.players())[seat];
      hosted.seats[seat] = HostedGameSeat{.name = name, .token = hash_of(of_seat)};
      seats.push_back(json::object{{"seat", seat}, {"name", name}, {"token", of_seat}});
    }
    hosted.stage = HostedGameStage::settled;
  }
  const std::string id = hosted.id;
  return work_on(nullptr, std::move(hosted), [this, id, token, seats = std::move(seats)] {
    return created_response(id, token, seats, 201);
  });
}

HttpResponse GameWriter::Handlers::created_response(const std::string& id, const std::string& token,
                                                    json::array seats, unsigned status) {
  const SharedView view = look(id);
  if (!view) throw_no_such_game();
  json::object state = state_json(*view);
  state["you"] = you_json(*view, {.has_token = true, .is_host = true});
  HttpResponse response = json_response(
      status,
      json::object{
          {"id", id}, {"token", token}, {"seats", std::move(seats)}, {"game", std::move(state)}});
  response.headers.emplace_back("Location", "/api/games/" + id);
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

std::string GameWriter::Handlers::new_id(HostedGame::Visibility visibility) {
  constexpr std::size_t usual_length = 6;
  constexpr std::size_t longest = 12;
  constexpr std::size_t private_digits = 32;
  for (std::size_t length = usual_length;; length = std::min(length + 1, longest)) {
    const Hash bytes = settings_.random();
    std::uint64_t bits = 0;
    for (const std::uint8_t byte : std::span(bytes).first<8>())
      bits = bits << 8U | byte;
    std::string id = visibility == HostedGame::Visibility::by_its_id
                         ? to_hex(bytes).substr(0, private_digits)
                         : game_id_from(bits, length);
    if (!store_.head(id) && !hosted_games_.game(id)) return id;
  }
}

std::string GameWriter::Handlers::new_token(const std::optional<std::string>& asked) const {
  return asked ? *asked : token_from(settings_.random());
}

// ---- Seats

namespace {

HttpResponse seat_response(unsigned status, std::size_t seat, const std::string& name,
                           const std::string& token) {
  HttpResponse response =
      json_response(status, json::object{{"seat", seat}, {"name", name}, {"token", token}});
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

/// Throws HttpProblem 422 for a token that somebody has in this game.
void require_free_token(const HostedGame& hosted, const Hash& token) {
  const bool is_taken =
      hosted.host_token == token || std::ranges::any_of(hosted.seats, [&](const auto& seat) {
        return seat && seat->token == token;
      });
  if (is_taken) throw HttpProblem(422, "token-reused", "this token is in use in this game");
}

}  // namespace

GameWriter::Handlers::Planned GameWriter::Handlers::take_seat(const HttpRequest& request,
                                                              const SharedView& view) {
  const RequestBody body(request, {"name", "token", "entropy_hash"});
  const auto name = body.text("name");
  const auto token = body.text("token");
  const auto promise = body.text("entropy_hash");
  if (!name) RequestBody::refuse("name is missing: under which the seat is taken");
  HostedGame hosted = *view->hosted;
  if (token) {
    const Hash hash = hash_of(*token);
    for (std::size_t seat = 0; seat < hosted.seats.size(); ++seat) {
      const auto& taken = hosted.seats[seat];
      if (!taken || taken->token != hash) continue;
      const auto promised = promise ? hash_from_hex(*promise) : std::nullopt;
      if (taken->name == *name && taken->entropy_hash == promised)
        return seat_response(200, seat, *name, *token);
      throw HttpProblem(422, "token-reused", "this token has taken a seat otherwise");
    }
  }
  admit(request, Route::Resource::seats, *view);
  const bool is_name_taken = std::ranges::any_of(hosted.seats, [&](const auto& seat) {
    return seat && (seat->name == *name || as_seen(seat->name) == as_seen(*name));
  });
  if (is_name_taken)
    throw conflict("name-taken", "somebody has this name already, or one that looks like it")
        .with_value(*name);
  check_name(*name);
  if (token) {
    check_token(*token);
    require_free_token(hosted, hash_of(*token));
  }
  HostedGameSeat taken{.name = *name};
  if (promise) {
    if (hosted.dice == HostedGame::Dice::own)
      throw HttpProblem(422, "invalid-value", "nothing is drawn in a game with dice of one's own");
    taken.entropy_hash = require_bytes("entropy_hash", *promise);
  }
  const std::string given = new_token(token);
  taken.token = hash_of(given);
  const auto free =
      std::ranges::find_if(hosted.seats, [](const auto& each) { return !each.has_value(); });
  const auto seat = static_cast<std::size_t>(free - hosted.seats.begin());
  *free = std::move(taken);
  if (hosted.taken() == hosted.seats.size()) settle(hosted);
  return work_on(view, std::move(hosted),
                 [seat, name = *name, given] { return seat_response(201, seat, name, given); });
}

/// Nobody sits down or leaves any more.
void GameWriter::Handlers::settle(HostedGame& hosted) const {
  const std::size_t places = hosted.seats.size();
  std::erase(hosted.seats, std::nullopt);  // the free ones, which come last then
  hosted.seats.resize(places);
  const bool has_promises = std::ranges::any_of(
      hosted.seats, [](const auto& seat) { return seat && seat->entropy_hash; });
  hosted.stage = has_promises ? HostedGameStage::drawing : HostedGameStage::settled;
}

GameWriter::Handlers::Planned GameWriter::Handlers::leave(const HttpRequest& request,
                                                          const SharedView& view, Seat seat) {
  const RequestBody nothing(request, {});
  admit(request, Route::Resource::seat, *view);
  HttpResponse done{.status = 204, .headers = {{"Cache-Control", "no-store"}}};
  if (!view->hosted->seats[seat]) return done;
  HostedGame hosted = *view->hosted;
  hosted.seats[seat].reset();
  return work_on(view, std::move(hosted), [done = std::move(done)] { return done; });
}

GameWriter::Handlers::Planned GameWriter::Handlers::renew_token(const HttpRequest& request,
                                                                const SharedView& view, Seat seat) {
  const RequestBody body(request, {"token"});
  const auto token = body.text("token");
  HostedGame hosted = *view->hosted;
  HostedGameSeat& taken = *hosted.seats[seat];
  if (token && hash_of(*token) == taken.token) return seat_response(200, seat, taken.name, *token);
  admit(request, Route::Resource::seat_token, *view);
  if (token) {
    check_token(*token);
    require_free_token(hosted, hash_of(*token));
  }
  const std::string given = new_token(token);
  taken.token = hash_of(given);
  ++taken.tokens;
  const std::string name = taken.name;
  return work_on(view, std::move(hosted),
                 [seat, name, given] { return seat_response(200, seat, name, given); });
}

// ---- The beginning and the end

GameWriter::Handlers::Planned GameWriter::Handlers::start(const HttpRequest& request,
                                                          const SharedView& view) {
  const RequestBody nothing(request, {});
  admit(request, Route::Resource::start, *view);
  HostedGame hosted = *view->hosted;
  settle(hosted);
  return work_on(view, std::move(hosted), state_later(request, view));
}

GameWriter::Handlers::Planned GameWriter::Handlers::abandon(const HttpRequest& request,
                                                            const SharedView& view) {
  const RequestBody nothing(request, {});
  if (view->status == GameStatus::abandoned) return state_of(request, *view);
  admit(request, Route::Resource::abandon, *view);
  HostedGame hosted = *view->hosted;
  hosted.given_up = HostedGame::GivenUp::by_host;
  return work_on(view, std::move(hosted), state_later(request, view));
}

GameWriter::Handlers::Planned GameWriter::Handlers::send_entropy(const HttpRequest& request,
                                                                 const SharedView& view,
                                                                 Seat seat) {
  const RequestBody body(request, {"entropy"});
  const auto text = body.text("entropy");
  if (!text) RequestBody::refuse("entropy is missing: the bytes that were promised");
  HostedGame hosted = *view->hosted;
  HostedGameSeat& sender = *hosted.seats[seat];
  const auto bytes = hash_from_hex(*text);
  if (bytes && sender.entropy == *bytes) return state_of(request, *view);
  admit(request, Route::Resource::entropy, *view, seat);
  const Hash sent = require_bytes("entropy", *text);
  const std::string_view raw(reinterpret_cast<const char*>(sent.data()), sent.size());
  if (sender.entropy_hash != hash_of(raw))
    throw HttpProblem(422, "broken-promise",
                      "the SHA-256 of this isn't what this seat has promised");
  sender.entropy = sent;
  const bool all_is_in = std::ranges::all_of(
      hosted.seats, [](const auto& each) { return !each || !each->entropy_hash || each->entropy; });
  if (all_is_in) hosted.stage = HostedGameStage::settled;
  return work_on(view, std::move(hosted), state_later(request, view));
}

// ---- Turns

namespace {

/// The command ID of a turn: SEAT:KEY, so that nobody else can use it up.
std::optional<std::string> command_id_of(const HttpRequest& request, Seat seat) {
  constexpr std::size_t longest = 200;
  const auto key = request.header("idempotency-key");
  if (!key) return std::nullopt;
  const bool is_visible =
      std::ranges::all_of(*key, [](char letter) { return letter > ' ' && letter <= '~'; });
  if (key->empty() || key->size() > longest || !is_visible)
    throw HttpProblem(400, "unreadable", "an Idempotency-Key is 1 to 200 visible ASCII characters");
  return fmt::format("{}:{}", seat, *key);
}

Dice dice_from(const std::vector<std::int64_t>& numbers) {
  std::vector<std::int32_t> dice;
  dice.reserve(numbers.size());
  for (const std::int64_t number : numbers)
    dice.push_back(std::in_range<std::int32_t>(number) ? static_cast<std::int32_t>(number) : 0);
  return Dice(std::span<const std::int32_t>(dice));
}

HttpProblem key_reused() {
  return {422, "key-reused", "this Idempotency-Key was used for another turn; draw a new one"};
}

/// `asked` are the dice as they were sent.
HttpProblem problem_of(const Rejection& rejection, const GameView& view, const json::value& asked) {
  if (const auto* moved = std::get_if<Conflict>(&rejection)) return elsewhere(moved->actual);
  if (std::holds_alternative<CommandIdTaken>(rejection)) return key_reused();
  const auto* refusal = std::get_if<Refusal>(&rejection);
  const auto* dice = refusal == nullptr ? nullptr : std::get_if<ImpossibleDice>(refusal);
  if (dice == nullptr)
    return {422, "invalid-value", fmt::format("game {} doesn't take that", view.id)};
  return HttpProblem(422, "impossible-dice",
                     fmt::format("these dice are impossible: {}", possible_dice(dice->rules)))
      .with_value(asked);
}

}  // namespace

/// Throws HttpProblem for a turn that isn't admitted.
void GameWriter::Handlers::require_turn(const HttpRequest& request, const GameView& view, Seat seat,
                                        const json::value* dice) {
  admit(request, Route::Resource::turns, view, seat);
  if (view.hosted->dice == HostedGame::Dice::seeded && dice != nullptr)
    throw HttpProblem(422, "invalid-value", "the dice of this game are rolled: send none")
        .with_value(*dice);
  if (view.hosted->dice == HostedGame::Dice::own && dice == nullptr)
    throw HttpProblem(422, "invalid-value", "the dice are missing: {\"dice\":[6,2]}");
}

GameWriter::Handlers::Planned GameWriter::Handlers::play(const HttpRequest& request,
                                                         const SharedView& view, Seat seat,
                                                         Asking asking) {
  const RequestBody body(request, {"dice"});
  const auto numbers = body.numbers("dice");
  const json::value* dice = numbers ? body.find("dice") : nullptr;
  Command command = RollTurn{};
  if (numbers) command = PlayTurn{seat, dice_from(*numbers)};
  const auto command_id = command_id_of(request, seat);
  try {
    require_turn(request, *view, seat, dice);
  } catch (const HttpProblem&) {
    // It may have been recorded before: of a turn that is admitted the append finds that out.
    if (!command_id || !view->game || asking == Asking::nobody) throw;
    const auto used = store_.commit_with_id(view->id, *command_id);
    if (!used) throw;
    if (used->command != encode(command, command_id)) throw key_reused();
    return turn_response(*view, {events_of(used->view()), {used->version, used->hash}, true});
  }
  // A roll is of whoever is to move: so of this seat, at this version.
  const bool expects_version = request.header("if-match").has_value();
  Work work{.view = view};
  work.command = WaitingCommand{view->id,
                                std::move(command),
                                {.expected_version = view->version(), .command_id = command_id},
                                view->game,
                                view->change(),
                                asking == Asking::nobody};
  work.response = [this, view, asked = dice == nullptr ? json::value(nullptr) : *dice,
                   expects_version](const CommandOutcome* outcome) -> std::optional<HttpResponse> {
    if (std::holds_alternative<Outdated>(*outcome)) return std::nullopt;
    if (const auto* error = std::get_if<StoreError>(outcome)) throw StoreError(*error);
    if (const auto* rejection = std::get_if<Rejection>(outcome)) {
      if (std::holds_alternative<Conflict>(*rejection) && !expects_version) return std::nullopt;
      throw problem_of(*rejection, *view, asked);
    }
    return turn_response(*view, std::get<Committed>(*outcome));
  };
  return work;
}

HttpResponse GameWriter::Handlers::turn_response(const GameView& view,
                                                 const Recorded& recorded) const {
  const auto* turn = std::get_if<TurnPlayed>(&recorded.events.front());
  if (turn == nullptr) throw key_reused();  // a command of the command line has this ID
  const auto& players = view.game->state().setup->players;
  HttpResponse response = json_response(200, played_json(*turn, players, recorded.head));
  response.headers.emplace_back("Cache-Control", "no-store");
  if (recorded.again) response.headers.emplace_back("Idempotent-Replayed", "true");
  return response;
}

// ---- Takebacks

GameWriter::Handlers::Planned GameWriter::Handlers::ask(const HttpRequest& request,
                                                        const SharedView& view, Seat seat) {
  const RequestBody body(request, {"to"});
  const auto to = body.number("to");
  if (!to) RequestBody::refuse("to is missing: the last turn that shall stay");
  const bool is_open = view->question && view->question->outcome == SeenQuestion::Outcome::open;
  if (is_open && view->question->question.by == seat && view->question->question.to == *to)
    return state_of(request, *view);
  require_version(request, *view);
  if (is_open)
    throw conflict("takeback-open", "somebody has asked already, and isn't answered yet");
  if (auto problem = obstacle_to(Route::Resource::takebacks, *view, seat))
    throw problem->status == 422 ? std::move(*problem).with_value(*to) : *std::move(problem);
  const Turn last = view->game->state().position.turn;
  if (*to < 0 || *to >= last)
    throw HttpProblem(422, "invalid-value",
                      fmt::format("to is a turn before the last one, 0 to {}", last - 1))
        .with_value(*to);
  TakebackQuestion question{.id = view->question ? view->question->question.id + 1 : 1,
                            .by = seat,
                            .to = *to,
                            .asked_at = view->version()};
  question.agreed.insert(seat);
  HostedGame hosted = *view->hosted;
  hosted.question = question;
  return work_on(view, std::move(hosted), state_later(request, view));
}

GameWriter::Handlers::Planned GameWriter::Handlers::reply(const HttpRequest& request,
                                                          const SharedView& view, Seat seat,
                                                          std::int64_t number) {
  const RequestBody body(request, {"agree"});
  const auto agrees = body.boolean("agree");
  if (!agrees) RequestBody::refuse("agree is missing: true or false");
  admit(request, Route::Resource::takeback, *view, seat);
  if (number != view->question->question.id)
    throw conflict("takeback-settled", "another was asked for since");
  HostedGame hosted = *view->hosted;
  TakebackQuestion& question = *hosted.question;
  if (*agrees && question.agreed.has(seat)) return state_of(request, *view);
  const auto respond_with_state = state_later(request, view);
  if (!*agrees) {
    question.outcome = seat == question.by ? TakebackQuestion::Outcome::withdrawn
                                           : TakebackQuestion::Outcome::refused;
    return work_on(view, std::move(hosted), respond_with_state);
  }
  question.agreed.insert(seat);
  if (!have_all_agreed(question.agreed, view->game->state().players()))
    return work_on(view, std::move(hosted), respond_with_state);
  // The log says that all have agreed; the hosted game need not.
  Work work{.view = view};
  work.command = WaitingCommand{
      view->id,
      UndoToTurn{question.to, Takeback{.asked = question.by, .agreed = question.agreed}},
      {.expected_version = question.asked_at},
      view->game,
      view->change()};
  work.response =
      [respond_with_state](const CommandOutcome* outcome) -> std::optional<HttpResponse> {
    if (const auto* error = std::get_if<StoreError>(outcome)) throw StoreError(*error);
    if (!std::holds_alternative<Committed>(*outcome)) return std::nullopt;  // somebody was quicker
    return respond_with_state();
  };
  return work;
}

// ---- STATE

/// STATE as it is once all is recorded.
std::function<HttpResponse()> GameWriter::Handlers::state_later(const HttpRequest& request,
                                                                const SharedView& view) {
  return [this, request, id = view->id] {
    const SharedView now = look(id);
    if (!now) throw_no_such_game();
    return state_of(request, *now);
  };
}

HttpResponse GameWriter::Handlers::state_of(const HttpRequest& request,
                                            const GameView& view) const {
  HttpResponse response{
      .status = 200,
      .headers = {{"Content-Type", "application/json"}},
      .body = std::make_shared<const std::string>(state_with_you(view, caller_of(request, view)))};
  add_cache_headers(response, request, view);
  return response;
}

// ---- Now and then

void GameWriter::Handlers::recover() {
  constexpr std::size_t most = 1000;  // more than a crash leaves
  for (const auto& settled : hosted_games_.settled(most)) {
    try {
      std::ignore = look(settled.id);
    } catch (const StoreError& error) {
      settings_.report_failure(error.what());  // it may be this hosted game alone that is damaged
    }
  }
}

std::vector<std::string> GameWriter::Handlers::look_after() {
  constexpr std::size_t at_once = 100;
  known_.find_at(viewer_.refresh());
  recover();
  std::vector<std::string> changed;
  const UnixMilliseconds now = settings_.clock();
  const HostedGameStore::Entry too_old{.id = "", .created = now - most_waiting_time};
  for (const HostedGameStore::Entry& waiting : hosted_games_.waiting(too_old, at_once)) {
    const auto hosted = hosted_games_.game(waiting.id);
    if (hosted && hosted->stage != HostedGameStage::started && forget(hosted->id, hosted->revision))
      changed.push_back(hosted->id);
  }
  const auto started = hosted_games_.started_after(looked_after_, at_once);
  looked_after_ = started.size() < at_once ? "" : started.back().id;
  for (const HostedGameStore::Entry& entry : started) {
    const std::string& id = entry.id;
    if (!has_been_idle(id)) continue;
    const SharedView view = look(id);
    if (!view || !view->hosted || view->status != GameStatus::in_progress) continue;
    HostedGame hosted = *view->hosted;
    hosted.given_up = HostedGame::GivenUp::when_idle;
    if (keep(std::span(&hosted, 1)).front()) changed.push_back(id);
  }
  return changed;
}

bool GameWriter::Handlers::has_been_idle(const std::string& id) {
  const auto head = store_.head(id);
  const auto last = head ? store_.commit(id, head->version) : std::nullopt;
  return last && last->time < settings_.clock() - most_idle_time;
}

// ---- The service

GameWriter::GameWriter(EventStore& store, HostedGameStore& hosted_games, KnownGames& known,
                       GameSettings settings)
    : handlers_(std::make_unique<Handlers>(store, hosted_games, known, std::move(settings))) {}

GameWriter::~GameWriter() = default;

std::vector<HttpResponse> GameWriter::response(std::span<const HttpRequest> requests) {
  return handlers_->response(requests);
}

void GameWriter::recover() {
  handlers_->recover();
}

std::vector<std::string> GameWriter::look_after() {
  return handlers_->look_after();
}

}  // namespace snl::cli
