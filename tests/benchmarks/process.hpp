// Other programs, run to their end as a shell would run them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace snl::benchmarks {

/// Runs a program with the words that follow its name, with an empty stdin and its stdout
/// discarded. A name without a slash is looked up in $PATH. Returns its peak memory in bytes.
/// Throws std::runtime_error with the command line if it can't be run or its exit code isn't 0.
std::int64_t run_program(const std::vector<std::string>& command);

}  // namespace snl::benchmarks
