// Examples of every command, for its help and its manual page. A test runs all of them.
#pragma once

#include <string_view>
#include <vector>

namespace snl::cli {

struct Example {
  std::string_view command;  // as in `snl help COMMAND`: "board show"; empty for the program itself
  std::string_view line;     // the command line to type
  std::string_view about;
};

/// The examples of a command; those of the program itself for no words.
std::vector<Example> examples_of(std::string_view command);

}  // namespace snl::cli
