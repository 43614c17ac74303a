// board random

#include "cli/session/failure.hpp"
#include "cli/session/output.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "domain/board_forms.hpp"
#include "domain/random_board.hpp"
#include "number_options.hpp"
#include "storage/exchange/board_json.hpp"
#include "storage/start_game.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace snl::cli {
namespace {

struct RandomBoard {
  std::int64_t size = 10;
  std::optional<std::int64_t> snakes;
  std::optional<std::int64_t> ladders;
  std::int64_t powers = 0;
  std::optional<std::uint64_t> seed;
  OutputForm form = OutputForm::json;

  void run(Session& /*session*/) const {
    const std::uint64_t used_seed = seed ? *seed : random_seed();
    const auto board = random_board(request(), used_seed);
    if (!board) throw Failure(Exit::usage, board.error());
    if (!seed) warn(fmt::format("seed {}", used_seed));
    print_line(board_to_json(*board));
  }

 private:
  /// The default is one snake and one ladder for every eight cells, and at most as many as there
  /// are rows. That leaves enough room to play.
  RandomBoardRequest request() const {
    const std::int64_t rows = std::clamp<std::int64_t>(size, 2, max_rows);
    const std::int64_t most = most_jumps_of_both_kinds(rows * rows);
    const std::int64_t usual = std::clamp<std::int64_t>(rows * rows / 8, 1, rows);
    const auto beside = [&](std::optional<std::int64_t> other) {
      return std::clamp<std::int64_t>(most - other.value_or(usual), 0, usual);
    };
    return {.size = size,
            .snakes = snakes.value_or(beside(ladders)),
            .ladders = ladders.value_or(beside(snakes)),
            .powers = powers};
  }
};

}  // namespace

void add_board_random(CLI::App& board, Session& session) {
  auto [command, options] =
      add_command<RandomBoard>(board, session, "random", "Make a board at random that can be won");
  add_number(command, "--size", options.size, "N×N cells (default: 10)");
  add_number(command, "--snakes", options.snakes, "How many (default: as the size suggests)", 0);
  add_number(command, "--ladders", options.ladders, "How many (default: as the size suggests)", 0);
  add_number(command, "--powers", options.powers, "How many (default: none)", 0);
  add_number(command, "--seed", options.seed,
             "The same seed makes the same board (default: random, see stderr)");
  add_json_flag(command, options.form, "Print JSON, as it always does");
}

}  // namespace snl::cli
