#include "game_view.hpp"

#include "cli/reports/json_output.hpp"
#include "policy.hpp"
#include "storage/exchange/board_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace snl::cli {

namespace json = boost::json;

namespace {

json::value hash_or_null(const std::optional<Hash>& hash) {
  return hash ? json::value(to_hex(*hash)) : json::value(nullptr);
}

json::value auto_json(const std::optional<HostedGameSeat::Auto>& automatic) {
  return automatic ? json::value(name_of(seat_auto_names, *automatic)) : json::value(nullptr);
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

}  // namespace

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

std::size_t ListedGame::bytes() const {
  constexpr std::size_t besides_texts = 1024;
  std::size_t sum = besides_texts + json.size();
  for (const std::string& name : players)
    sum += name.size();
  return sum;
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
