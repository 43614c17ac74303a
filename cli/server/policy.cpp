#include "policy.hpp"

#include "domain/narration.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace snl::cli {
namespace {

std::optional<HttpProblem> end_of(const GameView& view) {
  if (view.status == GameStatus::abandoned) return conflict("abandoned", "the game was given up");
  if (view.status == GameStatus::completed)
    return conflict("game-completed", "the game is over").with_result(game_completed_result);
  return std::nullopt;
}

std::optional<HttpProblem> unless_open(const GameView& view) {
  if (view.status == GameStatus::open) return std::nullopt;
  if (view.status == GameStatus::abandoned) return end_of(view);
  return conflict("started", "the game has begun: its seats are settled");
}

std::optional<HttpProblem> unless_running(const GameView& view) {
  if (auto ended = end_of(view)) return ended;
  if (!view.game) return conflict("not-started", "the game hasn't begun");
  return std::nullopt;
}

std::optional<HttpProblem> unless_promised(const GameView& view, std::optional<Seat> of) {
  if (view.status == GameStatus::abandoned) return end_of(view);
  if (view.status == GameStatus::open)
    return conflict("not-yet", "entropy is sent once the seats are settled");
  const auto& sender = view.room->seats.at(of.value());
  if (view.status == GameStatus::drawing && sender && sender->entropy_hash && !sender->entropy)
    return std::nullopt;
  return HttpProblem(422, "broken-promise", "this seat has promised no entropy, or has sent it");
}

std::optional<HttpProblem> unless_to_move(const GameView& view, std::optional<Seat> of) {
  if (auto problem = unless_running(view)) return problem;
  const Seat next = view.game->state().position.next;
  if (next == of) return std::nullopt;
  const std::string& mover = view.game->state().setup->players[next];
  return conflict("invalid-move", fmt::format("{} is to move", mover))
      .with_value(view.game->state().setup->players[of.value()])
      .with_result(invalid_move_result);
}

std::optional<HttpProblem> unless_undoable(const GameView& view) {
  if (auto problem = unless_running(view)) return problem;
  if (view.room->takebacks == Room::Takebacks::none)
    return HttpProblem(422, "invalid-value", "no turn is taken back in this game");
  if (view.game->state().position.turn == 0)
    return HttpProblem(422, "invalid-value", "there is no turn to take back");
  return std::nullopt;
}

/// Whether there is anybody to whom it could be done.
bool has_object(Route::Resource action, const GameView& view) {
  using enum Route::Resource;
  return (action != seat && action != seat_token) || view.room->taken() > 0;
}

}  // namespace

bool is_for(Route::Resource action, const Caller& caller, std::optional<Seat> of) {
  using enum Route::Resource;
  if (action == seats) return true;
  if (action == seat) return caller.is_host || (caller.seat && caller.seat == of);
  const bool is_the_hosts = action == start || action == abandon || action == seat_token;
  return is_the_hosts ? caller.is_host : caller.seat.has_value();
}

std::optional<HttpProblem> obstacle_to(Route::Resource action, const GameView& view,
                                       std::optional<Seat> of) {
  using enum Route::Resource;
  switch (action) {
    case seats:
      if (view.status != GameStatus::open && view.status != GameStatus::abandoned &&
          view.room->taken() == view.room->seats.size())
        return conflict("full", "every seat is taken");
      [[fallthrough]];
    case seat:
      return unless_open(view);
    case start:
      if (auto problem = unless_open(view)) return problem;
      if (view.room->taken() >= min_players) return std::nullopt;
      return conflict("not-yet", "a game needs 2 players: somebody has to take a seat first");
    case entropy:
      return unless_promised(view, of);
    case turns:
      return unless_to_move(view, of);
    case takebacks:
      return unless_undoable(view);
    case takeback:
      if (view.question && view.question->outcome == SeenQuestion::Outcome::open)
        return std::nullopt;
      return conflict("takeback-settled", "this was settled, or the game went on");
    default:
      return end_of(view);
  }
}

std::vector<std::string_view> allowed(const GameView& view, const Caller& caller) {
  using enum Route::Resource;
  using Named = std::pair<Route::Resource, std::string_view>;
  static constexpr std::array<Named, 8> actions{{{seat, "leave"},
                                                 {start, "start"},
                                                 {abandon, "abandon"},
                                                 {seat_token, "token"},
                                                 {entropy, "entropy"},
                                                 {turns, "turn"},
                                                 {takebacks, "takeback"},
                                                 {takeback, "answer"}}};
  std::vector<std::string_view> names;
  for (const auto& [action, name] : actions)
    if (is_for(action, caller, caller.seat) && has_object(action, view) &&
        !obstacle_to(action, view, caller.seat))
      names.push_back(name);
  return names;
}

}  // namespace snl::cli
