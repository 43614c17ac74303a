// What a person can do about a call of the operating system that failed.
#pragma once

#include <string>

namespace snl::cli {

/// "No space left on device; free some, then try again", of what errno was.
std::string reason_and_next_step(int error);

}  // namespace snl::cli
