#include "chosen_board.hpp"

#include "cli/session/failure.hpp"
#include "cli/session/input_file.hpp"
#include "cli/session/near_word.hpp"
#include "cli/session/output.hpp"
#include "common_options.hpp"
#include "domain/analysis/odds.hpp"
#include "domain/board_warnings.hpp"
#include "domain/faults.hpp"
#include "domain/named_boards.hpp"
#include "domain/narration.hpp"
#include "domain/reachability.hpp"
#include "domain/wording.hpp"
#include "storage/exchange/board_json.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

namespace snl::cli {
namespace {

ChosenBoard chosen(const NamedBoard& named) {
  const Rules rules = value_named(preset_names, named.rules).value();
  return {.board = named.board(),
          .rules = rules,
          .start = rules.start,
          .name = std::string(named.name)};
}

}  // namespace

std::string read_board_file(const std::string& path) {
  std::error_code error;
  if (path != "-" && !std::filesystem::exists(path, error))
    throw Failure(
        Exit::usage,
        fmt::format("no board is named \"{}\", and there is no such file{}; snl board list "
                    "shows the names",
                    path, suggestion(path, names_in(named_boards()))));
  return read_file(path, max_board_bytes);
}

std::string file_of_board(const std::string& name_or_file) {
  return find_named_board(name_or_file) == nullptr ? name_or_file : "";
}

ChosenBoard board_from(const std::string& name_or_file) {
  if (const NamedBoard* named = find_named_board(name_or_file)) return chosen(*named);
  return board_from_text(name_or_file, read_board_file(name_or_file));
}

ChosenBoard board_from_text(const std::string& file, std::string_view text) {
  auto read = parse_board(text);
  if (!read) {
    constexpr std::size_t most = 5;
    const std::string faults = in_a_line(read.error(), most, ": snl board check names them all");
    const std::string_view next_step = read.error().size() > most ? "" : "; correct it";
    throw Failure(Exit::usage, fmt::format("board {}: {}{}", file, faults, next_step));
  }
  return {.board = std::move(read->board),
          .start = usual_start(read->form),
          .name = name_of_input(file)};
}

ChosenBoard default_board() {
  return chosen(*find_named_board(usual_board));
}

std::string cells_and_contents_of(const Board& board) {
  return fmt::format("{}, {}", counted(board.cells(), "cell"), contents_of(board));
}

void announce_board(const Session& session, OutputForm form, const ChosenBoard& board) {
  if (form != OutputForm::words || !session.stdout_is_terminal()) return;
  warn(fmt::format("the board: {}{}; --board takes another of snl board list",
                   board.name.empty() ? "" : board.name + ", ",
                   cells_and_contents_of(board.board)));
}

std::vector<std::string> warnings_about_games(const Board& board, const Rules& rules,
                                              std::size_t players) {
  std::vector<std::string> warnings = warnings_about(board, rules);
  if (can_meet(board, rules, std::span(&rules.start, 1)) &&
      may_never_end(board, rules, players).value_or(false))
    warnings.push_back(
        fmt::format("the pieces of {} players may reach a position from which nobody "
                    "can win: a game may never end",
                    players));
  return warnings;
}

void warn_about(const Board& board, const Rules& rules) {
  for (const std::string& warning : warnings_about(board, rules))
    warn("warning: " + warning);
}

}  // namespace snl::cli
