// The options by which the rules are chosen, wherever a command takes them.
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
  /// The preset asked for, or else the rules that the board brings, with each part that was given
  /// in its place. Throws Failure with every fault.
  Rules chosen(const Rules& rules_of_board) const;
  /// The same, whatever is wrong with the rules; throws Failure where a list isn't one.
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

/// Throws Failure with every safe cell of the rules that the board doesn't have.
void check_safe_cells(const Rules& rules, const Board& board);

}  // namespace snl::cli
