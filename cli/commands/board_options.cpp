#include "board_options.hpp"

#include "cli/session/failure.hpp"
#include "domain/board_forms.hpp"
#include "number_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace snl::cli {
namespace {

DescribedJump parse_jump(const std::string& option, const std::string& text) {
  const auto jump = jump_from_text(text);
  if (!jump)
    throw Failure(Exit::usage,
                  fmt::format("{} {}: two cells are expected, such as 17,7", option, text));
  return *jump;
}

DescribedPower parse_power(const std::string& text) {
  const auto power = power_from_text(text);
  if (!power)
    throw Failure(Exit::usage,
                  fmt::format("--power {}: a cell and again, skip, restart, shield or swap are "
                              "expected, skip and shield with a number, such as 30,skip,2",
                              text));
  return *power;
}

}  // namespace

void BoardOptions::add_to(CLI::App& command) {
  const std::string group = "Board";
  auto* board =
      command.add_option("--board", board_, "A named board (see snl board list) or a JSON file")
          ->type_name("NAME|FILE")
          ->group(group);
  auto* cells = add_number(command, "--cells", cells_, "An empty board of N cells (default: 100)")
                    ->type_name("N")
                    ->group(group);
  auto* size = add_number(command, "--size", size_, "An empty board of N×N cells")
                   ->type_name("N")
                   ->group(group);
  auto* snakes = command.add_option("--snake", snakes_, "A snake; as often as needed")
                     ->type_name("HEAD,TAIL")
                     ->allow_extra_args(false)
                     ->group(group);
  auto* ladders = command.add_option("--ladder", ladders_, "A ladder; as often as needed")
                      ->type_name("START,END")
                      ->allow_extra_args(false)
                      ->group(group);
  auto* powers =
      command
          .add_option("--power", powers_,
                      "A power: again, skip, restart, shield or swap; as often as needed")
          ->type_name("CELL,POWER[,N]")
          ->allow_extra_args(false)
          ->group(group);
  cells->excludes(size);
  for (auto* other : {cells, size, snakes, ladders, powers})
    board->excludes(other);
}

ChosenBoard BoardOptions::chosen() const {
  if (!board_.empty()) return board_from(board_);
  BoardDescription description;
  if (cells_) description.cells = *cells_;
  if (size_) {
    if (*size_ < 2 || *size_ > max_rows)
      throw Failure(Exit::usage,
                    fmt::format("--size {}: a square board has 2 to {} rows", *size_, max_rows));
    description.cells = *size_ * *size_;
  }
  for (const std::string& snake : snakes_)
    description.snakes.push_back(parse_jump("--snake", snake));
  for (const std::string& ladder : ladders_)
    description.ladders.push_back(parse_jump("--ladder", ladder));
  for (const std::string& power : powers_)
    description.powers.push_back(parse_power(power));
  auto board = Board::make(description);
  if (board) return {*std::move(board), std::nullopt};
  throw Failure(Exit::usage, fmt::format("{}", fmt::join(messages_of(board.error()), "; ")));
}

}  // namespace snl::cli
