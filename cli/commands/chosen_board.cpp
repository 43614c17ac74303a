#include "chosen_board.hpp"

#include "cli/session/failure.hpp"
#include "cli/session/input_file.hpp"
#include "cli/session/output.hpp"
#include "domain/move.hpp"
#include "domain/named_boards.hpp"
#include "storage/exchange/board_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

namespace snl::cli {
namespace {

/// As many faults as a line of an error message holds.
std::string first_of(const Faults& faults) {
  constexpr std::size_t told = 5;
  if (faults.size() <= told) return fmt::format("{}", fmt::join(faults, "; "));
  return fmt::format("{}; and {} more: snl board check names them all",
                     fmt::join(std::span(faults).first(told), "; "), faults.size() - told);
}

}  // namespace

std::string read_board_file(const std::string& path) {
  std::error_code error;
  if (path != "-" && !std::filesystem::exists(path, error))
    throw Failure(Exit::usage,
                  fmt::format("no board is named \"{}\", and there is no such file; snl board list "
                              "shows the names",
                              path));
  return read_file(path, max_board_bytes);
}

ChosenBoard board_from(const std::string& name_or_file) {
  if (const NamedBoard* named = find_named_board(name_or_file))
    return {named->board(), std::string(named->rules), rules_named(named->rules)->start};
  return board_from_text(name_or_file, read_board_file(name_or_file));
}

ChosenBoard board_from_text(const std::string& file, std::string_view text) {
  auto read = parse_board(text);
  if (!read) throw Failure(Exit::usage, fmt::format("board {}: {}", file, first_of(read.error())));
  return {std::move(read->board), std::nullopt, usual_start(read->form)};
}

void warn_about(const Board& board, const Rules& rules) {
  for (const std::string& warning : warnings_about(board, rules))
    warn("warning: " + warning);
}

}  // namespace snl::cli
