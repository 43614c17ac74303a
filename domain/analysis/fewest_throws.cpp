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
/// that tells which of them are empty, so that however far the next cell is, it is found in a few
/// steps.
class UntouchedCells {
 public:
  /// Cells 0 to `last`.
  explicit UntouchedCells(Cell last) {
    for (std::size_t bits = static_cast<std::size_t>(last) + 1;;) {
      Words words((bits + word_bits - 1) / word_bits, ~std::uint64_t{0});
      if (bits % word_bits != 0) words.back() = (std::uint64_t{1} << (bits % word_bits)) - 1;
      bits = words.size();
      levels_.push_back(std::move(words));
      if (bits == 1) break;
    }
  }

  /// Takes the cells from `first` to `last` out and calls `visit` with each, ascending, until it
  /// answers false. Answers whether it never did.
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

constexpr std::int32_t unknown = -1;

/// Breadth-first: calls `reach(cell, from)` once for every cell where throws lead, with the cell
/// before the last of them, the fewest throws first; ends after `goal`. Who lands where somebody
/// landed before gains nothing, so each cell is landed on once, however many faces lead to it.
template <class Reach>
void search(const Board& board, Cell start, std::int32_t faces, std::optional<Cell> goal,
            const Reach& reach) {
  const Cell last = board.cells();
  assert(start >= 0 && start <= last && faces >= 1);
  UntouchedCells untouched(last);
  std::vector<bool> reached(static_cast<std::size_t>(last) + 1);
  reached[static_cast<std::size_t>(start)] = true;
  std::vector<Cell> queue;
  queue.reserve(static_cast<std::size_t>(last) + 1);
  queue.push_back(start);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Cell from = queue[i];
    const bool go_on =
        untouched.take(from + 1, from + std::min(faces, last - from), [&](Cell landed) {
          const Cell cell = board.landing(landed);
          if (reached[static_cast<std::size_t>(cell)]) return true;
          reached[static_cast<std::size_t>(cell)] = true;
          queue.push_back(cell);
          reach(cell, from);
          return cell != goal;
        });
    if (!go_on) return;
  }
}

/// A throw for each step of the way: on the cell itself, else on the first jump that leads there.
/// All jumps are looked at once, however many faces there are. `room` has a place for each cell.
std::vector<std::int32_t> throws_along(const Board& board, Cell start, std::int32_t faces,
                                       const std::vector<Cell>& way,
                                       std::vector<std::int32_t> room) {
  constexpr std::int32_t no_step = -1;
  std::vector<std::int32_t> throws(way.size());
  std::vector<std::int32_t> step_to = std::move(room);
  std::ranges::fill(step_to, no_step);
  const auto distance = [&](std::size_t step, Cell landed) {
    return landed - (step == 0 ? start : way[step - 1]);
  };
  const auto can_be_thrown = [&](std::int32_t eyes) { return eyes >= 1 && eyes <= faces; };
  for (std::size_t step = 0; step < way.size(); ++step) {
    const Cell to = way[step];
    if (board.landing(to) == to && can_be_thrown(distance(step, to)))
      throws[step] = distance(step, to);
    else
      step_to[static_cast<std::size_t>(to)] = static_cast<std::int32_t>(step);
  }
  for (const auto jumps : {board.snakes(), board.ladders()}) {
    for (const auto [from, to] : jumps) {
      if (step_to[static_cast<std::size_t>(to)] == no_step) continue;
      const auto step = static_cast<std::size_t>(step_to[static_cast<std::size_t>(to)]);
      if (throws[step] == 0 && can_be_thrown(distance(step, from)))
        throws[step] = distance(step, from);
    }
  }
  return throws;
}

/// The answer for a form: what is asked of the board that it means.
template <class Form>
std::expected<FewestThrows, Faults> solve(const Form& form, std::expected<Board, Faults> board,
                                          Cell start, std::int32_t faces) {
  if (is_one_cell(form)) return FewestThrows{.count = 0, .throws = {}, .cells = {}};
  if (!board) return std::unexpected(std::move(board).error());
  return fewest_throws(*board, start, faces);
}

}  // namespace

FewestThrows fewest_throws(const Board& board, Cell start, std::int32_t faces) {
  const Cell last = board.cells();
  std::vector<Cell> came_from(static_cast<std::size_t>(last) + 1, unknown);
  came_from[static_cast<std::size_t>(start)] = start;
  search(board, start, faces, last,
         [&](Cell cell, Cell from) { came_from[static_cast<std::size_t>(cell)] = from; });
  if (came_from.back() == unknown) return {.count = -1, .throws = {}, .cells = {}};
  std::vector<Cell> way;
  for (Cell cell = last; cell != start; cell = came_from[static_cast<std::size_t>(cell)])
    way.push_back(cell);
  std::ranges::reverse(way);
  return {.count = static_cast<std::int32_t>(way.size()),
          .throws = throws_along(board, start, faces, way, std::move(came_from)),
          .cells = std::move(way)};
}

std::vector<std::int32_t> fewest_throws_to_every_cell(const Board& board, Cell start,
                                                      std::int32_t faces) {
  std::vector<std::int32_t> counts(static_cast<std::size_t>(board.cells()) + 1, unknown);
  counts[static_cast<std::size_t>(start)] = 0;
  search(board, start, faces, std::nullopt, [&](Cell cell, Cell from) {
    counts[static_cast<std::size_t>(cell)] = counts[static_cast<std::size_t>(from)] + 1;
  });
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
