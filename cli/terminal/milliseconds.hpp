// Time as a viewer of the screen feels it.
#pragma once

#include <chrono>

namespace snl::cli {

using Milliseconds = std::chrono::duration<double, std::milli>;

}  // namespace snl::cli
