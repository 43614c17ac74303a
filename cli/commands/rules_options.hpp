// The options that choose the rules, for every command that takes them.
#pragma once

#include "domain/board.hpp"
#include "domain/rules.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace snl::cli {

class RulesOptions {
 public:
  void add_to(CLI::App& command);
  /// The preset that was asked for, else the board's own rules. Each part that was given replaces
  /// that part. Throws Failure with every fault.
  Rules chosen(const Rules& rules_of_board) const;
  /// The same without a check of the rules. Throws Failure if a list can't be read.
  Rules described(const Rules& rules_of_board) const;

 private:
  std::string preset_;
  std::optional<std::int32_t> start_;
  std::string finish_;
  std::optional<std::int32_t> dice_;
  std::optional<std::int32_t> faces_;
  std::string sixes_;
  std::string enter_;
  std::string meet_;
  std::string safe_;
};

/// Throws Failure with every safe cell that the board doesn't have.
void check_safe_cells(const Rules& rules, const Board& board);

}  // namespace snl::cli
