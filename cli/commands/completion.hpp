// `snl __complete WORD…`, which only the shells' scripts call. Help doesn't list it.
#pragma once

#include "cli/session/session.hpp"

#include <CLI/CLI.hpp>

#include <span>
#include <string>

namespace snl::cli {

/// Prints the words that can stand at the cursor (cli/completion/suggestions.hpp). A bad line or a
/// bad store never makes it fail: it then offers less.
void complete(const CLI::App& app, Session& session, std::span<const std::string> words);

}  // namespace snl::cli
