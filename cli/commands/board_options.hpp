// The options by which a board and the rules are chosen, wherever a command takes them.
#pragma once

#include "domain/board.hpp"
#include "domain/rules.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snl::cli {

/// A board that was named or read, and what it brings.
struct ChosenBoard {
  Board board;
  std::optional<std::string> rules;  // a preset
  Cell start = 1;                    // from where its fewest throws are counted
};

/// The board of this name, else in this file ("-": stdin). Throws Failure with the first faults.
ChosenBoard board_from(const std::string& name_or_file);

/// The board in the text of a board file, or as above.
ChosenBoard board_from_text(const std::string& file, std::string_view text);

/// The text of a board file. Throws Failure.
std::string read_board_file(const std::string& path);

/// Says on stderr what may surprise about a board under these rules.
void warn_about(const Board& board, const Rules& rules);

class BoardOptions {
 public:
  void add_to(CLI::App& command);
  /// 100 empty cells where nothing else is asked for. Throws Failure with every fault.
  ChosenBoard chosen() const;

 private:
  std::string board_;
  std::optional<std::int64_t> cells_;
  std::optional<std::int64_t> size_;
  std::vector<std::string> snakes_;
  std::vector<std::string> ladders_;
};

class RulesOptions {
 public:
  void add_to(CLI::App& command);
  /// The preset asked for, or else the board's own, or else `standard`, with each part that was
  /// given in its place. Throws Failure with every fault.
  Rules chosen(const std::optional<std::string>& rules_of_board) const;

 private:
  std::string preset_;
  std::optional<std::int32_t> start_;
  std::string finish_;
  std::optional<std::int32_t> dice_;
  std::optional<std::int32_t> faces_;
  std::string sixes_;
};

}  // namespace snl::cli
