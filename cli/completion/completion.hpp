// Scripts by which shells complete command lines of snl.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace snl::cli {

/// The shells that there are scripts for.
std::vector<std::string> completion_shells();

/// The script that completes every command of `app`, with all options that it has, in that shell.
std::string completion_script(const CLI::App& app, std::string_view shell);

}  // namespace snl::cli
