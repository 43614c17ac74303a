// The pages of the manual, written by `snl __man FOLDER`, which the build calls. No person does: no
// help knows it.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace snl::cli {

/// Writes the page of every command, from what its help is made of, into the folders man1 and man8
/// of `folder`. Throws Failure where one can't be written.
void write_manual(const CLI::App& app, const std::string& folder);

}  // namespace snl::cli
