// The page of a game: a lobby before it begins, then its board, live.
#pragma once

#include "cli/server/game_view.hpp"
#include "pages.hpp"

#include <string>

namespace snl::cli {

/// It may have to read the game's log, but shows no more of it than the API shows anybody.
std::string hosted_game_page(const GameView& view, StoreReader& store,
                             const Pages::Settings& settings);

}  // namespace snl::cli
