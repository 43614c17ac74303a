#include "game_view.hpp"

#include "cli/reports/json_output.hpp"
#include "domain/names.hpp"
#include "new_hosted_game.hpp"
#include "policy.hpp"
#include "storage/codec.hpp"
#include "storage/exchange/board_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

namespace snl::cli {

namespace json = boost::json;

// ---- Refreshing a view

GameViewer::GameViewer(StoreReader& store, HostedGameStore& hosted_games, KnownGames& known)
    : store_(store), hosted_games_(hosted_games), known_(known) {}

/// A commit's hash covers its game's whole log. If the last commit is still the last, and the same,
/// nothing was recorded after it, and no other store took the place of this one.
const StoreMoment& GameViewer::refresh() {
  moment_.change = hosted_games_.last_revision();
  CommitPage page;
  store_.read_all(std::max<StorePosition>(moment_.position, 1), 2, page);
  const auto is_end = [&] {
    return page.size() == 1 && page.begin()->position == moment_.position &&
           page.begin()->hash == moment_.hash;
  };
  if (is_end() || (page.empty() && moment_.position == 0)) return moment_;
  const StorePosition last = store_.wait_for_append(0, std::chrono::milliseconds{0});
  store_.read_all(std::max<StorePosition>(last, 1), 1, page);
  moment_.position = page.empty() ? 0 : page.begin()->position;
  moment_.hash = page.empty() ? Hash{} : page.begin()->hash;
  return moment_;
}

SharedView GameViewer::glance(const std::string& id) {
  const auto [view, is_right] = known_.find(id, moment_);
  return is_right ? view : compared(id, view);
}

SharedView GameViewer::look(const std::string& id) {
  auto view = glance(id);
  if (view)
    known_.keep(view, moment_);
  else
    known_.forget(id);
  return view;
}

namespace {

/// Whether the log's game isn't the one that the hosted game was to begin: somebody took its ID at
/// the command line.
bool is_of_another_game(const HostedGame& hosted, const RecordedGame& game) {
  if (hosted.stage == HostedGameStage::started) return false;
  return hosted.stage != HostedGameStage::settled || *setup_of(hosted) != *game.state().setup;
}

}  // namespace

/// Reads the hosted game before the log. So the log may be ahead, and has turns that the hosted
/// game doesn't record yet. Reads only the parts that differ from the known view.
SharedView GameViewer::compared(const std::string& id, const SharedView& known) {
  auto hosted = hosted_games_.game(id);
  const auto head = store_.head(id);
  if (!hosted && !head) return nullptr;
  const bool is_same_game = known && known->head() == head.value_or(Head{});
  if (is_same_game && known->change() == (hosted ? hosted->revision : 0) &&
      !known->depends_on_others())
    return known;
  auto game = is_same_game ? known->game : nullptr;
  if (head && !game)
    if (auto loaded = RecordedGame::load(store_, id))
      game = std::make_shared<const RecordedGame>(*std::move(loaded));
  while (hosted && game && is_of_another_game(*hosted, *game)) {
    const std::int64_t changed = hosted->revision;
    hosted = hosted_games_.game(id);
    if (hosted && hosted->revision == changed) hosted.reset();
  }
  if (!hosted && !game) return nullptr;
  return view_of(id, std::move(hosted), std::move(game), known.get());
}

namespace {

/// If a step follows the view before, that view's steps are kept too.
std::vector<SharedStep> steps_to(const GameView& view, const GameView* before, SharedStep step) {
  constexpr std::size_t most = 8;
  std::vector<SharedStep> steps;
  const bool goes_on = before != nullptr && (step ? before->version() + 1 == view.version()
                                                  : before->head() == view.head());
  if (goes_on) steps = before->steps;
  if (!step) return steps;
  if (steps.size() == most) steps.erase(steps.begin());
  steps.push_back(std::move(step));
  return steps;
}

}  // namespace

SharedView GameViewer::view_of(std::string id, std::optional<HostedGame> hosted,
                               std::shared_ptr<const RecordedGame> game, const GameView* before,
                               SharedStep step) {
  auto view = std::make_shared<GameView>();
  view->id = std::move(id);
  view->hosted = std::move(hosted);
  view->game = std::move(game);
  const bool follows = step && before != nullptr && before->version() + 1 == view->version();
  if (follows)
    view->was_won = before->was_won || view->game->state().completed();
  else if (view->game)
    view->was_won = was_ever_won(store_, *view->game, before);
  view->steps = steps_to(*view, before, std::move(step));
  if (view->hosted && view->hosted->given_up)
    view->status = GameStatus::abandoned;
  else if (view->game)
    view->status = view->was_won ? GameStatus::completed : GameStatus::in_progress;
  else
    view->status =
        view->hosted->stage == HostedGameStage::open ? GameStatus::open : GameStatus::drawing;
  view->reveal_permit = reveal_permit_of(*view, store_, hosted_games_);
  view->question = seen(*view, before);
  view->begun = known_.begun();
  view->moved_at = time_of_last_move(*view, before);
  return view;
}

UnixMilliseconds GameViewer::time_of_last_move(const GameView& view, const GameView* before) const {
  if (view.status != GameStatus::in_progress || !view.hosted || !view.hosted->is_timed()) return 0;
  if (!view.steps.empty() && view.steps.back()->game->head() == view.head())
    return view.steps.back()->commit.time;
  if (before != nullptr && before->head() == view.head() && before->moved_at != 0)
    return before->moved_at;
  const auto last = store_.commit(view.id, view.version());
  return last ? last->time : 0;
}

/// The commits after the version at which a question was asked settle it.
std::optional<SeenQuestion> GameViewer::seen(const GameView& view, const GameView* before) {
  using enum SeenQuestion::Outcome;
  if (!view.hosted || !view.hosted->question) return std::nullopt;
  SeenQuestion seen{.question = *view.hosted->question, .agreed = view.hosted->question->agreed};
  if (const auto outcome = seen.question.outcome) {
    seen.outcome = *outcome == TakebackQuestion::Outcome::refused ? refused : withdrawn;
    return seen;
  }
  if (view.version() == seen.question.asked_at) {
    if (view.has_ended()) seen.outcome = overtaken;
    return seen;
  }
  // It stays settled, unless this is another log.
  const bool was_settled = before != nullptr && before->question &&
                           before->question->outcome != open && before->version() <= view.version();
  if (was_settled && before->question->question == seen.question) return before->question;
  seen.outcome = overtaken;
  const auto next = store_.commit(view.id, next_number(seen.question.asked_at));
  if (!next) return seen;
  const auto command = decode_command(next->command);
  const auto* undo = command ? std::get_if<UndoToTurn>(&command->command) : nullptr;
  if (undo != nullptr && undo->takeback && undo->takeback->asked == seen.question.by) {
    seen.outcome = done;
    seen.agreed = undo->takeback->agreed;
  }
  return seen;
}

// ---- STATE

namespace {

json::value hash_or_null(const std::optional<Hash>& hash) {
  return hash ? json::value(to_hex(*hash)) : json::value(nullptr);
}

json::value auto_json(const std::optional<HostedGameSeat::Auto>& automatic) {
  return automatic ? json::value(name_of(auto_names, *automatic)) : json::value(nullptr);
}

json::array seats_json(const HostedGame& hosted) {
  json::array seats;
  for (std::size_t seat = 0; seat < hosted.seats.size(); ++seat)
    if (const auto& taken = hosted.seats[seat])
      seats.push_back(json::object{{"seat", seat},
                                   {"name", taken->name},
                                   {"in", !taken->reserved},
                                   {"entropy_hash", hash_or_null(taken->entropy_hash)},
                                   {"sent", taken->entropy.has_value()},
                                   {"tokens", taken->tokens},
                                   {"auto", auto_json(taken->automatic)}});
  return seats;
}

json::value question_json(const std::optional<SeenQuestion>& question) {
  using enum SeenQuestion::Outcome;
  if (!question) return nullptr;
  json::array agreed;
  for (Seat seat = 0; seat < max_players; ++seat)
    if (question->agreed.has(seat)) agreed.push_back(seat);
  const auto outcome = [&]() -> json::value {
    switch (question->outcome) {
      case done:
        return "done";
      case refused:
        return "refused";
      case withdrawn:
        return "withdrawn";
      case overtaken:
        return "overtaken";
      case open:
        break;
    }
    return nullptr;
  };
  return json::object{{"id", question->question.id},
                      {"by", question->question.by},
                      {"to", question->question.to},
                      {"agreed", std::move(agreed)},
                      {"outcome", outcome()}};
}

/// As show --json has it, for a game that isn't in the log.
json::object unstarted_json(const GameView& view) {
  return {{"id", view.id},
          {"status", to_string(view.status)},
          {"turn", 0},
          {"version", 0},
          {"players", json::array()},
          {"next", nullptr},
          {"winner", nullptr},
          {"head", nullptr}};
}

json::object position_of(const GameView& view) {
  if (!view.game) return unstarted_json(view);
  const GameState& state = view.game->state();
  json::object object = position_json(view.id, view.game->head(), state.position, *state.setup);
  object["status"] = to_string(view.status);
  return object;
}

UnixMilliseconds created_of(const GameView& view) {
  return view.hosted ? view.hosted->created : view.game->created();
}

}  // namespace

std::size_t GameView::bytes() const {
  constexpr std::size_t without_board = 8192;
  constexpr std::size_t a_cell = 16;
  constexpr std::size_t a_jump = 64;  // in a board, and in STATE as text
  std::size_t sum = without_board + (hosted ? 2 * hosted->board.size() : 0);
  if (game) {
    const Board& board = game->state().setup->board;
    sum += a_cell * static_cast<std::size_t>(board.cells());
    sum += a_jump * (board.snakes().size() + board.ladders().size());
  }
  return sum;
}

bool have_all_agreed(const SeatSet& agreed, std::size_t players) {
  for (std::size_t seat = 0; seat < players; ++seat)
    if (!agreed.has(static_cast<Seat>(seat))) return false;
  return true;
}

bool GameView::awaits_takeback() const {
  return question && question->outcome == SeenQuestion::Outcome::open && game &&
         have_all_agreed(question->question.agreed, game->state().players());
}

std::optional<UnixMilliseconds> GameView::deadline() const {
  constexpr UnixMilliseconds second = 1000;
  if (!hosted || !hosted->pace || status != GameStatus::in_progress) return std::nullopt;
  return std::max(moved_at, begun) + *hosted->pace * second;
}

std::size_t GameView::places() const {
  if (game) return game->state().players();
  return hosted->stage == HostedGameStage::open ? hosted->seats.size() : hosted->taken();
}

json::object state_json(const GameView& view) {
  json::object state = position_of(view);
  const auto dice = view.hosted ? view.hosted->dice : HostedGame::Dice::seeded;
  const auto takebacks = view.hosted ? view.hosted->takebacks : HostedGame::Takebacks::none;
  state["created"] = format_time(created_of(view));
  state["private"] = view.is_private();
  state["dice"] = name_of(hosted_dice_names, dice);
  state["takebacks"] = name_of(takebacks_names, takebacks);
  state["board"] =
      json::parse(view.game ? board_to_json(view.game->state().setup->board) : view.hosted->board);
  state["rules"] = rules_json(view.game ? view.game->state().setup->rules : view.hosted->rules);
  state["places"] = view.places();
  state["seats"] = view.hosted ? seats_json(*view.hosted) : json::array();
  const auto deadline = view.deadline();
  const bool has_pace = view.hosted && view.hosted->pace;
  const bool has_rematch = view.hosted && view.hosted->rematch;
  state["pace"] = has_pace ? json::value(*view.hosted->pace) : json::value(nullptr);
  state["deadline"] = deadline ? json::value(format_time(*deadline)) : json::value(nullptr);
  state["rematch"] = has_rematch ? json::value(*view.hosted->rematch) : json::value(nullptr);
  state["redraws"] = view.hosted ? view.hosted->redraws : 0;
  state["draw"] = draw_json(view);
  state["takeback"] = question_json(view.question);
  return state;
}

namespace {

constexpr std::string_view nobody = R"(,"you":null})";

/// The text up to "you".
std::string_view state_up_to_you(const GameView& view) {
  std::string_view text = *view.state_text();
  text.remove_suffix(nobody.size());
  return text;
}

}  // namespace

const std::shared_ptr<const std::string>& GameView::state_text() const {
  std::call_once(is_made_, [&] {
    std::string text = json::serialize(state_json(*this));
    text.pop_back();  // its brace
    state_text_ = std::make_shared<const std::string>(text + std::string(nobody));
  });
  return state_text_;
}

std::string state_alone(const GameView& view) {
  return fmt::format("{}}}", state_up_to_you(view));
}

std::string state_with_you(const GameView& view, const Caller& caller) {
  return fmt::format(R"({},"you":{}}})", state_up_to_you(view),
                     json::serialize(you_json(view, caller)));
}

json::value you_json(const GameView& view, const Caller& caller) {
  if (!caller.has_token || !view.hosted) return nullptr;
  json::array may;
  for (const std::string_view action : allowed(view, caller))
    may.emplace_back(action);
  json::object you{{"host", caller.is_host}, {"seat", nullptr}, {"may", std::move(may)}};
  if (caller.seat) you["seat"] = *caller.seat;
  return you;
}

namespace {

std::string json_in_lists(const GameView& view) {
  const json::object position = position_of(view);
  json::object listed{{"id", view.id}, {"created", format_time(created_of(view))}};
  for (const std::string_view name : {"status", "turn", "players", "next", "winner"})
    listed[name] = position.at(name);
  listed["places"] = view.places();
  listed["taken"] = view.game ? view.places() : view.hosted->taken();
  return json::serialize(listed);
}

/// The name of the seat that has the host's token, or else of the first one.
std::string host_of(const HostedGame& hosted) {
  const HostedGameSeat* first = nullptr;
  for (const auto& seat : hosted.seats) {
    if (!seat) continue;
    if (seat->token == hosted.host()) return seat->name;
    if (first == nullptr) first = &*seat;
  }
  return first == nullptr ? "" : first->name;
}

ListedGame listed_of(const GameView& view) {
  ListedGame listed;
  listed.id = view.id;
  listed.head = view.head();
  listed.change = view.change();
  listed.status = view.status;
  listed.is_private = view.is_private();
  listed.places = view.places();
  listed.taken = view.game ? view.places() : view.hosted->taken();
  listed.json = json_in_lists(view);
  if (view.hosted) listed.host = host_of(*view.hosted);
  const auto show = [&](const Board& board) {
    listed.board = find_named_board(board);
    listed.cells = board.cells();
  };
  if (!view.game) {
    for (const auto& seat : view.hosted->seats)
      if (seat) listed.players.push_back(seat->name);
    if (const auto file = parse_board(view.hosted->board)) show(file->board);
    return listed;
  }
  const GameState& state = view.game->state();
  listed.begun = view.game->created();
  listed.players = state.setup->players;
  listed.turn = state.position.turn;
  listed.next = listed.players[state.position.next];
  if (state.position.winner) listed.winner = listed.players[*state.position.winner];
  show(state.setup->board);
  return listed;
}

}  // namespace

std::size_t ListedGame::bytes() const {
  constexpr std::size_t besides_texts = 1024;
  std::size_t sum = besides_texts + json.size();
  for (const std::string& name : players)
    sum += name.size();
  return sum;
}

SharedListedGame GameViewer::listed(const std::string& id, std::int64_t change) {
  auto [game, is_right] = known_.find_listed(id, moment_);
  if (is_right && game->change == change) return game;
  if (!game || !game->is_of(store_.head(id).value_or(Head{}), change)) {
    const SharedView view = glance(id);
    if (!view) return nullptr;
    game = std::make_shared<const ListedGame>(listed_of(*view));
  }
  known_.keep_listed(game, moment_);
  return game;
}

/// The first commit holds the board, so it isn't read if the game was listed before.
UnixMilliseconds GameViewer::begun(const std::string& id) {
  const auto known = known_.find_listed(id, moment_).game;
  if (known && known->has_begun()) return known->begun;
  const auto first = store_.commit(id, 1);
  return first ? first->time : 0;
}

std::string head_mark(const Hash& hash) {
  constexpr std::size_t digits = 8;
  return to_hex(hash).substr(0, digits);
}

std::string entity_tag(const GameView& view, std::optional<std::string_view> token) {
  // Deadlines count from the server's start too, so a restart is a change. The sum grows with
  // either.
  constexpr std::int64_t changes_a_second = 1'000'000;
  constexpr std::int64_t milliseconds = 1000;
  const std::int64_t started = view.hosted ? view.begun / milliseconds * changes_a_second : 0;
  const std::string mark = view.version() > 0 ? "." + head_mark(view.head().hash) : "";
  constexpr std::int64_t callers = 1000;
  std::int64_t caller = 0;
  if (token) {
    const Hash hash = hash_of(*token);
    caller = 1 + (std::int64_t{hash[0]} << 8U | hash[1]) % (callers - 1);
  }
  return fmt::format("\"{}.{}{}\"", view.version(), (started + view.change()) * callers + caller,
                     mark);
}

}  // namespace snl::cli
