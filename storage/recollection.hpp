// Looking back at recorded events, as undo and redo must.
#pragma once

#include "domain/game.hpp"

#include <array>
#include <functional>
#include <optional>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// Keeps the last turn and the last undo that were looked up, so that taking back or putting back
/// many turns reads each commit once.
class Recollection {
 public:
  /// The events of a commit; none if there is no such commit or it can't be read.
  using Lookup = std::function<std::optional<std::vector<Event>>(Version)>;

  /// The event at `ref`; null if it isn't there. Valid until the next call.
  const Event* find(EventRef ref, const Lookup& lookup);

  void forget() { remembered_ = {}; }

 private:
  struct Remembered {
    Version version = 0;
    std::vector<Event> events;
  };
  std::array<Remembered, 2> remembered_;
};

}  // namespace snl
