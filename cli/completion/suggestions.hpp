// The words that can stand at the cursor of a command line, as `snl __complete WORD…` tells the
// shells. There is a line for each word, with a description after a tab. The last line is `:files`
// if names of files can stand there too, else `:`.
//
// Commands and options are found in the command line's own declaration, so nothing has to be
// declared twice. The name of a value in the help tells its kind: GAME, PLAYER, BOARD, NAME|FILE,
// FILE, FILE|DATABASE or COMMAND. A value may also have a fixed set of words, against which it is
// checked.
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

/// The name of a value in the help, HOST:PORT, and its words if only a set of words is taken.
struct ValueType {
  std::string name;
  std::vector<std::string> words;
};
ValueType value_type(const CLI::Option& option);

std::vector<const CLI::App*> subcommands_of(const CLI::App& command);

/// The source of games and players. `db` is the store that the line names, or empty. With an empty
/// `game`, the players are those of the newest games.
struct RecordedNames {
  std::function<std::vector<Suggestion>(const std::string& db, const std::string& prefix)> games;
  std::function<std::vector<Suggestion>(const std::string& db, const std::string& game)> players;
};

/// Suggestions for the words after the program's name, of which the last is being typed.
Suggestions suggestions_for(const CLI::App& app, std::span<const std::string> words,
                            const RecordedNames& recorded);

}  // namespace snl::cli
