// The unit of time on screens: milliseconds, with fractions.
#pragma once

#include <chrono>

namespace snl::cli {

using Milliseconds = std::chrono::duration<double, std::milli>;

}  // namespace snl::cli
