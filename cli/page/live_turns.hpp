// What a page that follows a game is told of each commit.
#pragma once

#include "domain/game.hpp"

#include <span>
#include <string>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// JSON in one line for a page's script alone, from the events of a commit after the first:
///
///   undone   how many turns were taken back
///   turns    what was played after that: the seat, the move (turn_data.hpp), who is next and who
///            has won, as game.js has it (Addition)
///
/// "null" where turns were put back: a page doesn't know them and is asked for anew.
std::string live_turns(const GameSetup& setup, std::span<const Event> events);

}  // namespace cli
}  // namespace snl
