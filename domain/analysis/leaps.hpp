// Many turns of a countdown at once, by powers of the chain's matrix: for small boards whose games
// last longer than can be gone through turn by turn.
//
// By the time that t turns are gone, chances change smoothly over the next t/2: whatever changed
// faster has died out. So sums over such a stretch are taken from 16 of its turns, exactly for
// polynomials of degree 15, and a stretch is half as long as all the turns before it.
#pragma once

#include "countdown.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace snl {

class Leaps {
 public:
  static constexpr std::size_t most_cells = 513;

  static bool fits(const Chain& chain) { return chain.size() <= most_cells; }

  /// Keeps `chain`, which fits and must outlive it.
  explicit Leaps(const Chain& chain);

  /// A countdown of the same chain, so many turns (≥ 0) later.
  Countdown after(const Countdown& now, std::int64_t turns);

  /// The length of the stretch after `turn` (≥ 2), a power of two; none if that is beyond counting.
  static std::optional<std::int64_t> turns_from(std::int64_t turn);

  /// A turn of a stretch, from 1, and how many turns it stands for.
  struct Sample {
    std::int64_t later;
    double weight;
  };
  static std::vector<Sample> samples(std::int64_t turns);

  Leaps(const Leaps&) = delete;
  Leaps& operator=(const Leaps&) = delete;
  Leaps(Leaps&&) = delete;
  Leaps& operator=(Leaps&&) = delete;
  ~Leaps();

 private:
  class Powers;
  const Chain& chain_;
  std::unique_ptr<Powers> powers_;
};

}  // namespace snl
