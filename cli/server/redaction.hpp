// What of a game's dice a client may see: the one place that sees both a secret and an answer.
//
// While a game is on, whoever knew its seed could foresee its dice. So the seed, and the secret
// that it was drawn from, are shown once the game has ended, and for a branch once the game that it
// left has ended too, whose dice they also are.
#pragma once

#include "storage/event_store.hpp"
#include "storage/hosted_games.hpp"
#include "storage/recorded_game.hpp"

#include <boost/json.hpp>

#include <optional>
#include <string>

namespace snl::cli {

struct GameView;

/// That a game has ended: what Secret::to_show wants to see. Only reveal_permit_of makes one.
class RevealPermit {
 public:
  static constexpr bool secrets_are_out = true;

 private:
  friend std::optional<RevealPermit> reveal_permit_of(const GameView& view, StoreReader& store,
                                                      HostedGameStore& hosted_games);
  RevealPermit() = default;
};

/// Whether somebody has won a game, even if that was taken back since. `before` is an older view of
/// it, or null: only what follows is read.
bool was_ever_won(StoreReader& store, const RecordedGame& game, const GameView* before);

/// Of a view of which all else is known. A game has ended for good once it was given up, or won.
std::optional<RevealPermit> reveal_permit_of(const GameView& view, StoreReader& store,
                                             HostedGameStore& hosted_games);

/// STATE's "draw"; null for a game whose seed wasn't drawn.
boost::json::value draw_json(const GameView& view);

/// A commit as an export has it, to the byte; version 1 without seed and secret, and said to be
/// redacted, unless they are out.
std::string commit_line(const CommitView& commit, const std::optional<RevealPermit>& out);

}  // namespace snl::cli
