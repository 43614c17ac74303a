// What a person can do about something that failed.
#pragma once

#include <string>
#include <string_view>

namespace snl::cli {

/// "No space left on device; free some, then try again", of what errno was.
std::string reason_and_next_step(int error);

/// A text as a word of a command that somebody may copy into a shell: it comes out as it is, and
/// nothing in it is run.
std::string shell_word(std::string_view text);

}  // namespace snl::cli
