#include "absorption.hpp"

#include "joined_threads.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <thread>
#include <utility>

namespace snl {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

/// The live cells to which live cells lead down.
std::vector<Cell> returns_of(const Chain& chain) {
  CellSet found(chain.size());
  for (Cell cell = 0; cell < chain.last(); ++cell) {
    if (!chain.is_live(cell)) continue;
    chain.for_each_move(cell, [&](Cell to, double) {
      if (to < cell && chain.is_live(to)) found[index_of(to)] = true;
    });
  }
  std::vector<Cell> returns;
  for (Cell cell = 0; cell < chain.last(); ++cell)
    if (found[index_of(cell)]) returns.push_back(cell);
  return returns;
}

/// Computes `Width` unknowns at once, from the top of the board down: x(c) = reward(c) + Σ P(c → d)
/// x(d). For a move to a return cell (one with a `stop`), the value after it is given.
template <std::size_t Width>
class Climb {
 public:
  using Row = std::array<double, Width>;

  explicit Climb(const Chain& chain)
      : chain_(chain), onward_(chain.size(), Row{}), is_stop_(chain.size()) {}

  void stop(Cell cell, const Row& value) {
    is_stop_[index_of(cell)] = true;
    onward_[index_of(cell)] = value;
  }

  /// Calls emit(cell, x(cell)) for every live cell.
  template <class Reward, class Emit>
  void run(const Reward& reward, const Emit& emit) {
    for (Cell cell = chain_.last() - 1; cell >= 0; --cell) {
      if (!chain_.is_live(cell)) continue;
      Row sum{};
      for (double& column : sum)
        column = reward(cell);
      double leaving = 0;
      chain_.for_each_move(cell, [&](Cell to, double probability) {
        if (to == cell) return;
        leaving += probability;
        const Row& next = onward_[index_of(to)];
        for (std::size_t i = 0; i < Width; ++i)
          sum[i] += probability * next[i];
      });
      for (double& column : sum)
        column = column < as_good_as_none ? 0 : column / leaving;
      if (!is_stop_[index_of(cell)]) onward_[index_of(cell)] = sum;
      emit(cell, sum);
    }
  }

 private:
  const Chain& chain_;
  std::vector<Row> onward_;  // the value of being moved to a cell; 0 where a piece is done
  CellSet is_stop_;
};

constexpr auto no_reward = [](Cell) { return 0.0; };

/// Does items 0 to count − 1, some at a time. Every thread calls start() once, and then calls the
/// result with the number of each of its items.
template <class Start>
void in_parallel(std::size_t count, const Start& start,
                 std::size_t at_most = std::numeric_limits<std::size_t>::max()) {
  const auto threads =
      std::min<std::size_t>({std::max(1U, std::thread::hardware_concurrency()), count, at_most});
  const auto do_share = [&](std::size_t first) {
    auto work = start();
    for (std::size_t i = first; i < count; i += threads)
      work(i);
  };
  JoinedThreads workers;
  for (std::size_t first = 1; first < threads; ++first)
    workers.start(do_share, first);
  if (threads > 0) do_share(0);
}

constexpr std::size_t columns_at_once = 16;

/// For each return cell, the chance that each return cell is the next one that a piece comes to.
Matrix chances_between(const Chain& chain, const std::vector<Cell>& returns) {
  const std::size_t count = returns.size();
  std::vector<std::ptrdiff_t> row_of(chain.size(), -1);
  for (std::size_t i = 0; i < count; ++i)
    row_of[index_of(returns[i])] = static_cast<std::ptrdiff_t>(i);
  Matrix chances(count, count);
  const auto climb_for_columns = [&] {
    return [&, climb = Climb<columns_at_once>(chain)](std::size_t block) mutable {
      const std::size_t first = block * columns_at_once;
      const std::size_t columns = std::min(columns_at_once, count - first);
      for (std::size_t i = 0; i < count; ++i) {
        Climb<columns_at_once>::Row value{};
        if (i >= first && i < first + columns) value[i - first] = 1;
        climb.stop(returns[i], value);
      }
      climb.run(no_reward, [&](Cell cell, const auto& row) {
        const std::ptrdiff_t at = row_of[index_of(cell)];
        if (at >= 0)
          std::copy_n(row.begin(), columns, &chances(at, static_cast<std::ptrdiff_t>(first)));
      });
    };
  };
  constexpr std::size_t room_in_bytes = std::size_t{1} << 30U;
  const std::size_t row_in_bytes = columns_at_once * sizeof(double);
  in_parallel((count + columns_at_once - 1) / columns_at_once, climb_for_columns,
              std::max<std::size_t>(1, room_in_bytes / (row_in_bytes * chain.size())));
  return chances;
}

/// For each return cell, the reward that adds up from there until the piece comes to the next one.
Vector until_return(const Chain& chain, const std::vector<Cell>& returns,
                    std::span<const double> reward) {
  Climb<1> climb(chain);
  for (const Cell cell : returns)
    climb.stop(cell, {0});
  CellValues sums(chain.size());
  climb.run([&](Cell cell) { return reward[index_of(cell)]; },
            [&](Cell cell, const auto& row) { sums[index_of(cell)] = row[0]; });
  Vector result(static_cast<std::ptrdiff_t>(returns.size()));
  for (std::size_t i = 0; i < returns.size(); ++i)
    result[static_cast<std::ptrdiff_t>(i)] = sums[index_of(returns[i])];
  return result;
}

}  // namespace

/// Eliminates one state after the other: a piece that would come to it goes where the state leads
/// instead. A state's chance to go on is the sum of its chances, never 1 minus a chance to stay.
class Absorption::Elimination {
 public:
  /// `chances` are those between the states, and `exit` is the chance of leaving them, from each.
  Elimination(Matrix chances, Vector exit) : chances_(std::move(chances)), exit_(std::move(exit)) {
    leaving_.resize(chances_.rows());
    for (std::ptrdiff_t first = 0; first < size(); first += panel) {
      const std::ptrdiff_t end = std::min(first + panel, size());
      for (std::ptrdiff_t state = first; state < end; ++state)
        eliminate(state, end);
      spread(first, end);
    }
  }

  /// Whether every state is left with a chance that a double can hold.
  bool is_sound() const { return leaving_.size() == 0 || (leaving_.array() > 0).all(); }

  Vector solve(Vector values) const {
    for (std::ptrdiff_t state = 0; state < size(); ++state) {
      values[state] /= leaving_[state];
      const std::ptrdiff_t rest = size() - state - 1;
      values.tail(rest) += chances_.col(state).tail(rest) * values[state];
    }
    for (std::ptrdiff_t state = size() - 1; state >= 0; --state) {
      const std::ptrdiff_t rest = size() - state - 1;
      values[state] += chances_.row(state).tail(rest).dot(values.tail(rest));
    }
    return values;
  }

 private:
  static constexpr std::ptrdiff_t panel = 64;

  std::ptrdiff_t size() const { return chances_.rows(); }

  /// Eliminates within a panel: whole rows of the panel, and of later rows the panel's columns.
  void eliminate(std::ptrdiff_t state, std::ptrdiff_t panel_end) {
    const std::ptrdiff_t rest = size() - state - 1;
    auto onward = chances_.row(state).tail(rest);
    leaving_[state] = onward.sum() + exit_[state];
    onward /= leaving_[state];
    exit_[state] /= leaving_[state];
    for (std::ptrdiff_t other = state + 1; other < panel_end; ++other) {
      chances_.row(other).tail(rest) += chances_(other, state) * onward;
      exit_[other] += chances_(other, state) * exit_[state];
    }
    const std::ptrdiff_t below = size() - panel_end;
    const std::ptrdiff_t beside = panel_end - state - 1;
    chances_.block(panel_end, state + 1, below, beside).noalias() +=
        chances_.col(state).tail(below) * onward.head(beside);
  }

  /// Applies the panel's effect to all later states.
  void spread(std::ptrdiff_t first, std::ptrdiff_t end) {
    const std::ptrdiff_t width = end - first;
    const std::ptrdiff_t rest = size() - end;
    if (rest == 0) return;
    const auto into = chances_.block(end, first, rest, width);
    const auto onward = chances_.block(first, end, width, rest);
    constexpr std::ptrdiff_t rows_at_once = 256;
    in_parallel(static_cast<std::size_t>((rest + rows_at_once - 1) / rows_at_once), [&] {
      return [&](std::size_t strip) {
        const auto top = static_cast<std::ptrdiff_t>(strip) * rows_at_once;
        const std::ptrdiff_t rows = std::min(rows_at_once, rest - top);
        chances_.block(end + top, end, rows, rest).noalias() += into.middleRows(top, rows) * onward;
      };
    });
    exit_.tail(rest).noalias() += into * exit_.segment(first, width);
  }

  Matrix chances_;
  Vector exit_;
  Vector leaving_;
};

Absorption::Absorption(const Chain& chain, std::vector<Cell> returns)
    : chain_(&chain), returns_(std::move(returns)) {
  CellValues leaving = chain.finishing();
  const CellValues stranding = chain.stranding();
  for (std::size_t i = 0; i < leaving.size(); ++i)
    leaving[i] += stranding[i];
  elimination_ = std::make_unique<Elimination>(chances_between(chain, returns_),
                                               until_return(chain, returns_, leaving));
}

std::expected<Absorption, std::string> Absorption::make(const Chain& chain) {
  constexpr double most_work = 5e11;  // multiplications: some minutes
  std::vector<Cell> returns = returns_of(chain);
  const auto allowed =
      static_cast<std::size_t>(std::min<double>(max_returns, most_work / chain.work_of_a_step()));
  if (returns.size() > allowed)
    return std::unexpected("snakes and bounces lead down to " + std::to_string(returns.size()) +
                           " different cells of this board: exact odds are worked out for up to " +
                           std::to_string(allowed));
  Absorption absorption(chain, std::move(returns));
  if (!absorption.elimination_->is_sound())
    return std::unexpected(
        "some chances on this board are too small for exact odds, below 10^-250");
  return absorption;
}

CellValues Absorption::solve(std::span<const double> reward) const {
  const Vector at_returns = elimination_->solve(until_return(*chain_, returns_, reward));
  Climb<1> climb(*chain_);
  for (std::size_t i = 0; i < returns_.size(); ++i)
    climb.stop(returns_[i], {at_returns[static_cast<std::ptrdiff_t>(i)]});
  CellValues solution(chain_->size());
  climb.run([&](Cell cell) { return reward[index_of(cell)]; },
            [&](Cell cell, const auto& row) { solution[index_of(cell)] = row[0]; });
  return solution;
}

double Absorption::residual(std::span<const double> solution,
                            std::span<const double> reward) const {
  CellValues after;
  chain_->step(solution, after);
  double worst = 0;
  for (std::size_t i = 0; i < solution.size(); ++i) {
    if (!chain_->live()[i] || solution[i] == 0) continue;
    const double off = std::abs(solution[i] - reward[i] - after[i]) / solution[i];
    if (std::isnan(off)) return off;  // the worst of all
    worst = std::max(worst, off);
  }
  return worst;
}

CellValues variance_of_each_turn(const Chain& chain, std::span<const double> expected,
                                 double unit) {
  // Expectations are right up to some roundings. A smaller difference counts as none.
  constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
  CellValues added(chain.size());
  for (Cell cell = 0; cell < chain.last(); ++cell) {
    if (!chain.is_live(cell)) continue;
    const double here = expected[index_of(cell)];
    chain.for_each_move(cell, [&](Cell to, double probability) {
      const double surprise = expected[index_of(to)] + 1 - here;
      if (std::abs(surprise) <= rounding * here) return;
      added[index_of(cell)] += probability * (surprise / unit) * (surprise / unit);
    });
  }
  return added;
}

Absorption::Absorption(Absorption&&) noexcept = default;
Absorption& Absorption::operator=(Absorption&&) noexcept = default;
Absorption::~Absorption() = default;

}  // namespace snl
