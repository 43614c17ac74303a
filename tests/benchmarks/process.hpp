// Other programs, run to their end as a shell would run them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace snl::benchmarks {

/// Runs a program with the words that follow its name, with nothing on its stdin and its stdout
/// thrown away; one whose name has no slash is looked for in $PATH. Answers the most memory that it
/// had, in bytes. Throws std::runtime_error with the command line where it can't be run or ends
/// with anything but exit code 0.
std::int64_t run_program(const std::vector<std::string>& command);

}  // namespace snl::benchmarks
