// Inside the simulation: the dice of a game that is played by itself, outside vectors.
#pragma once

#include "domain/dice.hpp"
#include "domain/rules.hpp"
#include "domain/turn_dice.hpp"
#include "simulation_kernel.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace snl::simulation {

inline constexpr std::uint32_t words_a_block = 4;
inline constexpr std::uint32_t digits_a_word = 4;

/// The number of turns in a game's next block.
inline int turns_of_block(Turn played, Turn max_turns) {
  return static_cast<int>(std::min<Turn>(block_turns, max_turns - played));
}

/// The dice of one game, a block at a time.
class BlockDice {
 public:
  BlockDice(const DiceKind& kind, std::uint64_t seed) : kind_(kind), seed_(seed) {}

  /// The distances of the 16 turns after `played` (a multiple of 16); 0 is a forfeit.
  const std::array<std::int32_t, block_turns>& distances(Turn played) {
    for (std::int32_t die = 0; die < kind_.rule.most; ++die)
      draw(static_cast<std::uint32_t>(die), played);
    for (std::size_t turn = 0; turn < block_turns; ++turn)
      distances_[turn] = distance_of_turn(turn);
    return distances_;
  }

  /// Whether the dice of a turn of these 16, from 0, let a piece enter.
  bool enter(std::size_t turn, const Rules& rules) const {
    bool found = rules.enter.empty();
    std::int32_t thrown = 0;
    std::int32_t last = 0;
    do {
      last = shown_[static_cast<std::size_t>(thrown++)][turn];
      found = found || std::ranges::binary_search(rules.enter, last);
    } while (kind_.rule.goes_on(thrown, last));
    return found;
  }

 private:
  std::int32_t distance_of_turn(std::size_t turn) const {
    std::int32_t thrown = 0;
    std::int32_t last = 0;
    std::int32_t sum = 0;
    do {
      last = shown_[static_cast<std::size_t>(thrown++)][turn];
      sum += last;
    } while (kind_.rule.goes_on(thrown, last));
    return kind_.rule.forfeits(thrown, last) ? 0 : sum;
  }

  void draw(std::uint32_t die, Turn played) {
    const auto words =
        philox4x32({static_cast<std::uint32_t>(played / block_turns), die, 0, 0},
                   {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32U)});
    std::size_t turn = 0;
    for (const std::uint32_t word : words) {
      std::uint32_t fraction = word;
      for (std::uint32_t digit = 0; digit < digits_a_word; ++digit) {
        const std::uint64_t product = std::uint64_t{fraction} * kind_.faces;
        shown_[die][turn++] = static_cast<std::int32_t>(product >> 32U) + 1;
        fraction = static_cast<std::uint32_t>(product);
      }
      if (fraction >= kind_.unfair_below) continue;
      for (std::size_t again = turn - digits_a_word; again < turn; ++again)
        shown_[die][again] = seeded_die(seed_, played + static_cast<Turn>(again) + 1, die,
                                        static_cast<std::int32_t>(kind_.faces));
    }
  }

  const DiceKind& kind_;
  std::uint64_t seed_;
  std::array<std::array<std::int32_t, block_turns>, max_dice> shown_{};  // by die, then by turn
  std::array<std::int32_t, block_turns> distances_{};
};

}  // namespace snl::simulation
