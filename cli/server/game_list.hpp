// The public games of a store, newest first.
#pragma once

#include "game_viewer.hpp"
#include "storage/event_store.hpp"
#include "storage/hosted_games.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace snl::cli {

struct GameListQuery {
  std::optional<GameStatus> status = std::nullopt;
  std::optional<std::string> player = std::nullopt;
  /// Only the games listed after this place: GameList::next, or the ID of a game.
  std::optional<std::string> before = std::nullopt;
  std::size_t limit = 20;
};

struct GameList {
  std::vector<SharedListedGame> games;
  /// There may be more, listed after this place: an ID, perhaps with more.
  std::optional<std::string> next = std::nullopt;
};

/// Games are in the order in which the log got them. A game that it hasn't got yet stands where it
/// would if it had started when it was made. None if `before` is no place.
///
/// If few games match, a list may be short and still have a next one. A private game is never
/// named, nor is it `next`. A game that was won and taken back at the command line is listed among
/// all games, not among the completed ones.
std::optional<GameList> list_games(StoreReader& store, HostedGameStore& hosted_games,
                                   GameViewer& viewer, const GameListQuery& query);

}  // namespace snl::cli
