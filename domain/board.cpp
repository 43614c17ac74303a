#include "board.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace snl {
namespace {

std::int64_t usual_width(std::int64_t cells) {
  const auto root = static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(cells))));
  return root * root == cells ? root : std::min<std::int64_t>(10, cells);
}

/// Collects the faults of a description, a jump at a time.
class Inspection {
 public:
  explicit Inspection(std::int64_t cells) : cells_(cells) {}

  void add(BoardFault fault) { faults_.push_back(std::move(fault)); }

  void inspect(JumpKind kind, const std::vector<BoardDescription::Jump>& jumps) {
    for (std::size_t index = 0; index < jumps.size(); ++index)
      inspect(kind, index, jumps[index]);
  }

  std::vector<BoardFault> take() { return std::move(faults_); }

 private:
  void inspect(JumpKind kind, std::size_t index, BoardDescription::Jump jump) {
    const std::string name =
        to_string(kind) + " " + std::to_string(jump.from) + "," + std::to_string(jump.to);
    const auto fault = [&](const std::string& what) {
      add({BoardFault::Place{kind, index}, name + ": " + what});
    };
    for (const std::int64_t end : {jump.from, jump.to}) {
      if (end < 1 || end > cells_)
        fault("cell " + std::to_string(end) + " is off the board (1 to " + std::to_string(cells_) +
              ")");
      if (jump.from == jump.to) break;
    }
    if (jump.from == cells_) fault("nothing may start on the last cell");
    if (jump.from == jump.to)
      fault("it starts and ends on the same cell");
    else if (kind == JumpKind::snake && jump.to > jump.from)
      fault("a snake leads down, from a higher cell to a lower one");
    else if (kind == JumpKind::ladder && jump.to < jump.from)
      fault("a ladder leads up, from a lower cell to a higher one");
    const auto [other, first] = starts_.emplace(jump.from, name);
    if (!first) fault("the " + other->second + " starts on the same cell");
  }

  std::int64_t cells_;
  std::map<std::int64_t, std::string> starts_;
  std::vector<BoardFault> faults_;
};

std::vector<Jump> in_order(const std::vector<BoardDescription::Jump>& described) {
  std::vector<Jump> jumps;
  jumps.reserve(described.size());
  for (const auto& jump : described)
    jumps.push_back({static_cast<Cell>(jump.from), static_cast<Cell>(jump.to)});
  std::ranges::sort(jumps);
  return jumps;
}

}  // namespace

std::expected<Board, std::vector<BoardFault>> Board::make(const BoardDescription& description) {
  const std::int64_t cells = description.cells;
  if (cells < 2 || cells > max_cells)
    return std::unexpected(
        std::vector{BoardFault{std::nullopt, std::to_string(cells) + " cells: a board has 2 to " +
                                                 std::to_string(max_cells)}});

  Inspection inspection(cells);
  const std::int64_t width = description.width.value_or(usual_width(cells));
  if (width < 1 || width > cells)
    inspection.add({std::nullopt, "width " + std::to_string(width) + ": a row has 1 to " +
                                      std::to_string(cells) + " cells"});
  inspection.inspect(JumpKind::snake, description.snakes);
  inspection.inspect(JumpKind::ladder, description.ladders);
  if (auto faults = inspection.take(); !faults.empty()) return std::unexpected(std::move(faults));

  Board board;
  board.width_ = static_cast<std::int32_t>(width);
  board.snakes_ = in_order(description.snakes);
  board.ladders_ = in_order(description.ladders);
  board.landing_.resize(static_cast<std::size_t>(cells) + 1);
  for (std::size_t cell = 0; cell < board.landing_.size(); ++cell)
    board.landing_[cell] = static_cast<Cell>(cell);
  for (const auto& jumps : {board.snakes(), board.ladders()})
    for (const Jump jump : jumps)
      board.landing_[static_cast<std::size_t>(jump.from)] = jump.to;
  return board;
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
