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

std::optional<HttpProblem> unless_seeded(const HostedGame& hosted) {
  if (hosted.dice == HostedGame::Dice::seeded) return std::nullopt;
  return HttpProblem(422, "invalid-value",
                     "players throw the dice of this game: the server can't roll for anybody");
}

std::optional<HttpProblem> unless_running(const GameView& view) {
  if (auto ended = end_of(view)) return ended;
  if (!view.game) return conflict("not-started", "the game hasn't begun");
  return std::nullopt;
}

}  // namespace

HttpProblem too_late_for_the_draw() {
  return conflict("started", "this entropy comes too late: the draw has begun anew");
}

bool is_for(Route::Resource action, const Caller& caller, std::optional<Seat> of) {
  using enum Route::Resource;
  if (action == seats) return true;
  if (action == seat || action == seat_auto)
    return caller.is_host || (caller.seat && caller.seat == of);
  if (action == rematch) return caller.has_token;
  const bool is_the_hosts = action == start || action == abandon || action == seat_token ||
                            action == computer || action == host;
  return is_the_hosts ? caller.is_host : caller.seat.has_value();
}

std::optional<HttpProblem> obstacle_to(Route::Resource action, const GameView& view,
                                       std::optional<Seat> of) {
  using enum Route::Resource;
  using enum GameStatus;
  const HostedGame& hosted = *view.hosted;
  switch (action) {
    case computer:
    case seats:
      if (view.status != abandoned && hosted.taken() == hosted.seats.size())
        return conflict("full", "every seat is taken");
      if (auto problem = unless_open(view)) return problem;
      if (action == computer) return unless_seeded(hosted);
      return std::nullopt;
    case seat_auto:
      if (auto problem = end_of(view)) return problem;
      return unless_seeded(hosted);
    case rematch:
      if (view.has_ended() && hosted.taken() >= min_players) return std::nullopt;
      return conflict("not-yet", "a rematch is asked for once a game of 2 players has ended");
    case seat:
      return unless_open(view);
    case start:
      if (auto problem = unless_open(view)) return problem;
      if (hosted.present() >= min_players) return std::nullopt;
      return conflict("not-yet", "a game needs 2 players: somebody has to take a seat first");
    case entropy: {
      if (view.status == abandoned) return end_of(view);
      if (view.status == open && hosted.redraws > 0) return too_late_for_the_draw();
      if (view.status == open)
        return conflict("not-yet", "entropy is sent once the seats are settled");
      const auto& sender = hosted.seats.at(of.value());
      if (view.status == drawing && sender && sender->entropy_hash && !sender->entropy)
        return std::nullopt;
      return HttpProblem(422, "broken-promise", "this seat owes no entropy");
    }
    case turns: {
      if (auto problem = unless_running(view)) return problem;
      const GameSetup& setup = *view.game->state().setup;
      const Position& position = view.game->state().position;
      if (position.next == of) return std::nullopt;
      return conflict("invalid-move", fmt::format("{} is to move", setup.players[position.next]))
          .with_value(setup.players[of.value()])
          .with_result(invalid_move_result);
    }
    case takebacks:
      if (auto problem = unless_running(view)) return problem;
      if (hosted.takebacks == HostedGame::Takebacks::none)
        return HttpProblem(422, "invalid-value", "no turn is taken back in this game");
      if (view.game->state().position.turn > 0) return std::nullopt;
      return HttpProblem(422, "invalid-value", "there is no turn to take back");
    case takeback:
      if (view.question && view.question->outcome == SeenQuestion::Outcome::open)
        return std::nullopt;
      return conflict("takeback-settled", "this was settled, or the game went on");
    default:
      return end_of(view);
  }
}

bool may_be_host(const std::optional<HostedGameSeat>& seat) {
  return seat && !seat->is_computer();
}

std::vector<std::string_view> allowed(const GameView& view, const Caller& caller) {
  using enum Route::Resource;
  using Named = std::pair<Route::Resource, std::string_view>;
  static constexpr std::array<Named, 12> actions{{{seat, "leave"},
                                                  {start, "start"},
                                                  {abandon, "abandon"},
                                                  {seat_token, "token"},
                                                  {entropy, "entropy"},
                                                  {turns, "turn"},
                                                  {takebacks, "takeback"},
                                                  {takeback, "answer"},
                                                  {seat_auto, "auto"},
                                                  {rematch, "rematch"},
                                                  {computer, "computer"},
                                                  {host, "host"}}};
  std::vector<std::string_view> names;
  for (const auto& [action, name] : actions) {
    const bool is_of_a_seat = action == seat || action == seat_token || action == seat_auto;
    const bool has_object = action == host ? std::ranges::any_of(view.hosted->seats, may_be_host)
                                           : !is_of_a_seat || view.hosted->taken() > 0;
    if (has_object && is_for(action, caller, caller.seat) &&
        !obstacle_to(action, view, caller.seat))
      names.push_back(name);
  }
  return names;
}

}  // namespace snl::cli
