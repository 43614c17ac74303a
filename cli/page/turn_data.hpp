// A turn as data, for the scripts of pages.
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

/// " rolls ", the words between the player and the dice in every turn's sentence.
std::string rolls_words();

/// The move of a turn, as game.js has it (Move): [dice, path, to, result, words of a win, effects].
/// The path is the cells where the piece set out, turned round and landed. `names` are
/// shown_names() of the setup.
boost::json::array move_of(const TurnPlayed& turn, const GameSetup& setup,
                           std::span<const std::string> names);

}  // namespace snl::cli
