// A game as clients see it: what its log says and what its hosted game says, together.
#pragma once

#include "redaction.hpp"
#include "storage/event_store.hpp"
#include "storage/hosted_games.hpp"
#include "storage/recorded_game.hpp"

#include <boost/json.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace snl::cli {

enum class GameStatus : std::uint8_t { open, drawing, in_progress, completed, abandoned };

/// "open", "drawing", "in-progress", "completed" or "abandoned".
std::string_view to_string(GameStatus status);
std::optional<GameStatus> status_named(std::string_view name);

/// A takeback that was asked for, and what became of it.
struct SeenQuestion {
  enum class Outcome : std::uint8_t { open, done, refused, withdrawn, overtaken };
  TakebackQuestion question;
  Outcome outcome = Outcome::open;
  SeatSet agreed;
};

/// A game at one moment. A game of the command line has no hosted game; one that hasn't started has
/// no log.
struct GameView {
  std::string id;
  std::optional<HostedGame> hosted = std::nullopt;
  std::shared_ptr<const RecordedGame> game = nullptr;
  GameStatus status = GameStatus::open;
  std::optional<SecretsOut> secrets_out = std::nullopt;
  std::optional<SeenQuestion> question = std::nullopt;

  Version version() const { return game ? game->head().version : 0; }
  /// STATE's N.
  std::int64_t change() const { return hosted ? hosted->revision : 0; }
  bool is_private() const {
    return hosted && hosted->visibility == HostedGame::Visibility::by_its_id;
  }
  bool has_ended() const {
    return status == GameStatus::completed || status == GameStatus::abandoned;
  }
  const HostedGame* hosted_or_null() const { return hosted ? &*hosted : nullptr; }
};

/// How a game's log is read: null if it isn't there.
using LoadGame = std::function<std::shared_ptr<const RecordedGame>(const std::string& id)>;

/// Looks at games. For one thread, on stores that are open for it.
class GameViewer {
 public:
  GameViewer(StoreReader& store, HostedGameStore& hosted_games, LoadGame load);

  /// None for a game that isn't there. Throws StoreError.
  std::optional<GameView> look(const std::string& id);
  /// Of a game whose hosted game was looked up already.
  std::optional<GameView> look(const std::string& id, std::optional<HostedGame> hosted);
  /// What can be told of a game that is in the log and of its hosted game without looking, but at
  /// the log of one in which turns were taken back: all but questions and secrets.
  GameView view_of(HostedGame hosted, std::shared_ptr<const RecordedGame> game);

 private:
  std::optional<SeenQuestion> seen(const GameView& view);

  StoreReader& store_;
  LoadGame load_;
  HostedGameStore& hosted_games_;
  Endings endings_;
};

/// Who asks: by a token of this game, or without one.
struct Caller {
  bool has_token = false;
  bool is_host = false;
  std::optional<Seat> seat = std::nullopt;
};

/// STATE without "you".
boost::json::object state_json(const GameView& view);

/// STATE's "you"; null for a caller without a token.
boost::json::value you_json(const GameView& view, const Caller& caller);

/// An item of the list of games.
boost::json::object listed_json(const GameView& view);

/// "VERSION.N", with its quotes.
std::string entity_tag(const GameView& view);

}  // namespace snl::cli
