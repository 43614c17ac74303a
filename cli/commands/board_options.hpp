// The options that choose a board, for every command that takes them.
#pragma once

#include "chosen_board.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace snl::cli {

class BoardOptions {
 public:
  void add_to(CLI::App& command);
  /// The default board if no option was given. Parts without a size are put on 100 empty cells.
  /// Throws Failure with every fault.
  ChosenBoard chosen() const;
  /// The value of --board, a name or a file; empty without it.
  const std::string& named() const { return board_; }

 private:
  std::string board_;
  std::optional<std::int64_t> cells_;
  std::optional<std::int64_t> size_;
  std::vector<std::string> snakes_;
  std::vector<std::string> ladders_;
  std::vector<std::string> powers_;
};

}  // namespace snl::cli
