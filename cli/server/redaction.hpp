// The secrets of a game's dice, hidden until clients may see them: the one place that sees both a
// secret and a response.
//
// A player who knew the seed of a game could foresee its dice. So the seed, and the secret that it
// was drawn from, are shown only once the game has ended. A branch has the dice of the game that it
// left, so that game has to have ended too.
#pragma once

#include "storage/event_store.hpp"
#include "storage/hosted_games.hpp"
#include "storage/recorded_game.hpp"

#include <boost/json.hpp>

#include <optional>
#include <string>

namespace snl::cli {

struct GameView;

/// The proof that a game has ended, for Secret::to_show. Only reveal_permit_of makes one.
class RevealPermit {
 public:
  static constexpr bool secrets_are_out = true;

 private:
  friend std::optional<RevealPermit> reveal_permit_of(const GameView& view, StoreReader& store,
                                                      HostedGameStore& hosted_games);
  RevealPermit() = default;
};

/// Whether somebody has won a game, even if that was taken back since. `before` is an older view of
/// it, or null: only later commits are read.
bool was_ever_won(StoreReader& store, const RecordedGame& game, const GameView* before);

/// For a view in which all else is set. A game has ended for good once it was given up, or won.
std::optional<RevealPermit> reveal_permit_of(const GameView& view, StoreReader& store,
                                             HostedGameStore& hosted_games);

/// STATE's "draw"; null for a game whose seed wasn't drawn.
boost::json::value draw_json(const GameView& view);

/// A commit as an export has it, to the byte. Without a permit, version 1 comes without seed and
/// secret, and says that it is redacted.
std::string commit_line(const CommitView& commit, const std::optional<RevealPermit>& out);

}  // namespace snl::cli
