// board solve

#include "chosen_board.hpp"
#include "cli/session/failure.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "domain/analysis/fewest_throws.hpp"
#include "domain/named_boards.hpp"
#include "domain/wording.hpp"
#include "number_options.hpp"
#include "storage/exchange/board_json.hpp"

#include <fmt/format.h>

#include <iterator>
#include <optional>
#include <string>
#include <utility>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace snl::cli {
namespace {

namespace json = boost::json;

/// The board to solve; none for a board of one cell, where no throw is needed.
std::optional<ChosenBoard> board_to_solve(const std::string& name_or_file) {
  if (find_named_board(name_or_file) != nullptr) return board_from(name_or_file);
  const std::string text = read_board_file(name_or_file);
  try {
    return board_from_text(name_or_file, text);
  } catch (const Failure&) {
    if (is_one_cell_board(text)) return std::nullopt;
    throw;
  }
}

/// Keeps freed memory in the process: the search reuses the memory of the text, and the kernel need
/// not clear as much again.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int most = 32 << 20;  // the largest block that is kept
  (void)mallopt(M_MMAP_THRESHOLD, most);
  (void)mallopt(M_TRIM_THRESHOLD, most);
  (void)mallopt(M_TOP_PAD, 1 << 20);
#endif
}

struct Task {
  Board board;
  Cell start;
};

struct SolveBoard {
  std::string board;
  std::optional<Cell> start;
  std::int32_t faces = usual_faces;
  OutputForm form = OutputForm::words;

  void run(Session& /*session*/) const {
    const auto task = wanted();
    if (form == OutputForm::words)
      return print_line(
          fmt::format("{}", task ? fewest_throws_count(task->board, task->start, faces) : 0));
    const FewestThrows fewest = task ? fewest_throws(task->board, task->start, faces)
                                     : FewestThrows{.count = 0, .throws = {}, .cells = {}};
    print_json({{"min_throws", fewest.count},
                {"reachable", fewest.reachable()},
                {"throws", json::array(fewest.throws.begin(), fewest.throws.end())},
                {"cells", json::array(fewest.cells.begin(), fewest.cells.end())}});
  }

 private:
  /// The search to run; none for a board of one cell.
  std::optional<Task> wanted() const {
    keep_freed_memory();
    auto chosen = board_to_solve(board);
    if (!chosen) return std::nullopt;
    if (!chosen->board.powers().empty())
      throw Failure(Exit::usage,
                    fmt::format("board {}: the fewest throws are known only for snakes and "
                                "ladders, and it has {}",
                                board, counted(std::ssize(chosen->board.powers()), "power")));
    return Task{std::move(chosen->board), start.value_or(chosen->start)};
  }
};

}  // namespace

void add_board_solve(CLI::App& board, Session& session) {
  auto [command, options] = add_command<SolveBoard>(
      board, session, "solve", "Print the fewest throws to the end, or -1 if it can't be reached");
  command.add_option("BOARD", options.board, "A name or a JSON file; - is stdin")->required();
  add_number(command, "--start", options.start,
             "1, or 0 for off the board (default: the board's own, else 1)", 0, 1)
      ->type_name("CELL");
  add_number(command, "--faces", options.faces, "Faces of the die, 1 or more (default: 6)", 1);
  add_json_flag(command, options.form, "Print JSON, with one best sequence of throws");
}

}  // namespace snl::cli
