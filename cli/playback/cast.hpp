// A replay as a recording that asciinema plays: the screens that a playback (playback.hpp) would
// have shown on a terminal, with their times.
//
// The format is asciicast version 2 (https://docs.asciinema.org/manual/asciicast/v2/): a header,
// then a line [seconds, "o", text] for each change of the screen. A turn worth seeing begins with a
// line [seconds, "m", sentence]; a program that plays the file can jump from one to the next.
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
  /// A multiple of the normal speed, > 0; or else `length` says how long the whole game takes.
  double speed = 1;
  std::optional<Milliseconds> length = std::nullopt;
  /// Nothing stays on the screen for longer than this, > 0.
  std::optional<Milliseconds> idle = std::nullopt;
  std::string title;  // any text
};

/// Gives `sink` the asciicast of a whole recording, some lines at a time. It uses UTF-8 and
/// colours, whatever the terminal here, and no time of day. The same recording and settings give
/// the same bytes.
void record_cast(Recording recording, const CastSettings& settings,
                 const std::function<void(std::string_view)>& sink);

}  // namespace snl::cli
