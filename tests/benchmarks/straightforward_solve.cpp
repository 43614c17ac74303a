// straightforward_solve FILE: prints the fewest throws of a die of six faces from the first cell of
// a matrix to its last, in the simplest way. It is the baseline for `snl board solve`. The file is
// the same JSON, and this assumes that it is valid.
#include <cstddef>
#include <fstream>
#include <iostream>
#include <queue>
#include <utility>
#include <vector>

namespace {

using Matrix = std::vector<std::vector<int>>;

Matrix read(const char* path) {
  std::ifstream file(path);
  Matrix matrix;
  char sign = 0;
  file >> sign;  // the first bracket
  do {
    std::vector<int>& row = matrix.emplace_back();
    file >> sign;  // the row's
    for (int number = 0; file >> number >> sign;) {
      row.push_back(number);
      if (sign == ']') break;
    }
    file >> sign;
  } while (file && sign == ',');
  return matrix;
}

/// Where a piece that lands on a cell comes to rest.
int landing(const Matrix& matrix, int cell) {
  const int rows = static_cast<int>(matrix.size());
  const int row = (cell - 1) / rows;
  const int along = (cell - 1) % rows;
  const int column = row % 2 == 0 ? along : rows - 1 - along;
  const int destination =
      matrix[static_cast<std::size_t>(rows - 1 - row)][static_cast<std::size_t>(column)];
  return destination == -1 ? cell : destination;
}

int fewest_throws(const Matrix& matrix) {
  const int last = static_cast<int>(matrix.size() * matrix.size());
  std::vector<bool> visited(static_cast<std::size_t>(last) + 1);
  std::queue<std::pair<int, int>> queue;  // a cell, and the throws that it took
  queue.emplace(1, 0);
  visited[1] = true;
  while (!queue.empty()) {
    const auto [cell, throws] = queue.front();
    queue.pop();
    if (cell == last) return throws;
    for (int eyes = 1; eyes <= 6 && cell + eyes <= last; ++eyes) {
      const int next = landing(matrix, cell + eyes);
      if (visited[static_cast<std::size_t>(next)]) continue;
      visited[static_cast<std::size_t>(next)] = true;
      queue.emplace(next, throws + 1);
    }
  }
  return -1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::cout << fewest_throws(read(argv[1])) << '\n';
  return 0;
}
