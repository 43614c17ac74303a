// A game that is recorded at once equals the game that is rolled turn by turn.
#include "storage/record_game.hpp"

#include "domain/named_boards.hpp"
#include "storage/audit.hpp"
#include "storage/memory/memory_store.hpp"
#include "testbed.hpp"

#include <boost/test/unit_test.hpp>

namespace snl::test {
namespace {

/// The commits of a game, without the fields that differ between stores.
std::vector<std::string> commits_of(EventStore& store, const std::string& game) {
  std::vector<std::string> commits;
  for_each_commit(store, game, 1, [&](const CommitView& commit) {
    commits.push_back(to_hex(commit.hash) + std::string(commit.command) +
                      std::string(commit.events));
    return true;
  });
  return commits;
}

BOOST_AUTO_TEST_SUITE(a_game_that_is_recorded_at_once)

BOOST_AUTO_TEST_CASE(is_the_one_that_is_rolled_turn_by_turn) {
  for (const Rules& rules : {Rules{}, *value_named(preset_names, "lld")}) {
    const StartGame start = start_of({.rules = rules, .seed = 11});
    MemoryStore store;
    std::vector<TurnPlayed> seen;
    const auto played = play_game(
        "g", start.setup, 1000,
        [&](const TurnPlayed& turn) {
          seen.push_back(turn);
          return true;
        },
        ticking_clock());
    BOOST_REQUIRE(played);
    BOOST_REQUIRE(record_games(store, std::span(&*played, 1)));
    const GameState* const recorded = &played->state;
    BOOST_TEST(recorded->completed());
    BOOST_TEST(std::ssize(seen) == recorded->position.turn);
    BOOST_TEST(seen.back().to == start.setup->board.cells());

    MemoryStore other;
    auto match = Match::start(other, "g", start, ticking_clock());
    while (!match->state().completed())
      BOOST_REQUIRE(match->execute(RollTurn{}));
    BOOST_TEST((match->state() == *recorded));
    BOOST_TEST(commits_of(store, "g") == commits_of(other, "g"), boost::test_tools::per_element());
    BOOST_TEST(audit_store(store).ok());
    BOOST_TEST((Match::load(store, "g")->state() == *recorded));
  }
}

BOOST_AUTO_TEST_CASE(goes_on_where_it_was_left_off) {
  MemoryStore store;
  const auto recorded = record_game(store, "g", start_of().setup, 3);
  BOOST_REQUIRE(recorded);
  BOOST_TEST(!recorded->completed());
  BOOST_TEST(recorded->position.turn == 3);
  auto match = Match::load(store, "g");
  BOOST_REQUIRE(match->execute(RollTurn{}));
  BOOST_TEST(audit_store(store).ok());
}

BOOST_AUTO_TEST_CASE(is_the_same_of_any_length_whether_it_is_kept_or_recorded_as_it_goes) {
  constexpr Turn turns = 2500;
  MemoryStore store;
  MemoryStore other;
  const auto setup = start_of(endless_game()).setup;
  const auto recorded = record_game(store, "g", setup, turns, ticking_clock());
  const auto played = play_game("g", setup, turns, {}, ticking_clock());
  BOOST_REQUIRE(recorded);
  BOOST_REQUIRE(played);
  BOOST_REQUIRE(record_games(other, std::span(&*played, 1)));
  BOOST_TEST((*recorded == played->state));
  BOOST_TEST(recorded->version == turns + 1);
  BOOST_TEST(commits_of(store, "g") == commits_of(other, "g"), boost::test_tools::per_element());
  BOOST_TEST(audit_store(store).ok());
}

BOOST_AUTO_TEST_CASE(changes_nothing_under_what_is_no_id) {
  MemoryStore store;
  BOOST_TEST(!record_game(store, "two words", start_of().setup, 3));
  BOOST_TEST(store.list({}, 10).empty());
}

BOOST_AUTO_TEST_CASE(changes_nothing_where_there_is_a_game_of_its_id) {
  MemoryStore store;
  BOOST_REQUIRE(record_game(store, "g", start_of().setup, 3));
  const auto before = commits_of(store, "g");
  const auto again = record_game(store, "g", start_of({.seed = 8}).setup, 9);
  BOOST_REQUIRE(!again);
  BOOST_TEST(again.error() == "a game with the ID g already exists");
  BOOST_TEST(commits_of(store, "g") == before, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(leaves_nothing_when_it_is_not_to_go_on) {
  const auto stopped =
      play_game("g", start_of().setup, 1000, [](const TurnPlayed& turn) { return turn.turn < 3; });
  BOOST_REQUIRE(!stopped);
}

BOOST_AUTO_TEST_CASE(is_refused_with_every_fault_of_its_setup) {
  MemoryStore store;
  const auto refused = record_game(store, "g", start_of({.players = {"Ann", "Ann"}}).setup, 3);
  BOOST_REQUIRE(!refused);
  BOOST_TEST(refused.error().find("Ann") != std::string::npos, refused.error());
  BOOST_TEST(!store.head("g"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace snl::test
