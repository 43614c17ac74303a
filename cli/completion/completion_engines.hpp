// What completion scripts do with the table of commands, which completion.cpp adds to them.
#pragma once

#include <string>
#include <string_view>

namespace snl::cli {

// The table is a function that sets four lists for a command, named by its words ("board show"):
//   subcommands, option_names   in zsh and fish with a tab and what each is for
//   values                      options that take a value: "NAME KIND WORD…"
//   operands                    what is given besides options, in order: "KIND WORD…"; a last "..."
//                               means that the one before may be repeated
// KIND is words (one of the WORDs), board (one of them, or a file), file, game, command or any.
std::string completion_engine(std::string_view shell);

}  // namespace snl::cli
