// Examples of every command, as its help and its page of the manual show them. A test runs them
// all.
#pragma once

#include <string_view>
#include <vector>

namespace snl::cli {

struct Example {
  std::string_view command;  // as its help is asked for: "board show"; none for the program itself
  std::string_view line;     // what is typed
  std::string_view about;
};

/// Those of a command; of the program itself for no words.
std::vector<Example> examples_of(std::string_view command);

}  // namespace snl::cli
