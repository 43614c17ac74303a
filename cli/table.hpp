// A table to play at: a prompt that asks whoever is to move.
#pragma once

#include "session.hpp"

#include <string>

namespace snl::cli {

/// Plays on a terminal until the game is won or somebody leaves it: Enter rolls, dice can be typed
/// ("6-3"), u takes the last turn back, q leaves. The game can be resumed any time.
void play_at_table(Session& session, const std::string& game);

}  // namespace snl::cli
