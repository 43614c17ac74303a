// The port behind which hosted games are kept: what a server knows of a game besides its log.
//
// A hosted game is where players meet before their game begins, and where they settle what isn't a
// turn: who sits where and by which token, what the dice are drawn from, who wants turns taken
// back, who gave the game up. It has the ID of its game. The log has the last word on all that is
// in it; a hosted game says nothing twice, but for the seats' names.
//
// An interface, since this is where I/O begins. SqliteHostedGames keeps them in the file of the
// store, PostgresHostedGames in its database. tests/storage has the one suite that both must pass.
#pragma once

#include "domain/game.hpp"
#include "hash.hpp"
#include "store_error.hpp"
#include "time.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// 32 bytes that nobody may see before a game has ended. It can't be printed, compared or made a
/// text of: whoever takes the bytes out says by the name of the call what for.
class Secret {
 public:
  explicit Secret(const Hash& bytes) : bytes_(bytes) {}

  /// To be kept where hosted games are kept.
  const Hash& to_keep() const { return bytes_; }
  /// To make the seed of, and version 1.
  const Hash& to_draw_with() const { return bytes_; }
  /// To be shown. `Proof` is what only the one place can make that decides whether the game has
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
  drawing,  // seats are settled; entropy that was promised is waited for
  settled,  // all is there that version 1 is made of: to be recorded, or recorded just now
  started,  // version 1 is in the log
};

/// Who sits where. `token` is the SHA-256 of the token in force; tokens themselves are kept
/// nowhere.
struct HostedGameSeat {
  /// Why its turns are rolled by the server.
  enum class Auto : std::uint8_t { self, host, away, computer };  // the first two: as they wanted

  std::string name;
  Hash token{};
  std::int64_t tokens = 1;                          // how many there have been
  std::optional<Hash> entropy_hash = std::nullopt;  // promised
  std::optional<Hash> entropy = std::nullopt;       // kept
  std::optional<Auto> automatic = std::nullopt;
  /// It is kept for whoever has its token, who hasn't come in yet.
  bool reserved = false;
  /// The version at which its player came back: what was rolled before doesn't make them away.
  Version back_at = 0;

  bool is_computer() const { return automatic == Auto::computer; }
  /// Entropy was promised, and isn't there.
  bool owes_entropy() const { return entropy_hash && !entropy; }
  friend bool operator==(const HostedGameSeat&, const HostedGameSeat&) = default;
};

/// Somebody wants turns taken back. What became of it is in the log where the log knows: a question
/// without an outcome is open for as long as the game is at the version at which it was asked.
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
  /// Who ended the game before anybody had won.
  enum class GivenUp : std::uint8_t { by_host, when_idle };
  enum class Dice : std::uint8_t { seeded, own };
  enum class Takebacks : std::uint8_t { ask, none };
  enum class Visibility : std::uint8_t { in_lists, by_its_id };

  std::string id;
  /// The number of its last change among all changes of hosted games in the store; 0 before it is
  /// kept.
  std::int64_t revision = 0;
  UnixMilliseconds created = 0;
  HostedGameStage stage = HostedGameStage::open;
  Hash host_token{};
  Hash request{};  // what was asked for when the game was made, to tell a repetition
  Visibility visibility = Visibility::in_lists;
  Dice dice = Dice::seeded;
  Takebacks takebacks = Takebacks::ask;
  std::string board;  // JSON (exchange/board_json.hpp)
  Rules rules = {};   // without effects
  /// By seat; an empty one is free. Once they are settled, those that are taken come first, and
  /// what is free stays free.
  std::vector<std::optional<HostedGameSeat>> seats = {};
  std::optional<Secret> secret = std::nullopt;              // what its seed is made from
  std::optional<TakebackQuestion> question = std::nullopt;  // the last one
  std::optional<GivenUp> given_up = std::nullopt;
  std::optional<std::int64_t> pace = std::nullopt;  // seconds for a turn
  /// Whose token is the host's, where that isn't host_token, which then tells the game alone: the
  /// host's part was handed on, or this is a rematch, whose host has that of the game before.
  std::optional<Hash> other_host = std::nullopt;
  std::optional<UnixMilliseconds> drawing_since = std::nullopt;  // while it is drawing
  std::int64_t redraws = 0;  // how often the draw began anew, since a seat sent nothing
  std::vector<Hash> given_up_seats = {};              // the tokens of those seats
  std::optional<std::string> rematch = std::nullopt;  // the ID of the next game

  /// Whether turns may be rolled by the server.
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
  /// How many have come in: all that are taken but those that are reserved.
  std::size_t present() const {
    const auto is_present = [](const auto& seat) { return seat && !seat->reserved; };
    return static_cast<std::size_t>(std::ranges::count_if(seats, is_present));
  }
};

/// Hosted games, for one thread at a time unless an implementation says otherwise. All of it throws
/// StoreError. What is kept is durable when a call returns; of a call that throws, all or nothing
/// may have been kept.
class HostedGameStore {
 public:
  HostedGameStore() = default;
  virtual ~HostedGameStore() = default;
  HostedGameStore(const HostedGameStore&) = delete;
  HostedGameStore& operator=(const HostedGameStore&) = delete;

  /// None for a game without a hosted game.
  virtual std::optional<HostedGame> game(const std::string& game) = 0;

  /// The ID of the game whose host has the token of this hash.
  virtual std::optional<std::string> hosted_by(const Hash& token) = 0;

  /// What hosted games are looked up by.
  struct Entry {
    std::string id;
    std::int64_t revision = 0;
    UnixMilliseconds created = 0;
    HostedGame::Visibility visibility = HostedGame::Visibility::in_lists;
    bool given_up = false;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  /// At most `limit` of the hosted games in stages before `started`, whose games aren't known to be
  /// in the log, newest first (by the time of creation, then by ID): all, or those after `after` in
  /// this order.
  virtual std::vector<Entry> waiting(const std::optional<Entry>& after, std::size_t limit) = 0;
  /// How many hosted games are waiting that nobody has given up.
  virtual std::int64_t count_waiting() = 0;
  /// At most `limit` hosted games that are settled, whose version 1 may have to be recorded.
  virtual std::vector<Entry> settled(std::size_t limit) = 0;
  /// At most `limit` hosted games that are started and not given up, by ID in byte order, after
  /// `after`.
  virtual std::vector<Entry> started_after(const std::string& after, std::size_t limit) = 0;
  /// At most `limit` hosted games whose last change is after `after`, in the order of these
  /// changes.
  virtual std::vector<Entry> changed_after(std::int64_t after, std::size_t limit) = 0;
  /// Of each of these games, in their order; none for a game without a hosted game. Cheap, as all
  /// entries are: no seat and no board is read.
  virtual std::vector<std::optional<Entry>> entries(std::span<const std::string> games) = 0;

  /// The number of the store's last change of a hosted game; 0 if there was none.
  virtual std::int64_t last_revision() = 0;

  /// Keeps hosted games as they are now, all in one transaction: each if its `revision` still is
  /// that of the hosted game that is there (0: none is). Answers, for each, the number of this
  /// change; none for one that isn't kept since somebody else changed it, or since its host's token
  /// is another game's. No two of them are of one game.
  virtual std::vector<std::optional<std::int64_t>> keep(
      std::span<const HostedGame> hosted_games) = 0;

  /// Forgets a hosted game, if it still is as it was at this change; true if so. The number of this
  /// change is used up.
  virtual bool forget(const std::string& game, std::int64_t revision) = 0;
};

}  // namespace snl
