// The scripts with which shells complete command lines of snl: the files snl.bash, snl.zsh and
// snl.fish, embedded by the build. They ask the program what to offer (suggestions.hpp).
#pragma once

#include <span>
#include <string_view>

namespace snl::cli {

struct CompletionScript {
  std::string_view name;  // of the shell
  std::string_view text;
};

std::span<const CompletionScript> completion_scripts();

}  // namespace snl::cli
