#include "random_board.hpp"

#include "board_forms.hpp"
#include "dice.hpp"
#include "wording.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <iterator>
#include <queue>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace snl {
namespace {

/// Numbers drawn from a seed, one after the other.
///
/// Block b of four words is philox4x32 of the counter (b, 0, 0, 1) and the key (seed's low 32 bits,
/// its high ones). Dice have 0 where the 1 is. A word w gives the number w × n ÷ 2³², which is
/// below n. If the remainder is below 2³² mod n, the word would favour some numbers, and is passed
/// over (Lemire, "Fast Random Integer Generation in an Interval", 2019).
class Draws {
 public:
  explicit Draws(std::uint64_t seed)
      : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)} {}

  /// 0 to n − 1, each equally likely; n ≥ 1.
  std::uint32_t below(std::uint32_t n) {
    std::uint64_t product = std::uint64_t{word()} * n;
    if (static_cast<std::uint32_t>(product) < n) {
      const auto unfair = static_cast<std::uint32_t>((std::uint64_t{1} << 32U) % n);
      while (static_cast<std::uint32_t>(product) < unfair)
        product = std::uint64_t{word()} * n;
    }
    return static_cast<std::uint32_t>(product >> 32U);
  }

 private:
  std::uint32_t word() {
    if (used_ == words_.size()) {
      words_ = philox4x32({block_++, 0, 0, 1}, key_);
      used_ = 0;
    }
    return words_[used_++];
  }

  std::array<std::uint32_t, 2> key_;
  std::uint32_t block_ = 0;
  std::array<std::uint32_t, 4> words_{};
  std::size_t used_ = words_.size();
};

/// The free cells of some rows. A cell is always taken from the row that has most of them.
class FreeCells {
 public:
  void add_row(std::vector<Cell> cells) {
    rows_.push_back(std::move(cells));
    offer(rows_.size() - 1);
  }

  /// Takes a cell; there must be one.
  Cell take() {
    const std::size_t row = fullest();
    const Cell cell = take_from(row);
    offer(row);
    return cell;
  }

  /// Takes two cells of different rows.
  std::array<Cell, 2> take_two() {
    const std::size_t one = fullest();
    const std::size_t other = fullest();
    const std::array<Cell, 2> cells{take_from(one), take_from(other)};
    offer(one);
    offer(other);
    return cells;
  }

 private:
  struct Row {
    std::size_t free;
    std::size_t row;
    friend auto operator<=>(const Row&, const Row&) = default;
  };

  void offer(std::size_t row) { by_free_.push({rows_[row].size(), row}); }

  std::size_t fullest() {
    const std::size_t row = by_free_.top().row;
    by_free_.pop();
    return row;
  }

  Cell take_from(std::size_t row) {
    const Cell cell = rows_[row].back();
    rows_[row].pop_back();
    return cell;
  }

  std::vector<std::vector<Cell>> rows_;
  std::priority_queue<Row> by_free_;
};

/// Jumps on a board that is sound at all times: each has two cells for itself, none starts on cell
/// 1 or on the last cell, and no two snakes start on neighbouring cells.
class Arrangement {
 public:
  /// Puts every jump on two neighbouring cells, from the start on, snakes first. That is sound for
  /// any number of jumps, as long as there are cells.
  explicit Arrangement(const RandomBoardRequest& request)
      : rows_(static_cast<Cell>(request.size)),
        cells_(rows_ * rows_),
        snakes_(static_cast<std::size_t>(request.snakes)),
        ends_(snakes_ + static_cast<std::size_t>(request.ladders)),
        taken_(static_cast<std::size_t>(cells_) + 1, nobody) {
    Cell cell = snakes_ > 0 ? 1 : 2;  // no ladder starts on cell 1
    for (std::size_t jump = 0; jump < ends_.size(); ++jump) {
      put({jump, 0}, cell++);
      put({jump, 1}, cell++);
    }
  }

  /// Moves each end of each jump to some cell, or exchanges it with the end that is there. Leaves
  /// out a move that would not be sound, or would make more jumps stay within one row.
  void shuffle(Draws& draws) {
    for (std::size_t jump = 0; jump < ends_.size(); ++jump)
      move_both_ends(jump, draws);
  }

  /// Moves the ends of the jumps that stay within one row, again and again, until no more of these
  /// jumps leave their row. On a full board most attempts fail, so their number is limited.
  void lead_out_of_rows(Draws& draws) {
    std::size_t left = ends_.size();
    std::int64_t attempts = 5'000'000;
    for (std::size_t before = left + 1; left > 0 && left < before;) {
      before = left;
      left = 0;
      for (std::size_t jump = 0; jump < ends_.size(); ++jump) {
        for (int attempt = 0; attempt < 32 && within_row(jump) && attempts > 0;
             ++attempt, --attempts)
          move_both_ends(jump, draws);
        left += within_row(jump) ? 1U : 0U;
      }
    }
  }

  bool has_jumps_within_rows() const {
    for (std::size_t jump = 0; jump < ends_.size(); ++jump)
      if (within_row(jump)) return true;
    return false;
  }

  /// Starts over with an arrangement in which every jump leads to another row, for up to
  /// most_snakes_across_rows snakes. Shuffling keeps it so.
  ///
  /// Snakes start on every second cell from the second row on. From the lowest one up, each ends in
  /// the row below it with most free cells. Cells that are open to one snake are open to all after
  /// it, so every snake gets one. Ladders lead between the two rows with most free cells, which
  /// uses up as many cells as possible.
  void start_across_rows() {
    std::ranges::fill(taken_, nobody);
    const auto snakes = static_cast<Cell>(snakes_);
    const auto is_for_a_head = [&](Cell cell) {
      return cell > rows_ && (cell - rows_) % 2 == 1 && (cell - rows_) / 2 < snakes;
    };
    FreeCells below;
    bool first_is_free = true;
    Cell row = 0;
    const auto add_row = [&] {
      std::vector<Cell> cells;
      for (Cell cell = row * rows_ + 1; cell <= (row + 1) * rows_; ++cell)
        if (cell != 1 && !is_for_a_head(cell)) cells.push_back(cell);
      below.add_row(std::move(cells));
      ++row;
    };
    for (Cell snake = 0; snake < snakes; ++snake) {
      const Cell head = rows_ + 1 + 2 * snake;
      while (row < (head - 1) / rows_)
        add_row();
      const auto jump = static_cast<std::size_t>(snake);
      put({jump, 0}, head);
      put({jump, 1}, std::exchange(first_is_free, false) ? 1 : below.take());
    }
    while (row < rows_)
      add_row();
    for (std::size_t jump = snakes_; jump < ends_.size(); ++jump) {
      const auto [one, other] = below.take_two();
      put({jump, 0}, one);
      put({jump, 1}, other);
    }
  }

  /// True if all ends are in one quarter of the board, and another arrangement could avoid that.
  /// The middle row and column of an odd board belong to the quarters on both sides.
  bool is_crammed() const {
    if (ends_.size() < 2 || rows_ < 4) return false;
    Place least{rows_, rows_};
    Place most{0, 0};
    for (const auto& jump : ends_) {
      for (const Cell cell : jump) {
        const Place place = place_of(cell, rows_);
        least = {std::min(least.row, place.row), std::min(least.column, place.column)};
        most = {std::max(most.row, place.row), std::max(most.column, place.column)};
      }
    }
    const auto one_side = [half = rows_ / 2](std::int32_t from, std::int32_t to,
                                             std::int32_t rows) {
      return to < rows - half || from >= half;
    };
    return one_side(least.row, most.row, rows_) && one_side(least.column, most.column, rows_);
  }

  Board board() const {
    std::vector<Cell> landings(static_cast<std::size_t>(cells_) + 1);
    std::ranges::generate(landings, [cell = Cell{0}]() mutable { return cell++; });
    for (std::size_t jump = 0; jump < ends_.size(); ++jump) {
      const auto [low, high] = std::minmax(ends_[jump][0], ends_[jump][1]);
      if (is_snake(jump))
        landings[static_cast<std::size_t>(high)] = low;
      else
        landings[static_cast<std::size_t>(low)] = high;
    }
    return Board::from_landings(rows_, std::move(landings)).value();
  }

 private:
  /// One end of a jump, by numbers. The higher end of a snake is its head.
  struct End {
    std::size_t jump;
    std::size_t end;
  };
  static constexpr std::int32_t nobody = -1;

  bool is_snake(std::size_t jump) const { return jump < snakes_; }

  std::int32_t taken_by(Cell cell) const { return taken_[static_cast<std::size_t>(cell)]; }

  void put(End end, Cell cell) {
    ends_[end.jump][end.end] = cell;
    taken_[static_cast<std::size_t>(cell)] = static_cast<std::int32_t>(2 * end.jump + end.end);
  }

  bool is_head(Cell cell) const {
    if (taken_by(cell) == nobody) return false;
    const auto jump = static_cast<std::size_t>(taken_by(cell)) / 2;
    return is_snake(jump) && std::ranges::max(ends_[jump]) == cell;
  }

  bool is_sound(std::size_t jump) const {
    if (!is_snake(jump)) return std::ranges::min(ends_[jump]) != 1;
    const Cell head = std::ranges::max(ends_[jump]);
    return head != cells_ && !is_head(head - 1) && !is_head(head + 1);
  }

  bool within_row(std::size_t jump) const {
    return (ends_[jump][0] - 1) / rows_ == (ends_[jump][1] - 1) / rows_;
  }

  void move_both_ends(std::size_t jump, Draws& draws) {
    for (const std::size_t end : {0U, 1U})
      move({jump, end}, static_cast<Cell>(draws.below(static_cast<std::uint32_t>(cells_))) + 1);
  }

  void move(End moved, Cell to) {
    if (taken_by(to) == nobody)
      relocate(moved, to);
    else
      exchange(moved, {static_cast<std::size_t>(taken_by(to)) / 2,
                       static_cast<std::size_t>(taken_by(to)) % 2});
  }

  void relocate(End moved, Cell to) {
    const Cell from = ends_[moved.jump][moved.end];
    const bool was_within_row = within_row(moved.jump);
    const auto go = [&](Cell leave, Cell arrive) {
      taken_[static_cast<std::size_t>(leave)] = nobody;
      put(moved, arrive);
    };
    go(from, to);
    if (!is_sound(moved.jump) || (within_row(moved.jump) && !was_within_row)) go(to, from);
  }

  void exchange(End one, End other) {
    if (one.jump == other.jump) return;
    const auto rows_kept = [&] {
      return (within_row(one.jump) ? 1 : 0) + (within_row(other.jump) ? 1 : 0);
    };
    const auto swap = [&] {
      const Cell cell = ends_[one.jump][one.end];
      put(one, ends_[other.jump][other.end]);
      put(other, cell);
    };
    const int before = rows_kept();
    swap();
    if (!is_sound(one.jump) || !is_sound(other.jump) || rows_kept() > before) swap();
  }

  std::int32_t rows_;
  Cell cells_;
  std::size_t snakes_;                     // the first of the jumps are snakes, the others ladders
  std::vector<std::array<Cell, 2>> ends_;  // of each jump
  std::vector<std::int32_t> taken_;        // by cell: nobody, or 2 × jump + end
};

std::string limit_passed(const RandomBoardRequest& request, const std::string& limit) {
  return counted(request.snakes, "snake") + " and " + counted(request.ladders, "ladder") +
         " don't fit on " + std::to_string(request.size * request.size) + " cells: " + limit;
}

/// The reason that there is no such board; empty if there is one.
std::string refusal(const RandomBoardRequest& request) {
  if (request.size < 2 || request.size > max_rows)
    return "size " + std::to_string(request.size) + ": a square board has 2 to " +
           std::to_string(max_rows) + " rows";
  const std::int64_t cells = request.size * request.size;
  const std::int64_t both = most_jumps_of_both_kinds(cells);
  const std::int64_t one = most_jumps_of_one_kind(cells);
  if (request.snakes < 0 || request.ladders < 0)
    return limit_passed(request, "neither number can be below 0");
  if (request.snakes > both || request.ladders > both || request.snakes + request.ladders > both)
    return limit_passed(request, "at most " + std::to_string(both) + " jumps do");
  if ((request.snakes == 0 || request.ladders == 0) && request.snakes + request.ladders > one)
    return limit_passed(request, "at most " + std::to_string(one) + " of one kind alone do");
  const std::int64_t left = cells - 1 - request.snakes - request.ladders;
  if (request.powers < 0 || request.powers > left)
    return counted(request.powers, "power") + " don't fit: " + counted(left, "cell") +
           " of this board may have one";
  return {};
}

/// The cells where a power may be, in random order. Cell 1 comes last: pieces begin there, and few
/// come back to it.
std::vector<Cell> cells_for_powers(const Board& board, Draws& draws) {
  std::vector<Cell> cells;
  for (Cell cell = 1; cell < board.cells(); ++cell)
    if (board.landing(cell) == cell) cells.push_back(cell);
  for (std::size_t left = cells.size(); left > 1; --left)
    std::swap(cells[left - 1], cells[draws.below(static_cast<std::uint32_t>(left))]);
  if (const auto first = std::ranges::find(cells, 1); first != cells.end())
    std::iter_swap(first, std::prev(cells.end()));
  return cells;
}

/// Tracks, while powers are put on a board, where a restart would be as harmless as a snake's head.
class RestartCells {
 public:
  explicit RestartCells(const Board& board) {
    for (const Jump snake : board.snakes())
      take_with_neighbours(snake.from);
    for (const auto jumps : {board.snakes(), board.ladders()})
      for (const Jump jump : jumps)
        taken_.insert(jump.to);
  }

  bool has_room(Cell cell) const { return !taken_.contains(cell); }

  void take_with_neighbours(Cell cell) { taken_.insert({cell - 1, cell, cell + 1}); }

 private:
  std::set<Cell> taken_;
};

Board with_powers(const Board& board, std::int64_t count, Draws& draws) {
  BoardDescription description = description_of(board);
  RestartCells restarts(board);
  const std::vector<Cell> cells = cells_for_powers(board, draws);
  for (const Cell cell : std::span(cells).first(static_cast<std::size_t>(count))) {
    auto kind = power_kinds.at(draws.below(static_cast<std::uint32_t>(power_kinds.size())));
    if (kind == PowerKind::restart && !restarts.has_room(cell)) kind = PowerKind::again;
    if (kind == PowerKind::shield && board.snakes().empty()) kind = PowerKind::skip;
    if (kind == PowerKind::restart) restarts.take_with_neighbours(cell);
    DescribedPower power{.cell = cell, .kind = kind};
    if (has_number(kind)) power.n = 1 + draws.below(static_cast<std::uint32_t>(max_seat_count));
    description.powers.push_back(power);
  }
  return Board::make(description).value();
}

}  // namespace

std::expected<Board, std::string> random_board(const RandomBoardRequest& request,
                                               std::uint64_t seed) {
  if (auto reason = refusal(request); !reason.empty()) return std::unexpected(std::move(reason));
  constexpr int enough_shuffles = 4;  // so that nothing is left of the order at the start
  Draws draws(seed);
  Arrangement arrangement(request);
  for (int shuffled = 0; shuffled < enough_shuffles; ++shuffled)
    arrangement.shuffle(draws);
  arrangement.lead_out_of_rows(draws);
  if (arrangement.has_jumps_within_rows() &&
      request.snakes <= most_snakes_across_rows(request.size)) {
    arrangement.start_across_rows();
    for (int shuffled = 0; shuffled < enough_shuffles; ++shuffled)
      arrangement.shuffle(draws);
  }
  while (arrangement.is_crammed()) {
    arrangement.shuffle(draws);
    arrangement.lead_out_of_rows(draws);
  }
  const Board board = arrangement.board();
  return request.powers > 0 ? with_powers(board, request.powers, draws) : board;
}

}  // namespace snl
