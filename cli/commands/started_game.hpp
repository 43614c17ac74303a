// The part that `new` and `branch` share: they start a game and print it.
#pragma once

#include "cli/session/output.hpp"
#include "storage/event_store.hpp"

#include <string>

namespace snl::cli {

/// Throws Failure for an ID that no game can have. An empty ID is fine: one is made up.
void check_new_id(const std::string& id);

/// Starts a game under this ID, or a made-up one, and prints it. Throws Failure.
void start_and_print(EventStore& store, const std::string& id, GameSetup setup, OutputForm form);

}  // namespace snl::cli
