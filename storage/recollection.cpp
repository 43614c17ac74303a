#include "recollection.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace snl {

const Event* Recollection::find(EventRef ref, const Lookup& lookup) {
  auto found = std::ranges::find(remembered_, ref.version, &Remembered::version);
  if (found == remembered_.end() || ref.version == 0) {
    auto events = lookup(ref.version);
    if (!events || events->empty()) return nullptr;
    found = remembered_.begin() + (std::holds_alternative<TurnPlayed>(events->front()) ? 0 : 1);
    *found = {ref.version, *std::move(events)};
  }
  const auto index = static_cast<std::size_t>(ref.index);
  return index < found->events.size() ? &found->events[index] : nullptr;
}

}  // namespace snl
