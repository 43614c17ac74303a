// A game as clients see it: by its log and its hosted game together. STATE is its JSON in the API
// (openapi.json).
#pragma once

#include "domain/named_boards.hpp"
#include "domain/names.hpp"
#include "redaction.hpp"
#include "storage/event_store.hpp"
#include "storage/hosted_games.hpp"
#include "storage/recorded_game.hpp"

#include <boost/json.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snl::cli {

enum class GameStatus : std::uint8_t { open, drawing, in_progress, completed, abandoned };

inline constexpr std::array status_names{
    NamedValue{"open", GameStatus::open}, NamedValue{"drawing", GameStatus::drawing},
    NamedValue{"in-progress", GameStatus::in_progress},
    NamedValue{"completed", GameStatus::completed}, NamedValue{"abandoned", GameStatus::abandoned}};

constexpr std::string_view to_string(GameStatus status) {
  return name_of(status_names, status);
}

/// A takeback that somebody asked for, and its outcome.
struct SeenQuestion {
  enum class Outcome : std::uint8_t { open, done, refused, withdrawn, overtaken };
  TakebackQuestion question;
  Outcome outcome = Outcome::open;
  SeatSet agreed;
};

/// Whether every seat of so many has agreed.
bool have_all_agreed(const SeatSet& agreed, std::size_t players);

/// A command that this server recorded, and the game right after it.
struct RecordedStep {
  NewCommit commit;
  std::vector<Event> events;
  std::shared_ptr<const RecordedGame> game;
};
using SharedStep = std::shared_ptr<const RecordedStep>;

/// A game at one moment, for any number of threads. It doesn't change. A game of the command line
/// has no hosted game; a game that hasn't started has no log.
struct GameView {
  std::string id;
  std::optional<HostedGame> hosted = std::nullopt;
  std::shared_ptr<const RecordedGame> game = nullptr;
  GameStatus status = GameStatus::open;
  bool was_won = false;  // even if that was taken back
  std::optional<RevealPermit> reveal_permit = std::nullopt;
  std::optional<SeenQuestion> question = std::nullopt;
  UnixMilliseconds begun = 0;     // when the server began
  UnixMilliseconds moved_at = 0;  // the last commit's time, if the server may roll turns
  /// The last versions, if they were recorded here: nobody need read them.
  std::vector<SharedStep> steps = {};

  Head head() const { return game ? game->head() : Head{}; }
  Version version() const { return head().version; }
  /// The hosted game's revision; 0 without one.
  std::int64_t change() const { return hosted ? hosted->revision : 0; }
  bool is_private() const {
    return hosted && hosted->visibility == HostedGame::Visibility::by_its_id;
  }
  bool has_ended() const {
    return status == GameStatus::completed || status == GameStatus::abandoned;
  }
  /// Whether all seats have agreed to a takeback that isn't recorded yet.
  bool awaits_takeback() const;
  /// When the server rolls for the player to move, in a game with a pace.
  std::optional<UnixMilliseconds> deadline() const;
  /// Its players, or the seats that may be taken.
  std::size_t places() const;
  /// Whether it may change though its log and its hosted game don't. The game that a branch left
  /// decides, too, whether the branch may show its secrets.
  bool depends_on_others() const {
    return game && game->state().setup->origin && !reveal_permit && has_ended();
  }

  /// About as many bytes as it keeps, STATE included.
  std::size_t bytes() const;

  /// STATE for callers without a token. Made once.
  const std::shared_ptr<const std::string>& state_text() const;

 private:
  mutable std::once_flag is_made_;
  mutable std::shared_ptr<const std::string> state_text_ = nullptr;
};

/// The parts of a view that lists show: few bytes, even if the board is the largest. They are those
/// of a game as long as its head and its hosted game's revision are these.
struct ListedGame {
  std::string id;
  Head head;
  std::int64_t change = 0;
  UnixMilliseconds begun = 0;  // the time of the log's first commit
  GameStatus status = GameStatus::open;
  bool is_private = false;
  std::vector<std::string> players;  // before the game has begun, those of the taken seats
  std::string host;                  // the host's name; else the first player's
  const NamedBoard* board = nullptr;
  Cell cells = 0;
  Turn turn = 0;
  std::string next;
  std::string winner;
  std::size_t places = 0;
  std::size_t taken = 0;
  std::string json;  // an item of the list of games

  bool has_begun() const { return head.version > 0; }
  bool is_of(const Head& now, std::int64_t revision) const {
    return head == now && change == revision;
  }
  /// About as many bytes as it keeps.
  std::size_t bytes() const;
};

/// The parts of a view that lists show.
ListedGame listed_of(const GameView& view);

/// The sender of a request: known by a token of this game, or without one.
struct Caller {
  bool has_token = false;
  bool is_host = false;
  std::optional<Seat> seat = std::nullopt;
};

/// STATE without "you".
boost::json::object state_json(const GameView& view);

/// The text of STATE, without "you"; or with the caller's, which may be null.
std::string state_alone(const GameView& view);
std::string state_with_you(const GameView& view, const Caller& caller);

/// STATE's "you"; null for a caller without a token.
boost::json::value you_json(const GameView& view, const Caller& caller);

/// "VERSION.N.HEAD8", with its quotes; before version 1 without HEAD8. N grows with each change of
/// the hosted game, and with a restart of the server. Its last three digits are the caller's, whose
/// STATE has a "you" of its own: 000 without a token.
std::string entity_tag(const GameView& view, std::optional<std::string_view> token);

/// A hash's first 8 digits. They tell heads of one version apart in entity tags and in streams.
std::string head_mark(const Hash& hash);

}  // namespace snl::cli
