// What a caller may do to a game, decided in one place: the writer refuses by it, STATE lists it,
// and pages offer what STATE lists. An action is named by the resource that it is sent to.
#pragma once

#include "game_view.hpp"
#include "problem.hpp"
#include "routes.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace snl::cli {

/// Whether a caller has a say in that at all. `of` is the seat that a path names.
bool is_for(Route::Resource action, const Caller& caller, std::optional<Seat> of);

/// What stands in the way of an action as the game, which has a hosted game, is now: for a seat, if
/// it is a seat's. None: nothing does.
std::optional<HttpProblem> obstacle_to(Route::Resource action, const GameView& view,
                                       std::optional<Seat> of);

/// Entropy of a draw that is over.
HttpProblem too_late_for_the_draw();

/// Whether the host's part may be handed on to a seat.
bool may_be_host(const std::optional<HostedGameSeat>& seat);

/// All that a caller with a token may do now, as STATE names it.
std::vector<std::string_view> allowed(const GameView& view, const Caller& caller);

}  // namespace snl::cli
