// A way for a caller to end long work early.
#pragma once

#include <functional>

namespace [[gnu::visibility("default")]] snl {

/// The work calls it now and then, always in the thread that the work was called in, and ends soon
/// after it answers true. An empty one never ends anything. It is a function, since not every
/// standard library has std::stop_token.
using StopRequested = std::function<bool()>;

}  // namespace snl
