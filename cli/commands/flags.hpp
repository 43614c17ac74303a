// Flags that several commands have.
#pragma once

#include "cli/session/output.hpp"
#include "cli/session/output_file.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace snl::cli {

/// --json.
CLI::Option* add_json_flag(CLI::App& command, OutputForm& form,
                           const std::string& about = "Print JSON");

/// --force.
CLI::Option* add_force_flag(CLI::App& command, Existing& existing,
                            const std::string& about = "Overwrite a file that exists");

}  // namespace snl::cli
