// The port behind which rooms are kept: what a server knows of a game besides its log.
//
// A room is where players meet before their game begins, and where they settle what isn't a turn:
// who sits where and by which token, what the dice are drawn from, who wants turns taken back, who
// gave the game up. It has the ID of its game. The log has the last word on all that is in it; a
// room says nothing twice, but for the seats' names.
//
// An interface, since this is where I/O begins. SqliteRooms keeps them in the file of the store,
// PostgresRooms in its database. tests/storage has the one suite that both must pass.
#pragma once

#include "domain/game.hpp"
#include "hash.hpp"
#include "store_error.hpp"
#include "time.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// 32 bytes that nobody may see before a game has ended. It can't be printed, compared or made a
/// text of: whoever takes the bytes out says by the name of the call what for.
class Secret {
 public:
  explicit Secret(const Hash& bytes) : bytes_(bytes) {}

  /// To be kept where rooms are kept.
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

/// How far a room has come.
enum class RoomStage : std::uint8_t {
  open,     // seats can be taken
  drawing,  // seats are settled; entropy that was promised is waited for
  settled,  // all is there that version 1 is made of: to be recorded, or recorded just now
  started,  // version 1 is in the log
};

/// Who sits where. `token` is the SHA-256 of the token in force; tokens themselves are kept
/// nowhere.
struct RoomSeat {
  std::string name;
  Hash token{};
  std::int64_t tokens = 1;                          // how many there have been
  std::optional<Hash> entropy_hash = std::nullopt;  // promised
  std::optional<Hash> entropy = std::nullopt;       // kept
  friend bool operator==(const RoomSeat&, const RoomSeat&) = default;
};

/// Somebody wants turns taken back. What became of it is in the log where the log knows: a question
/// without an outcome is open for as long as the game is at the version at which it was asked.
struct RoomQuestion {
  enum class Outcome : std::uint8_t { refused, withdrawn };

  std::int64_t id = 1;  // the questions of a room are numbered from 1
  Seat by = 0;
  Turn to = 0;           // the last turn that would stay
  Version asked_at = 0;  // the game's version
  SeatSet agreed = {};
  std::optional<Outcome> outcome = std::nullopt;
  friend bool operator==(const RoomQuestion&, const RoomQuestion&) = default;
};

struct Room {
  /// Who ended the game before anybody had won.
  enum class GivenUp : std::uint8_t { by_host, when_idle };
  enum class Dice : std::uint8_t { seeded, own };
  enum class Takebacks : std::uint8_t { ask, none };
  enum class Visibility : std::uint8_t { in_lists, by_its_id };

  std::string id;
  /// The number of its last change among all changes of rooms in the store; 0 before it is kept.
  std::int64_t changed = 0;
  UnixMilliseconds created = 0;
  RoomStage stage = RoomStage::open;
  Hash host_token{};
  Hash request{};  // what was asked for when the game was made, to tell a repetition
  Visibility visibility = Visibility::in_lists;
  Dice dice = Dice::seeded;
  Takebacks takebacks = Takebacks::ask;
  std::string board;  // JSON (exchange/board_json.hpp)
  Rules rules = {};   // without effects
  /// By seat; an empty one is free. Once they are settled, those that are taken come first, and
  /// what is free stays free.
  std::vector<std::optional<RoomSeat>> seats = {};
  std::optional<Secret> secret = std::nullopt;          // what its seed is made from
  std::optional<RoomQuestion> question = std::nullopt;  // the last one
  std::optional<GivenUp> given_up = std::nullopt;

  /// How many seats are taken.
  std::size_t taken() const {
    const auto is_taken = [](const auto& seat) { return seat.has_value(); };
    return static_cast<std::size_t>(std::ranges::count_if(seats, is_taken));
  }
};

/// Rooms, for one thread at a time unless an implementation says otherwise. All of it throws
/// StoreError. What is kept is durable when a call returns; of a call that throws, all or nothing
/// may have been kept.
class RoomStore {
 public:
  RoomStore() = default;
  virtual ~RoomStore() = default;
  RoomStore(const RoomStore&) = delete;
  RoomStore& operator=(const RoomStore&) = delete;
  RoomStore(RoomStore&&) = delete;
  RoomStore& operator=(RoomStore&&) = delete;

  /// None for a game without a room.
  virtual std::optional<Room> room(const std::string& game) = 0;

  /// The ID of the game whose host has the token of this hash.
  virtual std::optional<std::string> hosted_by(const Hash& token) = 0;

  /// What rooms are looked up by.
  struct Entry {
    std::string id;
    std::int64_t changed = 0;
    UnixMilliseconds created = 0;
    Room::Visibility visibility = Room::Visibility::in_lists;
    bool given_up = false;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  /// At most `limit` of the rooms in stages before `started`, whose games aren't known to be in the
  /// log, newest first (by the time of creation, then by ID): all, or those after `after` in this
  /// order.
  virtual std::vector<Entry> waiting(const std::optional<Entry>& after, std::size_t limit) = 0;
  /// How many rooms are waiting that nobody has given up.
  virtual std::int64_t count_waiting() = 0;
  /// At most `limit` rooms that are settled, whose version 1 may have to be recorded.
  virtual std::vector<Entry> settled(std::size_t limit) = 0;
  /// At most `limit` rooms that are started and not given up, by ID in byte order, after `after`.
  virtual std::vector<Entry> started_after(const std::string& after, std::size_t limit) = 0;
  /// At most `limit` rooms whose last change is after `after`, in the order of these changes.
  virtual std::vector<Entry> changed_after(std::int64_t after, std::size_t limit) = 0;
  /// Of each of these games, in their order; none for a game without a room. Cheap, as all entries
  /// are: no seat and no board is read.
  virtual std::vector<std::optional<Entry>> entries(std::span<const std::string> games) = 0;

  /// The number of the store's last change of a room; 0 if there was none.
  virtual std::int64_t last_change() = 0;

  /// Keeps rooms as they are now, all in one transaction: each if its `changed` still is that of
  /// the room that is there (0: none is). Answers, for each, the number of this change; none for
  /// one that isn't kept since somebody else changed it, or since its host's token is another
  /// game's. No two of them are of one game.
  virtual std::vector<std::optional<std::int64_t>> keep(std::span<const Room> rooms) = 0;

  /// Forgets a room, if it still is as it was at this change; true if so. The number of this change
  /// is used up.
  virtual bool forget(const std::string& game, std::int64_t changed) = 0;
};

}  // namespace snl
