// The turns of a commit, for a page that follows a game.
#pragma once

#include "domain/game.hpp"

#include <span>
#include <string>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// JSON in one line for a page's script alone, from the events of a commit after the first:
///
/// - undone: how many turns were taken back
/// - turns: the turns that were played after that: the seat, the move (turn_data.hpp), the next
///   player and the winner, as game.js has it (Addition)
///
/// "null" if turns were put back: a page doesn't have them, and loads itself again.
std::string live_turns(const GameSetup& setup, std::span<const Event> events);

}  // namespace cli
}  // namespace snl
