// The help of a command.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace snl::cli {

/// The help of the command that these words name. Throws Failure for words that name none.
std::string help_of(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace snl::cli
