// The board of the rows about the engine, odds and simulations.
#pragma once

#include "domain/named_boards.hpp"

namespace snl::benchmarks {

inline const NamedBoard& measured_board() {
  return *find_named_board("milton-bradley");
}

}  // namespace snl::benchmarks
