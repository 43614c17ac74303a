// The port behind which hosted games are kept.
//
// A hosted game is the data that a server keeps about a game besides its log. Players meet in it
// before their game begins. It also holds everything that they settle besides turns: their seats
// and tokens, the entropy of the dice, requests to take turns back, and whether the game was given
// up. It has the ID of its game. The log has the last word on everything in the log; a hosted game
// repeats nothing of it except the names of the seats.
//
// This is an interface, since I/O begins here. SqliteHostedGames keeps hosted games in the store's
// file, PostgresHostedGames in its database. tests/storage has the one suite that both must pass.
#pragma once

#include "domain/game.hpp"
#include "domain/names.hpp"
#include "hash.hpp"
#include "store_error.hpp"
#include "time.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// 32 bytes that nobody may see before a game has ended. A Secret can't be printed, compared or
/// converted to text. A caller that takes the bytes out names the purpose by the function it calls.
class Secret {
 public:
  explicit Secret(const Hash& bytes) : bytes_(bytes) {}

  /// For storing where hosted games are kept.
  const Hash& to_keep() const { return bytes_; }
  /// For making the seed and version 1.
  const Hash& to_draw_with() const { return bytes_; }
  /// For showing. Only one place can make a `Proof`: the one that decides whether the game has
  /// ended.
  template <class Proof>
  const Hash& to_show(const Proof& /*ended*/) const {
    static_assert(Proof::secrets_are_out);
    return bytes_;
  }

 private:
  Hash bytes_;
};

/// How far a hosted game has come.
enum class HostedGameStage : std::uint8_t {
  open,     // seats can be taken
  drawing,  // seats are settled; promised entropy is still missing
  settled,  // version 1 can be made: it is about to be recorded, or has just been
  started,  // version 1 is in the log
};

/// A taken seat, a player's place in the order of play. `token` is the SHA-256 of the token in
/// force; tokens themselves are kept nowhere.
struct HostedGameSeat {
  /// Why the server rolls this seat's turns.
  enum class Auto : std::uint8_t { self, host, away, computer };  // self, host: at their request

  std::string name;
  Hash token{};
  std::int64_t tokens = 1;                          // how many tokens it has had
  std::optional<Hash> entropy_hash = std::nullopt;  // promised
  std::optional<Hash> entropy = std::nullopt;       // sent
  std::optional<Auto> automatic = std::nullopt;
  /// The seat is kept for the holder of its token, who hasn't come in yet.
  bool reserved = false;
  /// The version at which its player came back. Turns that ran out of time before it don't count.
  Version back_at = 0;

  bool is_computer() const { return automatic == Auto::computer; }
  /// Entropy was promised and is still missing.
  bool owes_entropy() const { return entropy_hash && !entropy; }
  friend bool operator==(const HostedGameSeat&, const HostedGameSeat&) = default;
};

/// A player's request to take turns back. An outcome that the log shows isn't repeated here: a
/// question without an outcome is open as long as the game is at the version at which it was asked.
struct TakebackQuestion {
  enum class Outcome : std::uint8_t { refused, withdrawn };

  std::int64_t id = 1;  // the questions of a hosted game are numbered from 1
  Seat by = 0;
  Turn to = 0;           // the last turn that would stay
  Version asked_at = 0;  // the game's version
  SeatSet agreed = {};
  std::optional<Outcome> outcome = std::nullopt;
  friend bool operator==(const TakebackQuestion&, const TakebackQuestion&) = default;
};

struct HostedGame {
  /// How the game was ended before anybody had won.
  enum class GivenUp : std::uint8_t { by_host, when_idle };
  enum class Dice : std::uint8_t { seeded, own };
  enum class Takebacks : std::uint8_t { ask, none };
  enum class Visibility : std::uint8_t { in_lists, by_its_id };

  std::string id;
  /// The number of its last change, among all changes of hosted games in the store; 0 before it is
  /// stored.
  std::int64_t revision = 0;
  UnixMilliseconds created = 0;
  HostedGameStage stage = HostedGameStage::open;
  Hash host_token{};
  Hash request{};  // of the request that made the game, to recognise a repetition
  Visibility visibility = Visibility::in_lists;
  Dice dice = Dice::seeded;
  Takebacks takebacks = Takebacks::ask;
  std::string board;  // JSON (exchange/board_json.hpp)
  Rules rules = {};
  /// By seat; an empty one is free. Once seats are settled, the taken ones come first, and a free
  /// seat stays free.
  std::vector<std::optional<HostedGameSeat>> seats = {};
  std::optional<Secret> secret = std::nullopt;              // the seed is made from it
  std::optional<TakebackQuestion> question = std::nullopt;  // the last one
  std::optional<GivenUp> given_up = std::nullopt;
  std::optional<std::int64_t> pace = std::nullopt;  // seconds for a turn
  /// The host's token, if it isn't `host_token`: the host's part was handed on, or this is a
  /// rematch, whose host keeps the token of the game before. Then `host_token` only identifies the
  /// game.
  std::optional<Hash> other_host = std::nullopt;
  std::optional<UnixMilliseconds> drawing_since = std::nullopt;  // while it is drawing
  std::int64_t redraws = 0;  // how often the draw began anew because a seat sent nothing
  std::vector<Hash> given_up_seats = {};              // the tokens of those seats
  std::optional<std::string> rematch = std::nullopt;  // the ID of the next game

  /// Whether the server may roll turns.
  bool is_timed() const {
    return pace ||
           std::ranges::any_of(seats, [](const auto& seat) { return seat && seat->automatic; });
  }
  const Hash& host() const { return other_host ? *other_host : host_token; }

  /// How many seats are taken.
  std::size_t taken() const {
    const auto is_taken = [](const auto& seat) { return seat.has_value(); };
    return static_cast<std::size_t>(std::ranges::count_if(seats, is_taken));
  }
  /// How many have come in: all taken seats but the reserved ones.
  std::size_t present() const {
    const auto is_present = [](const auto& seat) { return seat && !seat->reserved; };
    return static_cast<std::size_t>(std::ranges::count_if(seats, is_present));
  }
};

// ---- The names of values, in the API and in what is kept

inline constexpr std::array seat_auto_names{NamedValue{"self", HostedGameSeat::Auto::self},
                                            NamedValue{"host", HostedGameSeat::Auto::host},
                                            NamedValue{"away", HostedGameSeat::Auto::away},
                                            NamedValue{"computer", HostedGameSeat::Auto::computer}};
inline constexpr std::array hosted_dice_names{NamedValue{"seeded", HostedGame::Dice::seeded},
                                              NamedValue{"own", HostedGame::Dice::own}};
inline constexpr std::array takebacks_names{NamedValue{"ask", HostedGame::Takebacks::ask},
                                            NamedValue{"none", HostedGame::Takebacks::none}};

/// A store of hosted games, for one thread at a time unless an implementation says otherwise. All
/// calls throw StoreError. A change is durable when its call returns. If the call throws, either
/// all of the change was made or nothing.
class HostedGameStore {
 public:
  HostedGameStore() = default;
  virtual ~HostedGameStore() = default;
  HostedGameStore(const HostedGameStore&) = delete;
  HostedGameStore& operator=(const HostedGameStore&) = delete;

  /// None if the game isn't hosted.
  virtual std::optional<HostedGame> game(const std::string& game) = 0;

  /// The ID of the game whose host has the token with this hash.
  virtual std::optional<std::string> hosted_by(const Hash& token) = 0;

  /// The fields by which hosted games are looked up.
  struct Entry {
    std::string id;
    std::int64_t revision = 0;
    UnixMilliseconds created = 0;
    HostedGame::Visibility visibility = HostedGame::Visibility::in_lists;
    bool given_up = false;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  /// At most `limit` hosted games in a stage before `started`, whose games aren't known to be in
  /// the log. Newest first, by time of creation, then by ID; if `after` is given, those after it in
  /// this order.
  virtual std::vector<Entry> waiting(const std::optional<Entry>& after, std::size_t limit) = 0;
  /// How many hosted games are waiting and haven't been given up.
  virtual std::int64_t count_waiting() = 0;
  /// At most `limit` settled hosted games, whose version 1 may have to be recorded.
  virtual std::vector<Entry> settled(std::size_t limit) = 0;
  /// At most `limit` hosted games that are started and not given up, by ID in byte order, after
  /// `after`.
  virtual std::vector<Entry> started_after(const std::string& after, std::size_t limit) = 0;
  /// At most `limit` hosted games whose last change comes after `after`, in the order of these
  /// changes.
  virtual std::vector<Entry> changed_after(std::int64_t after, std::size_t limit) = 0;
  /// The entry of each of these games, in their order; none for a game that isn't hosted. Cheap, as
  /// all entries are: no seat and no board is read.
  virtual std::vector<std::optional<Entry>> entries(std::span<const std::string> games) = 0;

  /// The number of the store's last change of a hosted game; 0 if there was none.
  virtual std::int64_t last_revision() = 0;

  /// Stores hosted games, all in one transaction: each if its `revision` is still that of the
  /// stored one (0: none is stored). Returns the new revision of each; none for a game that isn't
  /// stored because somebody else changed it, or because its host's token belongs to another game.
  /// No two may be of one game.
  virtual std::vector<std::optional<std::int64_t>> keep(
      std::span<const HostedGame> hosted_games) = 0;

  /// Removes a hosted game if it still has this revision; true if so. The removal uses up a
  /// revision number.
  virtual bool forget(const std::string& game, std::int64_t revision) = 0;
};

}  // namespace snl
