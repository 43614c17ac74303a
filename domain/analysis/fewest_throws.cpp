#include "fewest_throws.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <optional>
#include <utility>

namespace snl {
namespace {

/// The cells that nobody has landed on yet, a bit each. Above each 64 words of bits there is a word
/// that tells which of them are empty. So the next cell is found in a few steps, however far it is.
class UntouchedCells {
 public:
  /// Holds cells 0 to `last`.
  explicit UntouchedCells(Cell last) {
    for (std::size_t bits = static_cast<std::size_t>(last) + 1;;) {
      Words words((bits + word_bits - 1) / word_bits, ~std::uint64_t{0});
      if (bits % word_bits != 0) words.back() = (std::uint64_t{1} << (bits % word_bits)) - 1;
      bits = words.size();
      levels_.push_back(std::move(words));
      if (bits == 1) break;
    }
  }

  /// Takes the cells from `first` to `last` out and calls `visit` with each, ascending, until that
  /// returns false. Returns whether it never did.
  template <class Visit>
  bool take(Cell first, Cell last, const Visit& visit) {
    if (first > last) return true;
    const auto begin = static_cast<std::size_t>(first);
    const auto end = static_cast<std::size_t>(last);
    Words& words = levels_.front();
    std::uint64_t mask = ~std::uint64_t{0} << (begin % word_bits);
    for (std::size_t index = begin / word_bits; index <= end / word_bits;
         index = index < end / word_bits ? next_word(index + 1) : words.size()) {
      if (index == end / word_bits) mask &= ~std::uint64_t{0} >> (word_bits - 1 - end % word_bits);
      std::uint64_t taken = words[index] & mask;
      mask = ~std::uint64_t{0};
      if (taken == 0) continue;
      words[index] ^= taken;
      if (words[index] == 0) mark_empty(index);
      for (; taken != 0; taken &= taken - 1)
        if (!visit(static_cast<Cell>(index * word_bits +
                                     static_cast<std::size_t>(std::countr_zero(taken)))))
          return false;
    }
    return true;
  }

 private:
  using Words = std::vector<std::uint64_t>;
  static constexpr std::size_t word_bits = 64;

  void mark_empty(std::size_t place) {
    for (std::size_t level = 1; level < levels_.size(); ++level) {
      std::uint64_t& word = levels_[level][place / word_bits];
      word &= ~(std::uint64_t{1} << (place % word_bits));
      if (word != 0) break;
      place /= word_bits;
    }
  }

  /// The first word of cells from `place` on that isn't empty, or the number of words.
  std::size_t next_word(std::size_t place) const {
    for (std::size_t level = 1; level < levels_.size(); ++level) {
      const Words& words = levels_[level];
      if (place / word_bits >= words.size()) break;
      const std::uint64_t word = words[place / word_bits] >> (place % word_bits);
      if (word != 0) return below(level, place + static_cast<std::size_t>(std::countr_zero(word)));
      place = place / word_bits + 1;
    }
    return levels_.front().size();
  }

  /// The first word of cells below a bit that is set.
  std::size_t below(std::size_t level, std::size_t place) const {
    while (--level > 0)
      place = place * word_bits + static_cast<std::size_t>(std::countr_zero(levels_[level][place]));
    return place;
  }

  std::vector<Words> levels_;  // from the cells up
};

/// The cells where throws haven't led yet. A second landing on a cell gains nothing, so the search
/// lands on each cell once, however many faces lead to it.
class Frontier {
 public:
  Frontier(const Board& board, Cell start, std::int32_t faces)
      : board_(board),
        faces_(faces),
        untouched_(board.cells()),
        reached_(static_cast<std::size_t>(board.cells()) + 1) {
    assert(start >= 0 && start <= board.cells() && faces >= 1);
    reached_[static_cast<std::size_t>(start)] = true;
  }

  /// Calls found(landed, cell) for each throw from `from` that is the first to land on `landed`,
  /// and the first to lead to `cell`. Stops when `found` returns false. Returns whether it never
  /// did.
  template <class Found>
  bool throw_from(Cell from, const Found& found) {
    const Cell last = board_.cells();
    return untouched_.take(from + 1, from + std::min(faces_, last - from), [&](Cell landed) {
      const Cell cell = board_.landing(landed);
      if (reached_[static_cast<std::size_t>(cell)]) return true;
      reached_[static_cast<std::size_t>(cell)] = true;
      return found(landed, cell);
    });
  }

  // Jumps scatter the steps over a large board. This fetches the cells of a later step from memory
  // while the search looks at earlier ones.
  static constexpr std::size_t steps_ahead = 12;
  void fetch(Cell cell) const {
    if (!board_.landings().empty()) __builtin_prefetch(board_.landings().data() + cell);
  }

 private:
  const Board& board_;
  std::int32_t faces_;
  UntouchedCells untouched_;
  std::vector<bool> reached_;
};

/// The steps that a search found: throws that led to a cell where no other had led before, in the
/// order of the fewest throws. The first step is the start, not a throw.
class Search {
 public:
  /// Searches breadth-first, over all cells where throws lead, or until one leads to `goal`.
  Search(const Board& board, Cell start, std::int32_t faces, std::optional<Cell> goal)
      : board_(board), start_(start), faces_(faces) {
    Frontier frontier(board, start, faces);
    landed_.reserve(static_cast<std::size_t>(board.cells()) + 1);
    add(start, 0);
    for (std::size_t step = 0; step < steps(); ++step) {
      if (step + Frontier::steps_ahead < steps())
        frontier.fetch(cell_after(step + Frontier::steps_ahead));
      const bool go_on = frontier.throw_from(cell_after(step), [&](Cell landed, Cell cell) {
        add(landed, step);
        return cell != goal;
      });
      if (!go_on) return;
    }
  }

  std::size_t steps() const { return landed_.size(); }

  /// The cell where the piece landed with a step, before a jump.
  Cell landed_by(std::size_t step) const { return landed_[step]; }

  /// The cell where the piece rests after a step.
  Cell cell_after(std::size_t step) const {
    return step == 0 ? start_ : board_.landing(landed_[step]);
  }

  /// The step before `step` (≥ 1): the first one from which a throw leads to its landing, since the
  /// first step to reach a cell takes it. It is never before the predecessor of an earlier step,
  /// which a caller that knows it passes as `at_least`.
  std::size_t step_before(std::size_t step, std::size_t at_least = 0) const {
    auto before = std::max(at_least, static_cast<std::size_t>(before_[step / steps_a_mark]));
    while (!leads_to(cell_after(before), landed_[step]))
      ++before;
    return before;
  }

 private:
  bool leads_to(Cell from, Cell landed) const { return from < landed && landed - from <= faces_; }

  void add(Cell landed, std::size_t before) {
    if (landed_.size() % steps_a_mark == 0) before_.push_back(static_cast<std::int32_t>(before));
    landed_.push_back(landed);
  }

  const Board& board_;
  Cell start_;
  std::int32_t faces_;
  std::vector<Cell> landed_;  // by step
  // The step before every 32nd one. All of them would take as much memory as the board, and getting
  // a page of memory takes as long as searching a hundred cells.
  static constexpr std::size_t steps_a_mark = 32;
  std::vector<std::int32_t> before_;
};

/// The answer for a form: that of the board that it means.
template <class Form>
std::expected<FewestThrows, Faults> solve(const Form& form, std::expected<Board, Faults> board,
                                          Cell start, std::int32_t faces) {
  if (is_one_cell(form)) return FewestThrows{.count = 0, .throws = {}, .cells = {}};
  if (!board) return std::unexpected(std::move(board).error());
  return fewest_throws(*board, start, faces);
}

}  // namespace

FewestThrows fewest_throws(const Board& board, Cell start, std::int32_t faces) {
  const Search search(board, start, faces, board.cells());
  std::size_t step = start == board.cells() ? 0 : search.steps() - 1;
  if (search.cell_after(step) != board.cells()) return {.count = -1, .throws = {}, .cells = {}};
  FewestThrows fewest{.count = 0, .throws = {}, .cells = {}};
  while (step != 0) {
    const std::size_t before = search.step_before(step);
    fewest.throws.push_back(search.landed_by(step) - search.cell_after(before));
    fewest.cells.push_back(search.cell_after(step));
    ++fewest.count;
    step = before;
  }
  std::ranges::reverse(fewest.throws);
  std::ranges::reverse(fewest.cells);
  return fewest;
}

std::int32_t fewest_throws_count(const Board& board, Cell start, std::int32_t faces) {
  Frontier frontier(board, start, faces);
  std::vector<Cell> cells{start};  // where the throws so far can first lead
  std::vector<Cell> next;
  for (std::int32_t count = 0; !cells.empty(); ++count) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i] == board.cells()) return count;
      if (i + Frontier::steps_ahead < cells.size())
        frontier.fetch(cells[i + Frontier::steps_ahead]);
      frontier.throw_from(cells[i], [&](Cell /*landed*/, Cell cell) {
        next.push_back(cell);
        return true;
      });
    }
    cells.swap(next);
    next.clear();
  }
  return -1;
}

std::vector<std::int32_t> fewest_throws_to_every_cell(const Board& board, Cell start,
                                                      std::int32_t faces) {
  constexpr std::int32_t never = -1;
  const Search search(board, start, faces, std::nullopt);
  std::vector<std::int32_t> counts(static_cast<std::size_t>(board.cells()) + 1, never);
  const auto count_after = [&](std::size_t step) -> std::int32_t& {
    return counts[static_cast<std::size_t>(search.cell_after(step))];
  };
  count_after(0) = 0;
  for (std::size_t step = 1, before = 0; step < search.steps(); ++step) {
    before = search.step_before(step, before);
    count_after(step) = count_after(before) + 1;
  }
  return counts;
}

std::expected<FewestThrows, Faults> fewest_throws_of_matrix(const BoardMatrix& matrix, Cell start,
                                                            std::int32_t faces) {
  return solve(matrix, board_from_matrix(matrix), start, faces);
}

std::expected<FewestThrows, Faults> fewest_throws_of_moves(std::span<const Cell> moves, Cell start,
                                                           std::int32_t faces) {
  return solve(moves, board_from_moves(moves), start, faces);
}

std::expected<FewestThrows, Faults> fewest_throws_of_entries(const BoardEntries& entries,
                                                             Cell start, std::int32_t faces) {
  return solve(entries, board_from_entries(entries), start, faces);
}

std::expected<FewestThrows, Faults> fewest_throws_of_jumps(const BoardDescription& description,
                                                           Cell start, std::int32_t faces) {
  const auto sentences = [](const std::vector<BoardFault>& faults) {
    FaultList list;
    for (const BoardFault& fault : faults)
      list.add([&] { return fault.message; });
    return std::move(list).take();
  };
  auto board = Board::make(description);
  if (!board) return solve(description, std::unexpected(sentences(board.error())), start, faces);
  return solve(description, *std::move(board), start, faces);
}

}  // namespace snl
