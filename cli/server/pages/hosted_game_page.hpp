// The page of a game: a lobby before it begins, then its board, live.
#pragma once

#include "cli/server/game_view.hpp"
#include "pages.hpp"

#include <string>

namespace snl::cli {

/// Of a game's log, which may have to be read, it tells no more than the API does to anybody.
std::string hosted_game_page(const GameView& view, StoreReader& store,
                             const Pages::Settings& settings);

}  // namespace snl::cli
