// Goal: SQLite's WAL-reset defect (storage/sqlite/README.md, "SQLite's own defects") loses no turn
// of a store. As a control, it does lose turns where SQLite itself makes the checkpoints.
//
// Method: the race needs three writers, here each in a process of its own. The second, this one,
// has committed and is about to checkpoint. Before it does, the first commits and checkpoints
// everything. Then the third commits, after the second has read the log's header, but not yet how
// much of the log is checkpointed. That commit restarts the log. The layer of faulty_vfs.hpp stops
// the second before each of its system calls. From one of these on, the first plays as soon as it
// gets the lock, and a number of calls later the third does. No process waits for a lock, so that
// every run is the same.
//
// SNL_TORTURE=n in the environment tries n times as many distances for the third.
#include "../faulty_vfs.hpp"
#include "../testbed.hpp"
#include "../torture.hpp"
#include "storage/audit.hpp"
#include "storage/sqlite/sqlite_store.hpp"

#include <boost/test/unit_test.hpp>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace snl::test {
namespace {

/// Changes a page, and nothing in it.
std::string same_version() {
  return "PRAGMA user_version = " + std::to_string(schema_of_today().version());
}

using Access = SqliteStore::Access;

/// A turn that was acknowledged.
struct Acknowledged {
  std::string game;
  Version version;
  Hash hash;
  friend auto operator<=>(const Acknowledged&, const Acknowledged&) = default;
};

/// Plays a game of its own in a store.
class Player {
 public:
  Player(const std::string& path, const std::string& game, SqliteStore::Options options)
      : store_(SqliteStore::open(path, Access::write, options)),
        match_(Match::load(*store_, game).value()) {}

  /// A turn that doesn't end the game.
  Head play() { return perform(match_, turn_of_next(match_, {6, 6, 6})).head; }

 private:
  std::unique_ptr<SqliteStore> store_;
  Match match_;
};

/// A player in a separate process, which opens stores, plays and closes them on request.
class Elsewhere {
 public:
  explicit Elsewhere(const std::string& game) : game_(game) {
    if (pipe(asking_.data()) != 0 || pipe(answering_.data()) != 0)
      throw std::runtime_error("no pipe can be made");
    child_ = begin_child([&] {
      close(asking_[1]);
      close(answering_[0]);
      return serve();
    });
    close(asking_[0]);
    close(answering_[1]);
  }
  ~Elsewhere() {
    ask({.what = Request::end});
    BOOST_TEST(end_of_child(child_) == 0);
    close(asking_[1]);
    close(answering_[0]);
  }
  Elsewhere(const Elsewhere&) = delete;
  Elsewhere& operator=(const Elsewhere&) = delete;
  Elsewhere(Elsewhere&&) = delete;
  Elsewhere& operator=(Elsewhere&&) = delete;

  /// Makes it open a store, in which it hasn't played yet.
  void open(const std::string& path) {
    Request request{.what = Request::open};
    path.copy(request.path.data(), request.path.size() - 1);
    ask(request);
    hear();
    acknowledged_.clear();
  }
  void close_store() {
    ask({.what = Request::close});
    hear();
  }

  /// False if it couldn't: another process is writing, or the store is damaged.
  bool play() {
    ask({.what = Request::play});
    const Answer answer = hear();
    if (answer.version != 0) acknowledged_.push_back({game_, answer.version, answer.hash});
    return answer.version != 0;
  }

  const std::vector<Acknowledged>& acknowledged() const { return acknowledged_; }

 private:
  struct Request {
    enum What : std::uint8_t { open, play, close, end } what{};
    std::array<char, 256> path{};
  };
  struct Answer {
    Version version = 0;  // 0: nothing was played
    Hash hash{};
  };

  int serve() const {
    std::optional<Player> player;
    Request request;
    while (read(asking_[0], &request, sizeof request) == sizeof request &&
           request.what != Request::end) {
      Answer answer;
      if (request.what == Request::open)
        player.emplace(request.path.data(), game_, SqliteStore::Options{.busy_timeout = {}});
      else if (request.what == Request::close)
        player.reset();
      else
        answer = play_with(*player);
      tell(answer);
    }
    return 0;
  }
  static Answer play_with(Player& player) {
    try {
      const Head head = player.play();
      return {head.version, head.hash};
    } catch (const std::exception&) {
      return {};
    }
  }

  void tell(const Answer& answer) const {
    if (write(answering_[1], &answer, sizeof answer) != sizeof answer)
      throw std::runtime_error("nobody listens");
  }
  Answer hear() const {
    Answer answer;
    if (read(answering_[0], &answer, sizeof answer) != sizeof answer)
      throw std::runtime_error("a player is gone");
    return answer;
  }
  void ask(const Request& request) const {
    if (write(asking_[1], &request, sizeof request) != sizeof request)
      throw std::runtime_error("a player is gone");
  }

  std::string game_;
  std::array<int, 2> asking_{};
  std::array<int, 2> answering_{};
  pid_t child_ = 0;
  std::vector<Acknowledged> acknowledged_;
};

/// The second process, which commits, and checkpoints when one is due.
class Second {
 public:
  Second() = default;
  virtual ~Second() = default;
  Second(const Second&) = delete;
  Second& operator=(const Second&) = delete;
  Second(Second&&) = delete;
  Second& operator=(Second&&) = delete;
  /// The turns that it acknowledges by that.
  virtual std::vector<Acknowledged> commit() = 0;
};

/// A connection without the store's precaution.
class PlainConnection final : public Second {
 public:
  explicit PlainConnection(const std::string& path) : database_(path) {
    database_.value("SELECT count(*) FROM games");
  }
  std::vector<Acknowledged> commit() override {
    database_.execute(same_version());
    return {};
  }

 private:
  PlainDatabase database_;
};

class ThisStore final : public Second {
 public:
  explicit ThisStore(const std::string& path) : player_(path, "second", {}) {}
  std::vector<Acknowledged> commit() override {
    const Head head = player_.play();
    return {{"second", head.version, head.hash}};
  }

 private:
  Player player_;
};

using MakeSecond = std::function<std::unique_ptr<Second>(const std::string& path)>;
const MakeSecond plain_connection = [](const std::string& path) {
  return std::make_unique<PlainConnection>(path);
};
const MakeSecond this_store = [](const std::string& path) {
  return std::make_unique<ThisStore>(path);
};

/// A store in which every commit is followed by a checkpoint, since its write-ahead log is longer
/// than the 2000 frames after which one is due.
const std::map<std::string, std::string>& store_before() {
  static const auto files = [] {
    const Folder folder;
    const std::string path = folder.file("store.db");
    const auto store = SqliteStore::open(path, Access::write);
    for (const std::string game : {"first", "second", "third"})
      start(*store, game);
    PlainDatabase padding(path);
    padding.execute("PRAGMA wal_autocheckpoint = 0");
    for (int frame = 0; frame < 2100; ++frame)
      padding.execute(same_version());
    auto contents = folder.contents();
    contents.erase("store.db-shm");
    return contents;
  }();
  return files;
}

struct Tally {
  std::int64_t tried = 0;
  std::int64_t acknowledged = 0;
  std::int64_t lost = 0;
  std::int64_t unsound = 0;       // stores
  std::int64_t false_alarms = 0;  // of these, without a loss
  std::int64_t unplayed = 0;  // turns, after the race How often the third tried to play just after
                              // the second had read a changed header, and how often it succeeded.
  std::int64_t wanted = 0;
  std::int64_t could = 0;

  void print(std::string_view fault) const {
    print_torture(
        fault,
        {.tried = tried, .acknowledged = acknowledged, .lost = lost, .false_alarms = false_alarms},
        place_for_folders());
  }
};

/// While this exists, the second's calls are interrupted.
class Interruption {
 public:
  explicit Interruption(std::function<void(Call)> visit) {
    faulty_vfs::interrupt(std::move(visit));
  }
  ~Interruption() { faulty_vfs::interrupt(nullptr); }
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  Interruption(Interruption&&) = delete;
  Interruption& operator=(Interruption&&) = delete;
};

/// The second's system calls in one commit with its checkpoint, undisturbed.
std::int64_t calls_of(const MakeSecond& make_second) {
  const Folder folder;
  folder.fill(store_before());
  const auto second = make_second(folder.file("store.db"));
  std::int64_t calls = 0;
  {
    const Interruption count([&](Call /*call*/) { ++calls; });
    second->commit();
  }
  return calls;
}

/// The times at which the others play: the first after this number of the second's calls, the third
/// this number of calls later. They play as soon after that as they can.
struct Moment {
  std::int64_t first;
  std::int64_t third_after;
};

/// Runs the race; acknowledged turns are added to `told`.
void race(Second& second, Elsewhere& first, Elsewhere& third, const Moment& moment, Tally& tally,
          std::vector<Acknowledged>& told) {
  std::int64_t calls = 0;
  std::int64_t turn_of_third = 0;
  bool first_played = false;
  bool third_played = false;
  const auto interfere = [&](Call call) {
    if (++calls < moment.first) return;
    if (!first_played) {
      first_played = first.play();
      turn_of_third = calls + moment.third_after;
    } else if (!third_played && calls >= turn_of_third) {
      third_played = third.play();
      if (call != Call::unfetch) return;
      ++tally.wanted;
      if (third_played) ++tally.could;
    }
  };
  {
    const Interruption interruption(interfere);
    told = second.commit();
  }
  // More turns, into the log that may have been restarted.
  for (int turn = 0; turn < 4; ++turn) {
    if (!first_played && !first.play()) ++tally.unplayed;
    if (!third_played && !third.play()) ++tally.unplayed;
    first_played = third_played = false;
  }
  for (const Elsewhere* player : {&first, &third})
    told.insert(told.end(), player->acknowledged().begin(), player->acknowledged().end());
}

/// Opens the store that all processes have closed.
void look(const std::string& path, const std::vector<Acknowledged>& told, Tally& tally) {
  std::set<Acknowledged> there;
  bool sound = false;
  try {
    const auto store = SqliteStore::open(path, Access::read);
    for (const Commit& commit : all_commits(*store))
      there.insert({commit.game, commit.version, commit.hash});
    sound = store->check().empty() && audit_store(*store).ok();
  } catch (const StoreError& error) {
    if (!error.is_damage()) throw;
  }
  const auto lost =
      std::ranges::count_if(told, [&](const Acknowledged& turn) { return !there.contains(turn); });
  ++tally.tried;
  if (!sound) ++tally.unsound;
  if (!sound && lost == 0) ++tally.false_alarms;
  tally.acknowledged += static_cast<std::int64_t>(told.size());
  tally.lost += lost;
}

Tally race_at_all_moments(const MakeSecond& make_second) {
  const std::int64_t calls = calls_of(make_second);
  const std::int64_t distances = 4 * static_cast<std::int64_t>(torture_factor());
  Elsewhere one("first");
  Elsewhere three("third");
  Tally tally;
  for (std::int64_t first = 1; first <= calls; ++first)
    for (std::int64_t after = 1; after <= std::min(calls - first + 1, distances); ++after) {
      const Folder folder;
      folder.fill(store_before());
      const std::string path = folder.file("store.db");
      std::vector<Acknowledged> told;
      one.open(path);
      three.open(path);
      race(*make_second(path), one, three, {first, after}, tally, told);
      three.close_store();
      one.close_store();
      BOOST_TEST_CONTEXT("call " << first << " and " << after << " later") {
        look(path, told, tally);
      }
    }
  return tally;
}

/// True if a version of SQLite has the defect. It was fixed in 3.51.3, and in 3.50.7 and 3.44.6.
constexpr bool has_the_defect(int version) {
  constexpr int minor = 1000;
  return version < 3'051'003 && !(version / minor == 3'050 && version % minor >= 7) &&
         !(version / minor == 3'044 && version % minor >= 6);
}

struct Layer {
  Layer() { faulty_vfs::install(); }
};

}  // namespace

BOOST_TEST_GLOBAL_FIXTURE(Layer);

BOOST_AUTO_TEST_SUITE(the_wal_reset_race)

BOOST_AUTO_TEST_CASE(loses_turns_where_sqlite_makes_the_checkpoints) {
  const Tally tally = race_at_all_moments(plain_connection);
  tally.print("control: WAL reset under a plain connection");
  BOOST_TEST(tally.could > 0);
  if (has_the_defect(sqlite3_libversion_number()))
    BOOST_TEST(tally.lost >= tally.could);  // something each time
  else
    BOOST_TEST(tally.lost == 0);
}

BOOST_AUTO_TEST_CASE(loses_none_of_this_store) {
  const Tally tally = race_at_all_moments(this_store);
  tally.print("WAL reset, this store");
  BOOST_TEST(tally.wanted > 0);  // the race took place
  BOOST_TEST(tally.could == 0);
  BOOST_TEST(tally.unplayed == 0);
  BOOST_TEST(tally.lost == 0);
  BOOST_TEST(tally.unsound == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace snl::test
