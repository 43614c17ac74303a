// Method. With n states, the answer is the quotient of two determinants of whole numbers (Cramer's
// rule). Elimination finds both modulo one prime after another, in the processor's own numbers.
// Once the primes' product is larger than either can be, the Chinese remainder theorem gives them
// whole.
#include "exact_odds.hpp"

#include "domain/analysis/turn_ways.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <fmt/format.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace snl::cli {
namespace {

using Whole = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>,
                                            boost::multiprecision::et_off>;
using Row = std::vector<std::int64_t>;

/// Equations of whole numbers, one per row: the coefficients, then their sum. The wanted unknown is
/// the last. With a row's unknown on its diagonal, no other coefficient is above 0, and together
/// they are at least 0.
using Equations = std::vector<Row>;

/// Σ x(state) × (all − ways of staying) − Σ ways × x(to) = sum(state).
Equations equations_of(const TurnWays& ways, const auto& sum_of) {
  const std::size_t states = ways.leads.size();
  // Higher states first: most rows have few coefficients left then.
  std::vector<std::size_t> place(states);
  for (std::size_t state = 0; state < states; ++state)
    place[state] = state == ways.begin  ? states - 1
                   : state < ways.begin ? states - 2 - state
                                        : states - 1 - state;
  Equations equations(states, Row(states + 1));
  for (std::size_t state = 0; state < states; ++state) {
    Row& row = equations[place[state]];
    row[place[state]] = ways.all;
    for (const auto [to, falls] : ways.leads[state])
      if (to < states) row[place[to]] -= falls;
    row.back() = sum_of(ways.leads[state]);
  }
  return equations;
}

std::uint64_t power(std::uint64_t base, std::uint64_t exponent, std::uint64_t prime) {
  std::uint64_t result = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = result * base % prime;
    base = base * base % prime;
  }
  return result;
}

std::uint64_t inverse(std::uint64_t number, std::uint64_t prime) {
  return power(number, prime - 2, prime);
}

/// The next prime below an odd number, below 2^32, so that a product of remainders fits.
std::uint64_t prime_below(std::uint64_t number) {
  const auto is_prime = [](std::uint64_t candidate) {
    for (std::uint64_t divisor = 3; divisor * divisor <= candidate; divisor += 2)
      if (candidate % divisor == 0) return false;
    return true;
  };
  do
    number -= 2;
  while (!is_prime(number));
  return number;
}

/// A whole number, known by its remainders of one prime after another.
class FromRemainders {
 public:
  void add(std::uint64_t remainder, std::uint64_t prime) {
    using boost::multiprecision::integer_modulus;
    const std::uint64_t known = integer_modulus(value_, prime);
    const std::uint64_t product = integer_modulus(product_, prime);
    const std::uint64_t missing = (remainder + prime - known) % prime;
    value_ += product_ * (missing * inverse(product, prime) % prime);
    product_ *= prime;
  }
  const Whole& value() const { return value_; }  // right if it is less than product()
  const Whole& product() const { return product_; }

 private:
  Whole value_ = 0;
  Whole product_ = 1;
};

/// The determinant, and the one with the sums in place of the last unknown's coefficients.
struct Determinants {
  std::uint64_t all = 0;
  std::uint64_t last = 0;
};

/// None if the prime happens to divide a number by which the elimination divides.
std::optional<Determinants> determinants(const Equations& equations, std::uint64_t prime) {
  const std::size_t size = equations.size();
  std::vector<std::vector<std::uint64_t>> rows(size, std::vector<std::uint64_t>(size + 1));
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j <= size; ++j) {
      const std::int64_t coefficient = equations[i][j];
      rows[i][j] = coefficient < 0 ? prime - static_cast<std::uint64_t>(-coefficient)
                                   : static_cast<std::uint64_t>(coefficient);
    }
  std::uint64_t product = 1;
  std::vector<std::size_t> filled;
  for (std::size_t pivot = 0; pivot + 1 < size; ++pivot) {
    const auto& by = rows[pivot];
    if (by[pivot] == 0) return std::nullopt;
    product = product * by[pivot] % prime;
    filled.clear();
    for (std::size_t j = pivot + 1; j <= size; ++j)
      if (by[j] != 0) filled.push_back(j);
    const std::uint64_t part = inverse(by[pivot], prime);
    for (std::size_t i = pivot + 1; i < size; ++i) {
      if (rows[i][pivot] == 0) continue;
      const std::uint64_t factor = prime - rows[i][pivot] * part % prime;
      for (const std::size_t j : filled)
        rows[i][j] = (rows[i][j] + factor * by[j]) % prime;
    }
  }
  const auto& end = rows.back();
  return Determinants{.all = product * end[size - 1] % prime, .last = product * end[size] % prime};
}

/// The last unknown. In each row, three things are at most `largest`: the diagonal, the other
/// coefficients together, and the sum.
std::string last_unknown(const Equations& equations, std::int64_t largest) {
  // Hadamard: a determinant is at most the product of its rows' absolute sums.
  const Whole bound =
      boost::multiprecision::pow(Whole(3 * largest), static_cast<unsigned>(equations.size()));
  FromRemainders all;
  FromRemainders last;
  for (std::uint64_t prime = (1ULL << 31U) + 1; all.product() <= bound;) {
    prime = prime_below(prime);
    const auto remainders = determinants(equations, prime);
    if (!remainders) continue;
    all.add(remainders->all, prime);
    last.add(remainders->last, prime);
  }
  const Whole divisor = boost::multiprecision::gcd(all.value(), last.value());
  const Whole over = last.value() / divisor;
  const Whole under = all.value() / divisor;
  return under == 1 ? over.str() : fmt::format("{}/{}", over.str(), under.str());
}

/// The chance to finish from the piece's place.
std::string finishing(const TurnWays& ways) {
  if (ways.leads.empty()) return "0";
  const std::size_t finished = ways.leads.size();
  return last_unknown(equations_of(ways,
                                   [&](const std::vector<TurnWays::Lead>& leads) {
                                     return std::accumulate(
                                         leads.begin(), leads.end(), std::int64_t{0},
                                         [&](std::int64_t sum, const TurnWays::Lead& lead) {
                                           return sum + (lead.to == finished ? lead.ways : 0);
                                         });
                                   }),
                      ways.all);
}

std::optional<std::string> turns_to_finish(const TurnWays& ways) {
  if (ways.can_strand || ways.leads.empty()) return std::nullopt;
  return last_unknown(equations_of(ways, [&](const auto& /*leads*/) { return ways.all; }),
                      ways.all);
}

void add_race(ExactOdds& odds, const Board& board, const Rules& rules, const Race& race) {
  auto ways = race_ways(board, rules, race, max_exact_race_states / race.cells.size());
  if (!ways) return;
  odds.expected_game_turns = turns_to_finish(ways->turns);
  for (const std::size_t begin : ways->begins) {
    ways->wins.begin = begin;
    odds.win.push_back(finishing(ways->wins));
  }
}

}  // namespace

std::expected<ExactOdds, std::string> exact_odds(const Board& board, const Rules& rules,
                                                 const Race& race) {
  const auto ways = turn_ways(board, rules, race.cells[race.to_move]);
  if (!ways) return std::unexpected(ways.error());
  const std::size_t states = ways->leads.size();
  if (states > max_exact_states)
    return std::unexpected(
        fmt::format("a piece may stand in {} ways: fractions are worked out up to {}", states,
                    max_exact_states));
  ExactOdds odds{.expected_turns = turns_to_finish(*ways),
                 .finish_probability = ways->can_strand || states == 0 ? finishing(*ways) : "1"};
  add_race(odds, board, rules, race);
  return odds;
}

boost::json::object exact_odds_json(const ExactOdds& odds) {
  boost::json::object object{
      {"expected_turns", boost::json::value_from(odds.expected_turns)},
      {"finish_probability", odds.finish_probability},
      {"win_probability", nullptr},
      {"expected_game_turns", boost::json::value_from(odds.expected_game_turns)}};
  if (!odds.win.empty())
    object["win_probability"] = boost::json::array(odds.win.begin(), odds.win.end());
  return object;
}

}  // namespace snl::cli
