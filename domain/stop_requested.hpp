// How a caller ends work early that may take long.
#pragma once

#include <functional>

namespace [[gnu::visibility("default")]] snl {

/// The work asks it now and then, always in the thread that it was called in, and ends soon after
/// it answers true. An empty one never ends anything. A function, since not every standard library
/// has std::stop_token.
using StopRequested = std::function<bool()>;

}  // namespace snl
