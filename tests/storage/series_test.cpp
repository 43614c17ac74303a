// Recorded tournaments and simulations: the contents of the store, also where another process takes
// an ID meanwhile.
#include "passing_store.hpp"
#include "storage/audit.hpp"
#include "storage/memory/memory_store.hpp"
#include "storage/record_game.hpp"
#include "storage/series/recorded_simulation.hpp"
#include "storage/series/tournament.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <tuple>
#include <vector>

using namespace snl;

namespace {

constexpr std::size_t plenty = 1000;

/// A store in which another process takes the ID of the `nth` game.
class ContestedStore : public test::PassingStore {
 public:
  ContestedStore(EventStore& store, std::size_t nth)
      : PassingStore(store), store_(store), nth_(nth) {}

  std::expected<std::vector<Head>, RefusedAppend> append(std::span<const Append> appends) override {
    store_.append(appends.subspan(nth_ - 1, 1)).value();
    return store_.append(appends);
  }

 private:
  EventStore& store_;
  std::size_t nth_;
};

TournamentPlan three_players() {
  return {.players = {"Ann", "Bob", "Cid"},
          .board = Board::make({.cells = 30, .width = 6}).value(),
          .rules = {},
          .rounds = 2,
          .seed = 7,
          .max_turns = 1000};
}

SimulationPlan ten_games() {
  return {.board = Board::make({.cells = 30, .width = 6}).value(),
          .rules = {},
          .players = 2,
          .games = 10,
          .seed = 7,
          .max_turns = 1000};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(a_tournament)

BOOST_AUTO_TEST_CASE(records_every_match) {
  MemoryStore store;
  const auto matches = play_tournament(store, three_players());
  BOOST_REQUIRE(matches.has_value());
  BOOST_TEST(matches->size() == 6U);
  BOOST_TEST(store.games_after("", plenty).size() == 6U);
  for (const PlayedMatch& match : *matches)
    BOOST_TEST(store.head(match.game).has_value());
  BOOST_TEST(audit_store(store).ok());
}

BOOST_AUTO_TEST_CASE(records_nothing_where_an_id_is_taken_and_says_which) {
  MemoryStore store;
  ContestedStore contested(store, 3);
  const auto matches = play_tournament(contested, three_players());
  BOOST_REQUIRE(!matches.has_value());
  BOOST_TEST(matches.error().contains(".3 already"), matches.error());
  BOOST_TEST(store.games_after("", plenty).size() == 1U);  // of another process
}

BOOST_AUTO_TEST_CASE(is_not_taken_for_a_whole_one_where_it_was_interrupted) {
  struct Interrupted {};
  MemoryStore store;
  TournamentPlan plan = three_players();
  plan.players = {"Ann", "Bob", "Cid", "Dan", "Eve"};
  plan.rounds = 100;
  const auto interrupt = [](std::size_t) { throw Interrupted{}; };
  BOOST_CHECK_THROW(std::ignore = play_tournament(store, plan, interrupt), Interrupted);
  const auto games = store.games_after("", plenty);
  BOOST_TEST(!games.empty());
  BOOST_CHECK(!read_tournament(store, games));
}

BOOST_AUTO_TEST_CASE(records_more_than_fit_into_one_append) {
  MemoryStore store;
  TournamentPlan plan = three_players();
  plan.rounds = 200;
  const auto matches = play_tournament(store, plan);
  BOOST_REQUIRE(matches.has_value());
  BOOST_TEST(matches->size() == 600U);
  for (const PlayedMatch& match : *matches)
    BOOST_REQUIRE(store.head(match.game).has_value());
  BOOST_TEST(store.games_after("", plenty).size() == 600U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_recorded_simulation)

BOOST_AUTO_TEST_CASE(records_more_than_fit_into_one_append) {
  MemoryStore store;
  SimulationPlan plan = ten_games();
  plan.games = 600;
  SimulationControl control;
  const auto recorded = record_simulation(store, plan, control);
  BOOST_REQUIRE(recorded.has_value());
  BOOST_TEST(recorded->result.games == 600U);
  BOOST_TEST(store.games_after("", plenty).size() == 600U);
}

BOOST_AUTO_TEST_CASE(that_is_stopped_keeps_what_it_counts) {
  MemoryStore store;
  SimulationControl control;
  control.stop = true;
  const auto recorded = record_simulation(store, ten_games(), control);
  BOOST_REQUIRE(recorded.has_value());
  BOOST_TEST(recorded->result.games == 0U);
  BOOST_CHECK(!recorded->saved);
  BOOST_TEST(store.games_after("", plenty).empty());
}

BOOST_AUTO_TEST_CASE(records_the_games_that_it_counts) {
  MemoryStore store;
  SimulationControl control;
  const auto recorded = record_simulation(store, ten_games(), control);
  BOOST_REQUIRE(recorded.has_value());
  BOOST_TEST(recorded->result.games == 10U);
  BOOST_TEST(store.games_after("", plenty).size() == 10U);
  BOOST_REQUIRE(recorded->saved.has_value());
  BOOST_TEST(store.head(recorded->saved->first).has_value());
  BOOST_TEST(store.head(recorded->saved->last).has_value());
  BOOST_TEST(audit_store(store).ok());
}

BOOST_AUTO_TEST_CASE(records_nothing_where_an_id_is_taken_and_says_which) {
  MemoryStore store;
  ContestedStore contested(store, 4);
  SimulationControl control;
  const auto recorded = record_simulation(contested, ten_games(), control);
  BOOST_REQUIRE(!recorded.has_value());
  BOOST_TEST(recorded.error().contains(".04 already"), recorded.error());
  BOOST_TEST(store.games_after("", plenty).size() == 1U);  // of another process
}

BOOST_AUTO_TEST_SUITE_END()
