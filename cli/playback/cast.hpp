// A replay as a recording that asciinema plays: what a playback (playback.hpp) would have shown on
// a terminal, with the times at which it would have.
//
// The format is asciicast version 2: a header, then a line [seconds, "o", text] for each change of
// the screen, and [seconds, "m", sentence] where a turn begins that is worth seeing: a player goes
// from one of these to the next (https://docs.asciinema.org/manual/asciicast/v2/).
#pragma once

#include "cli/drawing/frame.hpp"
#include "cli/terminal/milliseconds.hpp"
#include "recording.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace snl::cli {

struct CastSettings {
  Size size = {};  // at least smallest_screen (playback_view.hpp)
  /// Times the normal one, > 0; or else `length` says how long the whole game takes.
  double speed = 1;
  std::optional<Milliseconds> length = std::nullopt;
  /// Nothing stays on the screen for longer than this, > 0.
  std::optional<Milliseconds> idle = std::nullopt;
  std::string title;  // any text
};

/// Gives `sink` the recording of a whole recording, some lines at a time. UTF-8 and colours,
/// whatever the terminal here; no time of day. The same recording and settings give the same bytes.
void record_cast(Recording recording, const CastSettings& settings,
                 const std::function<void(std::string_view)>& sink);

}  // namespace snl::cli
