// How often a store writes what is derived of a game.
#pragma once

#include "domain/game.hpp"

namespace snl {

/// A summary is of the game's last version, or of one less than so many before it: to write a page
/// more with every turn would cost more than to fold a few commits when a game is loaded. It always
/// says whether the game is completed.
inline constexpr Version summary_interval = 16;

}  // namespace snl
