// How the work within a transaction of a series says that it must be rolled back.
#pragma once

#include <stdexcept>

namespace snl {

/// Leaves EventStore::atomically, which nothing but an exception rolls back, when a game of a
/// series could not be recorded. It doesn't leave this folder.
class SeriesBrokenOff : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace snl
