// How dice fell, and how likely fair dice are to fall at least as unevenly. It is never a proof:
// storage/proving.md, "Audit", says what it means.
#pragma once

#include "domain/game.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// How often each face fell, for Pearson's chi-squared test of equal chances. The test adds up dice
/// with different numbers of faces.
struct DiceFalls {
  /// For each number of faces: how often the die showed each face, 1 first.
  std::map<std::int32_t, std::vector<std::int64_t>> counts;

  void add(std::int32_t die, std::int32_t faces);
  void add(const DiceFalls& more);
  std::int64_t dice() const;
  double chi_squared() const;
  std::int32_t degrees_of_freedom() const;
  /// None if fewer than five falls of a face are expected: the test says nothing then.
  std::optional<double> p_value() const;
};

/// Knows which dice of one seed and one number of faces were already counted. A turn that is rolled
/// again, in the same game or in another of that seed, shows the same dice: that is no new
/// evidence.
class CountedDice {
 public:
  /// Counts the first `dice` dice of a turn; returns how many of them were already counted.
  std::size_t count(Turn turn, std::size_t dice);

 private:
  // Turns are mostly played in a row, so one word holds a block of them: two bits a turn say how
  // many of its dice were counted.
  std::unordered_map<std::int64_t, std::uint64_t> blocks_;
};

/// The dice of some games: every die that was ever thrown, also in turns that were undone.
struct Fairness {
  DiceFalls rolled;  // by seeds; each die of a seed once
  DiceFalls typed;   // thrown elsewhere and typed in

  /// Adds a turn. `counted` knows which dice of the game's seed are already counted.
  void add(const TurnPlayed& turn, std::int32_t faces, CountedDice& counted);
  DiceFalls all() const;
};

}  // namespace snl
