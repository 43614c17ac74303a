#include "rooms.hpp"

#include <algorithm>

namespace snl {

std::size_t Room::taken() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(seats, [](const auto& seat) { return seat.has_value(); }));
}

}  // namespace snl
