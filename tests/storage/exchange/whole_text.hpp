#pragma once

#include "storage/exchange/text_form.hpp"

#include <algorithm>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace snl::test {

/// A text's headers, and its turns beside them.
struct WholeText : GameText {
  std::vector<Turn> turns;
};

/// Reads a whole text at once, as import reads it line by line.
inline std::expected<WholeText, std::string> parse_game_text(std::string_view text) {
  GameTextReader reader;
  std::vector<GameText::Turn> turns;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    auto turn = reader.add(text.substr(0, end));
    if (!turn) return std::unexpected(std::move(turn).error());
    if (*turn) turns.push_back(**std::move(turn));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  auto game = reader.game();
  if (!game) return std::unexpected(std::move(game).error());
  return WholeText{*std::move(game), std::move(turns)};
}

}  // namespace snl::test
