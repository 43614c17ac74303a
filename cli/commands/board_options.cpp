#include "board_options.hpp"

#include "cli/session/failure.hpp"
#include "cli/session/files.hpp"
#include "cli/session/session.hpp"
#include "domain/board_forms.hpp"
#include "domain/move.hpp"
#include "domain/named_boards.hpp"
#include "number_options.hpp"
#include "storage/exchange/board_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

namespace snl::cli {
namespace {

Failure usage(const std::string& message) {
  return {Exit::usage, message};
}

BoardDescription::Jump parse_jump(const std::string& option, const std::string& text) {
  const auto jump = jump_from_text(text);
  if (!jump) throw usage(fmt::format("{} {}: two cells are expected, such as 17,7", option, text));
  return *jump;
}

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
    throw usage(
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
  if (!read) throw usage(fmt::format("board {}: {}", file, first_of(read.error())));
  return {std::move(read->board), std::nullopt, usual_start(read->form)};
}

void warn_about(const Board& board, const Rules& rules) {
  for (const std::string& warning : warnings_about(board, rules))
    warn("warning: " + warning);
}

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
  cells->excludes(size);
  for (auto* other : {cells, size, snakes, ladders})
    board->excludes(other);
}

ChosenBoard BoardOptions::chosen() const {
  if (!board_.empty()) return board_from(board_);
  BoardDescription description;
  if (cells_) description.cells = *cells_;
  if (size_) {
    if (*size_ < 2 || *size_ > max_rows)
      throw usage(fmt::format("--size {}: a square board has 2 to {} rows", *size_, max_rows));
    description.cells = *size_ * *size_;
  }
  for (const std::string& snake : snakes_)
    description.snakes.push_back(parse_jump("--snake", snake));
  for (const std::string& ladder : ladders_)
    description.ladders.push_back(parse_jump("--ladder", ladder));
  auto board = Board::make(description);
  if (board) return {*std::move(board), std::nullopt};
  std::vector<std::string> faults;
  for (const BoardFault& fault : board.error())
    faults.push_back(fault.message);
  throw usage(fmt::format("{}", fmt::join(faults, "; ")));
}

void RulesOptions::add_to(CLI::App& command) {
  const std::string group = "Rules";
  command.add_option("--rules", preset_, "A preset; each part can be overridden")
      ->check(CLI::IsMember({"standard", "lld", "milton-bradley"}))
      ->type_name("NAME")
      ->group(group);
  add_number(command, "--start", start_, "The cell where pieces start: 1, or 0 for off the board")
      ->type_name("CELL")
      ->group(group);
  command.add_option("--finish", finish_, "How the last cell is reached")
      ->check(CLI::IsMember({"exact", "overshoot", "bounce"}))
      ->type_name("WORD")
      ->group(group);
  add_number(command, "--dice", dice_, "1 die, or 2 summed")->type_name("N")->group(group);
  add_number(command, "--faces", faces_, "Faces of a die, 2 to 100 (default: 6)")
      ->type_name("N")
      ->group(group);
  command.add_option("--sixes", sixes_, "Whether a 6 rolls again")
      ->check(CLI::IsMember({"again", "plain"}))
      ->type_name("WORD")
      ->group(group);
}

Rules RulesOptions::chosen(const std::optional<std::string>& rules_of_board) const {
  const bool any_option =
      !preset_.empty() || start_ || !finish_.empty() || dice_ || faces_ || !sixes_.empty();
  const std::string preset = !preset_.empty() ? preset_
                             : any_option     ? "standard"
                                              : rules_of_board.value_or("standard");
  Rules rules = rules_named(preset).value();
  rules.start = start_.value_or(rules.start);
  rules.dice = dice_.value_or(rules.dice);
  rules.faces = faces_.value_or(rules.faces);
  if (!finish_.empty()) rules.finish = finish_named(finish_).value();
  if (!sixes_.empty())
    rules.sixes = sixes_named(sixes_).value();
  else if (rules.dice != 1 || rules.faces != 6)
    rules.sixes = Sixes::plain;
  if (const auto faults = faults_of(rules); !faults.empty())
    throw usage(fmt::format("{}", fmt::join(faults, "; ")));
  return rules;
}

}  // namespace snl::cli
