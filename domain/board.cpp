#include "board.hpp"

#include "jump_faults.hpp"
#include "whole_number.hpp"
#include "wording.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace snl {
namespace {

using BoardFaults = std::vector<BoardFault>;

bool has_size(std::int64_t cells) {
  return cells >= 2 && cells <= max_cells;
}

/// Whether a row can be so wide. If `cells` is below 1, any width from 1 on will do.
bool has_width(std::int64_t width, std::int64_t cells) {
  return width >= 1 && (width <= cells || cells < 1);
}

BoardFault fault_of_size(std::int64_t cells) {
  return {std::nullopt, counted(cells, "cell") + ": a board has 2 to " + std::to_string(max_cells)};
}

BoardFault fault_of_width(std::int64_t width, std::int64_t cells) {
  return {std::nullopt,
          "width " + std::to_string(width) + ": a row has " +
              (cells < 1 ? "at least 1 cell" : "1 to " + std::to_string(cells) + " cells")};
}

std::string off_the_board(std::int64_t cell, std::int64_t cells) {
  return "cell " + std::to_string(cell) + " is off the board (1 to " + std::to_string(cells) + ")";
}

bool can_have_power(std::int64_t cell, std::int64_t cells) {
  return cell >= 1 && cell < cells;
}

bool has_sound_number(const DescribedPower& power) {
  if (!has_number(power.kind)) return !power.n;
  return power.n && *power.n >= 1 && *power.n <= max_seat_count;
}

std::string number_wanted(PowerKind kind) {
  const std::string name(to_string(kind));
  return has_number(kind) ? name + " takes a number from 1 to " + std::to_string(max_seat_count)
                          : name + " takes no number";
}

/// Collects the faults of a description, a jump or a power at a time.
class Inspection {
 public:
  explicit Inspection(std::int64_t cells) : cells_(cells) {}

  void add(BoardFault fault) { faults_.push_back(std::move(fault)); }

  void inspect(JumpKind kind, const std::vector<DescribedJump>& jumps) {
    for (std::size_t index = 0; index < jumps.size(); ++index)
      inspect({kind, jumps[index]}, index);
  }

  void inspect(const std::vector<DescribedPower>& powers) {
    for (std::size_t index = 0; index < powers.size(); ++index)
      inspect(powers[index], index);
  }

  BoardFaults take() { return std::move(faults_); }

 private:
  struct Named {
    JumpKind kind;
    DescribedJump jump;

    std::string name() const {
      return to_string(kind) + " " + std::to_string(jump.from) + "," + std::to_string(jump.to);
    }
  };

  void inspect(const Named& named, std::size_t index) {
    const auto& jump = named.jump;
    const auto fault = [&](const std::string& what) {
      add({JumpRef{named.kind, index}, named.name() + ": " + what});
    };
    const JumpFaults faults = faults_of(named.kind, jump, cells_);
    if (cells_ >= 1) {
      if (faults.starts_off_the_board) fault(off_the_board(jump.from, cells_));
      if (faults.ends_off_the_board && !faults.goes_nowhere) fault(off_the_board(jump.to, cells_));
      if (faults.starts_on_the_last_cell) fault(std::string(no_start_on_the_last_cell));
    }
    if (faults.goes_nowhere) fault(std::string(goes_nowhere));
    if (faults.goes_wrong_way)
      fault(named.kind == JumpKind::snake ? "a snake leads down, from a higher cell to a lower one"
                                          : "a ladder leads up, from a lower cell to a higher one");
    const auto [other, first] = starts_.emplace(jump.from, named);
    if (!first) fault("the " + other->second.name() + " starts on the same cell");
  }

  /// Call this after adding the jumps, which come first on their cells.
  void inspect(const DescribedPower& power, std::size_t index) {
    const auto fault = [&](const std::string& what) {
      add({std::nullopt, "power " + to_string(power) + ": " + what, index});
    };
    if (cells_ >= 1 && !can_have_power(power.cell, cells_)) {
      fault(power.cell == cells_ ? "the last cell has no power"
                                 : "a power is on a cell from 1 to " + std::to_string(cells_ - 1));
    }
    if (!has_sound_number(power)) fault(number_wanted(power.kind));
    if (const auto jump = starts_.find(power.cell); jump != starts_.end())
      fault("the " + jump->second.name() + " starts on the same cell");
    const auto [other, first] = powers_.emplace(power.cell, power);
    if (!first) fault("the power " + to_string(other->second) + " is on the same cell");
  }

  std::int64_t cells_;
  std::map<std::int64_t, Named> starts_;
  std::map<std::int64_t, DescribedPower> powers_;
  BoardFaults faults_;
};

BoardFaults faults_of(const BoardDescription& description) {
  const std::int64_t cells = description.cells;
  Inspection inspection(cells);
  if (!has_size(cells)) inspection.add(fault_of_size(cells));
  if (description.width && !has_width(*description.width, cells))
    inspection.add(fault_of_width(*description.width, cells));
  inspection.inspect(JumpKind::snake, description.snakes);
  inspection.inspect(JumpKind::ladder, description.ladders);
  inspection.inspect(description.powers);
  return inspection.take();
}

/// Enters the jumps into `landings`, where each cell leads to itself at first. False as soon as a
/// jump is at fault.
bool enter(JumpKind kind, const std::vector<DescribedJump>& jumps, std::vector<Cell>& landings) {
  const auto last = static_cast<std::int64_t>(landings.size()) - 1;
  for (const DescribedJump jump : jumps) {
    if (faults_of(kind, jump, last).any()) return false;
    Cell& landing = landings[static_cast<std::size_t>(jump.from)];
    if (landing != jump.from) return false;
    landing = static_cast<Cell>(jump.to);
  }
  return true;
}

/// True where a table of the cells is worth its memory: it is small, or no larger than the jumps'
/// description.
bool is_worth_a_table(std::int64_t cells, std::size_t jumps) {
  constexpr std::int64_t small = 1024;
  constexpr std::int64_t cells_a_jump = 16;
  return cells <= small || static_cast<std::int64_t>(jumps) >= cells / cells_a_jump;
}

/// The jumps in the order of their first cells; none as soon as one of them is at fault.
std::optional<std::vector<Jump>> in_order(JumpKind kind, const std::vector<DescribedJump>& jumps,
                                          std::int64_t last) {
  std::vector<Jump> ordered;
  ordered.reserve(jumps.size());
  for (const DescribedJump jump : jumps) {
    if (faults_of(kind, jump, last).any()) return std::nullopt;
    ordered.push_back({static_cast<Cell>(jump.from), static_cast<Cell>(jump.to)});
  }
  std::ranges::sort(ordered, {}, &Jump::from);
  if (std::ranges::adjacent_find(ordered, {}, &Jump::from) != ordered.end()) return std::nullopt;
  return ordered;
}

/// The jump that starts on a cell, found in sorted jumps; null if there is none.
const Jump* jump_from(const std::vector<Jump>& jumps, Cell cell) {
  const auto found = std::ranges::lower_bound(jumps, cell, {}, &Jump::from);
  return found != jumps.end() && found->from == cell ? &*found : nullptr;
}

bool start_apart(const std::vector<Jump>& snakes, const std::vector<Jump>& ladders) {
  return std::ranges::none_of(
      snakes, [&](const Jump& snake) { return jump_from(ladders, snake.from) != nullptr; });
}

/// The powers in the order of their cells; none as soon as one of them is at fault by itself.
std::optional<std::vector<PowerCell>> in_order(const std::vector<DescribedPower>& powers,
                                               std::int64_t cells) {
  std::vector<PowerCell> ordered;
  ordered.reserve(powers.size());
  for (const DescribedPower& power : powers) {
    if (!can_have_power(power.cell, cells) || !has_sound_number(power)) return std::nullopt;
    ordered.push_back({static_cast<Cell>(power.cell),
                       {power.kind, static_cast<std::uint8_t>(power.n.value_or(0))}});
  }
  std::ranges::sort(ordered, {}, &PowerCell::cell);
  if (std::ranges::adjacent_find(ordered, {}, &PowerCell::cell) != ordered.end())
    return std::nullopt;
  return ordered;
}

}  // namespace

std::vector<std::string> messages_of(std::span<const BoardFault> faults) {
  std::vector<std::string> messages;
  messages.reserve(faults.size());
  for (const BoardFault& fault : faults)
    messages.push_back(fault.message);
  return messages;
}

std::expected<Board, BoardFaults> Board::make(const BoardDescription& description) {
  // The sentences cost memory for every jump, so they are made only once there is a fault.
  auto board = make_without_powers(description);
  if (board && description.powers.empty()) return *std::move(board);
  auto powers = in_order(description.powers, description.cells);
  const auto starts_jump = [&](const PowerCell& power) {
    return board->landing(power.cell) != power.cell;
  };
  if (!board || !powers || std::ranges::any_of(*powers, starts_jump))
    return std::unexpected(faults_of(description));
  board->powers_ = *std::move(powers);
  return *std::move(board);
}

std::optional<Board> Board::make_without_powers(const BoardDescription& description) {
  const std::int64_t cells = description.cells;
  if (!has_size(cells)) return std::nullopt;
  const std::int64_t width = description.width.value_or(usual_width(cells));
  if (!has_width(width, cells)) return std::nullopt;
  const std::size_t jumps = description.snakes.size() + description.ladders.size();
  if (!is_worth_a_table(cells, jumps)) {
    auto snakes = in_order(JumpKind::snake, description.snakes, cells);
    auto ladders = in_order(JumpKind::ladder, description.ladders, cells);
    if (!snakes || !ladders || !start_apart(*snakes, *ladders)) return std::nullopt;
    return Board(cells, width, *std::move(snakes), *std::move(ladders));
  }
  std::vector<Cell> landings(static_cast<std::size_t>(cells) + 1);
  std::ranges::generate(landings, [cell = Cell{0}]() mutable { return cell++; });
  if (!enter(JumpKind::snake, description.snakes, landings) ||
      !enter(JumpKind::ladder, description.ladders, landings))
    return std::nullopt;
  return Board(width, std::move(landings));
}

std::optional<Board> Board::from_landings(std::int64_t width, std::vector<Cell>&& landings) {
  const auto cells = static_cast<std::int64_t>(landings.size()) - 1;
  if (cells < 2 || cells > max_cells || width < 1 || width > cells) return std::nullopt;
  if (landings.front() != 0 || landings.back() != cells) return std::nullopt;
  std::uint32_t most = 0;  // of the destinations less 1; a destination below 1 makes it very large
  for (const Cell to : std::span(landings).subspan(1))
    most = std::max(most, static_cast<std::uint32_t>(to) - 1);
  if (std::cmp_greater_equal(most, cells)) return std::nullopt;
  return Board(width, std::move(landings));
}

Board::Board(std::int64_t width, std::vector<Cell> landings)
    : cells_(static_cast<std::int32_t>(landings.size()) - 1),
      width_(static_cast<std::int32_t>(width)) {
  const auto last = static_cast<Cell>(landings.size() - 1);
  const auto landing_on = [at = landings.data()](Cell cell) { return at[cell]; };
  Cell snakes = 0;
  Cell ladders = 0;
  for (Cell from = 1; from <= last; ++from) {
    snakes += landing_on(from) < from ? 1 : 0;
    ladders += landing_on(from) > from ? 1 : 0;
  }
  // Writes every cell to both lists. In a list where it doesn't belong, the next cell overwrites
  // it. On a board full of jumps, a branch would be mispredicted half of the time.
  snakes_.resize(static_cast<std::size_t>(snakes) + 1);
  ladders_.resize(static_cast<std::size_t>(ladders) + 1);
  Jump* snake = snakes_.data();
  Jump* ladder = ladders_.data();
  for (Cell from = 1; from <= last; ++from) {
    const Cell to = landing_on(from);
    *snake = *ladder = {from, to};
    snake += to < from ? 1 : 0;
    ladder += to > from ? 1 : 0;
  }
  snakes_.pop_back();
  ladders_.pop_back();
  landing_ = std::move(landings);
}

Board::Board(std::int64_t cells, std::int64_t width, std::vector<Jump> snakes,
             std::vector<Jump> ladders)
    : cells_(static_cast<std::int32_t>(cells)),
      width_(static_cast<std::int32_t>(width)),
      snakes_(std::move(snakes)),
      ladders_(std::move(ladders)) {}

Cell Board::landing_without_table(Cell cell) const {
  for (const auto* jumps : {&snakes_, &ladders_})
    if (const Jump* jump = jump_from(*jumps, cell)) return jump->to;
  return cell;
}

BoardDescription description_of(const Board& board) {
  BoardDescription description{.cells = board.cells(), .width = board.width()};
  for (const Jump snake : board.snakes())
    description.snakes.push_back({snake.from, snake.to});
  for (const Jump ladder : board.ladders())
    description.ladders.push_back({ladder.from, ladder.to});
  for (const auto& [cell, power] : board.powers())
    description.powers.push_back(described(cell, power));
  return description;
}

const Power* Board::power_on(Cell cell) const {
  const auto found = std::ranges::lower_bound(powers_, cell, {}, &PowerCell::cell);
  return found != powers_.end() && found->cell == cell ? &found->power : nullptr;
}

std::optional<DescribedJump> jump_from_text(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto from = whole_number(without_spaces_around(text.substr(0, comma)));
  const auto to = whole_number(without_spaces_around(text.substr(comma + 1)));
  if (!from || !to) return std::nullopt;
  return DescribedJump{*from, *to};
}

std::int64_t usual_width(std::int64_t cells) {
  const auto root = static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(cells))));
  return root * root == cells ? root : std::min<std::int64_t>(10, cells);
}

Place place_of(Cell cell, std::int32_t width) {
  const std::int32_t row = (cell - 1) / width;
  const std::int32_t along = (cell - 1) % width;
  return {row, row % 2 == 0 ? along : width - 1 - along};
}

Cell cell_at(Place place, std::int32_t width) {
  const std::int32_t along = place.row % 2 == 0 ? place.column : width - 1 - place.column;
  return place.row * width + along + 1;
}

std::optional<JumpKind> jump_between(Cell landed, Cell ended) {
  if (landed == ended) return std::nullopt;
  return ended < landed ? JumpKind::snake : JumpKind::ladder;
}

std::string to_string(JumpKind kind) {
  return kind == JumpKind::snake ? "snake" : "ladder";
}

}  // namespace snl
