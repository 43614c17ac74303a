// Goal: a store on PostgreSQL loses no acknowledged turn and doubles none, and players continue by
// themselves, whatever is killed: clients, a backend, the server, the server for good. A reader of
// the whole log sees every commit once, in one order, however late it is committed.
//
// Method: processes play one game each, and note their requests and the answers in files that
// outlive them. They are killed with SIGKILL. A failover stops the replication in two steps before
// it kills the primary. So some of the turns with an unknown outcome are recorded, and some aren't.
// Controls: commits that don't wait for the disk, an asynchronous standby, a reader without the
// horizon.
//
// A few times each without SNL_TORTURE; SNL_TORTURE=N makes 500 clients, 100 backends and servers,
// 50 failovers and a minute of readers times N.
#include "../torture.hpp"
#include "cluster.hpp"
#include "storage/open_store.hpp"
#include "storage/postgres/postgres_store.hpp"
#include "storage/subscription.hpp"

#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace snl::test {
namespace {

using std::chrono::milliseconds;
using Use = PostgresStore::Use;

std::int64_t times(std::size_t in_torture, std::size_t else_only) {
  return static_cast<std::int64_t>(is_torture() ? in_torture * torture_factor() : else_only);
}

void sleep_up_to(milliseconds most) {
  static thread_local std::mt19937 random(static_cast<unsigned>(getpid()));
  std::uniform_int_distribution<milliseconds::rep> any(0, most.count());
  std::this_thread::sleep_for(milliseconds{any(random)});
}

// ---- Players

/// The pause of a player between two turns.
constexpr milliseconds longest_thought{8};

/// The notes of a player.
struct Notes {
  std::size_t asked = 0;                  // turns
  std::vector<std::string> acknowledged;  // "VERSION HASH" of the acknowledged turns
  std::int64_t waits_for = 0;             // the version of the last request; 0 if it was answered
};

/// Processes that each play a game of their own, until they are asked to stop.
class Players {
 public:
  Players(std::string location, int count) : location_(std::move(location)) {
    {
      const auto store = open_store(location_, for_writing);
      for (int player = 0; player < count; ++player)
        start(*store, game_of(player), endless_game());
    }
    for (int player = 0; player < count; ++player)
      processes_.push_back(begin(player));
    for (int player = 0; player < count; ++player)  // all have found their server
      while (notes_of(player).acknowledged.empty())
        std::this_thread::sleep_for(milliseconds{5});
  }
  ~Players() {
    for (const pid_t process : processes_)
      end_badly(process);
  }
  Players(const Players&) = delete;
  Players& operator=(const Players&) = delete;
  Players(Players&&) = delete;
  Players& operator=(Players&&) = delete;

  int count() const { return static_cast<int>(processes_.size()); }
  static std::string game_of(int player) { return fmt::format("game{}", player); }
  const std::string& location() const { return location_; }

  /// One is killed and starts again.
  void kill(int player) {
    end_badly(processes_.at(static_cast<std::size_t>(player)));
    processes_.at(static_cast<std::size_t>(player)) = begin(player);
  }

  /// Waits until each has two more acknowledged turns: the first may have been in flight before.
  void wait_for_more() const {
    for (int player = 0; player < count(); ++player) {
      const std::size_t before = notes_of(player).acknowledged.size();
      while (notes_of(player).acknowledged.size() < before + 2)
        std::this_thread::sleep_for(milliseconds{5});
    }
  }

  /// All stop once their turns are acknowledged. Returns how many of them failed.
  std::int64_t end() {
    write_file(last_call(), "");
    const auto failed =
        std::ranges::count_if(processes_, [](pid_t process) { return end_of_child(process) != 0; });
    processes_.clear();
    return failed;
  }

  Notes notes_of(int player) const {
    Notes notes;
    std::ifstream file(notes_file(player));
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("? ")) {
        ++notes.asked;
        notes.waits_for = std::stoll(line.substr(2));
      } else {
        notes.acknowledged.push_back(line);
        notes.waits_for = 0;
      }
    }
    return notes;
  }

 private:
  static void end_badly(pid_t process) {
    ::kill(process, SIGKILL);
    (void)end_of_child(process);
  }

  pid_t begin(int player) {
    return begin_child([this, player] {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      return play(player);
    });
  }

  int play(int player) const {
    PostgresStore store(location_, Use::write, {.timeout = timeout});
    Match match = Match::load(store, game_of(player)).value();
    const int file =
        open(notes_file(player).c_str(), O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0600);
    const auto note = [&](const std::string& line) {
      if (write(file, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
        throw std::runtime_error("nothing can be noted");
    };
    while (access(last_call().c_str(), F_OK) != 0) {
      note(fmt::format("? {}\n", match.head().version + 1));
      const Head head = perform(match, RollTurn{}).head;
      note(fmt::format("{} {}\n", head.version, to_hex(head.hash)));
      sleep_up_to(longest_thought);
    }
    return 0;
  }

  std::string last_call() const { return folder_.file("stop"); }
  std::string notes_file(int player) const { return folder_.file(game_of(player)); }

  Folder folder_;
  std::string location_;
  std::vector<pid_t> processes_;
};

/// The fate of the turns that were acknowledged to the players.
struct Verdict {
  std::int64_t acknowledged = 0;
  std::int64_t lost = 0;
  std::int64_t doubled = 0;  // turns that no player requested
};

Verdict verdict_on(const Players& players, int count) {
  const auto store = open_store(players.location(), for_reading);
  Verdict verdict;
  for (int player = 0; player < count; ++player) {
    const Notes notes = players.notes_of(player);
    std::set<std::string> there;
    for (const Commit& commit : commits_of(*store, Players::game_of(player), 2))
      there.insert(fmt::format("{} {}", commit.version, to_hex(commit.hash)));
    verdict.acknowledged += std::ssize(notes.acknowledged);
    verdict.lost += std::ranges::count_if(
        notes.acknowledged, [&](const std::string& line) { return !there.contains(line); });
    verdict.doubled +=
        std::max<std::int64_t>(0, std::ssize(there) - static_cast<std::int64_t>(notes.asked));
  }
  return verdict;
}

/// All stop. Prints the row, and checks the results.
void judge(Players& players, std::string_view fault, std::int64_t tried) {
  const int count = players.count();
  const std::int64_t failed = players.end();
  const Verdict verdict = verdict_on(players, count);
  const bool is_sound = admin_of_store(players.location())->audit({}).ok();
  print_torture(fault,
                {.tried = tried,
                 .acknowledged = verdict.acknowledged,
                 .lost = verdict.lost + verdict.doubled,
                 .false_alarms = failed + (verdict.lost == 0 && !is_sound ? 1 : 0)},
                place_for_folders());
  BOOST_TEST(failed == 0);
  BOOST_TEST(verdict.acknowledged > 0);
  BOOST_TEST(verdict.lost == 0);
  BOOST_TEST(verdict.doubled == 0);
  BOOST_TEST(is_sound);
}

// ---- Two servers

/// A primary and its standby, which swap roles with each failover.
class Pair {
 public:
  static Pair& shared() {
    static Pair pair;
    return pair;
  }

  Cluster& primary() { return *primary_; }
  Cluster& standby() { return *standby_; }

  /// The location for a client that is given the names of both.
  std::string location(const std::string& database) const {
    return fmt::format("host={},{} user=snl dbname={} target_session_attrs=read-write",
                       first_.socket_folder(), second_->socket_folder(), database);
  }

  /// The name of a new database, which has no store yet. The standby has it, too: libpq may try
  /// that first, and tries no other server if the database doesn't exist.
  std::string new_database() {
    const std::string name = fmt::format("pair{}", ++databases_);
    PlainSession(primary_->location("postgres")).execute("CREATE DATABASE " + name);
    await_on_standby();
    return name;
  }

  /// From now on, commits wait for the standby, or for none.
  void wait_for_standby(bool wait) {
    for (Cluster* server : {primary_, standby_})
      server->set(fmt::format("synchronous_standby_names = '{}'", wait ? "standby" : ""));
    await_standby(wait ? "sync" : "async");
  }

  /// First the standby stops receiving. While players continue, the primary also stops sending to
  /// it. Then the primary is killed for good, which fences it; `look` checks what players wait for;
  /// and the standby takes over.
  void fail_over(const std::function<void()>& look) {
    const pid_t sender = number_of(*primary_, "SELECT pid FROM pg_stat_replication");
    pid_t receiver = 0;
    while ((receiver = receiver_of_standby()) == 0)  // it has only just started
      std::this_thread::sleep_for(milliseconds{2});
    kill(receiver, SIGSTOP);
    sleep_up_to(longest_thought);
    kill(sender, SIGSTOP);
    std::this_thread::sleep_for(2 * longest_thought);
    primary_->kill_all();
    look();
    kill(receiver, SIGCONT);  // it gets the data that had been sent
    while (receiver_of_standby() == receiver)
      std::this_thread::sleep_for(milliseconds{2});
    standby_->promote();
    std::swap(primary_, standby_);
  }

  /// Waits until the standby has everything that the primary has by now.
  void await_on_standby() {
    const std::string position =
        PlainSession(primary_->location("postgres")).value("SELECT pg_current_wal_lsn()");
    PlainSession standby(standby_->location("postgres"));
    while (standby.value("SELECT pg_last_wal_replay_lsn() >= '" + position + "'") != "t")
      std::this_thread::sleep_for(milliseconds{5});
  }

  /// The primary sends nothing more to the standby, and no commit waits for it.
  void stop_replication() {
    kill(number_of(*primary_, "SELECT pid FROM pg_stat_replication"), SIGSTOP);
  }
  void lose_primary() {
    primary_->kill_all();
    standby_->promote();
    std::swap(primary_, standby_);
  }

  /// The former primary starts over as the standby.
  void mend(std::string_view state) {
    standby_->become_standby_of(*primary_);
    await_standby(state);
  }

 private:
  Pair() { await_standby("async"); }

  static pid_t number_of(Cluster& server, const std::string& query) {
    return std::stoi(PlainSession(server.location("postgres")).value(query));
  }
  pid_t receiver_of_standby() {
    return number_of(*standby_, "SELECT coalesce(max(pid), 0) FROM pg_stat_wal_receiver");
  }
  void await_standby(std::string_view state) {
    PlainSession session(primary_->location("postgres"));
    const std::string is_there = fmt::format(
        "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = '{}'",
        state);
    while (session.value(is_there) != "1")
      std::this_thread::sleep_for(milliseconds{5});
  }

  Cluster& first_ = Cluster::shared();
  std::unique_ptr<Cluster> second_ = Cluster::standby_of(first_);
  Cluster* primary_ = &first_;
  Cluster* standby_ = second_.get();
  int databases_ = 0;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(clients)

BOOST_AUTO_TEST_CASE(that_are_killed_lose_and_double_no_turn) {
  constexpr int count = 8;
  constexpr milliseconds longest_life{40};
  Players players(Cluster::shared().store_database(), count);
  const std::int64_t kills = times(500, 12);
  for (std::int64_t kill = 0; kill < kills; ++kill) {
    sleep_up_to(longest_life);
    players.kill(static_cast<int>(kill % count));
  }
  judge(players, "clients of PostgreSQL killed", kills);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_server)

constexpr milliseconds longest_life{300};

/// Players play while `harm` is done to their server from time to time.
void play_while(const char* fault, const std::function<void(Cluster&)>& harm) {
  Cluster& cluster = Cluster::shared();
  Players players(cluster.store_database(), 8);
  const std::int64_t kills = times(50, 2);
  for (std::int64_t kill = 0; kill < kills; ++kill) {
    sleep_up_to(longest_life);
    harm(cluster);
  }
  judge(players, fault, kills);
}

BOOST_AUTO_TEST_CASE(of_which_a_backend_is_killed_loses_and_doubles_no_turn) {
  play_while("a backend of PostgreSQL killed", [](Cluster& cluster) { cluster.kill_a_session(); });
}

BOOST_AUTO_TEST_CASE(that_is_killed_loses_and_doubles_no_turn) {
  play_while("PostgreSQL killed", [](Cluster& cluster) {
    cluster.kill_all();
    cluster.start();
  });
}

BOOST_AUTO_TEST_CASE(that_is_killed_loses_what_waited_for_no_disk) {
  constexpr int turns = 20;
  Cluster& cluster = Cluster::shared();
  const std::string location = cluster.store_database();
  start(*open_store(location, for_writing), "a", endless_game());
  const std::int64_t kills = times(50, 2);
  const auto recorded = [&] {
    return std::stoll(PlainSession(location).value("SELECT count(*) FROM snl.commits"));
  };
  Torture row{.tried = kills, .acknowledged = 0, .lost = 0};
  for (std::int64_t kill = 0; kill < kills; ++kill) {
    const std::int64_t before = recorded();
    {
      PlainSession session(location);
      // The WAL writer would write these commits after a while, so it is stopped.
      ::kill(std::stoi(session.value(
                 "SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'")),
             SIGSTOP);
      session.execute("SET synchronous_commit = off");
      for (int turn = 0; turn < turns; ++turn)
        session.execute(append_in_sql("a", "x", fmt::format("sha256('{} {}')", kill, turn), turn));
    }
    cluster.kill_all();
    cluster.start();
    *row.acknowledged += turns;
    *row.lost += before + turns - recorded();
  }
  print_torture("control: PostgreSQL killed, synchronous_commit = off", row, place_for_folders());
  BOOST_TEST(*row.lost > 0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(readers)

/// Reads the whole log repeatedly, and notes the positions.
std::jthread begin_reading(const std::string& location, const std::atomic<bool>& done,
                           std::vector<StorePosition>& seen) {
  return std::jthread([&, location] {
    PostgresStore store(location, Use::read);
    auto subscription = Subscription::to_store(store, 1);
    const CommitVisitor note = [&](const CommitView& commit) {
      seen.push_back(commit.position);
      return true;
    };
    while (!done)
      subscription.poll(note);
    subscription.poll(note);
  });
}

/// Continues after the highest existing position.
class ReaderWithoutHorizon {
 public:
  ReaderWithoutHorizon(const std::string& location, const std::atomic<bool>& done)
      : thread_([&, location] {
          PlainSession session(location);
          while (!done)
            for (const auto& row :
                 session.rows(fmt::format("SELECT position FROM snl.commits WHERE position > {} "
                                          "ORDER BY position",
                                          last_.load()))) {
              seen_.push_back(std::stoll(row[0]));
              last_ = seen_.back();
            }
        }) {}

  StorePosition last() const { return last_; }
  std::vector<StorePosition> seen() {
    thread_.join();
    std::ranges::sort(seen_);
    return seen_;
  }

 private:
  std::vector<StorePosition> seen_;
  std::atomic<StorePosition> last_ = 0;
  std::jthread thread_;
};

/// A commit with a position before another one, which becomes visible only after a reader saw the
/// other.
void commit_late(const std::string& location, const ReaderWithoutHorizon& reader) {
  PlainSession late(location);
  PlainSession early(location);
  late.execute("BEGIN;" + append_in_sql(Players::game_of(0), "late", "sha256('late')", 0));
  early.execute("BEGIN;" + append_in_sql(Players::game_of(1), "early", "sha256('early')", 0) +
                "; COMMIT");
  const StorePosition position = std::stoll(early.value("SELECT max(position) FROM snl.commits"));
  while (reader.last() < position)
    std::this_thread::sleep_for(milliseconds{2});
  late.execute("COMMIT");
}

BOOST_AUTO_TEST_CASE(see_each_commit_once_in_one_order_whatever_order_they_are_committed_in) {
  constexpr int writers = 24;
  constexpr std::size_t readers_of_primary = 4;
  Pair& pair = Pair::shared();
  const std::string database = pair.new_database();
  const std::string location = pair.primary().location(database);
  {
    const auto store = open_store(location, for_writing);
    for (int writer = 0; writer < writers; ++writer)
      start(*store, Players::game_of(writer), endless_game());
  }
  // A new database reaches the standby a little later.
  pair.await_on_standby();

  std::atomic<bool> done = false;
  std::atomic<bool> done_on_standby = false;
  std::vector<std::vector<StorePosition>> seen(readers_of_primary + 2);
  std::vector<std::jthread> readers;
  std::vector<std::jthread> readers_of_standby;
  for (std::size_t reader = 0; reader < seen.size(); ++reader) {
    if (reader < readers_of_primary)
      readers.push_back(begin_reading(location, done, seen[reader]));
    else
      readers_of_standby.push_back(
          begin_reading(pair.standby().location(database), done_on_standby, seen[reader]));
  }
  ReaderWithoutHorizon without(location, done);

  const std::int64_t commits_each = times(4000, 100);
  {
    std::vector<std::jthread> threads;
    for (int writer = 0; writer < writers; ++writer)
      threads.emplace_back([&, writer] {
        PlainSession session(location);
        for (std::int64_t i = 0; i < commits_each; ++i)
          session.execute("BEGIN;" +
                          append_in_sql(Players::game_of(writer), "x",
                                        fmt::format("sha256('{}-{}')", writer, i), i) +
                          "; SELECT pg_sleep(random() / 50); COMMIT");
      });
  }
  commit_late(location, without);
  done = true;
  readers.clear();
  pair.await_on_standby();
  done_on_standby = true;
  readers_of_standby.clear();

  std::vector<StorePosition> all;
  for (const Commit& commit : all_commits(*open_store(location, for_reading)))
    all.push_back(commit.position);
  const auto missed = [&](const std::vector<StorePosition>& mine) {
    return std::ssize(all) -
           static_cast<std::int64_t>(std::ranges::count_if(
               all, [&](StorePosition each) { return std::ranges::binary_search(mine, each); }));
  };
  Torture row{.tried = std::ssize(all) - writers, .lost = 0};
  for (const auto& mine : seen) {
    *row.lost += missed(mine);
    BOOST_CHECK(mine == all);
  }
  print_torture("readers of PostgreSQL while 24 wait before COMMIT", row, place_for_folders());
  Torture control{.tried = row.tried, .lost = missed(without.seen())};
  print_torture("control: a reader of PostgreSQL without the horizon", control,
                place_for_folders());
  BOOST_TEST(*control.lost > 0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_failover)

constexpr milliseconds longest_peace{200};

BOOST_AUTO_TEST_CASE(to_a_synchronous_standby_loses_and_doubles_no_turn) {
  Pair& pair = Pair::shared();
  const std::string database = pair.new_database();
  pair.wait_for_standby(true);
  Players players(pair.location(database), 8);
  const std::int64_t failovers = times(50, 2);
  std::int64_t there = 0;  // of the turns with an unknown outcome
  std::int64_t absent = 0;
  for (std::int64_t failover = 0; failover < failovers; ++failover) {
    std::this_thread::sleep_for(longest_peace);
    sleep_up_to(longest_peace);
    std::vector<Notes> notes;
    pair.fail_over([&] {
      for (int player = 0; player < players.count(); ++player)
        notes.push_back(players.notes_of(player));
    });
    PlainSession session(pair.primary().location(database));
    for (int player = 0; player < players.count(); ++player) {
      const std::int64_t waits_for = notes.at(static_cast<std::size_t>(player)).waits_for;
      const std::int64_t version = std::stoll(session.value(
          "SELECT max(c.version) FROM snl.games g JOIN snl.commits c ON c.game = g.game "
          "WHERE g.id = '" +
          Players::game_of(player) + "'"));
      if (waits_for != 0) ++(version >= waits_for ? there : absent);
    }
    pair.mend("sync");
  }
  std::cout << fmt::format(
      "failovers: of the turns of which nobody could tell {} were there, {} weren't\n", there,
      absent);
  judge(players, "failover of PostgreSQL to a synchronous standby", failovers);
  pair.wait_for_standby(false);
  constexpr std::int64_t enough = 10;
  if (failovers >= enough) {
    BOOST_TEST(there > 0);
    BOOST_TEST(absent > 0);
  }
}

BOOST_AUTO_TEST_CASE(to_a_standby_that_nobody_waits_for_loses_turns) {
  constexpr int count = 4;
  Pair& pair = Pair::shared();
  const std::int64_t failovers = times(2, 1);
  Torture row{.tried = failovers, .acknowledged = 0, .lost = 0};
  for (std::int64_t failover = 0; failover < failovers; ++failover) {
    const std::string database = pair.new_database();
    Players players(pair.location(database), count);
    std::this_thread::sleep_for(longest_peace);
    pair.await_on_standby();
    pair.stop_replication();
    players.wait_for_more();
    pair.lose_primary();
    (void)players.end();  // the results may well be inconsistent
    const Verdict verdict = verdict_on(players, count);
    *row.acknowledged += verdict.acknowledged;
    *row.lost += verdict.lost;
    pair.mend("async");
  }
  print_torture("control: failover of PostgreSQL to an asynchronous standby", row,
                place_for_folders());
  BOOST_TEST(*row.lost > 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace snl::test
