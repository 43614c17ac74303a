// Games on the whole terminal: a replay, a table to play at, a game to watch.
#pragma once

#include "cli/playback/playback.hpp"
#include "cli/session/session.hpp"

#include <string>

namespace snl::cli {

/// Shows a recording until the user quits. Needs has_screen().
void show_replay(const Session& session, const std::string& game, Recording recording,
                 const PlaybackSettings& settings);

/// Plays on the screen until the user leaves; the game can be resumed at any time. Throws Failure
/// where there is no screen.
void play_at_table(Session& session, const std::string& game);

/// Shows a game as others play it, until the user quits. Needs has_screen().
void watch_on_screen(const Session& session, StoreReader& store, const std::string& game);

}  // namespace snl::cli
