// A way for a caller to end long work early.
#pragma once

#include <functional>

namespace [[gnu::visibility("default")]] snl {

/// Long work calls it now and then, always in the thread that called the work, and ends soon after
/// it returns true. An empty function never ends the work. This is a function, since not every
/// standard library has std::stop_token.
using StopRequested = std::function<bool()>;

}  // namespace snl
