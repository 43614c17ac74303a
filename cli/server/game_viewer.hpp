// Making the views of games from their hosted games and their logs.
#pragma once

#include "game_view.hpp"
#include "known_games.hpp"
#include "storage/event_store.hpp"
#include "storage/hosted_games.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace snl::cli {

/// Makes views of games. For one thread, on stores that are open for it.
class GameViewer {
 public:
  GameViewer(StoreReader& store, HostedGameStore& hosted_games, KnownGames& known);

  /// Asks how far the store has come. Later calls compare known views with it. All of this class
  /// throws StoreError.
  const StoreMoment& refresh();

  const StoreMoment& moment() const { return moment_; }
  /// Commits that were recorded here have brought the store to this moment.
  void expect(const StoreMoment& moment) { moment_ = moment; }

  /// The game as it was at the last refresh() or later; null if it isn't there.
  SharedView current_view(const std::string& id);
  /// The same, without remembering it: for many games, hardly any of which is asked for again.
  SharedView transient_view(const std::string& id);
  /// The parts of it for lists. Reads the game only if the head or the revision of its hosted game,
  /// `change`, isn't that of the known parts. Null if it isn't there.
  SharedListedGame listed(const std::string& id, std::int64_t change);
  /// The time of a game's first commit; 0 if the log hasn't got it.
  UnixMilliseconds begun(const std::string& id);

  /// The view of a game, from its hosted game and its log. `before` is an older view of it, or
  /// null. `step` is its last command, if that was recorded here.
  SharedView view_of(std::string id, std::optional<HostedGame> hosted,
                     std::shared_ptr<const RecordedGame> game, const GameView* before,
                     SharedStep step = nullptr);

 private:
  SharedView compared(const std::string& id, const SharedView& known);
  UnixMilliseconds time_of_last_move(const GameView& view, const GameView* before) const;
  std::optional<SeenQuestion> seen(const GameView& view, const GameView* before);

  StoreReader& store_;
  HostedGameStore& hosted_games_;
  KnownGames& known_;
  StoreMoment moment_;
};

}  // namespace snl::cli
