#include "answers.hpp"
#include "cli/drawing/seen_names.hpp"
#include "cli/reports/json_output.hpp"
#include "domain/narration.hpp"
#include "domain/turn_dice.hpp"
#include "known_rooms.hpp"
#include "new_room.hpp"
#include "request_body.hpp"
#include "service.hpp"
#include "storage/codec.hpp"
#include "storage/game_id.hpp"
#include "storage/group_commit.hpp"
#include "tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
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

HttpProblem conflict(std::string_view type, const std::string& why) {
  return {409, type, why};
}

HttpProblem completed_problem() {
  return conflict("game-completed", "the game is over").with_result(game_completed_result);
}

[[noreturn]] void throw_if_ended(const GameView& view) {
  if (view.status == GameStatus::abandoned) throw conflict("abandoned", "the game was given up");
  throw completed_problem();
}

void require_running(const GameView& view) {
  if (view.has_ended()) throw_if_ended(view);
  if (!view.game) throw conflict("not-started", "the game hasn't begun");
}

void require_open(const GameView& view) {
  if (view.status == GameStatus::abandoned) throw_if_ended(view);
  if (view.status != GameStatus::open)
    throw conflict("started", "the game has begun: its seats are settled");
}

/// The version that an entity tag names, or that is written alone; none for anything else.
std::optional<Version> version_of_tag(std::string_view tag) {
  if (tag.starts_with("W/")) tag.remove_prefix(2);
  if (tag.size() < 2 || tag.front() != '"' || tag.back() != '"') return std::nullopt;
  tag = tag.substr(1, tag.size() - 2);
  Version version = 0;
  const auto [end, error] = std::from_chars(tag.data(), tag.data() + tag.size(), version);
  const bool is_version = error == std::errc{} && (end == tag.data() + tag.size() || *end == '.');
  return is_version ? std::optional(version) : std::nullopt;
}

bool is_expected(std::string_view list, Version version) {
  while (!list.empty()) {
    std::string_view one = list.substr(0, list.find(','));
    list.remove_prefix(std::min(one.size() + 1, list.size()));
    const std::size_t from = std::min(one.find_first_not_of(" \t"), one.size());
    one = one.substr(from, one.find_last_not_of(" \t") + 1 - from);
    if (one == "*" || version_of_tag(one) == version) return true;
  }
  return false;
}

HttpProblem elsewhere(Version version) {
  return HttpProblem(412, "precondition-failed",
                     fmt::format("the game is at version {}: look at it again", version))
      .with_value(version);
}

void require_version(const HttpRequest& request, const GameView& view) {
  const auto expected = request.header("if-match");
  if (expected && !is_expected(*expected, view.version())) throw elsewhere(view.version());
}

/// Every one of these seats, and no other.
bool have_all_agreed(const SeatSet& agreed, std::size_t players) {
  for (std::size_t seat = 0; seat < players; ++seat)
    if (!agreed.has(static_cast<Seat>(seat))) return false;
  return true;
}

}  // namespace

class GameWriter::Answers {
 public:
  Answers(EventStore& store, RoomStore& rooms, GameSettings settings)
      : store_(store),
        rooms_(rooms),
        known_rooms_(rooms),
        settings_(std::move(settings)),
        group_(store, settings_.clock),
        viewer_(store, rooms, [this](const std::string& id) { return group_.game(id); }) {}

  std::vector<HttpAnswer> answer(std::span<const HttpRequest> requests);
  void recover();
  std::vector<std::string> look_after();

 private:
  /// What a request is to record, and how it is answered then.
  struct Work {
    std::optional<Room> room = std::nullopt;               // to be kept
    std::optional<WaitingCommand> command = std::nullopt;  // to be recorded after that
    std::optional<std::int64_t> revision = std::nullopt;  // of the room that the command depends on
    bool is_unasked = false;
    /// Of what became of the command; null where there is none, or it was planned on what is old.
    /// No answer: the game has moved in between, and the request is looked at again.
    std::function<std::optional<HttpAnswer>(const CommandOutcome*)> answer;
  };
  using Planned = std::variant<HttpAnswer, Work>;

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
                                   std::vector<Pending>& pending, std::vector<HttpAnswer>& answers);
  void keep_rooms(std::vector<Planning>& round, std::vector<Pending>& again,
                  std::vector<HttpAnswer>& answers);
  using Outcomes = std::vector<std::optional<CommandOutcome>>;
  Outcomes record(const std::vector<Planning>& round);
  void mark_started(std::vector<Planning>& round, const Outcomes& outcomes);

  std::optional<Work> plan_unasked(const HttpRequest& request);
  Planned plan(const HttpRequest& request);
  Planned create(const HttpRequest& request);
  Planned take_seat(const HttpRequest& request, GameView view, const Caller& caller);
  Planned leave(const HttpRequest& request, GameView view, Seat seat);
  Planned renew_token(const HttpRequest& request, GameView view, Seat seat);
  Planned start(const HttpRequest& request, GameView view);
  Planned abandon(const HttpRequest& request, GameView view);
  Planned send_entropy(const HttpRequest& request, GameView view, Seat seat);
  enum class Asking : std::uint8_t { as_needed, nobody };
  Planned play(const HttpRequest& request, GameView seen, Seat seat, Asking asking);
  Planned ask(const HttpRequest& request, GameView view, Seat seat);
  Planned reply(const HttpRequest& request, GameView view, Seat seat, std::int64_t question);

  void look_for_others();
  std::optional<GameView> look(const std::string& id);
  bool recover_start(const Room& room);
  void settle(Room& room) const;
  Work work_on(Room room, std::function<HttpAnswer()> answer);
  std::string new_id(Room::Visibility visibility);
  std::string new_token(const std::optional<std::string>& asked) const;
  bool has_been_idle(const std::string& id);

  HttpAnswer state_answer(const HttpRequest& request, const std::string& id);
  HttpAnswer state_of(const HttpRequest& request, const GameView& view) const;
  HttpAnswer turn_answer(const GameView& view, const Recorded& recorded) const;
  HttpAnswer created_answer(const std::string& id, const std::string& token, json::array seats,
                            unsigned status);

  EventStore& store_;
  RoomStore& rooms_;
  KnownRooms known_rooms_;
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

std::vector<HttpAnswer> GameWriter::Answers::answer(std::span<const HttpRequest> requests) {
  std::vector<HttpAnswer> answers(requests.size());
  std::vector<Pending> pending;
  pending.reserve(requests.size());
  for (std::size_t index = 0; index < requests.size(); ++index)
    pending.push_back({.index = index});
  while (!pending.empty()) {
    std::vector<Planning> round = plan_round(requests, pending, answers);
    std::vector<Pending> again;
    keep_rooms(round, again, answers);
    const Outcomes outcomes = record(round);
    mark_started(round, outcomes);
    std::size_t next = 0;
    for (Planning& planning : round) {
      const CommandOutcome* outcome = nullptr;
      if (planning.work.command)
        if (const auto& of_command = outcomes[next++]) outcome = &*of_command;
      bool is_undecided = false;
      HttpAnswer told = answered(
          [&] {
            auto made = planning.work.answer(outcome);
            is_undecided = !made;
            return made ? *std::move(made) : HttpAnswer{};
          },
          settings_.tell_failure);
      if (is_undecided) {
        planning.pending.has_to_look = true;
        again.push_back(planning.pending);
      } else
        answers[planning.pending.index] = std::move(told);
    }
    for (Pending& one : again) {
      constexpr int most_tries = 8;
      if (++one.tries < most_tries)
        pending.push_back(one);
      else
        answers[one.index] =
            answer_of_failure(settings_.tell_failure, "others change a game all the time");
    }
    std::ranges::sort(pending, {}, &Pending::index);
  }
  return answers;
}

/// Takes the first request of each game that waits. What needs nothing recorded is answered.
std::vector<GameWriter::Answers::Planning> GameWriter::Answers::plan_round(
    std::span<const HttpRequest> requests, std::vector<Pending>& pending,
    std::vector<HttpAnswer>& answers) {
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
    const HttpAnswer refused = answered(
        [&] {
          if (!one.has_to_look)
            if (auto work = plan_unasked(request)) {
              planned = *std::move(work);
              return HttpAnswer{};
            }
          if (!has_looked) look_for_others();
          has_looked = true;
          planned = plan(request);
          return HttpAnswer{};
        },
        settings_.tell_failure);
    if (!planned) {
      answers[one.index] = refused;
    } else if (auto* answer = std::get_if<HttpAnswer>(&*planned)) {
      answers[one.index] = std::move(*answer);
    } else {
      games.insert(key);
      round.push_back({one, std::get<Work>(std::move(*planned))});
    }
  }
  pending = std::move(later);
  return round;
}

/// All in one transaction. What isn't kept, since another process changed it, is looked at again.
void GameWriter::Answers::keep_rooms(std::vector<Planning>& round, std::vector<Pending>& again,
                                     std::vector<HttpAnswer>& answers) {
  std::vector<Room> rooms;
  for (const Planning& planning : round)
    if (planning.work.room) rooms.push_back(*planning.work.room);
  if (rooms.empty()) return;
  std::vector<std::optional<std::int64_t>> changes;
  std::optional<HttpAnswer> failed;
  try {
    changes = known_rooms_.keep(rooms);
  } catch (const StoreError& error) {
    failed = answer_of_failure(settings_.tell_failure, error.what());
  }
  std::size_t next = 0;
  std::erase_if(round, [&](Planning& planning) {
    if (!planning.work.room) return false;
    if (failed) {
      answers[planning.pending.index] = *failed;
      return true;
    }
    const auto change = changes[next++];
    if (!change) {
      again.push_back(planning.pending);
      return true;
    }
    planning.work.room->changed = *change;
    return false;
  });
}

GameWriter::Answers::Outcomes GameWriter::Answers::record(const std::vector<Planning>& round) {
  std::vector<RoomCommand> commands;
  for (const auto& [pending, work] : round)
    if (work.command) commands.push_back({*work.command, work.revision, work.is_unasked});
  if (commands.empty()) return {};
  return group_.execute(commands);
}

/// A room whose game is in the log says so. Where that fails it is done at the next look.
void GameWriter::Answers::mark_started(std::vector<Planning>& round, const Outcomes& outcomes) {
  std::vector<Room> started;
  std::size_t next = 0;
  for (Planning& planning : round) {
    if (!planning.work.command) continue;
    const auto& outcome = outcomes[next++];
    if (!outcome || !std::holds_alternative<Recorded>(*outcome) ||
        !std::holds_alternative<StartGame>(planning.work.command->command))
      continue;
    planning.work.room->stage = RoomStage::started;
    started.push_back(*planning.work.room);
  }
  if (started.empty()) return;
  try {
    known_rooms_.keep(started);
  } catch (const StoreError& error) {
    settings_.tell_failure(error.what());
  }
}

// ---- One request

/// A turn that is admitted by what is remembered of its game, where the append finds out whether
/// that is old. None for any other: whoever is refused is refused for what is so now.
std::optional<GameWriter::Answers::Work> GameWriter::Answers::plan_unasked(
    const HttpRequest& request) {
  const auto route = route_of(path_of(request.target));
  if (!route || route->resource != Route::Resource::turns ||
      !allows(route->resource, request.method))
    return std::nullopt;
  const Room* room = known_rooms_.remembered(route->game);
  auto game = group_.remembered(route->game);
  if (room == nullptr || room->stage != RoomStage::started || !game || !token_of(request))
    return std::nullopt;
  try {
    GameView view = viewer_.view_of(*room, std::move(game));
    const Caller caller = caller_of(request, view);
    if (!caller.seat) return std::nullopt;
    auto planned = play(request, std::move(view), *caller.seat, Asking::nobody);
    auto* work = std::get_if<Work>(&planned);
    return work == nullptr ? std::nullopt : std::optional(std::move(*work));
  } catch (const HttpProblem&) {
    return std::nullopt;
  }
}

GameWriter::Answers::Planned GameWriter::Answers::plan(const HttpRequest& request) {
  using enum Route::Resource;
  const Route route = require_route(request);
  if (route.resource == games) {
    require_method(request, route);
    return create(request);
  }
  auto view = look(route.game);
  if (!view) throw_no_such_game();
  require_place(route, *view);
  require_method(request, route);
  if (!view->room)
    throw HttpProblem(403, "forbidden",
                      "this game was made at the command line, and is played there");
  if (route.resource != seats && !token_of(request))
    throw HttpProblem(401, "unauthorized", "a token of this game is needed")
        .with_header("WWW-Authenticate", "Bearer");
  const Caller caller = caller_of(request, *view);
  const auto number = static_cast<Seat>(route.number);
  const bool is_for_host =
      route.resource == start || route.resource == abandon || route.resource == seat_token;
  const bool may = route.resource == seats ||
                   (route.resource == seat && (caller.is_host || caller.seat == number)) ||
                   (is_for_host && caller.is_host) ||
                   (route.resource != seat && !is_for_host && caller.seat);
  if (!may) throw_forbidden();
  switch (route.resource) {
    case seats:
      return take_seat(request, *std::move(view), caller);
    case seat:
      return leave(request, *std::move(view), number);
    case seat_token:
      return renew_token(request, *std::move(view), number);
    case start:
      return this->start(request, *std::move(view));
    case abandon:
      return this->abandon(request, *std::move(view));
    case entropy:
      return send_entropy(request, *std::move(view), *caller.seat);
    case turns:
      return play(request, *std::move(view), *caller.seat, Asking::as_needed);
    case takebacks:
      return ask(request, *std::move(view), *caller.seat);
    case takeback:
      return reply(request, *std::move(view), *caller.seat, route.number);
    default:
      throw_no_such_game();  // never: all else takes GET
  }
}

/// What others did since is seen from now on.
void GameWriter::Answers::look_for_others() {
  known_rooms_.look_for_others();
  group_.look_for_others();
}

/// A start that was cut between its two transactions is finished before anything else is done.
std::optional<GameView> GameWriter::Answers::look(const std::string& id) {
  auto room = known_rooms_.room(id);
  if (room && room->stage == RoomStage::settled && recover_start(*room))
    room = known_rooms_.room(id);
  const std::int64_t changed = room ? room->changed : 0;
  auto view = viewer_.look(id, std::move(room));
  // A room whose ID was taken at the command line is nobody's any more.
  if (view && !view->room && changed != 0) known_rooms_.forget(id, changed);
  return view;
}

/// Records version 1 unless it is there. True if the room is another one then.
bool GameWriter::Answers::recover_start(const Room& room) {
  const StartGame command{setup_of(room)};
  const auto outcomes = group_.execute(std::vector{WaitingCommand{room.id, command}});
  if (const auto* error = std::get_if<StoreError>(&outcomes.front())) throw StoreError(*error);
  if (!std::holds_alternative<Recorded>(outcomes.front())) {
    const auto first = store_.commit(room.id, 1);
    // Whoever took the ID meanwhile, at the command line, has it: the room is nobody's.
    if (first && first->command != encode(Command{command}))
      return known_rooms_.forget(room.id, room.changed);
    if (!first)
      throw StoreError(StoreError::Cause::damaged,
                       fmt::format("the room of game {} is damaged: it can't be started; restore "
                                   "a copy",
                                   room.id));
  }
  Room started = room;
  started.stage = RoomStage::started;
  return known_rooms_.keep(std::span(&started, 1)).front().has_value();
}

GameWriter::Answers::Work GameWriter::Answers::work_on(Room room,
                                                       std::function<HttpAnswer()> answer) {
  Work work;
  if (room.stage == RoomStage::settled)
    work.command = WaitingCommand{room.id, StartGame{setup_of(room)}};
  work.room = std::move(room);
  work.answer =
      [answer = std::move(answer)](const CommandOutcome* outcome) -> std::optional<HttpAnswer> {
    if (outcome != nullptr) {
      if (const auto* error = std::get_if<StoreError>(outcome)) throw StoreError(*error);
      // The ID was taken at the command line: looked at again, the room is gone, or started.
      if (std::holds_alternative<Rejection>(*outcome)) return std::nullopt;
    }
    return answer();
  };
  return work;
}

// ---- Making a game

GameWriter::Answers::Planned GameWriter::Answers::create(const HttpRequest& request) {
  const NewGameRequest asked(request);
  if (asked.token()) {
    check_token(*asked.token());
    if (const auto made = rooms_.hosted_by(hash_of(*asked.token()))) {
      const auto view = look(*made);
      if (view && view->room && view->room->request == asked.fingerprint())
        return created_answer(*made, *asked.token(), {}, 200);
      throw HttpProblem(422, "token-reused", "this token is that of another game's host");
    }
  }
  Room room = asked.room(settings_);
  if (!asked.players() && settings_.most_waiting > 0 &&
      rooms_.count_waiting() >= settings_.most_waiting)
    throw HttpProblem(429, "too-many-open-games",
                      "too many games wait for players; try again later")
        .with_header("Retry-After", "60");
  const std::string token = new_token(asked.token());
  room.id = new_id(room.visibility);
  room.created = time_to_record(settings_.clock);
  room.host_token = hash_of(token);
  room.request = asked.fingerprint();
  room.secret.emplace(settings_.random());
  json::array seats;
  if (asked.players()) {
    for (std::size_t seat = 0; seat < asked.players()->size(); ++seat) {
      const std::string of_seat = new_token(std::nullopt);
      const std::string& name = (*asked.players())[seat];
      room.seats[seat] = RoomSeat{.name = name, .token = hash_of(of_seat)};
      seats.push_back(json::object{{"seat", seat}, {"name", name}, {"token", of_seat}});
    }
    room.stage = RoomStage::settled;
  }
  const std::string id = room.id;
  return work_on(std::move(room), [this, id, token, seats = std::move(seats)] {
    return created_answer(id, token, seats, 201);
  });
}

HttpAnswer GameWriter::Answers::created_answer(const std::string& id, const std::string& token,
                                               json::array seats, unsigned status) {
  const auto view = look(id);
  if (!view) throw_no_such_game();
  json::object state = state_json(*view);
  state["you"] = you_json(*view, {.has_token = true, .is_host = true});
  HttpAnswer answer = json_answer(
      status,
      json::object{
          {"id", id}, {"token", token}, {"seats", std::move(seats)}, {"game", std::move(state)}});
  answer.headers.emplace_back("Location", "/api/games/" + id);
  answer.headers.emplace_back("Cache-Control", "no-store");
  return answer;
}

std::string GameWriter::Answers::new_id(Room::Visibility visibility) {
  constexpr std::size_t usual_length = 6;
  constexpr std::size_t longest = 12;
  constexpr std::size_t private_digits = 32;
  for (std::size_t length = usual_length;; length = std::min(length + 1, longest)) {
    const Hash bytes = settings_.random();
    std::uint64_t bits = 0;
    for (const std::uint8_t byte : std::span(bytes).first<8>())
      bits = bits << 8U | byte;
    std::string id = visibility == Room::Visibility::by_its_id
                         ? to_hex(bytes).substr(0, private_digits)
                         : game_id_from(bits, length);
    if (!store_.head(id) && !known_rooms_.room(id)) return id;
  }
}

std::string GameWriter::Answers::new_token(const std::optional<std::string>& asked) const {
  return asked ? *asked : token_from(settings_.random());
}

// ---- Seats

namespace {

HttpAnswer seat_answer(unsigned status, std::size_t seat, const std::string& name,
                       const std::string& token) {
  HttpAnswer answer =
      json_answer(status, json::object{{"seat", seat}, {"name", name}, {"token", token}});
  answer.headers.emplace_back("Cache-Control", "no-store");
  return answer;
}

/// Throws HttpProblem 422 for a token that somebody has in this game.
void require_free_token(const Room& room, const Hash& token) {
  const bool is_taken =
      room.host_token == token || std::ranges::any_of(room.seats, [&](const auto& seat) {
        return seat && seat->token == token;
      });
  if (is_taken) throw HttpProblem(422, "token-reused", "this token is in use in this game");
}

}  // namespace

GameWriter::Answers::Planned GameWriter::Answers::take_seat(const HttpRequest& request,
                                                            GameView view,
                                                            const Caller& /*anybody*/) {
  const RequestBody body(request, {"name", "token", "entropy_hash"});
  const auto name = body.text("name");
  const auto token = body.text("token");
  const auto promise = body.text("entropy_hash");
  if (!name) RequestBody::refuse("name is missing: under which the seat is taken");
  Room& room = *view.room;
  if (token) {
    const Hash hash = hash_of(*token);
    for (std::size_t seat = 0; seat < room.seats.size(); ++seat) {
      const auto& taken = room.seats[seat];
      if (!taken || taken->token != hash) continue;
      const auto promised = promise ? hash_from_hex(*promise) : std::nullopt;
      if (taken->name == *name && taken->entropy_hash == promised)
        return seat_answer(200, seat, *name, *token);
      throw HttpProblem(422, "token-reused", "this token has taken a seat otherwise");
    }
  }
  require_version(request, view);
  if (view.status != GameStatus::open && view.status != GameStatus::abandoned &&
      room.taken() == room.seats.size())
    throw conflict("full", "every seat is taken");
  require_open(view);
  const bool is_name_taken = std::ranges::any_of(room.seats, [&](const auto& seat) {
    return seat && (seat->name == *name || as_seen(seat->name) == as_seen(*name));
  });
  if (is_name_taken)
    throw conflict("name-taken", "somebody has this name already, or one that looks like it")
        .with_value(*name);
  check_name(*name);
  if (token) {
    check_token(*token);
    require_free_token(room, hash_of(*token));
  }
  RoomSeat taken{.name = *name};
  if (promise) {
    if (room.dice == Room::Dice::own)
      throw HttpProblem(422, "invalid-value", "nothing is drawn in a game with dice of one's own");
    taken.entropy_hash = require_bytes("entropy_hash", *promise);
  }
  const std::string given = new_token(token);
  taken.token = hash_of(given);
  const auto free =
      std::ranges::find_if(room.seats, [](const auto& each) { return !each.has_value(); });
  const auto seat = static_cast<std::size_t>(free - room.seats.begin());
  *free = std::move(taken);
  if (room.taken() == room.seats.size()) settle(room);
  return work_on(std::move(room),
                 [seat, name = *name, given] { return seat_answer(201, seat, name, given); });
}

/// Nobody sits down or leaves any more.
void GameWriter::Answers::settle(Room& room) const {
  const std::size_t places = room.seats.size();
  std::erase(room.seats, std::nullopt);  // the free ones, which come last then
  room.seats.resize(places);
  const bool has_promises =
      std::ranges::any_of(room.seats, [](const auto& seat) { return seat && seat->entropy_hash; });
  room.stage = has_promises ? RoomStage::drawing : RoomStage::settled;
}

GameWriter::Answers::Planned GameWriter::Answers::leave(const HttpRequest& request, GameView view,
                                                        Seat seat) {
  const RequestBody nothing(request, {});
  require_version(request, view);
  require_open(view);
  HttpAnswer done{.status = 204, .headers = {{"Cache-Control", "no-store"}}};
  if (!view.room->seats[seat]) return done;
  view.room->seats[seat].reset();
  return work_on(*std::move(view.room), [done = std::move(done)] { return done; });
}

GameWriter::Answers::Planned GameWriter::Answers::renew_token(const HttpRequest& request,
                                                              GameView view, Seat seat) {
  const RequestBody body(request, {"token"});
  const auto token = body.text("token");
  RoomSeat& taken = *view.room->seats[seat];
  if (token && hash_of(*token) == taken.token) return seat_answer(200, seat, taken.name, *token);
  require_version(request, view);
  if (view.has_ended()) throw_if_ended(view);
  if (token) {
    check_token(*token);
    require_free_token(*view.room, hash_of(*token));
  }
  const std::string given = new_token(token);
  taken.token = hash_of(given);
  ++taken.tokens;
  const std::string name = taken.name;
  return work_on(*std::move(view.room),
                 [seat, name, given] { return seat_answer(200, seat, name, given); });
}

// ---- The beginning and the end

GameWriter::Answers::Planned GameWriter::Answers::start(const HttpRequest& request, GameView view) {
  const RequestBody nothing(request, {});
  require_version(request, view);
  require_open(view);
  if (view.room->taken() < min_players)
    throw conflict("not-yet", "a game needs 2 players: somebody has to take a seat first");
  settle(*view.room);
  return work_on(*std::move(view.room),
                 [this, request, id = view.id] { return state_answer(request, id); });
}

GameWriter::Answers::Planned GameWriter::Answers::abandon(const HttpRequest& request,
                                                          GameView view) {
  const RequestBody nothing(request, {});
  if (view.status == GameStatus::abandoned) return state_of(request, view);
  require_version(request, view);
  if (view.has_ended()) throw_if_ended(view);
  view.room->given_up = Room::GivenUp::by_host;
  return work_on(*std::move(view.room),
                 [this, request, id = view.id] { return state_answer(request, id); });
}

GameWriter::Answers::Planned GameWriter::Answers::send_entropy(const HttpRequest& request,
                                                               GameView view, Seat seat) {
  const RequestBody body(request, {"entropy"});
  const auto text = body.text("entropy");
  if (!text) RequestBody::refuse("entropy is missing: the bytes that were promised");
  RoomSeat& sender = *view.room->seats[seat];
  const auto bytes = hash_from_hex(*text);
  if (bytes && sender.entropy == *bytes) return state_of(request, view);
  require_version(request, view);
  if (view.status == GameStatus::abandoned) throw_if_ended(view);
  if (view.status == GameStatus::open)
    throw conflict("not-yet", "entropy is sent once the seats are settled");
  const Hash sent = require_bytes("entropy", *text);
  const std::string_view raw(reinterpret_cast<const char*>(sent.data()), sent.size());
  if (view.status != GameStatus::drawing || sender.entropy_hash != hash_of(raw))
    throw HttpProblem(422, "broken-promise",
                      "the SHA-256 of this isn't what this seat has promised");
  sender.entropy = sent;
  const bool all_is_in = std::ranges::all_of(view.room->seats, [](const auto& each) {
    return !each || !each->entropy_hash || each->entropy;
  });
  if (all_is_in) view.room->stage = RoomStage::settled;
  return work_on(*std::move(view.room),
                 [this, request, id = view.id] { return state_answer(request, id); });
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

HttpProblem not_to_move(const GameView& view, Seat seat, const std::string& who_is) {
  return conflict("invalid-move", fmt::format("{} is to move", who_is))
      .with_value(view.game->state().setup->players[seat])
      .with_result(invalid_move_result);
}

/// A turn that somebody wanted to play.
struct AskedTurn {
  Seat seat = 0;
  json::value dice = nullptr;  // as they were sent
};

HttpProblem problem_of(const Rejection& rejection, const GameView& view, const AskedTurn& asked) {
  if (const auto* moved = std::get_if<Conflict>(&rejection)) return elsewhere(moved->actual);
  if (std::holds_alternative<CommandIdTaken>(rejection)) return key_reused();
  if (const auto* refusal = std::get_if<Refusal>(&rejection)) {
    if (std::holds_alternative<GameCompleted>(*refusal)) return completed_problem();
    if (std::holds_alternative<InvalidMove>(*refusal))
      return not_to_move(view, asked.seat, "another player");
    if (const auto* impossible = std::get_if<ImpossibleDice>(refusal))
      return HttpProblem(
                 422, "impossible-dice",
                 fmt::format("these dice are impossible: {}", possible_dice(impossible->rules)))
          .with_value(asked.dice);
  }
  return {422, "invalid-value", fmt::format("game {} doesn't take that", view.id)};
}

}  // namespace

GameWriter::Answers::Planned GameWriter::Answers::play(const HttpRequest& request, GameView seen,
                                                       Seat seat, Asking asking) {
  const auto shared = std::make_shared<const GameView>(std::move(seen));
  const GameView& view = *shared;
  const RequestBody body(request, {"dice"});
  const auto numbers = body.numbers("dice");
  Command command = RollTurn{};
  if (numbers) command = PlayTurn{seat, dice_from(*numbers)};
  const auto command_id = command_id_of(request, seat);
  if (command_id && view.game && asking == Asking::as_needed) {
    if (const auto used = store_.commit_with_id(view.id, *command_id)) {
      if (used->command != encode(command, command_id)) throw key_reused();
      return turn_answer(view, {events_of(used->view()), {used->version, used->hash}, true});
    }
  }
  require_version(request, view);
  require_running(view);
  const Position& position = view.game->state().position;
  if (position.next != seat)
    throw not_to_move(view, seat, view.game->state().setup->players[position.next]);
  if (view.room->dice == Room::Dice::seeded && numbers)
    throw HttpProblem(422, "invalid-value", "the dice of this game are rolled: send none")
        .with_value(*body.find("dice"));
  if (view.room->dice == Room::Dice::own && !numbers)
    throw HttpProblem(422, "invalid-value", "the dice are missing: {\"dice\":[6,2]}");
  // A roll is of whoever is to move: so of this seat, at this version.
  const bool expects_version = request.header("if-match").has_value();
  Work work;
  work.command = WaitingCommand{
      view.id, command, {.expected_version = view.version(), .command_id = command_id}};
  work.revision = view.change();
  work.is_unasked = asking == Asking::nobody;
  work.answer = [this, shared,
                 asked = AskedTurn{seat, numbers ? *body.find("dice") : json::value(nullptr)},
                 expects_version](const CommandOutcome* outcome) -> std::optional<HttpAnswer> {
    if (outcome == nullptr) return std::nullopt;
    if (const auto* error = std::get_if<StoreError>(outcome)) throw StoreError(*error);
    if (const auto* rejection = std::get_if<Rejection>(outcome)) {
      if (std::holds_alternative<Conflict>(*rejection) && !expects_version) return std::nullopt;
      throw problem_of(*rejection, *shared, asked);
    }
    return turn_answer(*shared, std::get<Recorded>(*outcome));
  };
  return work;
}

HttpAnswer GameWriter::Answers::turn_answer(const GameView& view, const Recorded& recorded) const {
  const auto* turn = std::get_if<TurnPlayed>(&recorded.events.front());
  if (turn == nullptr) throw key_reused();  // a command of the command line has this ID
  const auto& players = view.game->state().setup->players;
  HttpAnswer answer = json_answer(200, played_json(*turn, players, recorded.head));
  answer.headers.emplace_back("Cache-Control", "no-store");
  if (recorded.again) answer.headers.emplace_back("Idempotent-Replayed", "true");
  return answer;
}

// ---- Takebacks

GameWriter::Answers::Planned GameWriter::Answers::ask(const HttpRequest& request, GameView view,
                                                      Seat seat) {
  const RequestBody body(request, {"to"});
  const auto to = body.number("to");
  if (!to) RequestBody::refuse("to is missing: the last turn that shall stay");
  const bool is_open = view.question && view.question->outcome == SeenQuestion::Outcome::open;
  if (is_open && view.question->question.by == seat && view.question->question.to == *to)
    return state_of(request, view);
  require_version(request, view);
  require_running(view);
  if (is_open)
    throw conflict("takeback-open", "somebody has asked already, and isn't answered yet");
  if (view.room->takebacks == Room::Takebacks::none)
    throw HttpProblem(422, "invalid-value", "no turn is taken back in this game");
  const Turn last = view.game->state().position.turn;
  if (*to < 0 || *to >= last)
    throw HttpProblem(422, "invalid-value",
                      last == 0
                          ? "there is no turn to take back"
                          : fmt::format("to is a turn before the last one, 0 to {}", last - 1))
        .with_value(*to);
  RoomQuestion question{.id = view.question ? view.question->question.id + 1 : 1,
                        .by = seat,
                        .to = *to,
                        .asked_at = view.version()};
  question.agreed.insert(seat);
  view.room->question = question;
  return work_on(*std::move(view.room),
                 [this, request, id = view.id] { return state_answer(request, id); });
}

GameWriter::Answers::Planned GameWriter::Answers::reply(const HttpRequest& request, GameView view,
                                                        Seat seat, std::int64_t number) {
  const RequestBody body(request, {"agree"});
  const auto agrees = body.boolean("agree");
  if (!agrees) RequestBody::refuse("agree is missing: true or false");
  require_version(request, view);
  if (number != view.question->question.id || view.question->outcome != SeenQuestion::Outcome::open)
    throw conflict("takeback-settled", "this was settled, or the game went on");
  RoomQuestion& question = *view.room->question;
  if (*agrees && question.agreed.has(seat)) return state_of(request, view);
  const auto answer_state = [this, request, id = view.id] { return state_answer(request, id); };
  if (!*agrees) {
    question.outcome =
        seat == question.by ? RoomQuestion::Outcome::withdrawn : RoomQuestion::Outcome::refused;
    return work_on(*std::move(view.room), answer_state);
  }
  question.agreed.insert(seat);
  if (!have_all_agreed(question.agreed, view.game->state().players()))
    return work_on(*std::move(view.room), answer_state);
  // The log says that all have agreed; the room need not.
  Work work;
  work.command = WaitingCommand{
      view.id,
      UndoToTurn{question.to, Takeback{.asked = question.by, .agreed = question.agreed}},
      {.expected_version = question.asked_at}};
  work.revision = view.change();
  work.answer = [answer_state](const CommandOutcome* outcome) -> std::optional<HttpAnswer> {
    if (outcome == nullptr) return std::nullopt;
    if (const auto* error = std::get_if<StoreError>(outcome)) throw StoreError(*error);
    if (std::holds_alternative<Rejection>(*outcome)) return std::nullopt;  // somebody was quicker
    return answer_state();
  };
  return work;
}

// ---- STATE

HttpAnswer GameWriter::Answers::state_answer(const HttpRequest& request, const std::string& id) {
  const auto view = look(id);
  if (!view) throw_no_such_game();
  return state_of(request, *view);
}

HttpAnswer GameWriter::Answers::state_of(const HttpRequest& request, const GameView& view) const {
  json::object state = state_json(view);
  state["you"] = you_json(view, caller_of(request, view));
  HttpAnswer answer = json_answer(200, state);
  add_cache_headers(answer, request, view);
  return answer;
}

// ---- Now and then

void GameWriter::Answers::recover() {
  constexpr std::size_t most = 1000;  // more than a crash leaves
  for (const std::string& id : rooms_.settled(most)) {
    try {
      const auto room = known_rooms_.room(id);
      if (room && room->stage == RoomStage::settled) recover_start(*room);
    } catch (const StoreError& error) {
      settings_.tell_failure(error.what());  // it may be this room alone that is damaged
    }
  }
}

std::vector<std::string> GameWriter::Answers::look_after() {
  constexpr std::size_t at_once = 100;
  look_for_others();
  recover();
  std::vector<std::string> changed;
  const UnixMilliseconds now = settings_.clock();
  const RoomStore::Waiting too_old{"", now - most_waiting_time};
  for (const RoomStore::Waiting& waiting : rooms_.waiting(too_old, at_once)) {
    const auto room = known_rooms_.room(waiting.id);
    if (room && room->stage != RoomStage::started && known_rooms_.forget(room->id, room->changed))
      changed.push_back(room->id);
  }
  const auto started = rooms_.started_after(looked_after_, at_once);
  looked_after_ = started.size() < at_once ? "" : started.back();
  for (const std::string& id : started) {
    if (!has_been_idle(id)) continue;
    auto view = look(id);
    if (!view || !view->room || view->status != GameStatus::in_progress) continue;
    view->room->given_up = Room::GivenUp::when_idle;
    if (known_rooms_.keep(std::span(&*view->room, 1)).front()) changed.push_back(id);
  }
  return changed;
}

bool GameWriter::Answers::has_been_idle(const std::string& id) {
  const auto head = store_.head(id);
  const auto last = head ? store_.commit(id, head->version) : std::nullopt;
  return last && last->time < settings_.clock() - most_idle_time;
}

// ---- The service

GameWriter::GameWriter(EventStore& store, RoomStore& rooms, GameSettings settings)
    : answers_(std::make_unique<Answers>(store, rooms, std::move(settings))) {}

GameWriter::~GameWriter() = default;

std::vector<HttpAnswer> GameWriter::answer(std::span<const HttpRequest> requests) {
  return answers_->answer(requests);
}

void GameWriter::recover() {
  answers_->recover();
}

std::vector<std::string> GameWriter::look_after() {
  return answers_->look_after();
}

}  // namespace snl::cli
