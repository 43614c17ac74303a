// The next step for a user after a failure.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace snl::cli {

/// "No space left on device; free some, then try again", for a value of errno.
std::string reason_and_next_step(int error);

/// Sets the store, as --db named it, for the commands that messages advise, which don't show its
/// password. Without it, those commands find their store as this command did.
void advise_store(std::string_view location);

/// A command line of these words, on that store, for a user to give to a shell: "snl --db games.db
/// show g".
std::string snl_command(std::initializer_list<std::string_view> words);

/// The same, on the store at another location.
std::string snl_command_on(std::string_view location,
                           std::initializer_list<std::string_view> words);

/// Names that store in each command that a store's message advises, since a store knows nothing of
/// --db: "see snl audit g" becomes "see snl --db games.db audit g".
std::string on_advised_store(std::string_view message);

}  // namespace snl::cli
