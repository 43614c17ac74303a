// The first page: here people start, join and find games.
#pragma once

#include "cli/server/game_view.hpp"
#include "pages.hpp"

#include <functional>
#include <string>
#include <vector>

namespace snl::cli {

/// The public games of a status, some of the newest.
using GamesOfStatus = std::function<std::vector<SharedListedGame>(GameStatus status)>;

std::string home_page(const GamesOfStatus& list, const Pages::Settings& settings);

}  // namespace snl::cli
