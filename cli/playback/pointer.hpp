// The mouse on a playback's screen: clicks on the timeline, the graph and the list of turns,
// dragging there, and the wheel.
#pragma once

#include "playback.hpp"
#include "playback_view.hpp"

#include <optional>

namespace snl::cli {

class Pointer {
 public:
  /// Does what the mouse asks for on the screen that the viewer drew last. Returns false if the key
  /// isn't the mouse's.
  bool take(const Key& key, const Viewer& viewer, Playback& playback);

 private:
  std::optional<Pane> held_;  // the pane where the button was pressed, until it is released
};

}  // namespace snl::cli
