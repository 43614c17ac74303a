// Time as it passes for whoever watches a screen.
#pragma once

#include <chrono>

namespace snl::cli {

using Milliseconds = std::chrono::duration<double, std::milli>;

}  // namespace snl::cli
