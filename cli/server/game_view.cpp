#include "game_view.hpp"

#include "cli/reports/json_output.hpp"
#include "new_hosted_game.hpp"
#include "storage/codec.hpp"
#include "storage/exchange/board_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

namespace snl::cli {

namespace json = boost::json;

namespace {

struct StatusName {
  GameStatus status;
  std::string_view name;
};
constexpr std::array statuses{
    StatusName{GameStatus::open, "open"}, StatusName{GameStatus::drawing, "drawing"},
    StatusName{GameStatus::in_progress, "in-progress"},
    StatusName{GameStatus::completed, "completed"}, StatusName{GameStatus::abandoned, "abandoned"}};

}  // namespace

std::string_view to_string(GameStatus status) {
  return std::ranges::find(statuses, status, &StatusName::status)->name;
}

std::optional<GameStatus> status_named(std::string_view name) {
  const auto* const found = std::ranges::find(statuses, name, &StatusName::name);
  return found == statuses.end() ? std::nullopt : std::optional(found->status);
}

// ---- Looking

GameViewer::GameViewer(StoreReader& store, HostedGameStore& hosted_games, LoadGame load)
    : store_(store),
      load_(std::move(load)),
      hosted_games_(hosted_games),
      endings_(store, hosted_games) {}

std::optional<GameView> GameViewer::look(const std::string& id) {
  return look(id, hosted_games_.game(id));
}

namespace {

/// Whether a game of the log isn't the one that was to begin in a hosted game: somebody took its ID
/// at the command line.
bool is_anothers(const HostedGame& hosted, const RecordedGame& game) {
  if (hosted.stage == HostedGameStage::started) return false;
  return hosted.stage != HostedGameStage::settled || *setup_of(hosted) != *game.state().setup;
}

}  // namespace

/// The hosted game is looked at before the log, which may be ahead of it: what a hosted game
/// doesn't know of its log yet is read there.
std::optional<GameView> GameViewer::look(const std::string& id, std::optional<HostedGame> hosted) {
  GameView view{.id = id, .hosted = std::move(hosted), .game = load_(id)};
  while (view.hosted && view.game && is_anothers(*view.hosted, *view.game)) {
    const std::int64_t changed = view.hosted->revision;
    view.hosted = hosted_games_.game(id);
    if (view.hosted && view.hosted->revision == changed) view.hosted.reset();
  }
  if (!view.hosted && !view.game) return std::nullopt;
  const RecordedGame* game = view.game.get();
  view.secrets_out = endings_.secrets_of(view.hosted_or_null(), game);
  if (view.hosted && view.hosted->given_up)
    view.status = GameStatus::abandoned;
  else if (game != nullptr && endings_.has_ended(view.hosted_or_null(), game))
    view.status = GameStatus::completed;
  else if (game != nullptr)
    view.status = GameStatus::in_progress;
  else
    view.status =
        view.hosted->stage == HostedGameStage::open ? GameStatus::open : GameStatus::drawing;
  view.question = seen(view);
  return view;
}

GameView GameViewer::view_of(HostedGame hosted, std::shared_ptr<const RecordedGame> game) {
  GameView view{.id = game->id(), .hosted = std::move(hosted), .game = std::move(game)};
  if (view.hosted->given_up)
    view.status = GameStatus::abandoned;
  else
    view.status = endings_.has_ended(&*view.hosted, view.game.get()) ? GameStatus::completed
                                                                     : GameStatus::in_progress;
  return view;
}

/// A question is settled by what follows the version at which it was asked.
std::optional<SeenQuestion> GameViewer::seen(const GameView& view) {
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

json::object rules_json(const Rules& rules) {
  json::object object{{"start", rules.start},
                      {"finish", to_string(rules.finish)},
                      {"dice", rules.dice},
                      {"faces", rules.faces},
                      {"sixes", to_string(rules.sixes)}};
  if (!rules.enter.empty()) object["enter"] = json::array(rules.enter.begin(), rules.enter.end());
  if (rules.meet != Meet::share) object["meet"] = to_string(rules.meet);
  if (!rules.safe.empty()) object["safe"] = json::array(rules.safe.begin(), rules.safe.end());
  return object;
}

json::array seats_json(const HostedGame& hosted) {
  json::array seats;
  for (std::size_t seat = 0; seat < hosted.seats.size(); ++seat)
    if (const auto& taken = hosted.seats[seat])
      seats.push_back(json::object{{"seat", seat},
                                   {"name", taken->name},
                                   {"entropy_hash", hash_or_null(taken->entropy_hash)},
                                   {"tokens", taken->tokens}});
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

/// As show --json has it, of a game that isn't in the log.
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
  json::object object = position_json(view.game->summary(), state.position, *state.setup);
  object["status"] = to_string(view.status);
  return object;
}

UnixMilliseconds created_of(const GameView& view) {
  return view.hosted ? view.hosted->created : view.game->summary().created;
}

std::size_t places_of(const GameView& view) {
  if (view.game) return view.game->state().players();
  return view.hosted->stage == HostedGameStage::open ? view.hosted->seats.size()
                                                     : view.hosted->taken();
}

}  // namespace

json::object state_json(const GameView& view) {
  json::object state = position_of(view);
  const bool own_dice = view.hosted && view.hosted->dice == HostedGame::Dice::own;
  const bool may_ask = view.hosted && view.hosted->takebacks == HostedGame::Takebacks::ask;
  state["created"] = format_time(created_of(view));
  state["private"] = view.is_private();
  state["dice"] = own_dice ? "own" : "seeded";
  state["takebacks"] = may_ask ? "ask" : "none";
  state["board"] =
      json::parse(view.game ? board_to_json(view.game->state().setup->board) : view.hosted->board);
  state["rules"] = rules_json(view.game ? view.game->state().setup->rules : view.hosted->rules);
  state["places"] = places_of(view);
  state["seats"] = view.hosted ? seats_json(*view.hosted) : json::array();
  state["draw"] = draw_json(view.hosted_or_null(), view.game.get(), view.secrets_out);
  state["takeback"] = question_json(view.question);
  return state;
}

json::value you_json(const GameView& view, const Caller& caller) {
  if (!caller.has_token || !view.hosted) return nullptr;
  const bool is_open = view.status == GameStatus::open;
  const bool is_on = view.status == GameStatus::in_progress;
  const bool asks = is_on && view.hosted->takebacks == HostedGame::Takebacks::ask;
  const auto is_asked = view.question && view.question->outcome == SeenQuestion::Outcome::open;
  const HostedGameSeat* seat = nullptr;
  if (caller.seat && view.hosted->seats[*caller.seat]) seat = &*view.hosted->seats[*caller.seat];
  const bool owes_entropy =
      view.status == GameStatus::drawing && seat != nullptr && seat->entropy_hash && !seat->entropy;
  json::array may;
  const auto add_if = [&](bool condition, std::string_view what) {
    if (condition) may.emplace_back(what);
  };
  const bool is_taken = view.hosted->taken() > 0;
  add_if(is_open && (seat != nullptr || (caller.is_host && is_taken)), "leave");
  add_if(is_open && caller.is_host && view.hosted->taken() >= min_players, "start");
  add_if(!view.has_ended() && caller.is_host, "abandon");
  add_if(!view.has_ended() && caller.is_host && is_taken, "token");
  add_if(owes_entropy, "entropy");
  add_if(is_on && seat != nullptr && view.game->state().position.next == *caller.seat, "turn");
  add_if(asks && seat != nullptr && view.game->state().position.turn > 0, "takeback");
  add_if(asks && seat != nullptr && is_asked, "answer");
  json::object you{{"host", caller.is_host}, {"seat", nullptr}, {"may", std::move(may)}};
  if (caller.seat) you["seat"] = *caller.seat;
  return you;
}

json::object listed_json(const GameView& view) {
  const json::object position = position_of(view);
  json::object listed{{"id", view.id}, {"created", format_time(created_of(view))}};
  for (const std::string_view name : {"status", "turn", "players", "next", "winner"})
    listed[name] = position.at(name);
  listed["places"] = places_of(view);
  listed["taken"] = view.game ? places_of(view) : view.hosted->taken();
  return listed;
}

std::string entity_tag(const GameView& view) {
  return fmt::format("\"{}.{}\"", view.version(), view.change());
}

}  // namespace snl::cli
