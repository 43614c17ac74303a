// What a person can do about something that failed.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace snl::cli {

/// "No space left on device; free some, then try again", of what errno was.
std::string reason_and_next_step(int error);

/// A text as a word of a command that somebody may copy into a shell: it comes out as it is, and
/// nothing in it is run.
std::string shell_word(std::string_view text);

/// The store that the commands which messages advise are to act on, as --db named it. Without one
/// they find theirs as this command did.
void advise_store(std::string_view location);

/// The command line of these words, for a person to give to a shell, on that store: "snl --db
/// games.db show g".
std::string snl_command(std::initializer_list<std::string_view> words);

/// The same on the store of another location.
std::string snl_command_on(std::string_view location,
                           std::initializer_list<std::string_view> words);

/// What a store says, which knows nothing of --db, with that store named in each command that it
/// advises: "see snl audit g" becomes "see snl --db games.db audit g".
std::string on_advised_store(std::string_view told);

}  // namespace snl::cli
