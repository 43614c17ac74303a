#include "board_forms.hpp"

#include "jump_faults.hpp"
#include "names.hpp"
#include "wording.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace snl {
namespace {

std::string text(std::int64_t number) {
  return std::to_string(number);
}

std::string at(std::int64_t row, std::int64_t column) {
  return "row " + text(row) + ", column " + text(column);
}

std::string fault_of_rows(std::int64_t rows) {
  return counted(rows, "row") + ": a square board has 2 to " + text(max_rows);
}

std::string off_the_board(Cell destination, Cell first, Cell last) {
  return text(destination) + " is off the board (" + text(first) + " to " + text(last) +
         ", or -1 for no jump)";
}

/// The faults of a cell that leads to another one, up or down.
JumpFaults faults_of(std::int64_t from, std::int64_t to, std::int64_t cells) {
  return faults_of(to < from ? JumpKind::snake : JumpKind::ladder, {from, to}, cells);
}

Faults faults_of_shape(const BoardMatrix& matrix) {
  const auto rows = static_cast<std::int64_t>(matrix.size());
  FaultList faults;
  if (rows < 2 || rows > max_rows) faults.add([&] { return fault_of_rows(rows); });
  for (std::size_t row = 0; row < matrix.size(); ++row) {
    const auto columns = static_cast<std::int64_t>(matrix[row].size());
    if (columns == rows) continue;
    faults.add([&] {
      return "row " + std::to_string(row) + ": it has " + counted(columns, "column") +
             ", but the matrix has " + counted(rows, "row") + ": it must be square";
    });
  }
  return std::move(faults).take();
}

/// The faults of a square's cells, by their places in the matrix.
Faults faults_of_cells(const BoardSquare& square) {
  const std::int32_t rows = square.rows;
  const Cell cells = rows * rows;
  FaultList faults;
  for (std::int32_t row = 0; row < rows; ++row) {
    for (std::int32_t column = 0; column < rows; ++column) {
      const Cell cell = cell_at({rows - 1 - row, column}, rows);
      const Cell destination = square.landings[static_cast<std::size_t>(cell)];
      if (destination == cell) continue;
      const JumpFaults found = faults_of(cell, destination, cells);
      const auto place = [&] { return at(row, column) + ": "; };
      if (found.ends_off_the_board)
        faults.add([&] { return place() + off_the_board(destination, 1, cells); });
      if (found.starts_on_the_last_cell)
        faults.add([&] { return place() + std::string(no_start_on_the_last_cell); });
    }
  }
  return std::move(faults).take();
}

Faults faults_of_cells(std::span<const Cell> moves) {
  const auto last = static_cast<Cell>(moves.size() - 1);
  FaultList faults;
  for (Cell index = 0; index <= last; ++index) {
    const Cell move = moves[static_cast<std::size_t>(index)];
    if (move == no_jump || move == index) continue;
    const JumpFaults found =
        faults_of(std::int64_t{index} + 1, std::int64_t{move} + 1, std::int64_t{last} + 1);
    const auto place = [&] { return "index " + text(index) + ": "; };
    if (found.ends_off_the_board)
      faults.add([&] { return place() + off_the_board(move, 0, last); });
    if (found.starts_on_the_last_cell)
      faults.add([&] { return place() + std::string(no_start_on_the_last_cell); });
  }
  return std::move(faults).take();
}

/// The cells where pieces come to rest, from the destinations of a square matrix as they stand.
std::vector<Cell> landings_of(const BoardMatrix& matrix) {
  const auto rows = static_cast<std::int32_t>(matrix.size());
  std::vector<Cell> landings(matrix.size() * matrix.size() + 1);
  for (std::int32_t row = 0; row < rows; ++row) {
    auto [cell, step] = place_of_row(row, rows);
    for (const Cell destination : matrix[static_cast<std::size_t>(row)]) {
      landings[static_cast<std::size_t>(cell)] =
          destination == no_jump ? static_cast<Cell>(cell) : destination;
      cell += step;
    }
  }
  return landings;
}

/// The cells where pieces come to rest, from moves; 0 for a move that leads off the board.
std::vector<Cell> landings_of(std::span<const Cell> moves) {
  std::vector<Cell> landings(moves.size() + 1);
  Cell cell = 0;
  for (const Cell move : moves) {
    ++cell;
    const bool on_board = move >= 0 && std::cmp_less(move, moves.size());
    landings[static_cast<std::size_t>(cell)] = move == no_jump ? cell : on_board ? move + 1 : 0;
  }
  return landings;
}

// ---- Entries

constexpr std::array kind_names{
    NamedValue{"SU", EntryKind::snake_upper}, NamedValue{"SL", EntryKind::snake_lower},
    NamedValue{"LU", EntryKind::ladder_upper}, NamedValue{"LL", EntryKind::ladder_lower}};

bool is_upper(EntryKind kind) {
  return kind == EntryKind::snake_upper || kind == EntryKind::ladder_upper;
}

bool is_start(EntryKind kind) {
  return kind == EntryKind::snake_upper || kind == EntryKind::ladder_lower;
}

JumpKind jump_kind(EntryKind kind) {
  const bool snake = kind == EntryKind::snake_upper || kind == EntryKind::snake_lower;
  return snake ? JumpKind::snake : JumpKind::ladder;
}

EntryKind other_end(EntryKind kind) {
  using enum EntryKind;
  if (jump_kind(kind) == JumpKind::snake) return is_upper(kind) ? snake_lower : snake_upper;
  return is_upper(kind) ? ladder_lower : ladder_upper;
}

/// One end of a jump, as an entry gives it. Sorting brings the ends of a jump together, and the
/// jumps of a cell.
struct ListedEnd {
  Cell from;
  Cell to;
  bool is_start;  // else the end where it leads
  std::size_t entry;
  friend auto operator<=>(const ListedEnd&, const ListedEnd&) = default;
};

using Ends = std::span<const ListedEnd>;

/// Calls `visit` with each longest run of ends that are the same to `key`.
template <class Key, class Visit>
void for_each_run(Ends ends, const Key& key, const Visit& visit) {
  while (!ends.empty()) {
    const auto next = std::ranges::find_if(
        ends, [&](const ListedEnd& end) { return key(end) != key(ends.front()); });
    const auto length = static_cast<std::size_t>(next - ends.begin());
    visit(ends.first(length));
    ends = ends.subspan(length);
  }
}

std::size_t first_entry(Ends ends) {
  return std::ranges::min(ends, {}, &ListedEnd::entry).entry;
}

/// Finds the faults of entries. It keeps small notes, and makes the sentences last.
class EntriesInspection {
 public:
  explicit EntriesInspection(const BoardEntries& board) : board_(board) {
    for (std::size_t entry = 0; entry < board_.entries.size(); ++entry)
      inspect(entry);
    std::ranges::sort(ends_);
    for_each_run(ends_, &from_of, [this](Ends ends) { inspect_start(ends); });
    std::ranges::sort(notes_);
  }

  Faults faults() const {
    FaultList faults;
    for (const Note& note : notes_)
      faults.add([&] { return "entry " + std::to_string(note.entry) + ": " + sentence(note); });
    return std::move(faults).take();
  }

  /// Every jump twice, if there is no fault.
  Ends ends() const { return ends_; }

 private:
  enum class What : std::uint8_t {
    off_the_board,
    other_off_the_board,
    on_one_cell,
    upside_down,
    on_the_last_cell,
    repeated,
    alone,
    start_taken,
  };
  struct Note {
    std::size_t entry;
    What what;
    std::size_t other = 0;  // the entry that it repeats, or that took its start

    auto operator<=>(const Note&) const = default;
  };

  static Cell from_of(const ListedEnd& end) { return end.from; }
  static Cell to_of(const ListedEnd& end) { return end.to; }

  std::optional<Cell> cell(std::int64_t row, std::int64_t column) const {
    if (row < 0 || row >= board_.size || column < 0 || column >= board_.size) return std::nullopt;
    return cell_at({static_cast<std::int32_t>(row), static_cast<std::int32_t>(column)},
                   static_cast<std::int32_t>(board_.size));
  }

  void inspect(std::size_t index) {
    const BoardEntry& entry = board_.entries[index];
    const auto here = cell(entry.row, entry.column);
    const auto there = cell(entry.row2, entry.column2);
    const bool one_cell = entry.row == entry.row2 && entry.column == entry.column2;
    if (!here) notes_.push_back({index, What::off_the_board});
    if (!there && !one_cell) notes_.push_back({index, What::other_off_the_board});
    if (one_cell) notes_.push_back({index, What::on_one_cell});
    if (!here || !there || one_cell) return;
    const Cell from = is_start(entry.kind) ? *here : *there;
    const Cell to = is_start(entry.kind) ? *there : *here;
    const JumpFaults faults =
        snl::faults_of(jump_kind(entry.kind), {from, to}, board_.size * board_.size);
    if (faults.goes_wrong_way) notes_.push_back({index, What::upside_down});
    if (faults.starts_on_the_last_cell) notes_.push_back({index, What::on_the_last_cell});
    if (!faults.any()) ends_.push_back({from, to, is_start(entry.kind), index});
  }

  /// All ends of the jumps that start on one cell.
  void inspect_start(Ends ends) {
    const std::size_t first = first_entry(ends);
    for_each_run(ends, &to_of, [&](Ends jump) {
      inspect_jump(jump);
      const std::size_t entry = first_entry(jump);
      if (entry != first) notes_.push_back({entry, What::start_taken, first});
    });
  }

  void inspect_jump(Ends ends) {
    const ListedEnd* first_alike = ends.data();
    for (const ListedEnd& end : ends) {
      if (end.is_start != first_alike->is_start) first_alike = &end;
      if (&end != first_alike) notes_.push_back({end.entry, What::repeated, first_alike->entry});
    }
    if (ends.front().is_start == ends.back().is_start)
      notes_.push_back({ends.front().entry, What::alone});
  }

  std::string sentence(const Note& note) const {
    const BoardEntry& entry = board_.entries[note.entry];
    const std::string here = at(entry.row, entry.column);
    const std::string there = at(entry.row2, entry.column2);
    const std::string range = " is off the board (0 to " + text(board_.size - 1) + ")";
    switch (note.what) {
      case What::off_the_board:
        return here + range;
      case What::other_off_the_board:
        return there + range;
      case What::on_one_cell:
        return std::string(goes_nowhere);
      case What::upside_down:
        return to_string(entry.kind) + (is_upper(entry.kind) ? " is an upper" : " is a lower") +
               " end, but " + here + (is_upper(entry.kind) ? " is below " : " is above ") + there;
      case What::on_the_last_cell:
        return std::string(no_start_on_the_last_cell);
      case What::repeated:
        return "it repeats entry " + std::to_string(note.other);
      case What::alone:
        return "its other end isn't listed: " + to_string(other_end(entry.kind)) + " at " + there;
      case What::start_taken:
        return "the jump of entry " + std::to_string(note.other) + " starts on the same cell";
    }
    return {};
  }

  const BoardEntries& board_;
  std::vector<ListedEnd> ends_;
  std::vector<Note> notes_;
};

// ---- Back

bool is_square(const Board& board) {
  return std::int64_t{board.width()} * board.width() == board.cells();
}

std::string not_square(const Board& board, const std::string& form) {
  return form + " hold square boards only, and this one has " + text(board.cells()) +
         " cells in rows of " + text(board.width());
}

}  // namespace

RowPlace place_of_row(std::int32_t row, std::int32_t rows) {
  const std::ptrdiff_t from_below = rows - 1 - row;
  const std::ptrdiff_t before = from_below * rows;  // cells of the rows below it
  return from_below % 2 == 0 ? RowPlace{before + 1, 1} : RowPlace{before + rows, -1};
}

std::expected<Board, Faults> board_from_matrix(const BoardMatrix& matrix) {
  if (auto faults = faults_of_shape(matrix); !faults.empty())
    return std::unexpected(std::move(faults));
  return board_from_square({static_cast<std::int32_t>(matrix.size()), landings_of(matrix)});
}

std::expected<Board, Faults> board_from_square(BoardSquare square) {
  const std::int64_t rows = square.rows;
  if (rows < 2 || rows > max_rows) return std::unexpected(Faults{fault_of_rows(rows)});
  if (std::cmp_not_equal(square.landings.size(), rows * rows + 1) || square.landings.front() != 0)
    return std::unexpected(Faults{counted(rows, "row") + ": the landings of such a square are " +
                                  text(rows * rows + 1) + ", the first of them 0"});
  if (auto board = Board::from_landings(square.rows, std::move(square.landings)))
    return *std::move(board);
  // from_landings() didn't take them. Only now are the cells checked one by one.
  return std::unexpected(faults_of_cells(square));
}

std::expected<Board, Faults> board_from_moves(std::span<const Cell> moves) {
  const auto cells = static_cast<std::int64_t>(moves.size());
  if (cells < 2 || cells > max_cells)
    return std::unexpected(
        Faults{counted(cells, "cell") + ": a board has 2 to " + text(max_cells)});
  if (auto board = Board::from_landings(usual_width(cells), landings_of(moves)))
    return *std::move(board);
  return std::unexpected(faults_of_cells(moves));
}

std::expected<Board, Faults> board_from_entries(const BoardEntries& entries) {
  if (entries.size < 2 || entries.size > max_rows)
    return std::unexpected(Faults{"size " + text(entries.size) + ": a square board has 2 to " +
                                  text(max_rows) + " rows"});
  const EntriesInspection inspection(entries);
  if (auto faults = inspection.faults(); !faults.empty()) return std::unexpected(std::move(faults));
  std::vector<Cell> landings(static_cast<std::size_t>(entries.size * entries.size) + 1);
  std::ranges::generate(landings, [cell = Cell{0}]() mutable { return cell++; });
  for (const ListedEnd& end : inspection.ends())
    landings[static_cast<std::size_t>(end.from)] = end.to;
  return Board::from_landings(entries.size, std::move(landings)).value();
}

std::expected<BoardMatrix, std::string> matrix_from(const Board& board) {
  if (!is_square(board)) return std::unexpected(not_square(board, "matrices"));
  const std::int32_t rows = board.width();
  const auto size = static_cast<std::size_t>(rows);
  BoardMatrix matrix(size, std::vector<Cell>(size, no_jump));
  for (const auto jumps : {board.snakes(), board.ladders()}) {
    for (const Jump jump : jumps) {
      const Place place = place_of(jump.from, rows);
      matrix[static_cast<std::size_t>(rows - 1 - place.row)]
            [static_cast<std::size_t>(place.column)] = jump.to;
    }
  }
  return matrix;
}

BoardMoves moves_from(const Board& board) {
  BoardMoves moves(static_cast<std::size_t>(board.cells()), no_jump);
  for (const auto jumps : {board.snakes(), board.ladders()})
    for (const Jump jump : jumps)
      moves[static_cast<std::size_t>(jump.from) - 1] = jump.to - 1;
  return moves;
}

std::expected<BoardEntries, std::string> entries_from(const Board& board) {
  if (!is_square(board)) return std::unexpected(not_square(board, "entries"));
  BoardEntries entries{.size = board.width(), .entries = {}};
  entries.entries.reserve(2 * (board.snakes().size() + board.ladders().size()));
  const auto list = [&](Jump jump, EntryKind start) {
    const Place from = place_of(jump.from, board.width());
    const Place to = place_of(jump.to, board.width());
    entries.entries.push_back({from.row, from.column, start, to.row, to.column});
    entries.entries.push_back({to.row, to.column, other_end(start), from.row, from.column});
  };
  for (const Jump snake : board.snakes())
    list(snake, EntryKind::snake_upper);
  for (const Jump ladder : board.ladders())
    list(ladder, EntryKind::ladder_lower);
  return entries;
}

bool is_one_cell(const BoardMatrix& matrix) {
  return matrix.size() == 1 && matrix[0].size() == 1 &&
         (matrix[0][0] == no_jump || matrix[0][0] == 1);
}

bool is_one_cell(std::span<const Cell> moves) {
  return moves.size() == 1 && (moves[0] == no_jump || moves[0] == 0);
}

bool is_one_cell(const BoardEntries& entries) {
  return entries.size == 1 && entries.entries.empty();
}

bool is_one_cell(const BoardDescription& description) {
  return description.cells == 1 && description.width.value_or(1) == 1 &&
         description.snakes.empty() && description.ladders.empty();
}

std::string to_string(EntryKind kind) {
  return std::string(name_of(kind_names, kind));
}

std::optional<EntryKind> entry_kind_named(std::string_view name) {
  return value_named(kind_names, name);
}

}  // namespace snl
