// board convert, board random

#include "board_options.hpp"
#include "cli/session/start_game.hpp"
#include "commands.hpp"
#include "domain/board_forms.hpp"
#include "domain/random_board.hpp"
#include "number_options.hpp"
#include "storage/exchange/board_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace snl::cli {
namespace {

struct RandomOptions {
  std::int64_t size = 10;
  std::optional<std::int64_t> snakes;
  std::optional<std::int64_t> ladders;
  std::optional<std::uint64_t> seed;
};

/// Of each kind one for every eight cells, but no more than there are rows: room enough to play.
RandomBoardRequest request_from(const RandomOptions& options) {
  const std::int64_t size = std::clamp<std::int64_t>(options.size, 2, max_rows);
  const std::int64_t most = most_jumps_of_both_kinds(size * size);
  const std::int64_t usual = std::clamp<std::int64_t>(size * size / 8, 1, size);
  const auto beside = [&](std::optional<std::int64_t> other) {
    return std::clamp<std::int64_t>(most - other.value_or(usual), 0, usual);
  };
  return {.size = options.size,
          .snakes = options.snakes.value_or(beside(options.ladders)),
          .ladders = options.ladders.value_or(beside(options.snakes))};
}

void print_random_board(const RandomOptions& options) {
  const std::uint64_t seed = options.seed ? *options.seed : random_seed();
  const auto board = random_board(request_from(options), seed);
  if (!board) throw Failure(Exit::usage, board.error());
  if (!options.seed) warn(fmt::format("seed {}", seed));
  print_line(board_to_json(*board));
}

void convert_board(const std::string& name_or_file, BoardForm form) {
  const Board board = board_from(name_or_file).board;
  const auto text = board_to_json(board, form);
  if (!text) throw Failure(Exit::usage, fmt::format("board {}: {}", name_or_file, text.error()));
  if (form == BoardForm::moves && board.width() != usual_width(board.cells()))
    warn(
        fmt::format("warning: moves tell no width: these {} cells will be taken for rows of {}, "
                    "and they were rows of {}",
                    board.cells(), usual_width(board.cells()), board.width()));
  print_line(*text);
}

void add_convert(CLI::App& board) {
  struct Options {
    std::string board;
    std::string form;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  auto* command = board.add_subcommand("convert", "Print a board in another of its forms");
  command->add_option("BOARD", options->board, "A name or a JSON file; - is stdin")->required();
  command->add_option("--to", options->form, "The form")
      ->check(CLI::IsMember({"snl", "matrix", "moves", "entries"}))
      ->type_name("FORM")
      ->required();
  command->add_flag("--json", options->json, "Print JSON, as it always does");
  command->callback(
      [options] { convert_board(options->board, board_form_named(options->form).value()); });
}

void add_random(CLI::App& board) {
  struct Options : RandomOptions {
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  auto* command = board.add_subcommand("random", "Make a board at random that can be won");
  add_number(*command, "--size", options->size, "N×N cells (default: 10)");
  command->add_option("--snakes", options->snakes, "How many (default: as the size suggests)")
      ->check(whole_number<std::int64_t>(0))
      ->type_name("N");
  command->add_option("--ladders", options->ladders, "How many (default: as the size suggests)")
      ->check(whole_number<std::int64_t>(0))
      ->type_name("N");
  add_number(*command, "--seed", options->seed,
             "The same seed, the same board (default: random, told on stderr)");
  command->add_flag("--json", options->json, "Print JSON, as it always does");
  command->callback([options] { print_random_board(*options); });
}

}  // namespace

void add_board_form_commands(CLI::App& board) {
  add_convert(board);
  add_random(board);
}

}  // namespace snl::cli
