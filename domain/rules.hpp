// The rules of a game, as data. They are part of the game's first event, so a recorded game is
// judged for ever by the rules that it was played by.
#pragma once

#include "board.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snl {

enum class Finish : std::uint8_t {
  exact,      // a move past the end is not made: the piece stays, takes no jump, the turn passes
  overshoot,  // reaching or passing the end wins
  bounce,     // a move past the end comes back by the excess; a jump there applies
};

enum class Sixes : std::uint8_t {
  again,  // a 6 rolls again; the rolls are one move of their sum; 6-6-6 is 0 and ends the turn
  plain,  // one roll a turn
};

struct Rules {
  Cell start = 1;  // 1, or 0: pieces begin off the board
  Finish finish = Finish::exact;
  std::int32_t dice = 1;       // 1, or 2 dice thrown together and summed
  std::int32_t faces = 6;      // of each die, 2 to 100
  Sixes sixes = Sixes::again;  // `again` only with one die of 6 faces

  friend bool operator==(const Rules&, const Rules&) = default;
};

inline constexpr std::int32_t min_faces = 2;
inline constexpr std::int32_t max_faces = 100;

/// Everything wrong with the rules, a sentence each; none for rules that can be played by.
std::vector<std::string> faults_of(const Rules& rules);

/// `standard` is the class SnakeAndLadderGame's rules; `lld` the low-level design's and
/// `milton-bradley` the ones that analyses of Chutes and Ladders use (both: start 0, plain).
/// None for any other name.
std::optional<Rules> rules_named(std::string_view name);

std::string to_string(Finish finish);
std::string to_string(Sixes sixes);
std::optional<Finish> finish_named(std::string_view name);
std::optional<Sixes> sixes_named(std::string_view name);

}  // namespace snl
