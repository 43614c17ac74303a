// What can stand at the cursor of a command line, as `snl __complete WORD…` tells the shells: a
// line for each word, with what it is for after a tab; then `:files` if the names of files can
// stand there too, else `:`.
//
// Commands and options are those that the command line is made of, so nothing has to be told twice.
// What an operand or an option's value is follows from its name in the help: GAME, PLAYER, BOARD,
// NAME|FILE, FILE, FILE|DATABASE or COMMAND, or the set of words that it is checked against.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace snl::cli {

struct Suggestion {
  std::string word;
  std::string about;
};

struct Suggestions {
  std::vector<Suggestion> words;
  bool files = false;
};

/// The names of an option: -o, --output.
std::vector<std::string> names_of(const CLI::Option& option);

/// What the help calls a value, HOST:PORT, and the words that it is one of, where a set of them is
/// all that is taken.
struct ValueType {
  std::string name;
  std::vector<std::string> words;
};
ValueType value_type(const CLI::Option& option);

std::vector<const CLI::App*> subcommands_of(const CLI::App& command);

/// Where games and players come from. `db` is the store that is named on the line, or empty;
/// players of no `game` are those of the newest games.
struct RecordedNames {
  std::function<std::vector<Suggestion>(const std::string& db, const std::string& prefix)> games;
  std::function<std::vector<Suggestion>(const std::string& db, const std::string& game)> players;
};

/// For the words of a line after the program's name, the last of which is being typed.
Suggestions suggestions_for(const CLI::App& app, std::span<const std::string> words,
                            const RecordedNames& recorded);

}  // namespace snl::cli
