// `snl __complete WORD…`, which the scripts of the shells call. No person does: no help knows it.
#pragma once

#include "cli/session/session.hpp"

#include <CLI/CLI.hpp>

#include <span>
#include <string>

namespace snl::cli {

/// Prints what can stand at the cursor (cli/completion/suggestions.hpp). It never fails for what is
/// on the line or in a store: there is less to offer then.
void complete(const CLI::App& app, Session& session, std::span<const std::string> words);

}  // namespace snl::cli
