#include "board_options.hpp"

#include "cli/session/failure.hpp"
#include "common_options.hpp"
#include "domain/board_forms.hpp"
#include "domain/named_boards.hpp"
#include "number_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace snl::cli {
namespace {

/// Reads all values of an option. A value that can't be read is a fault, and is left out.
template <class Part>
std::vector<Part> read_all(std::string_view option, const std::vector<std::string>& texts,
                           std::optional<Part> (*read)(std::string_view text),
                           std::string_view expected, std::vector<std::string>& faults) {
  std::vector<Part> parts;
  for (const std::string& text : texts) {
    if (const auto part = read(text))
      parts.push_back(*part);
    else
      faults.push_back(fmt::format("{} {}: {}", option, text, expected));
  }
  return parts;
}

constexpr std::string_view a_jump = "two cells are expected, such as 17,7";
constexpr std::string_view a_power =
    "a cell and again, skip, restart, shield or swap are expected, skip and shield with a number, "
    "such as 30,skip,2";

}  // namespace

void BoardOptions::add_to(CLI::App& command) {
  const std::string other_group = command.option_defaults()->get_group();
  command.option_defaults()->group("Board");
  auto* board =
      add_value(command, "--board", board_, "NAME|FILE",
                fmt::format("One of snl board list, or a JSON file (default: {})", usual_board));
  auto* cells =
      add_number(command, "--cells", cells_,
                 "An empty board of N cells (100 if only --snake and the like are given)");
  auto* size = add_number(command, "--size", size_, "An empty board of N×N cells");
  auto* snakes =
      add_repeated(command, "--snake", snakes_, "HEAD,TAIL", "A snake; as often as needed");
  auto* ladders =
      add_repeated(command, "--ladder", ladders_, "START,END", "A ladder; as often as needed");
  auto* powers = add_repeated(command, "--power", powers_, "CELL,POWER[,N]",
                              "A power: again, skip, restart, shield or swap; as often as needed");
  command.option_defaults()->group(other_group);
  cells->excludes(size);
  for (auto* other : {cells, size, snakes, ladders, powers})
    board->excludes(other);
}

ChosenBoard BoardOptions::chosen() const {
  if (!board_.empty()) return board_from(board_);
  const bool nothing_asked =
      !cells_ && !size_ && snakes_.empty() && ladders_.empty() && powers_.empty();
  if (nothing_asked) return default_board();
  BoardDescription description;
  if (cells_) description.cells = *cells_;
  if (size_) {
    if (*size_ < 2 || *size_ > max_rows)
      throw Failure(Exit::usage,
                    fmt::format("--size {}: a square board has 2 to {} rows", *size_, max_rows));
    description.cells = *size_ * *size_;
  }
  std::vector<std::string> faults;
  description.snakes = read_all("--snake", snakes_, jump_from_text, a_jump, faults);
  description.ladders = read_all("--ladder", ladders_, jump_from_text, a_jump, faults);
  description.powers = read_all("--power", powers_, power_from_text, a_power, faults);
  auto board = Board::make(description);
  if (!board) std::ranges::move(messages_of(board.error()), std::back_inserter(faults));
  if (faults.empty()) return {.board = *std::move(board)};
  throw Failure(Exit::usage, fmt::format("{}", fmt::join(faults, "; ")));
}

}  // namespace snl::cli
