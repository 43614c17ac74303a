// The dice of one turn: how they are thrown, which lists of dice can be played, and how far each
// list carries a piece.
//
// Only throwing_rule() says this in the whole program. Everything else is derived from it: the dice
// that decide accepts, the distances and their chances, the seeded dice, the lanes of the
// simulation, and the words of messages.
#pragma once

#include "dice.hpp"
#include "rules.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// A turn begins with `at_once` dice. After a die that shows `again`, the player throws one more,
/// until there are `most`. If all of those show `again`, the turn is forfeited. A player who throws
/// `another_turn` moves by it, and has another turn.
struct ThrowingRule {
  std::int32_t at_once;
  std::int32_t most;
  std::int32_t again;             // 0: no die is followed by another
  std::int32_t another_turn = 0;  // 0: no throw gives one

  /// Whether the player throws one more die after `thrown` dice, the last of which shows `last`.
  constexpr bool goes_on(std::int32_t thrown, std::int32_t last) const {
    return thrown < at_once || (thrown < most && last == again);
  }
  /// Whether a turn that ends with these dice is forfeited.
  constexpr bool forfeits(std::int32_t thrown, std::int32_t last) const {
    return thrown == most && last == again;
  }
};
ThrowingRule throwing_rule(const Rules& rules);

/// How far these dice carry a piece, 0 for a forfeit; none if they can't be a turn's dice. A list
/// that stops where another die would follow counts as it stands, as [6] does under Sixes::again.
std::optional<std::int32_t> distance_of(const Dice& dice, const Rules& rules);

/// Whether these dice bring a piece onto the board: one of them shows a face of `enter`.
bool allow_entry(const Dice& dice, const Rules& rules);

/// Whether dice of this distance give their player another turn.
bool gives_another_turn(std::int32_t distance, const Rules& rules);

/// Whether a list that distance_of takes also ends where a player at a table would stop throwing.
/// Seeded dice always do. Odds and simulations use no others.
bool is_complete_roll(const Dice& dice, const Rules& rules);

/// Whether these rules take a list that isn't rolled to its end.
bool may_stop_early(const Rules& rules);

/// The name of a forfeit.
inline constexpr std::string_view forfeit_name = "three sixes";

/// All the dice of a turn, rolled to their end from a seed.
Dice roll_dice(const Rules& rules, std::uint64_t seed, Turn turn);

/// A distance, and how many of `all` equally likely ways to throw the dice lead to it.
struct DistanceWays {
  std::int32_t distance;
  std::int32_t ways;
  std::int32_t all;
};

/// A throw that is rolled to its end: how far it carries a piece, and whether it brings one onto
/// the board.
struct ThrowWays {
  std::int32_t distance;  // 0 is a forfeit
  bool enters;
  std::int32_t ways;
  std::int32_t all;
};
std::vector<ThrowWays> throw_ways(const Rules& rules);

/// Every distance of a turn that is rolled to its end, ascending; 0 is a forfeit.
std::vector<DistanceWays> distance_ways(const Rules& rules);
std::vector<std::int32_t> distances_of(const Rules& rules);

/// The condition that dice lists must meet, for a message: "a turn is one die of 1 to 6".
std::string possible_dice(const Rules& rules);

/// Dice that a message can show as an example.
Dice example_dice(const Rules& rules);

/// How the dice are thrown: "one die of 6; a six rolls again, three sixes forfeit the turn".
std::string throwing_words(const Rules& rules);

}  // namespace snl
