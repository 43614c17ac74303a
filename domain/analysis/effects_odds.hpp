// Exact odds in games with powers and faces that enter: a piece's state is its cell, its shields
// and its turns to miss, and chances are gone through turn by turn or round by round until as good
// as nothing is left of them.
#pragma once

#include "odds.hpp"

#include <expected>
#include <string>

namespace snl {

/// As odds_of, for boards and rules that have_effects. A piece alone finds nobody to swap with or
/// to capture. In a race a round is one chance to move of each player, with all turns of `again`,
/// or one turn missed; what is counted are turns that are played. An error where a race of several
/// is asked for and pieces may swap or be captured: then they aren't independent.
std::expected<BoardOdds, std::string> odds_with_effects(const Board& board, const Rules& rules,
                                                        const OddsQuestion& question);

}  // namespace snl
