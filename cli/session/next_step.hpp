// What a person can do about a call of the operating system that failed.
#pragma once

#include <string>
#include <string_view>

namespace snl::cli {

/// "No space left on device; free some, then try again", of what errno was.
std::string reason_and_next_step(int error);

/// A word as a shell takes it for this one: in quotes where it has to be.
std::string shell_word(std::string_view word);

}  // namespace snl::cli
