// A game that is played back on the terminal, until whoever watches it leaves.
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

/// What a playback does with the world outside, where it has one.
struct PlaybackWorld {
  /// Lets the playback follow what was recorded meanwhile. Called several times a second.
  std::function<void(Playback&)> refresh = {};
  /// Carries out what the player to move asked for (Mode::table).
  std::function<void(Playback&, const Command&)> play = {};
};

/// How somebody left the screen: with a key that quits, by an interrupt, or because a signal asks
/// the process to end.
struct PlaybackEnd {
  bool interrupted = false;
  std::optional<int> signal = {};
};

/// Takes the terminal, and has given it back when this returns. Needs has_screen(); throws
/// std::system_error if the terminal can't be read or written.
PlaybackEnd run_on_screen(Playback playback, const ScreenLook& look, PlaybackWorld world);

}  // namespace snl::cli
