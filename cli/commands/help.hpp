// The help of a command.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace snl::cli {

/// Call it before commands are added.
void show_examples_in_help(CLI::App& app);

/// The help of the command that these words name. Throws Failure if they name none.
std::string help_of(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace snl::cli
