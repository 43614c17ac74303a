// The output of commands: results on stdout, everything else on stderr.
#pragma once

#include <boost/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace snl::cli {

/// The form in which a command answers.
enum class OutputForm : std::uint8_t { words, json, csv };

/// Prints to stdout; throws Failure if it can't be written.
void print(std::string_view text);
void print_line(std::string_view text);
/// Prints lines of printable text. On a terminal, a line wider than the window is broken between
/// words; its other parts begin `indent` columns in.
void print_broken(std::string_view lines, int indent);
/// Prints text, or a line of JSON, that holds names: to the letter, but on a terminal as
/// printable() and printable_json() show it.
void print_names(std::string_view text);
void print_json_line(std::string_view json);
/// Prints an object on a line of its own, with numbers as people write them: 0.5, not 5E-1.
void print_json(const boost::json::object& object);
/// Writes out everything printed so far, since somebody waits for it. After that no pager starts; a
/// pager that runs already stays.
void flush();

/// From here on, output to a terminal that is longer than the terminal goes through a pager, as
/// with git: $SNL_PAGER, else $PAGER, else `less -FRX`. There is none if the first of them that is
/// set is empty or `cat`.
void page_output();
/// Uses no pager after all: for --no-pager, or before a screen is drawn.
void never_page();
/// Writes out everything printed, and waits until the pager has been closed.
void end_output();

/// Notes what this command has done for good, and the command that shows it: "version 5 of game g
/// is recorded", "snl show g". The last note counts.
void note_done(std::string_view what, std::string_view command);
void note_recorded(std::string_view game, std::int64_t version);
void note_recorded_games(std::int64_t games);
/// Drops the note: the user knows what was done.
void forget_done();
/// The message of a later failure, with the note and without the advice to try again: to repeat the
/// command would do it twice. Without a note, the message as it is.
std::string with_what_was_done(const std::string& message);

/// Prints a line on stderr. While a pager runs and stderr is the terminal, the line goes into the
/// pager.
void warn(std::string_view message);

}  // namespace snl::cli
