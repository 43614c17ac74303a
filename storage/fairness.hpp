// How dice fell, and how likely fair dice are to fall at least as unevenly. Never a proof of
// anything: storage/proving.md, "Audit", says what it means.
#pragma once

#include "domain/game.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// How often each face fell, for Pearson's chi-squared test of equal chances; dice of different
/// faces are added up.
struct DiceFalls {
  /// By faces of the die: how often it showed each face, 1 first.
  std::map<std::int32_t, std::vector<std::int64_t>> counts;

  void add(std::int32_t die, std::int32_t faces);
  void add(const DiceFalls& more);
  std::int64_t dice() const;
  double chi_squared() const;
  std::int32_t degrees_of_freedom() const;
  /// None below five expected falls of a face, where the test says nothing.
  std::optional<double> p_value() const;
};

/// Which dice of one seed, with so many faces, have been counted. A turn that is rolled again, in
/// the same game or in another one of that seed, shows the same dice again: no new evidence.
class CountedDice {
 public:
  /// Counts the first `dice` dice of a turn; answers how many of them were counted before.
  std::size_t count(Turn turn, std::size_t dice);

 private:
  // Turns are mostly played in a row, so a block of them takes a word: two bits say how many dice.
  std::unordered_map<std::int64_t, std::uint64_t> blocks_;
};

/// The dice of some games: every die that was ever thrown, in turns that were undone too.
struct Fairness {
  DiceFalls rolled;  // by seeds; each die of a seed once
  DiceFalls typed;   // thrown elsewhere and typed in

  /// Adds a turn; `counted` says which dice of its game's seed need not be counted again.
  void add(const TurnPlayed& turn, std::int32_t faces, CountedDice& counted);
  DiceFalls all() const;
};

}  // namespace snl
