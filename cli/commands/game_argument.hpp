// A command that takes the game it is about as its first word, and perhaps --json.
#pragma once

#include "cli/session/output.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace snl::cli {

struct GameArgument {
  std::string game;
  OutputForm form = OutputForm::words;
  void add_to(CLI::App& command);
};

}  // namespace snl::cli
