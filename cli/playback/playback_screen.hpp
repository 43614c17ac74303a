// A game played back on the terminal, until the viewer leaves.
#pragma once

#include "playback.hpp"
#include "playback_view.hpp"

#include <functional>
#include <optional>

namespace snl::cli {

struct ScreenLook {
  Look look;
  Colours colours = Colours::none;
};

/// The functions that connect a playback to the world outside, if it has one.
struct PlaybackWorld {
  /// Lets the playback follow new commands of the log. Called several times a second.
  std::function<void(Playback&)> refresh = {};
  /// Carries out a command of the player to move (Mode::table).
  std::function<void(Playback&, const Command&)> play = {};
};

/// How the viewer left the screen: with a key that quits, by an interrupt, or because a signal asks
/// the process to end.
struct PlaybackEnd {
  bool interrupted = false;
  std::optional<int> signal = {};
};

/// Takes the terminal, and gives it back before it returns. Needs has_screen(). Throws
/// std::system_error if the terminal can't be read or written.
PlaybackEnd run_on_screen(Playback playback, const ScreenLook& look, PlaybackWorld world);

}  // namespace snl::cli
