#include "fairness.hpp"

#include <boost/math/distributions/chi_squared.hpp>

#include <algorithm>
#include <numeric>

namespace snl {

std::size_t CountedDice::count(Turn turn, std::size_t dice) {
  static_assert(max_dice <= 3, "two bits hold the count of a turn");
  constexpr Turn turns_a_block = 32;
  std::uint64_t& block = blocks_[turn / turns_a_block];
  const auto shift = 2 * static_cast<std::uint64_t>(turn % turns_a_block);
  const std::uint64_t before = block >> shift & 3U;
  const std::uint64_t now = std::max<std::uint64_t>(before, std::min(dice, max_dice));
  block += (now - before) << shift;
  return static_cast<std::size_t>(before);
}

void DiceFalls::add(std::int32_t die, std::int32_t faces) {
  if (die < 1 || die > faces) return;
  auto& falls = counts[faces];
  falls.resize(static_cast<std::size_t>(faces));
  ++falls[static_cast<std::size_t>(die) - 1];
}

void DiceFalls::add(const DiceFalls& more) {
  for (const auto& [faces, added] : more.counts) {
    auto& falls = counts[faces];
    falls.resize(static_cast<std::size_t>(faces));
    std::ranges::transform(falls, added, falls.begin(), std::plus{});
  }
}

std::int64_t DiceFalls::dice() const {
  std::int64_t total = 0;
  for (const auto& [faces, falls] : counts)
    total += std::accumulate(falls.begin(), falls.end(), std::int64_t{0});
  return total;
}

double DiceFalls::chi_squared() const {
  double sum = 0;
  for (const auto& [faces, falls] : counts) {
    const auto total = std::accumulate(falls.begin(), falls.end(), std::int64_t{0});
    if (total == 0) continue;
    const double expected = static_cast<double>(total) / faces;
    for (const std::int64_t fell : falls) {
      const double off = static_cast<double>(fell) - expected;
      sum += off * off / expected;
    }
  }
  return sum;
}

std::int32_t DiceFalls::degrees_of_freedom() const {
  std::int32_t degrees = 0;
  for (const auto& [faces, falls] : counts)
    degrees += faces - 1;
  return degrees;
}

std::optional<double> DiceFalls::p_value() const {
  constexpr std::int64_t least_expected = 5;
  if (counts.empty()) return std::nullopt;
  for (const auto& [faces, falls] : counts)
    if (std::accumulate(falls.begin(), falls.end(), std::int64_t{0}) < least_expected * faces)
      return std::nullopt;
  const boost::math::chi_squared distribution(degrees_of_freedom());
  return boost::math::cdf(boost::math::complement(distribution, chi_squared()));
}

void Fairness::add(const TurnPlayed& turn, std::int32_t faces, CountedDice& counted) {
  const auto dice = turn.dice.values();
  const std::size_t known = turn.rolled ? counted.count(turn.turn, dice.size()) : 0;
  DiceFalls& falls = turn.rolled ? rolled : typed;
  for (std::size_t die = known; die < dice.size(); ++die)
    falls.add(dice[die], faces);
}

DiceFalls Fairness::all() const {
  DiceFalls falls = rolled;
  falls.add(typed);
  return falls;
}

}  // namespace snl
