#include "chosen_board.hpp"

#include "cli/session/failure.hpp"
#include "cli/session/input_file.hpp"
#include "cli/session/near_word.hpp"
#include "cli/session/output.hpp"
#include "domain/faults.hpp"
#include "domain/move.hpp"
#include "domain/named_boards.hpp"
#include "storage/exchange/board_json.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

namespace snl::cli {
namespace {

std::vector<std::string> names_of_boards() {
  std::vector<std::string> names;
  for (const NamedBoard& board : named_boards())
    names.emplace_back(board.name);
  return names;
}

}  // namespace

std::string read_board_file(const std::string& path) {
  std::error_code error;
  if (path != "-" && !std::filesystem::exists(path, error))
    throw Failure(
        Exit::usage,
        fmt::format("no board is named \"{}\", and there is no such file{}; snl board list "
                    "shows the names",
                    path, suggestion(path, names_of_boards())));
  return read_file(path, max_board_bytes);
}

ChosenBoard board_from(const std::string& name_or_file) {
  if (const NamedBoard* named = find_named_board(name_or_file))
    return {named->board(), std::string(named->rules), rules_named(named->rules)->start};
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
  return {std::move(read->board), std::nullopt, usual_start(read->form)};
}

void warn_about(const Board& board, const Rules& rules) {
  for (const std::string& warning : warnings_about(board, rules))
    warn("warning: " + warning);
}

}  // namespace snl::cli
