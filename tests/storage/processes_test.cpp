// Goal: any number of processes play in one store at once. No turn is lost, doubled or decided
// twice. No process gets a busy error before the timeout, and a follower of the log sees every
// commit once, in order.
//
// Method: eight processes, or sixteen on PostgreSQL, start together and roll turns, of one game,
// then of a hundred. Two more follow the store and a game. Each notes its answers in a file. The
// dice of a game are a function of its seed, so its turns must be those of the same game with a
// single process.
//
// SNL_TORTURE=n in the environment plays n times as many turns.
#ifdef SNL_POSTGRESQL
#include "postgres/cluster.hpp"
#endif
#include "storage/memory/memory_store.hpp"
#include "storage/open_store.hpp"
#include "storage/sqlite/sqlite_store.hpp"
#include "storage/subscription.hpp"
#include "testbed.hpp"
#include "torture.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace snl::test {
namespace {

constexpr std::string_view last_command = "the last one";

std::string name_of(int game) {
  return fmt::format("game{}", game);
}

/// A commit as acknowledged to a process, or as seen by a follower.
std::string line_of(const std::string& game, Version version, const Hash& hash) {
  return fmt::format("{} {} {}", game, version, to_hex(hash));
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    lines.push_back(line);
  return lines;
}

/// Makes processes wait until all of them have arrived.
class Gate {
 public:
  Gate() {
    if (pipe(ends_.data()) != 0) throw std::runtime_error("no pipe can be made");
  }
  ~Gate() { close(ends_[0]); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  Gate(Gate&&) = delete;
  Gate& operator=(Gate&&) = delete;

  void open() const { close(ends_[1]); }
  /// In a child.
  void wait() const {
    close(ends_[1]);
    char nothing = 0;
    while (read(ends_[0], &nothing, 1) > 0)
      continue;
  }

 private:
  std::array<int, 2> ends_{};
};

/// The store of a test, and the number of processes that play in it.
class Hall {
 public:
  /// In a file of its own.
  explicit Hall(int games) : Hall("", 8, games) {}
  /// At another location; in a file of its own if that is empty.
  Hall(const std::string& location, int processes, int games)
      : location_(location.empty() ? folder_.file("store.db") : location),
        processes_(processes),
        games_(games) {
    const auto store = open_store(location_, for_writing);
    for (int game = 0; game < games; ++game)
      start(*store, name_of(game), endless_game());
  }

  int processes() const { return processes_; }
  int games() const { return games_; }
  const std::string& location() const { return location_; }
  std::string notes(const std::string& of) const { return folder_.file(of); }

 private:
  Folder folder_;
  std::string location_;
  int processes_;
  int games_;
};

/// The process that holds a file's lock may not be scheduled for a while, so others wait long for
/// it.
std::unique_ptr<EventStore> open_patiently(const std::string& location) {
  if (!is_file_location(location)) return open_store(location, for_writing);
  return SqliteStore::open(location, SqliteStore::Access::write, {.busy_timeout = timeout});
}

/// Rolls this number of turns, each of any game, and notes the acknowledgements. If there are
/// several games, it reloads a game before every turn, like a separate process for each turn.
int play(const Hall& hall, int player, int turns) {
  const auto store = open_patiently(hall.location());
  std::ofstream notes(hall.notes(fmt::format("player{}", player)));
  std::mt19937 random(static_cast<unsigned>(player));
  std::optional<Match> match;
  for (int turn = 0; turn < turns; ++turn) {
    const auto game = static_cast<int>(random() % static_cast<unsigned>(hall.games()));
    if (!match || hall.games() > 1) match = Match::load(*store, name_of(game));
    const Head head = perform(*match, RollTurn{}).head;
    notes << line_of(match->id(), head.version, head.hash) << '\n';
  }
  return notes.flush() ? 0 : 1;
}

/// Notes commits as they arrive, as long as `more` returns true after each.
int follow(const Hall& hall, const std::string& name, std::optional<std::string> game,
           const std::function<bool(const CommitView&)>& more) {
  const auto store = open_store(hall.location(), for_reading);
  std::ofstream notes(hall.notes(name));
  auto subscription =
      game ? Subscription::to_game(*store, *game, 1) : Subscription::to_store(*store, 1);
  subscription.run(
      [&](const CommitView& commit) {
        notes << line_of(std::string(commit.game), commit.version, commit.hash) << '\n';
        return more(commit);
      },
      {});
  return notes.flush() ? 0 : 1;
}

/// The log of a store, as its followers should have seen it.
std::vector<std::string> lines_of(const std::vector<Commit>& commits) {
  std::vector<std::string> lines;
  for (const Commit& commit : commits)
    lines.push_back(line_of(commit.game, commit.version, commit.hash));
  return lines;
}

/// The events of a game that a single process plays for this number of turns.
std::vector<std::string> events_when_alone(std::size_t turns) {
  MemoryStore store;
  Match match = start(store, "alone", endless_game());
  for (std::size_t turn = 0; turn < turns; ++turn)
    perform(match, RollTurn{});
  std::vector<std::string> events;
  for (const Commit& commit : commits_of(store, "alone"))
    events.push_back(commit.events);
  return events;
}

std::vector<std::string> events_of(const std::vector<Commit>& commits) {
  std::vector<std::string> events;
  for (const Commit& commit : commits)
    events.push_back(commit.events);
  return events;
}

/// Returns how many of them failed.
std::int64_t run_processes(const Hall& hall, int turns) {
  const Gate gate;
  std::vector<pid_t> children;
  for (int player = 0; player < hall.processes(); ++player)
    children.push_back(begin_child([&] {
      gate.wait();
      return play(hall, player, turns);
    }));
  // The number of turns of a game among several isn't known in advance, nor the number if some are
  // lost. So a command after all turns marks the end for the followers.
  const auto goes_on = [](const CommitView& commit) { return commit.command_id != last_command; };
  const std::array followers{begin_child([&] {
                               gate.wait();
                               return follow(hall, "follower of the store", std::nullopt, goes_on);
                             }),
                             begin_child([&] {
                               gate.wait();
                               return follow(hall, "follower of a game", name_of(0), goes_on);
                             })};
  gate.open();
  std::int64_t failed =
      std::ranges::count_if(children, [](const pid_t child) { return end_of_child(child) != 0; });
  const auto store = open_store(hall.location(), for_writing);
  auto match = Match::load(*store, name_of(0));
  perform(*match, RollTurn{}, {.command_id = std::string(last_command)});
  for (const pid_t follower : followers)
    if (end_of_child(follower) != 0) ++failed;
  return failed;
}

void play_and_check_what_is_recorded(const Hall& hall, int turns, std::string_view fault) {
  const std::int64_t failed = run_processes(hall, turns);
  const auto store = open_store(hall.location(), for_reading);
  auto log = all_commits(*store);
  BOOST_TEST(lines_of(hall.notes("follower of a game")) == lines_of(commits_of(*store, name_of(0))),
             boost::test_tools::per_element());
  BOOST_TEST(lines_of(hall.notes("follower of the store")) == lines_of(log),
             boost::test_tools::per_element());
  BOOST_REQUIRE(log.back().command_id == last_command);
  log.pop_back();  // that one was for the followers alone
  const auto recorded = lines_of(log);
  const std::set<std::string> there(recorded.begin(), recorded.end());

  std::set<std::string> acknowledged;
  std::size_t told = 0;
  for (int player = 0; player < hall.processes(); ++player)
    for (const std::string& line : lines_of(hall.notes(fmt::format("player{}", player)))) {
      acknowledged.insert(line);
      ++told;
    }
  const auto lost = std::ranges::count_if(
      acknowledged, [&](const std::string& line) { return !there.contains(line); });
  const bool is_sound = admin_of_store(hall.location())->audit({}).ok();  // and without gaps
  print_torture(fault,
                {.tried = hall.processes() * turns,
                 .acknowledged = static_cast<std::int64_t>(told),
                 .lost = lost,
                 .false_alarms = failed + (lost == 0 && !is_sound ? 1 : 0)},
                place_for_folders());
  BOOST_TEST(failed == 0);
  BOOST_TEST(told == static_cast<std::size_t>(hall.processes() * turns));
  BOOST_TEST(acknowledged.size() == told);  // no turn was acknowledged to two
  BOOST_TEST(lost == 0);
  BOOST_TEST(log.size() ==
             static_cast<std::size_t>(hall.games()) + told);  // and there are no others
  BOOST_TEST(is_sound);
}

/// Each game has the same turns as with a single process.
void check_turns(const Hall& hall) {
  const auto store = open_store(hall.location(), for_reading);
  for (int game = 0; game < hall.games(); ++game) {
    const auto events = events_of(commits_of(*store, name_of(game)));
    BOOST_TEST(events == events_when_alone(events.size() - 1), boost::test_tools::per_element());
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(eight_processes)

BOOST_AUTO_TEST_CASE(that_play_one_game_decide_each_turn_once) {
  const Hall hall(1);
  play_and_check_what_is_recorded(hall, 60 * static_cast<int>(torture_factor()),
                                  "8 processes on one game");
  check_turns(hall);
}

BOOST_AUTO_TEST_CASE(that_play_a_hundred_games_decide_each_turn_once) {
  const Hall hall(100);
  play_and_check_what_is_recorded(hall, 100 * static_cast<int>(torture_factor()),
                                  "8 processes on 100 games");
  check_turns(hall);
}

BOOST_AUTO_TEST_SUITE_END()

#ifdef SNL_POSTGRESQL
BOOST_AUTO_TEST_SUITE(sixteen_processes_on_postgresql)

BOOST_AUTO_TEST_CASE(that_play_one_game_decide_each_turn_once) {
  const Hall hall(Cluster::shared().store_database(), 16, 1);
  play_and_check_what_is_recorded(hall, 15 * static_cast<int>(torture_factor()),
                                  "16 processes on one game on PostgreSQL");
  check_turns(hall);
}

BOOST_AUTO_TEST_CASE(that_play_a_hundred_games_decide_each_turn_once) {
  const Hall hall(Cluster::shared().store_database(), 16, 100);
  play_and_check_what_is_recorded(hall, 40 * static_cast<int>(torture_factor()),
                                  "16 processes on 100 games on PostgreSQL");
  check_turns(hall);
}

BOOST_AUTO_TEST_SUITE_END()
#endif

}  // namespace snl::test
