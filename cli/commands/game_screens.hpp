// Games on the whole terminal: replays, a table to play at, a game that is watched.
#pragma once

#include "cli/playback/playback.hpp"
#include "cli/session/session.hpp"

#include <string>

namespace snl::cli {

/// Shows a recording until somebody quits. Needs has_screen().
void show_replay(const Session& session, const std::string& game, Recording recording,
                 const PlaybackSettings& settings);

/// Plays on the screen until somebody leaves: the game can be resumed any time. Throws Failure
/// where there is no screen.
void play_at_table(Session& session, const std::string& game);

/// Shows a game as others play it, until somebody quits. Needs has_screen().
void watch_on_screen(const Session& session, StoreReader& store, const std::string& game);

}  // namespace snl::cli
