// The rights of a caller, decided in one place: the writer refuses by them, STATE lists them, and
// pages offer the actions that STATE lists. An action is named after its resource.
#pragma once

#include "game_view.hpp"
#include "problem.hpp"
#include "routes.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace snl::cli {

/// Whether a caller has a say in an action at all. `of` is the seat that a path names.
bool is_for(Route::Resource action, const Caller& caller, std::optional<Seat> of);

/// The obstacle to an action as the game is now, by the seat `of` if it is a seat's action. None if
/// nothing is in the way. The game has a hosted game.
std::optional<HttpProblem> obstacle_to(Route::Resource action, const GameView& view,
                                       std::optional<Seat> of);

/// The response to entropy of a draw that is over.
HttpProblem too_late_for_the_draw();

/// Whether a seat's player may become the host.
bool may_be_host(const std::optional<HostedGameSeat>& seat);

/// All that a caller with a token may do now, as STATE names it.
std::vector<std::string_view> allowed(const GameView& view, const Caller& caller);

}  // namespace snl::cli
