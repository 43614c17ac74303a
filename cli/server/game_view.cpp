#include "game_view.hpp"

#include "cli/reports/json_output.hpp"
#include "new_room.hpp"
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

GameViewer::GameViewer(StoreReader& store, RoomStore& rooms, LoadGame load)
    : store_(store), load_(std::move(load)), rooms_(rooms), endings_(store, rooms) {}

std::optional<GameView> GameViewer::look(const std::string& id) {
  return look(id, rooms_.room(id));
}

namespace {

/// Whether a game of the log isn't the one that was to begin in a room: somebody took its ID at the
/// command line.
bool is_anothers(const Room& room, const RecordedGame& game) {
  if (room.stage == RoomStage::started) return false;
  return room.stage != RoomStage::settled || *setup_of(room) != *game.state().setup;
}

}  // namespace

/// The room is looked at before the log, which may be ahead of it: what a room doesn't know of its
/// log yet is read there.
std::optional<GameView> GameViewer::look(const std::string& id, std::optional<Room> room) {
  GameView view{.id = id, .room = std::move(room), .game = load_(id)};
  while (view.room && view.game && is_anothers(*view.room, *view.game)) {
    const std::int64_t changed = view.room->changed;
    view.room = rooms_.room(id);
    if (view.room && view.room->changed == changed) view.room.reset();
  }
  if (!view.room && !view.game) return std::nullopt;
  const RecordedGame* game = view.game.get();
  view.secrets_out = endings_.secrets_of(view.room_or_null(), game);
  if (view.room && view.room->given_up)
    view.status = GameStatus::abandoned;
  else if (game != nullptr && endings_.has_ended(view.room_or_null(), game))
    view.status = GameStatus::completed;
  else if (game != nullptr)
    view.status = GameStatus::in_progress;
  else
    view.status = view.room->stage == RoomStage::open ? GameStatus::open : GameStatus::drawing;
  view.question = seen(view);
  return view;
}

GameView GameViewer::view_of(Room room, std::shared_ptr<const RecordedGame> game) {
  GameView view{.id = game->id(), .room = std::move(room), .game = std::move(game)};
  if (view.room->given_up)
    view.status = GameStatus::abandoned;
  else
    view.status = endings_.has_ended(&*view.room, view.game.get()) ? GameStatus::completed
                                                                   : GameStatus::in_progress;
  return view;
}

/// A question is settled by what follows the version at which it was asked.
std::optional<SeenQuestion> GameViewer::seen(const GameView& view) {
  using enum SeenQuestion::Outcome;
  if (!view.room || !view.room->question) return std::nullopt;
  SeenQuestion seen{.question = *view.room->question, .agreed = view.room->question->agreed};
  if (const auto outcome = seen.question.outcome) {
    seen.outcome = *outcome == RoomQuestion::Outcome::refused ? refused : withdrawn;
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

json::array seats_json(const Room& room) {
  json::array seats;
  for (std::size_t seat = 0; seat < room.seats.size(); ++seat)
    if (const auto& taken = room.seats[seat])
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
  json::object object = position_json(view.id, view.game->head(), state.position, *state.setup);
  object["status"] = to_string(view.status);
  return object;
}

UnixMilliseconds created_of(const GameView& view) {
  return view.room ? view.room->created : view.game->created();
}

std::size_t places_of(const GameView& view) {
  if (view.game) return view.game->state().players();
  return view.room->stage == RoomStage::open ? view.room->seats.size() : view.room->taken();
}

}  // namespace

json::object state_json(const GameView& view) {
  json::object state = position_of(view);
  const bool own_dice = view.room && view.room->dice == Room::Dice::own;
  const bool may_ask = view.room && view.room->takebacks == Room::Takebacks::ask;
  state["created"] = format_time(created_of(view));
  state["private"] = view.is_private();
  state["dice"] = own_dice ? "own" : "seeded";
  state["takebacks"] = may_ask ? "ask" : "none";
  state["board"] =
      json::parse(view.game ? board_to_json(view.game->state().setup->board) : view.room->board);
  state["rules"] = rules_json(view.game ? view.game->state().setup->rules : view.room->rules);
  state["places"] = places_of(view);
  state["seats"] = view.room ? seats_json(*view.room) : json::array();
  state["draw"] = draw_json(view.room_or_null(), view.game.get(), view.secrets_out);
  state["takeback"] = question_json(view.question);
  return state;
}

json::value you_json(const GameView& view, const Caller& caller) {
  if (!caller.has_token || !view.room) return nullptr;
  const bool is_open = view.status == GameStatus::open;
  const bool is_on = view.status == GameStatus::in_progress;
  const bool asks = is_on && view.room->takebacks == Room::Takebacks::ask;
  const auto is_asked = view.question && view.question->outcome == SeenQuestion::Outcome::open;
  const RoomSeat* seat = nullptr;
  if (caller.seat && view.room->seats[*caller.seat]) seat = &*view.room->seats[*caller.seat];
  const bool owes_entropy =
      view.status == GameStatus::drawing && seat != nullptr && seat->entropy_hash && !seat->entropy;
  json::array may;
  const auto add_if = [&](bool condition, std::string_view what) {
    if (condition) may.emplace_back(what);
  };
  const bool is_taken = view.room->taken() > 0;
  add_if(is_open && (seat != nullptr || (caller.is_host && is_taken)), "leave");
  add_if(is_open && caller.is_host && view.room->taken() >= min_players, "start");
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
  listed["taken"] = view.game ? places_of(view) : view.room->taken();
  return listed;
}

std::string entity_tag(const GameView& view) {
  return fmt::format("\"{}.{}\"", view.version(), view.change());
}

}  // namespace snl::cli
