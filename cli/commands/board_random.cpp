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
#include <memory>
#include <optional>

namespace snl::cli {
namespace {

struct RandomOptions {
  std::int64_t size = 10;
  std::optional<std::int64_t> snakes;
  std::optional<std::int64_t> ladders;
  std::int64_t powers = 0;
  std::optional<std::uint64_t> seed;
  OutputForm form = OutputForm::json;
};

/// The default is one snake and one ladder for every eight cells, and at most as many as there are
/// rows. That leaves enough room to play.
RandomBoardRequest request_from(const RandomOptions& options) {
  const std::int64_t size = std::clamp<std::int64_t>(options.size, 2, max_rows);
  const std::int64_t most = most_jumps_of_both_kinds(size * size);
  const std::int64_t usual = std::clamp<std::int64_t>(size * size / 8, 1, size);
  const auto beside = [&](std::optional<std::int64_t> other) {
    return std::clamp<std::int64_t>(most - other.value_or(usual), 0, usual);
  };
  return {.size = options.size,
          .snakes = options.snakes.value_or(beside(options.ladders)),
          .ladders = options.ladders.value_or(beside(options.snakes)),
          .powers = options.powers};
}

void print_random_board(const RandomOptions& options) {
  const std::uint64_t seed = options.seed ? *options.seed : random_seed();
  const auto board = random_board(request_from(options), seed);
  if (!board) throw Failure(Exit::usage, board.error());
  if (!options.seed) warn(fmt::format("seed {}", seed));
  print_line(board_to_json(*board));
}

}  // namespace

void add_board_random(CLI::App& board, Session& /*session*/) {
  auto options = std::make_shared<RandomOptions>();
  auto* command = board.add_subcommand("random", "Make a board at random that can be won");
  add_number(*command, "--size", options->size, "N×N cells (default: 10)");
  add_number(*command, "--snakes", options->snakes, "How many (default: as the size suggests)", 0);
  add_number(*command, "--ladders", options->ladders, "How many (default: as the size suggests)",
             0);
  add_number(*command, "--powers", options->powers, "How many (default: none)", 0);
  add_number(*command, "--seed", options->seed,
             "The same seed makes the same board (default: random, see stderr)");
  add_json_flag(*command, options->form, "Print JSON, as it always does");
  command->callback([options] { print_random_board(*options); });
}

}  // namespace snl::cli
