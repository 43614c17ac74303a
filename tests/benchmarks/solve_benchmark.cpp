// The fewest throws on a large matrix, from its file to the answer.
#include "domain/board_forms.hpp"
#include "folder.hpp"
#include "process.hpp"
#include "rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>

namespace snl::benchmarks {
namespace {

/// A square of cells, one in twenty with a jump to any cell. It is always the same board.
BoardMatrix matrix_of(std::int32_t rows) {
  constexpr double part_with_jumps = 0.05;
  const Cell cells = rows * rows;
  std::mt19937 random(1);
  std::bernoulli_distribution has_jump(part_with_jumps);
  std::uniform_int_distribution<Cell> any_cell(1, cells);
  const auto size = static_cast<std::size_t>(rows);
  BoardMatrix matrix(size, std::vector<Cell>(size, no_jump));
  for (auto& row : matrix)
    for (Cell& destination : row)
      if (has_jump(random)) destination = any_cell(random);
  const Place last = place_of(cells, rows);
  matrix.front()[static_cast<std::size_t>(last.column)] = no_jump;
  return matrix;
}

void write_json(const std::string& path, const BoardMatrix& matrix) {
  std::ofstream file(path);
  file << '[';
  for (const auto& row : matrix)
    file << (&row == &matrix.front() ? "" : ",\n") << fmt::format("[{}]", fmt::join(row, ","));
  file << "]\n";
}

/// Runs a command whose file is in `folder`.
Work running(const std::vector<std::string>& command, const std::shared_ptr<Folder>& folder) {
  return [command, folder] { return Done(1, run_program(command)); };
}

Contest prepare(const Options& options, std::int32_t rows) {
  const auto folder = std::make_shared<Folder>();
  const std::string file = folder->file("matrix.json");
  write_json(file, matrix_of(rows));
  return {running({options.snl, "board", "solve", file}, folder),
          running({STRAIGHTFORWARD_SOLVE, file}, folder)};
}

}  // namespace

std::vector<Row> solve_rows(const Options& options) {
  if (options.snl.empty()) return {};
  const auto rows = std::max(2, static_cast<std::int32_t>(std::sqrt(scaled(options, 1e6))));
  return {{.name = fmt::format("solve, {0}x{0} matrix, file to answer", rows),
           .baseline_name = "a straightforward program",
           .unit = "boards",
           .measure = Measure::time,
           .bar = Bar{Bar::Of::ratio, 0.3},
           .prepare = [=] { return prepare(options, rows); }}};
}

}  // namespace snl::benchmarks
