// A turn as data: what the scripts of pages read of it.
#pragma once

#include "domain/game.hpp"

#include <boost/json.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace snl::cli {

template <typename Number>
boost::json::value value_or_null(const std::optional<Number>& number) {
  return number ? boost::json::value(*number) : boost::json::value(nullptr);
}

/// As a page shows them.
std::vector<std::string> shown_names(const GameSetup& setup);

/// " rolls ", as every turn's sentence has it between the player and the dice.
std::string rolls_words();

/// What a turn did: [dice, way, to, what it brought, that it was a win, effects] as game.js has it
/// (Move). `names` are shown_names() of the setup.
boost::json::array move_of(const TurnPlayed& turn, const GameSetup& setup,
                           std::span<const std::string> names);

}  // namespace snl::cli
