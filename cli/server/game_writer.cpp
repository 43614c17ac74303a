#include "game_writer.hpp"

#include "cli/drawing/seen_names.hpp"
#include "cli/reports/json_output.hpp"
#include "deadlines.hpp"
#include "domain/narration.hpp"
#include "domain/turn_dice.hpp"
#include "domain/whole_number.hpp"
#include "game_feed.hpp"
#include "game_viewer.hpp"
#include "known_games.hpp"
#include "new_hosted_game.hpp"
#include "policy.hpp"
#include "query.hpp"
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
/// A clock that is wrong when the machine starts is usually set right within this time.
constexpr std::chrono::hours before_first_care{1};

// ---- Refusals

/// Whether an entity tag names a game's place: "4", "4.2", or "4.2.5d0c93aa", whose head counts
/// too.
bool is_of(std::string_view tag, const Head& head) {
  if (tag.size() < 2 || tag.front() != '"' || tag.back() != '"') return false;
  const std::string_view text = tag.substr(1, tag.size() - 2);
  const std::size_t dot = std::min(text.find('.'), text.size());
  if (whole_number<Version>(text.substr(0, dot)) != head.version) return false;
  if (dot == text.size()) return true;
  const std::string_view rest = text.substr(dot + 1);
  const std::size_t end = std::min(rest.find('.'), rest.size());
  return whole_number<std::int64_t>(rest.substr(0, end)) &&
         (end == rest.size() || rest.substr(end + 1) == head_mark(head.hash));
}

HttpProblem elsewhere(Version version) {
  return HttpProblem(412, "precondition-failed",
                     fmt::format("the game is at version {}: look at it again", version))
      .with_value(version);
}

void require_version(const HttpRequest& request, const GameView& view) {
  const auto expected = request.header("if-match");
  const auto is_it = [&](std::string_view tag) { return is_of(tag, view.head()); };
  if (expected && !names_tag(*expected, is_it)) throw elsewhere(view.version());
}

/// Throws HttpProblem if the game isn't at the version that its client expects, or if something
/// stands in the way of the action.
void admit(const HttpRequest& request, Route::Resource action, const GameView& view,
           std::optional<Seat> of = {}) {
  require_version(request, view);
  if (auto problem = obstacle_to(action, view, of)) throw *std::move(problem);
}

[[noreturn]] void throw_unauthorized() {
  throw HttpProblem(401, "unauthorized", "a token of this game is needed")
      .with_header("WWW-Authenticate", "Bearer");
}

bool has_seat(const HostedGame& hosted, const Hash& token) {
  return std::ranges::any_of(hosted.seats,
                             [&](const auto& seat) { return seat && seat->token == token; });
}

/// Whether this is the token of a seat that was given up, and not of one that is taken now.
bool was_given_up(const HostedGame& hosted, const Hash& token) {
  return std::ranges::find(hosted.given_up_seats, token) != hosted.given_up_seats.end() &&
         !has_seat(hosted, token);
}

/// Whether a failure concerns one game, and not the store.
bool is_of_one_game(const StoreError& error) {
  return error.is_damage() || error.cause() == StoreError::Cause::other_version;
}

/// The command that takes turns back, to which all have agreed.
WaitingCommand takeback_of(const GameView& view, const TakebackQuestion& question) {
  return {view.id,
          UndoToTurn{question.to, Takeback{.asked = question.by, .agreed = question.agreed}},
          {.expected_version = question.asked_at},
          view.game,
          view.change()};
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
        viewer_(store, hosted_games, known),
        changes_(store, hosted_games, known),
        noticed_(viewer_.refresh()) {
    known.begin_at(settings_.clock());
  }

  std::vector<HttpResponse> response(std::span<const HttpRequest> requests);
  void recover();
  std::vector<std::string> maintain();
  SteadyTime next_deadline() const;
  bool play_on();

 private:
  /// A request's changes that are still to be recorded, and its response after that.
  struct Work {
    SharedView view = nullptr;                             // on which it was planned
    std::optional<HostedGame> hosted = std::nullopt;       // to be kept
    std::optional<WaitingCommand> command = std::nullopt;  // to be recorded after that
    std::optional<HostedGame> hosted_then = std::nullopt;  // to be kept once that is recorded
    /// Makes the response from the command's outcome, which is null if there is no command. No
    /// response: the game has changed in between, and the request is planned again.
    std::function<std::optional<HttpResponse>(const CommandOutcome*)> response = nullptr;
  };
  using Planned = std::variant<HttpResponse, Work>;

  /// A request that has no response yet.
  struct Pending {
    std::size_t index = 0;
    int tries = 0;
    bool needs_refresh = false;  // the known view was old
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
  Outcomes carry_out(std::vector<Planning>& round, std::vector<Pending>& again,
                     std::vector<HttpResponse>& responses);
  Outcomes record(std::vector<Planning>& round);
  Outcomes execute(const std::vector<WaitingCommand>& commands);
  void report_refusal(const StoreError& error) const;
  void keep_what_follows(std::vector<Planning>& round, const Outcomes& outcomes);
  void notify_others(const std::vector<Planning>& round, const Outcomes& outcomes);

  std::optional<Work> plan_optimistic(const HttpRequest& request);
  Planned plan(const HttpRequest& request);
  Planned create(const HttpRequest& request);
  Planned take_seat(const HttpRequest& request, const SharedView& view, const Caller& caller);
  Planned come_in(const HttpRequest& request, const SharedView& view, std::size_t seat,
                  const std::optional<std::string>& commitment, const std::string& token);
  Planned seat_computer(const HttpRequest& request, const SharedView& view,
                        std::optional<std::string> name);
  Work seat_down(const SharedView& view, HostedGameSeat taken, const json::value& token);
  Planned leave(const HttpRequest& request, const SharedView& view, Seat seat);
  Planned renew_token(const HttpRequest& request, const SharedView& view, Seat seat);
  Planned set_auto(const HttpRequest& request, const SharedView& view, Seat seat, bool is_own);
  Planned hand_on(const HttpRequest& request, const SharedView& view);
  Planned rematch(const HttpRequest& request, const SharedView& view);
  HostedGame rematch_of(const HostedGame& ended, const Hash& key);
  Planned start(const HttpRequest& request, const SharedView& view);
  Planned abandon(const HttpRequest& request, const SharedView& view);
  Planned send_entropy(const HttpRequest& request, const SharedView& view, Seat seat);
  static void require_turn(const HttpRequest& request, const GameView& view, Seat seat,
                           const json::value* dice);
  enum class Lookup : std::uint8_t { if_needed, none };  // in the store, of a command ID
  Planned play(const HttpRequest& request, const SharedView& view, Seat seat, Lookup lookup);
  Planned ask(const HttpRequest& request, const SharedView& view, Seat seat);
  Planned reply(const HttpRequest& request, const SharedView& view, Seat seat,
                std::int64_t question);

  enum class Question : std::uint8_t { is_kept, is_new };
  Planned settle_question(const HttpRequest& request, const SharedView& view, HostedGame hosted,
                          Question question);

  bool roll_due(SteadyTime now);
  std::optional<Work> plan_due(const std::string& id, const Deadlines::Seen& seen);
  void record_due(std::vector<Planning> round);
  bool is_away(const GameView& view, Seat seat);
  HostedGame drawn_anew(HostedGame hosted) const;
  void schedule(const GameView& view);
  void forget_wait(const std::string& id);
  void for_one(const std::string& id, const std::function<void()>& work);
  void attend(const std::string& id);
  void attend_next();
  void notice_others();

  SharedView recovered_view(const std::string& id);
  bool recover_start(const SharedView& view);
  void recover_takeback(const SharedView& view);
  using Changes = std::vector<std::optional<std::int64_t>>;
  Changes keep(std::span<const HostedGame> hosted_games);
  bool forget(const std::string& id, std::int64_t revision);
  void moved(StoreMoment moment, std::span<const HostedGame> changed,
             std::span<const SharedView> views = {});
  void settle(HostedGame& hosted) const;
  enum class Starts : std::uint8_t { at_once, later };
  void require_room(const HttpRequest& request, Starts starts);
  Work work_on(const SharedView& view, HostedGame hosted, std::function<HttpResponse()> response);
  std::string new_id(HostedGame::Visibility visibility);
  std::string new_token(const std::optional<std::string>& asked) const;
  UnixMilliseconds time_without_jumps() const;
  bool has_been_idle(const std::string& id);

  std::function<HttpResponse()> state_later(const HttpRequest& request, const SharedView& view);
  HttpResponse state_of(const HttpRequest& request, const GameView& view) const;
  HttpResponse state_for(const Caller& caller, const HttpRequest& request,
                         const GameView& view) const;
  HttpResponse turn_response(const GameView& view, const Recorded& recorded) const;
  HttpResponse created_response(const std::string& id, const std::string& token, json::array seats,
                                unsigned status);

  EventStore& store_;
  HostedGameStore& hosted_games_;
  KnownGames& known_;
  GameSettings settings_;
  GroupCommit group_;
  GameViewer viewer_;
  UnixMilliseconds began_ = settings_.clock();
  SteadyTime steadily_began_ = settings_.steady_clock();
  std::string last_maintained_;  // the last game that was checked for being idle
  Deadlines deadlines_;
  std::set<std::string> unwatched_;  // games in which all seats have auto, which nobody follows
  GameFeed changes_;
  std::set<std::string> to_attend_;           // games that changed, or got a follower
  StoreMoment noticed_;                       // games that changed before have deadlines
  std::int64_t last_change_ = 0;              // of a hosted game; a lower one is of a copy
  std::optional<std::string> attended_ = "";  // the last game attended to; none: all were
  SteadyTime next_search_;                    // for games that have no deadline yet
};

// ---- A batch

namespace {

/// Requests with the same key are handled one after another. Those that make games have none.
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
    const Outcomes outcomes = carry_out(round, again, responses);
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
        planning.pending.needs_refresh = true;
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

/// Records the planned changes, and notifies others.
GameWriter::Handlers::Outcomes GameWriter::Handlers::carry_out(
    std::vector<Planning>& round, std::vector<Pending>& again,
    std::vector<HttpResponse>& responses) {
  keep_hosted_games(round, again, responses);
  Outcomes outcomes = record(round);
  keep_what_follows(round, outcomes);
  notify_others(round, outcomes);
  return outcomes;
}

/// Takes the first waiting request of each game. Answers those that change nothing.
std::vector<GameWriter::Handlers::Planning> GameWriter::Handlers::plan_round(
    std::span<const HttpRequest> requests, std::vector<Pending>& pending,
    std::vector<HttpResponse>& responses) {
  std::vector<Planning> round;
  std::vector<Pending> later;
  std::set<std::string> games;
  bool has_refreshed = false;
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
          if (!one.needs_refresh)
            if (auto work = plan_optimistic(request)) {
              planned = *std::move(work);
              return HttpResponse{};
            }
          if (!has_refreshed) known_.find_at(viewer_.refresh());
          has_refreshed = true;
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

/// All in one transaction. If another process changed a hosted game, its request is planned again.
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

GameWriter::Handlers::Outcomes GameWriter::Handlers::record(std::vector<Planning>& round) {
  std::vector<WaitingCommand> commands;
  for (auto& [pending, work] : round) {
    if (!work.command) continue;
    // The command relies on the hosted game that was kept just now.
    if (work.hosted && work.command->expected_revision)
      work.command->expected_revision = work.hosted->revision;
    commands.push_back(*work.command);
  }
  if (commands.empty()) return {};
  return execute(commands);
}

GameWriter::Handlers::Outcomes GameWriter::Handlers::execute(
    const std::vector<WaitingCommand>& commands) {
  Outcomes outcomes = group_.execute(commands);
  for (const CommandOutcome& outcome : outcomes) {
    const auto* error = std::get_if<StoreError>(&outcome);
    const auto* done = std::get_if<Committed>(&outcome);
    if (error != nullptr) report_refusal(*error);
    if (done != nullptr && !done->again) settings_.report_write(true);
  }
  return outcomes;
}

void GameWriter::Handlers::report_refusal(const StoreError& error) const {
  if (!is_of_one_game(error)) settings_.report_write(false);
}

/// Marks hosted games as started once their games are in the log, and players who played as back.
/// If the first fails, the next refresh does it; if the second fails, the next turn does.
void GameWriter::Handlers::keep_what_follows(std::vector<Planning>& round,
                                             const Outcomes& outcomes) {
  std::vector<HostedGame> following;
  std::vector<Work*> planned;
  std::size_t next = 0;
  for (auto& [pending, work] : round) {
    const auto* done = work.command ? std::get_if<Committed>(&outcomes[next++]) : nullptr;
    if (done == nullptr) continue;
    if (work.hosted && work.hosted->stage == HostedGameStage::settled) {
      following.push_back(*work.hosted);
      following.back().stage = HostedGameStage::started;
    } else if (work.hosted_then && !done->again) {
      following.push_back(*work.hosted_then);
    } else {
      continue;
    }
    planned.push_back(&work);
  }
  if (following.empty()) return;
  try {
    const Changes changes = keep(following);
    for (std::size_t i = 0; i < following.size(); ++i) {
      if (!changes[i] && !planned[i]->hosted) continue;
      following[i].revision = changes[i].value_or(0);
      planned[i]->hosted = std::move(following[i]);
    }
  } catch (const StoreError& error) {
    settings_.report_failure(error.what());
  }
}

/// Publishes the new views to all threads, so that none of them reads the commits again.
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
      known_.forget(id);  // it is recorded: the next thread that needs it reads it
      to_attend_.insert(id);
    }
  }
  moved(now, {}, views);
  for (const SharedView& view : views)
    schedule(*view);
}

/// If others have written in between, the store is at another moment. The next refresh finds out.
void GameWriter::Handlers::moved(StoreMoment moment, std::span<const HostedGame> changed,
                                 std::span<const SharedView> views) {
  if (noticed_ == viewer_.moment()) noticed_ = moment;
  known_.move_to(moment, changed, views);
  viewer_.expect(moment);
}

GameWriter::Handlers::Changes GameWriter::Handlers::keep(std::span<const HostedGame> hosted_games) {
  for (const HostedGame& hosted : hosted_games)
    known_.forget(hosted.id);
  Changes changes;
  try {
    changes = hosted_games_.keep(hosted_games);
  } catch (const StoreError& error) {
    report_refusal(error);
    throw;
  }
  if (std::ranges::any_of(changes, [](const auto& change) { return change.has_value(); }))
    settings_.report_write(true);
  StoreMoment now = viewer_.moment();
  for (const auto& change : changes) {
    if (!change) continue;
    now.change = *change == now.change + 1 ? *change : -1;
    last_change_ = *change;
  }
  moved(now, hosted_games);
  return changes;
}

bool GameWriter::Handlers::forget(const std::string& id, std::int64_t revision) {
  known_.forget(id);
  forget_wait(id);
  return hosted_games_.forget(id, revision);
}

// ---- One request

/// A turn that the known view of its game admits. The append is refused if that view is old. None
/// for any other request: a refusal must rest on the game as it is now.
std::optional<GameWriter::Handlers::Work> GameWriter::Handlers::plan_optimistic(
    const HttpRequest& request) {
  const auto route = route_of(path_of(request.target));
  if (!route || route->resource != Route::Resource::turns ||
      !allows(route->resource, request.method))
    return std::nullopt;
  const SharedView view = known_.find(route->game, viewer_.moment()).view;
  if (!view || !view->hosted || view->hosted->stage != HostedGameStage::started || !view->game ||
      !token_of(request) || view->awaits_takeback())
    return std::nullopt;
  try {
    const Caller caller = caller_of(request, *view);
    if (!caller.seat) return std::nullopt;
    const Query nothing(request, {});
    auto planned = play(request, view, *caller.seat, Lookup::none);
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
    const Query nothing(request, {});
    return create(request);
  }
  const SharedView view = recovered_view(route.game);
  if (!view) throw_no_such_game();
  require_place(route, *view);
  require_method(request, route);
  if (!view->hosted)
    throw HttpProblem(403, "forbidden",
                      "this game was made at the command line, and is played there");
  if (route.resource != seats && !token_of(request)) throw_unauthorized();
  if (route.resource == entropy && was_given_up(*view->hosted, hash_of(*token_of(request))))
    throw too_late_for_the_draw();
  const Caller caller = caller_of(request, *view);
  const auto number = static_cast<Seat>(route.number);
  if (!is_for(route.resource, caller, number)) throw_forbidden();
  const Query nothing(request, {});
  switch (route.resource) {
    case seats:
      return take_seat(request, view, caller);
    case seat:
      return leave(request, view, number);
    case seat_token:
      return renew_token(request, view, number);
    case seat_auto:
      return set_auto(request, view, number, caller.seat == number);
    case host:
      return hand_on(request, view);
    case rematch:
      return this->rematch(request, view);
    case start:
      return this->start(request, view);
    case abandon:
      return this->abandon(request, view);
    case entropy:
      return send_entropy(request, view, *caller.seat);
    case turns:
      return play(request, view, *caller.seat, Lookup::if_needed);
    case takebacks:
      return ask(request, view, *caller.seat);
    case takeback:
      return reply(request, view, *caller.seat, route.number);
    default:
      throw_no_such_game();  // never: all else takes GET
  }
}

/// A start or a takeback that was cut between its two transactions is finished before anything else
/// is done.
SharedView GameWriter::Handlers::recovered_view(const std::string& id) {
  SharedView view = viewer_.current_view(id);
  const bool is_cut = view && view->hosted && view->hosted->stage == HostedGameStage::settled;
  if (is_cut && recover_start(view)) view = viewer_.current_view(id);
  if (view && view->awaits_takeback()) {
    recover_takeback(view);
    view = viewer_.current_view(id);
  }
  // If the command line took the ID, the hosted game belongs to nobody.
  if (view && !view->hosted)
    if (const auto hosted = hosted_games_.game(id)) forget(id, hosted->revision);
  return view;
}

/// Records version 1 unless it is there. True if that changed the hosted game.
bool GameWriter::Handlers::recover_start(const SharedView& view) {
  const HostedGame& hosted = *view->hosted;
  const StartGame command{setup_of(hosted)};
  const auto outcomes = execute({WaitingCommand{hosted.id, command}});
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

/// Records a takeback to which all seats have agreed. If another writer is quicker, it is settled.
void GameWriter::Handlers::recover_takeback(const SharedView& view) {
  const auto outcomes = execute({takeback_of(*view, view->question->question)});
  if (const auto* error = std::get_if<StoreError>(&outcomes.front())) throw StoreError(*error);
  known_.forget(view->id);
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
      // The command line took the ID. By the next refresh the hosted game is gone, or started.
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
      const SharedView view = recovered_view(*made);
      if (view && view->hosted && view->hosted->request == asked.fingerprint())
        return created_response(*made, *asked.token(), {}, 200);
      throw HttpProblem(422, "token-reused", "this token is that of another game's host");
    }
  }
  require_room(request, asked.players() ? Starts::at_once : Starts::later);
  HostedGame hosted = asked.hosted_game(settings_);
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

/// Throws HttpProblem 429 if the sender's address has made too many games, or if too many wait for
/// players.
void GameWriter::Handlers::require_room(const HttpRequest& request, Starts starts) {
  if (const auto& refusal = request.no_new_game)
    throw HttpProblem(429, "too-many-requests", refusal->why)
        .with_header("Retry-After", fmt::to_string(refusal->seconds));
  if (starts == Starts::later && settings_.most_waiting > 0 &&
      hosted_games_.count_waiting() >= settings_.most_waiting)
    throw HttpProblem(429, "too-many-open-games",
                      "too many games wait for players; try again later")
        .with_header("Retry-After", "60");
}

HttpResponse GameWriter::Handlers::created_response(const std::string& id, const std::string& token,
                                                    json::array seats, unsigned status) {
  const SharedView view = recovered_view(id);
  if (!view) throw_no_such_game();
  json::object state = state_json(*view);
  const bool is_host = view->hosted && view->hosted->host() == hash_of(token);
  state["you"] = you_json(*view, {.has_token = is_host, .is_host = is_host});
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
                           const json::value& token) {
  HttpResponse response =
      json_response(status, json::object{{"seat", seat}, {"name", name}, {"token", token}});
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

/// Throws HttpProblem 422 for a token that is in use in this game.
void require_free_token(const HostedGame& hosted, const Hash& token) {
  if (hosted.host_token == token || hosted.host() == token || has_seat(hosted, token))
    throw HttpProblem(422, "token-reused", "this token is in use in this game");
}

bool has_name(const HostedGame& hosted, const std::string& name) {
  return std::ranges::any_of(hosted.seats, [&](const auto& seat) {
    return seat && (seat->name == name || as_seen(seat->name) == as_seen(name));
  });
}

/// Throws HttpProblem for a name that nobody can take.
void require_free_name(const HostedGame& hosted, const std::string& name) {
  if (has_name(hosted, name))
    throw conflict("name-taken", "somebody has this name already, or one that looks like it")
        .with_value(name);
  check_name(name);
}

/// For a computer. There are as many names as seats, so one is free.
std::string free_name(const HostedGame& hosted) {
  static constexpr std::array<std::string_view, max_players> names{
      "Pixel", "Gizmo", "Turbo", "Widget", "Chip", "Dot", "Bolt", "Robo", "Nano", "Sprocket"};
  return std::string(*std::ranges::find_if(
      names, [&](std::string_view name) { return !has_name(hosted, std::string(name)); }));
}

/// The hash that a seat commits to, if it does; throws HttpProblem.
std::optional<Hash> commitment_in(const std::optional<std::string>& text,
                                  const HostedGame& hosted) {
  if (!text) return std::nullopt;
  if (hosted.dice == HostedGame::Dice::own)
    throw HttpProblem(422, "invalid-value",
                      "players throw the dice of this game: it takes no entropy_hash");
  return require_bytes("entropy_hash", *text);
}

/// Whether a seat commits to just this, or to nothing, as the text does.
bool has_commitment(const HostedGameSeat& seat, const std::optional<std::string>& text) {
  if (!text || !seat.entropy_hash) return !text && !seat.entropy_hash;
  return seat.entropy_hash == hash_from_hex(*text);
}

/// Whether a body asks for a computer, be the rest of it as it may: the sender's right comes first.
bool asks_for_computer(const HttpRequest& request) {
  json::error_code error;
  const json::value body = json::parse(request.body, error);
  const auto* members = error ? nullptr : body.if_object();
  const auto* computer = members == nullptr ? nullptr : members->if_contains("computer");
  return computer != nullptr && *computer == json::value(true);
}

/// Keeps a seat for its player, who has to come in again. Computers are in already.
void reserve(HostedGameSeat& seat) {
  seat.entropy_hash.reset();
  seat.entropy.reset();
  seat.back_at = 0;
  seat.reserved = !seat.is_computer();
  if (seat.reserved) seat.automatic.reset();
}

}  // namespace

GameWriter::Handlers::Planned GameWriter::Handlers::take_seat(const HttpRequest& request,
                                                              const SharedView& view,
                                                              const Caller& caller) {
  if (asks_for_computer(request)) {
    if (!caller.has_token) throw_unauthorized();
    if (!is_for(Route::Resource::computer, caller, {})) throw_forbidden();
  }
  const RequestBody body(request, {"name", "token", "entropy_hash", "computer"});
  const auto name = body.text("name");
  const auto token = body.text("token");
  const auto commitment = body.text("entropy_hash");
  if (body.boolean("computer").value_or(false)) {
    if (token || commitment) RequestBody::refuse("a computer has no token, and promises nothing");
    return seat_computer(request, view, name);
  }
  if (!name) RequestBody::refuse("name is missing: the name of the player");
  const HostedGame& hosted = *view->hosted;
  if (token) {
    const Hash hash = hash_of(*token);
    for (std::size_t seat = 0; seat < hosted.seats.size(); ++seat) {
      const auto& taken = hosted.seats[seat];
      if (!taken || taken->token != hash) continue;
      const bool may_promise = commitment && !taken->entropy_hash && !taken->automatic;
      if (taken->name == *name && (taken->reserved || may_promise))
        return come_in(request, view, seat, commitment, *token);
      // A seat with auto has dropped its commitment.
      if (taken->name == *name && (taken->automatic || has_commitment(*taken, commitment)))
        return seat_response(200, seat, *name, json::string(*token));
      admit(request, Route::Resource::seat, *view);
      std::ignore = commitment_in(commitment, hosted);
      throw HttpProblem(422, "token-reused",
                        "this token took its seat with another name or entropy_hash; send the same "
                        "again, or draw another token");
    }
  }
  admit(request, Route::Resource::seats, *view);
  require_free_name(hosted, *name);
  if (token) {
    check_token(*token);
    // The host may have this token from a seat that was left, or given up.
    const bool is_own = caller.is_host && hosted.other_host == hash_of(*token);
    if (!is_own) require_free_token(hosted, hash_of(*token));
  }
  HostedGameSeat taken{.name = *name, .entropy_hash = commitment_in(commitment, hosted)};
  const std::string given = new_token(token);
  taken.token = hash_of(given);
  return seat_down(view, std::move(taken), json::string(given));
}

/// Takes the lowest free seat.
GameWriter::Handlers::Work GameWriter::Handlers::seat_down(const SharedView& view,
                                                           HostedGameSeat taken,
                                                           const json::value& token) {
  HostedGame hosted = *view->hosted;
  const auto free =
      std::ranges::find_if(hosted.seats, [](const auto& each) { return !each.has_value(); });
  const auto seat = static_cast<std::size_t>(free - hosted.seats.begin());
  std::string name = taken.name;
  std::erase(hosted.given_up_seats, taken.token);
  *free = std::move(taken);
  if (hosted.present() == hosted.seats.size()) settle(hosted);
  return work_on(view, std::move(hosted), [seat, name = std::move(name), token] {
    return seat_response(201, seat, name, token);
  });
}

/// Takes the seat that is reserved for a token; or promises for the one that it has.
GameWriter::Handlers::Planned GameWriter::Handlers::come_in(
    const HttpRequest& request, const SharedView& view, std::size_t seat,
    const std::optional<std::string>& commitment, const std::string& token) {
  admit(request, Route::Resource::seat, *view);
  HostedGame hosted = *view->hosted;
  HostedGameSeat& reserved = *hosted.seats[seat];
  reserved.entropy_hash = commitment_in(commitment, hosted);
  reserved.reserved = false;
  reserved.automatic.reset();
  const std::string name = reserved.name;
  if (hosted.present() == hosted.seats.size()) settle(hosted);
  return work_on(view, std::move(hosted), [seat, name, token] {
    return seat_response(200, seat, name, json::string(token));
  });
}

GameWriter::Handlers::Planned GameWriter::Handlers::seat_computer(const HttpRequest& request,
                                                                  const SharedView& view,
                                                                  std::optional<std::string> name) {
  const auto& seats = view->hosted->seats;
  const auto there = std::ranges::find_if(
      seats, [&](const auto& seat) { return seat && seat->is_computer() && seat->name == name; });
  if (there != seats.end())
    return seat_response(200, static_cast<std::size_t>(there - seats.begin()), *name, nullptr);
  admit(request, Route::Resource::computer, *view);
  if (name)
    require_free_name(*view->hosted, *name);
  else
    name = free_name(*view->hosted);
  // Nobody has a token with this hash.
  return seat_down(view,
                   {.name = *std::move(name),
                    .token = settings_.random(),
                    .automatic = HostedGameSeat::Auto::computer},
                   nullptr);
}

/// Nobody sits down or leaves any more. Players who haven't come in stay out.
void GameWriter::Handlers::settle(HostedGame& hosted) const {
  const std::size_t places = hosted.seats.size();
  std::erase_if(hosted.seats, [](const auto& seat) { return !seat || seat->reserved; });
  hosted.seats.resize(places);
  const bool has_commitments = std::ranges::any_of(
      hosted.seats, [](const auto& seat) { return seat && seat->entropy_hash; });
  hosted.stage = has_commitments ? HostedGameStage::drawing : HostedGameStage::settled;
  if (has_commitments) hosted.drawing_since = time_to_record(settings_.clock);
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
  if (token && hash_of(*token) == taken.token)
    return seat_response(200, seat, taken.name, json::string(*token));
  admit(request, Route::Resource::seat_token, *view);
  if (token) {
    check_token(*token);
    require_free_token(hosted, hash_of(*token));
  }
  const std::string given = new_token(token);
  if (hosted.host() == taken.token) hosted.other_host = hash_of(given);
  if (taken.is_computer()) taken.automatic.reset();  // somebody takes its place
  taken.token = hash_of(given);
  std::erase(hosted.given_up_seats, taken.token);
  ++taken.tokens;
  // The new holder doesn't have the entropy that was promised. During the draw, the seat stays
  // theirs, and they come in once it has begun anew.
  if (hosted.stage == HostedGameStage::open) taken.entropy_hash.reset();
  if (taken.owes_entropy()) taken.reserved = true;
  const std::string name = taken.name;
  return work_on(view, std::move(hosted), [seat, name, given] {
    return seat_response(200, seat, name, json::string(given));
  });
}

GameWriter::Handlers::Planned GameWriter::Handlers::set_auto(const HttpRequest& request,
                                                             const SharedView& view, Seat seat,
                                                             bool is_own) {
  using enum HostedGameSeat::Auto;
  const RequestBody body(request, {"on"});
  const auto on = body.boolean("on");
  if (!on) RequestBody::refuse("on is missing: true or false");
  admit(request, Route::Resource::seat_auto, *view);
  HostedGame hosted = *view->hosted;
  HostedGameSeat& rolled_for = *hosted.seats[seat];
  if (!*on && rolled_for.is_computer())
    throw HttpProblem(422, "invalid-value",
                      "a computer is always rolled for; have a token made for its seat instead");
  const bool is_away = rolled_for.automatic == away;
  if (*on ? rolled_for.automatic && !is_away : !rolled_for.automatic)
    return state_of(request, *view);
  rolled_for.automatic = *on ? std::optional(is_own ? self : host) : std::nullopt;
  if (!*on) rolled_for.back_at = view->version();
  // The seat's commitment ends before others rely on it. Only its own player may do that, so that a
  // host who is in league with the server can't choose the seed.
  if (*on && is_own && hosted.stage == HostedGameStage::open) rolled_for.entropy_hash.reset();
  const bool is_asked =
      *on && view->question && view->question->outcome == SeenQuestion::Outcome::open;
  if (is_asked) return settle_question(request, view, std::move(hosted), Question::is_new);
  return work_on(view, std::move(hosted), state_later(request, view));
}

/// Afterwards the sender's token is void, unless it is a seat's. The response is then the public
/// one.
GameWriter::Handlers::Planned GameWriter::Handlers::hand_on(const HttpRequest& request,
                                                            const SharedView& view) {
  const RequestBody body(request, {"seat"});
  const auto seat = body.number("seat");
  if (!seat) RequestBody::refuse("seat is missing: the seat of the player who becomes the host");
  admit(request, Route::Resource::host, *view);
  HostedGame hosted = *view->hosted;
  const bool is_seat = *seat >= 0 && *seat < std::ssize(hosted.seats);
  if (!is_seat || !may_be_host(hosted.seats[static_cast<std::size_t>(*seat)]))
    throw HttpProblem(422, "invalid-value", "nobody who could be the host sits there")
        .with_value(*seat);
  hosted.other_host = hosted.seats[static_cast<std::size_t>(*seat)]->token;
  return work_on(view, std::move(hosted), [this, request, id = view->id] {
    const SharedView now = recovered_view(id);
    if (!now) throw_no_such_game();
    return state_for(find_caller(request, *now), request, *now);
  });
}

// ---- The next game

/// The same game, once more: the second player begins, the first moves last.
HostedGame GameWriter::Handlers::rematch_of(const HostedGame& ended, const Hash& key) {
  HostedGame next{.id = new_id(ended.visibility),
                  .created = time_to_record(settings_.clock),
                  .host_token = key,
                  .visibility = ended.visibility,
                  .dice = ended.dice,
                  .takebacks = ended.takebacks,
                  .board = ended.board,
                  .rules = ended.rules,
                  .pace = ended.pace,
                  .other_host = ended.host()};
  std::ranges::copy_if(ended.seats, std::back_inserter(next.seats),
                       [](const auto& seat) { return seat.has_value(); });
  std::ranges::rotate(next.seats, next.seats.begin() + 1);
  for (auto& seat : next.seats)
    reserve(*seat);
  next.secret.emplace(settings_.random());
  if (next.present() == next.seats.size()) settle(next);  // computers alone
  return next;
}

/// In place of its host's token, the next game has a hash that is no token's, and is found by it.
/// So there is only one next game, on any server, and a crash before the ended game names it loses
/// nothing.
GameWriter::Handlers::Planned GameWriter::Handlers::rematch(const HttpRequest& request,
                                                            const SharedView& view) {
  const RequestBody nothing(request, {});
  admit(request, Route::Resource::rematch, *view);
  const Hash key = hash_of("rematch of " + view->id);
  auto next = hosted_games_.hosted_by(key);
  if (!next) {
    require_room(request, Starts::later);
    const HostedGame made = rematch_of(*view->hosted, key);
    next = keep(std::span(&made, 1)).front() ? made.id : hosted_games_.hosted_by(key);
  }
  if (!next) throw_no_such_game();  // never: it was there just now
  const bool is_known = view->hosted->rematch == next;
  auto respond = [this, request, id = *next, is_known] {
    const SharedView now = recovered_view(id);
    if (!now) throw_no_such_game();
    HttpResponse response = state_for(find_caller(request, *now), request, *now);
    response.status = is_known ? 200 : 201;
    response.headers.emplace_back("Location", "/api/games/" + id);
    return response;
  };
  if (is_known) return respond();
  HostedGame hosted = *view->hosted;
  hosted.rematch = next;
  return work_on(view, std::move(hosted), std::move(respond));
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
  if (sender.entropy_hash != hash_of(as_text(sent)))
    throw HttpProblem(422, "broken-promise",
                      "the SHA-256 of this isn't what this seat has promised");
  sender.entropy = sent;
  sender.reserved = false;
  const bool all_is_in = std::ranges::none_of(
      hosted.seats, [](const auto& each) { return each && each->owes_entropy(); });
  if (all_is_in) {
    hosted.stage = HostedGameStage::settled;
    hosted.drawing_since.reset();
  }
  return work_on(view, std::move(hosted), state_later(request, view));
}

// ---- Turns

namespace {

/// The command ID of a turn: SEAT:KEY, so that no other seat can use it up.
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
                                                         Lookup lookup) {
  const RequestBody body(request, {"dice"});
  const auto numbers = body.numbers("dice");
  const json::value* dice = numbers ? body.find("dice") : nullptr;
  Command command = RollTurn{};
  if (numbers) command = PlayTurn{seat, dice_from(*numbers)};
  const auto command_id = command_id_of(request, seat);
  try {
    require_turn(request, *view, seat, dice);
  } catch (const HttpProblem&) {
    // It may have been recorded before. If a turn is admitted, the append finds that out.
    if (!command_id || !view->game || lookup == Lookup::none) throw;
    const auto used = store_.commit_with_id(view->id, *command_id);
    if (!used) throw;
    if (used->command != encode(command, command_id)) throw key_reused();
    return turn_response(*view, {events_of(used->view()), {used->version, used->hash}, true});
  }
  // A roll is the turn of the player to move. At this version that is this seat.
  const bool expects_version = request.header("if-match").has_value();
  Work work{.view = view};
  if (view->hosted->seats[seat]->automatic == HostedGameSeat::Auto::away) {
    work.hosted_then = view->hosted;
    work.hosted_then->seats[seat]->automatic.reset();
  }
  work.command = WaitingCommand{view->id,
                                std::move(command),
                                {.expected_version = view->version(), .command_id = command_id},
                                view->game,
                                view->change(),
                                lookup == Lookup::none};
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
  if (!to) RequestBody::refuse("to is missing: the last turn to keep");
  const bool is_open = view->question && view->question->outcome == SeenQuestion::Outcome::open;
  if (is_open && view->question->question.by == seat && view->question->question.to == *to)
    return settle_question(request, view, *view->hosted, Question::is_kept);
  // The same request again, after the takeback was done.
  const bool is_done = view->question && view->question->outcome == SeenQuestion::Outcome::done;
  if (is_done && view->question->question.by == seat && view->question->question.to == *to &&
      view->version() == next_number(view->question->question.asked_at))
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
  return settle_question(request, view, std::move(hosted), Question::is_new);
}

/// Once all have agreed, as seats with auto do at once, the turns are taken back.
GameWriter::Handlers::Planned GameWriter::Handlers::settle_question(const HttpRequest& request,
                                                                    const SharedView& view,
                                                                    HostedGame hosted,
                                                                    Question kept) {
  TakebackQuestion& question = *hosted.question;
  for (std::size_t seat = 0; seat < hosted.seats.size(); ++seat)
    if (hosted.seats[seat] && hosted.seats[seat]->automatic)
      question.agreed.insert(static_cast<Seat>(seat));
  const auto respond_with_state = state_later(request, view);
  if (!have_all_agreed(question.agreed, view->game->state().players())) {
    if (hosted.question == view->hosted->question && kept == Question::is_kept)
      return state_of(request, *view);
    return work_on(view, std::move(hosted), respond_with_state);
  }
  // The log says that all have agreed, so the hosted game need not.
  Work work{.view = view};
  work.command = takeback_of(*view, question);
  work.response =
      [respond_with_state](const CommandOutcome* outcome) -> std::optional<HttpResponse> {
    if (const auto* error = std::get_if<StoreError>(outcome)) throw StoreError(*error);
    if (!std::holds_alternative<Committed>(*outcome)) return std::nullopt;  // others were quicker
    return respond_with_state();
  };
  if (kept == Question::is_new) work.hosted = std::move(hosted);
  return work;
}

GameWriter::Handlers::Planned GameWriter::Handlers::reply(const HttpRequest& request,
                                                          const SharedView& view, Seat seat,
                                                          std::int64_t number) {
  const RequestBody body(request, {"agree"});
  const auto agrees = body.boolean("agree");
  if (!agrees) RequestBody::refuse("agree is missing: true or false");
  admit(request, Route::Resource::takeback, *view, seat);
  if (number != view->question->question.id)
    throw conflict("takeback-settled",
                   "a newer takeback has been asked for since; answer that one");
  HostedGame hosted = *view->hosted;
  TakebackQuestion& question = *hosted.question;
  if (*agrees) {
    question.agreed.insert(seat);
    return settle_question(request, view, std::move(hosted), Question::is_kept);
  }
  question.outcome = seat == question.by ? TakebackQuestion::Outcome::withdrawn
                                         : TakebackQuestion::Outcome::refused;
  return work_on(view, std::move(hosted), state_later(request, view));
}

// ---- STATE

/// STATE once everything is recorded.
std::function<HttpResponse()> GameWriter::Handlers::state_later(const HttpRequest& request,
                                                                const SharedView& view) {
  return [this, request, id = view->id] {
    const SharedView now = recovered_view(id);
    if (!now) throw_no_such_game();
    return state_of(request, *now);
  };
}

HttpResponse GameWriter::Handlers::state_of(const HttpRequest& request,
                                            const GameView& view) const {
  return state_for(caller_of(request, view), request, view);
}

HttpResponse GameWriter::Handlers::state_for(const Caller& caller, const HttpRequest& request,
                                             const GameView& view) const {
  HttpResponse response{.status = 200,
                        .headers = {{"Content-Type", "application/json"}},
                        .body = std::make_shared<const std::string>(state_with_you(view, caller))};
  add_cache_headers(response, request, view);
  return response;
}

// ---- Deadlines

/// Gives a game that waits its deadline; none if nothing happens in it until a request comes.
void GameWriter::Handlers::schedule(const GameView& view) {
  using std::chrono::milliseconds;
  unwatched_.erase(view.id);
  const auto wait = wait_of(view, settings_);
  if (!wait) return forget_wait(view.id);
  const milliseconds left(wait->since + wait->length.count() - settings_.clock());
  deadlines_.set(view.id, *wait,
                 settings_.steady_clock() + std::clamp(left, milliseconds(0), wait->length),
                 {view.head(), view.change()});
}

void GameWriter::Handlers::forget_wait(const std::string& id) {
  deadlines_.forget(id);
  unwatched_.erase(id);
}

/// Does work for one game. If that game can't be read, reports it and drops its deadline; the
/// others go on. Throws StoreError if the store fails.
void GameWriter::Handlers::for_one(const std::string& id, const std::function<void()>& work) {
  try {
    work();
  } catch (const StoreError& error) {
    if (!is_of_one_game(error)) throw;
    settings_.report_failure(error.what());
    forget_wait(id);
  }
}

/// A game that was changed elsewhere, or before this server began.
void GameWriter::Handlers::attend(const std::string& id) {
  for_one(id, [&] {
    const auto hosted = hosted_games_.game(id);
    const bool may_wait = hosted && (hosted->stage == HostedGameStage::drawing ||
                                     hosted->is_timed() || hosted->question);
    if (const auto view = may_wait ? viewer_.transient_view(id) : nullptr)
      schedule(*view);
    else
      forget_wait(id);
  });
}

/// Some of the games that were there when this server began, or when its store was restored.
void GameWriter::Handlers::attend_next() {
  constexpr std::size_t at_once = 100;
  if (attended_->empty()) {
    std::optional<HostedGameStore::Entry> last;
    do {
      const auto waiting = hosted_games_.waiting(last, at_once);
      last = waiting.size() < at_once ? std::nullopt : std::optional(waiting.back());
      for (const HostedGameStore::Entry& entry : waiting)
        attend(entry.id);
    } while (last);
  }
  const auto started = hosted_games_.started_after(*attended_, at_once);
  for (const HostedGameStore::Entry& entry : started)
    attend(entry.id);
  attended_ = started.size() < at_once ? std::nullopt : std::optional(started.back().id);
}

/// If the store fails, the next call does the rest.
void GameWriter::Handlers::notice_others() {
  for (const std::string& id : settings_.newly_watched())
    if (unwatched_.contains(id)) to_attend_.insert(id);
  if (viewer_.refresh() == noticed_) {
    changes_.pass_over_changes(noticed_);
  } else {
    const StoreMoment now = viewer_.moment();
    known_.find_at(now);
    const auto changed = changes_.changed_games();
    if (changed && now.change >= last_change_) {
      to_attend_.insert(changed->begin(), changed->end());
    } else {
      // It is as if the server began: an entity tag from before names no state of this copy.
      known_.begin_at(settings_.clock());
      attended_ = "";
    }
    last_change_ = now.change;
    noticed_ = now;
  }
  while (!to_attend_.empty()) {
    attend(*to_attend_.begin());
    to_attend_.erase(to_attend_.begin());
  }
}

SteadyTime GameWriter::Handlers::next_deadline() const {
  const auto first = deadlines_.first();
  return first ? std::min(*first, next_search_) : next_search_;
}

bool GameWriter::Handlers::play_on() {
  using namespace std::chrono_literals;
  const SteadyTime now = settings_.steady_clock();
  if (now >= next_search_) {
    next_search_ = now + 1s;
    if (attended_)
      attend_next();
    else
      notice_others();
    if (attended_) next_search_ = now;
  }
  return roll_due(now);
}

bool GameWriter::Handlers::roll_due(SteadyTime now) {
  using namespace std::chrono_literals;
  constexpr std::size_t most = 256;
  // A game that fails now, or goes to another server, is tried again.
  const auto due = deadlines_.postpone(now, now + 1s, most);
  if (!due.empty()) known_.find_at(viewer_.refresh());
  std::vector<Planning> round;
  for (const auto& [id, seen] : due)
    for_one(id, [&] {
      if (auto work = plan_due(id, seen))
        round.push_back({{.index = round.size()}, *std::move(work)});
    });
  if (!round.empty()) record_due(std::move(round));
  return !due.empty();
}

/// None if the game has changed since it got its deadline, or isn't to go on now.
std::optional<GameWriter::Handlers::Work> GameWriter::Handlers::plan_due(
    const std::string& id, const Deadlines::Seen& seen) {
  const SharedView view = recovered_view(id);
  if (!view || Deadlines::Seen{view->head(), view->change()} != seen ||
      !wait_of(*view, settings_)) {
    if (view)
      schedule(*view);
    else
      forget_wait(id);
    return std::nullopt;
  }
  if (view->awaits_takeback()) {  // it was refused: nobody is rolled for in its place
    forget_wait(id);
    return std::nullopt;
  }
  if (view->status == GameStatus::drawing)
    return work_on(view, drawn_anew(*view->hosted), [] { return HttpResponse{}; });
  const bool plays_by_itself = std::ranges::all_of(
      view->hosted->seats, [](const auto& seat) { return !seat || seat->automatic; });
  if (plays_by_itself && !settings_.is_watched(id)) {
    deadlines_.forget(id);
    unwatched_.insert(id);
    return std::nullopt;
  }
  const auto& seat = view->hosted->seats[view->game->state().position.next];
  const Roller by = !seat->automatic      ? Roller::pace
                    : seat->is_computer() ? Roller::computer
                                          : Roller::automatic;
  Work work{.view = view};
  work.command = WaitingCommand{
      id, RollTurn{by}, {.expected_version = view->version()}, view->game, view->change()};
  return work;
}

/// A seat for which pace rolled too often in a row is then away.
void GameWriter::Handlers::record_due(std::vector<Planning> round) {
  std::vector<HttpResponse> responses(round.size());  // for no client
  std::vector<Pending> again;                         // other writers were quicker
  const Outcomes outcomes = carry_out(round, again, responses);
  std::vector<Planning> away;
  std::size_t next = 0;
  for (const auto& [pending, work] : round) {
    if (!work.command) continue;
    const CommandOutcome& outcome = outcomes[next++];
    if (const auto* error = std::get_if<StoreError>(&outcome))
      settings_.report_failure(error->what());
    const auto* roll = std::get_if<RollTurn>(&work.command->command);
    if (!std::holds_alternative<Committed>(outcome) || roll->by != Roller::pace) continue;
    const Seat seat = work.view->game->state().position.next;
    for_one(work.view->id, [&] {
      const SharedView view = recovered_view(work.view->id);
      if (!view || !view->hosted || !is_away(*view, seat)) return;
      HostedGame hosted = *view->hosted;
      hosted.seats[seat]->automatic = HostedGameSeat::Auto::away;
      away.push_back({pending, work_on(view, std::move(hosted), [] { return HttpResponse{}; })});
    });
  }
  if (!away.empty()) carry_out(away, again, responses);
}

/// Whether pace rolled all the last turns of a seat since its player was there.
bool GameWriter::Handlers::is_away(const GameView& view, Seat seat) {
  constexpr int most_in_a_row = 3;
  constexpr Version farthest = 64;  // farther than three rounds of ten players
  const std::string by_pace = encode(Command{RollTurn{Roller::pace}});
  const Version end =
      std::max({view.hosted->seats[seat]->back_at, view.version() - farthest, Version{1}});
  int in_a_row = 0;
  for (Version version = view.version(); version > end && in_a_row < most_in_a_row; --version) {
    const auto commit = store_.commit(view.id, version);
    if (!commit) return false;
    const auto events = events_of(commit->view());
    const auto* turn = std::get_if<TurnPlayed>(&events.front());
    if (turn == nullptr || turn->seat != seat) continue;
    if (commit->command != by_pace) return false;
    ++in_a_row;
  }
  return in_a_row == most_in_a_row;
}

/// Gives up the seats that have sent nothing, but for those of new players. Going on without them
/// would let a server that is in league with one of them choose between two seeds.
HostedGame GameWriter::Handlers::drawn_anew(HostedGame hosted) const {
  constexpr std::size_t most_given_up = 32;
  for (auto& seat : hosted.seats) {
    if (!seat) continue;
    if (seat->owes_entropy() && !seat->reserved) {
      hosted.given_up_seats.push_back(seat->token);
      seat.reset();
    } else if (!seat->automatic || seat->entropy_hash) {
      reserve(*seat);  // but a seat with auto that made no commitment needn't repeat it
    }
  }
  auto& given_up = hosted.given_up_seats;
  if (given_up.size() > most_given_up)
    given_up.erase(given_up.begin(), given_up.end() - most_given_up);
  hosted.stage = HostedGameStage::open;
  hosted.drawing_since.reset();
  hosted.secret.emplace(settings_.random());
  ++hosted.redraws;
  return hosted;
}

// ---- Maintenance

void GameWriter::Handlers::recover() {
  constexpr std::size_t most = 1000;  // more than a crash leaves
  for (const auto& settled : hosted_games_.settled(most)) {
    try {
      std::ignore = recovered_view(settled.id);
    } catch (const StoreError& error) {
      settings_.report_failure(error.what());  // perhaps only this hosted game is damaged
    }
  }
}

std::vector<std::string> GameWriter::Handlers::maintain() {
  constexpr std::size_t at_once = 100;
  known_.find_at(viewer_.refresh());
  recover();
  std::vector<std::string> changed;
  if (settings_.steady_clock() < steadily_began_ + before_first_care) return changed;
  const HostedGameStore::Entry too_old{.id = "",
                                       .created = time_without_jumps() - most_waiting_time};
  for (const HostedGameStore::Entry& waiting : hosted_games_.waiting(too_old, at_once)) {
    for_one(waiting.id, [&] {
      const auto hosted = hosted_games_.game(waiting.id);
      if (hosted && hosted->stage != HostedGameStage::started &&
          forget(hosted->id, hosted->revision))
        changed.push_back(hosted->id);
    });
  }
  const auto started = hosted_games_.started_after(last_maintained_, at_once);
  last_maintained_ = started.size() < at_once ? "" : started.back().id;
  for (const HostedGameStore::Entry& entry : started) {
    const std::string& id = entry.id;
    for_one(id, [&] {
      if (!has_been_idle(id)) return;
      const SharedView view = recovered_view(id);
      if (!view || !view->hosted || view->status != GameStatus::in_progress) return;
      HostedGame hosted = *view->hosted;
      hosted.given_up = HostedGame::GivenUp::when_idle;
      if (!keep(std::span(&hosted, 1)).front()) return;
      forget_wait(id);
      changed.push_back(id);
    });
  }
  return changed;
}

/// The time, but no later than the steady clock says: games don't get old when a clock is set.
UnixMilliseconds GameWriter::Handlers::time_without_jumps() const {
  const auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(
      settings_.steady_clock() - steadily_began_);
  return std::min(settings_.clock(), began_ + passed.count());
}

bool GameWriter::Handlers::has_been_idle(const std::string& id) {
  const auto head = store_.head(id);
  const auto last = head ? store_.commit(id, head->version) : std::nullopt;
  return last && last->time < time_without_jumps() - most_idle_time;
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

SteadyTime GameWriter::next_deadline() const {
  return handlers_->next_deadline();
}

bool GameWriter::play_on() {
  return handlers_->play_on();
}

std::vector<std::string> GameWriter::maintain() {
  return handlers_->maintain();
}

}  // namespace snl::cli
