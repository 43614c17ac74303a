// What commands say: results on stdout, everything else on stderr.
#pragma once

#include <boost/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace snl::cli {

/// How a command that reports is asked to answer.
enum class OutputForm : std::uint8_t { words, json, csv };

/// Prints to stdout; throws Failure if it can't be written.
void print(std::string_view text);
void print_line(std::string_view text);
/// Lines of printable text. On a terminal, one that is wider than the window is broken between
/// words, and what it goes on with begins `indent` columns in.
void print_broken(std::string_view lines, int indent);
/// Text, or a line of JSON, with names in it: to the letter, but on a terminal as printable() and
/// printable_json() show it.
void print_names(std::string_view text);
void print_json_line(std::string_view json);
/// An object on a line of its own, with numbers as people write them: 0.5, not 5E-1.
void print_json(const boost::json::object& object);
/// What was printed is out when this returns. Somebody waits for it, so this command's output isn't
/// shown a page at a time from here on, if it isn't already.
void flush();

/// What is printed to a terminal and is longer than it goes through $SNL_PAGER, else $PAGER, else
/// `less -FRX`, as with git; through none where the first that is set is empty or `cat`.
void page_output();
/// Not after all: --no-pager, or a screen is to be drawn.
void never_page();
/// What was printed is out, and a pager has been closed.
void end_output();

/// What this command has done for good by now, and the command that shows it: "version 5 of game g
/// is recorded", "snl show g". The last one counts.
void note_done(std::string_view what, std::string_view look);
void note_recorded(std::string_view game, std::int64_t version);
void note_recorded_games(std::int64_t games);
/// What failed afterwards, with that: to do the same again would do it twice. As it is where
/// nothing was done.
std::string with_what_was_done(const std::string& message);

/// A line on stderr; in a pager that runs, and so reads the keys of the terminal, if stderr is one.
void warn(std::string_view message);

}  // namespace snl::cli
