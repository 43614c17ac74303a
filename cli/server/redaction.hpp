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
#include <unordered_map>

namespace snl::cli {

/// That a game has ended: what Secret::to_show wants to see. Only an Ending makes one.
class SecretsOut {
 public:
  static constexpr bool secrets_are_out = true;

 private:
  friend class Endings;
  SecretsOut() = default;
};

/// Finds out which games have ended. For one thread, on stores that are open for it.
class Endings {
 public:
  Endings(StoreReader& store, HostedGameStore& hosted_games)
      : store_(store), hosted_games_(hosted_games) {}

  /// Whether a game has ended, for good: it was given up, or somebody has won it, even if that was
  /// taken back since. `hosted` and `game` are null where there is none.
  bool has_ended(const HostedGame* hosted, const RecordedGame* game);
  std::optional<SecretsOut> secrets_of(const HostedGame* hosted, const RecordedGame* game);

 private:
  bool was_ever_won(const RecordedGame& game);
  bool origins_have_ended(const RecordedGame& game);

  /// What was found of a game that is in progress: nobody had won it up to this version.
  struct Known {
    Head head;
    bool was_won = false;
  };

  StoreReader& store_;
  HostedGameStore& hosted_games_;
  std::unordered_map<std::string, Known> known_;
};

/// STATE's "draw"; null for a game whose seed wasn't drawn.
boost::json::value draw_json(const HostedGame* hosted, const RecordedGame* game,
                             const std::optional<SecretsOut>& out);

/// A commit as an export has it, to the byte; version 1 without seed and secret, and said to be
/// redacted, unless they are out.
std::string commit_line(const CommitView& commit, const std::optional<SecretsOut>& out);

}  // namespace snl::cli
