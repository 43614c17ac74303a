#include "given.hpp"

namespace snl::test {
namespace {

std::string line_of(Here here) {
  return std::string(here.file_name()) + ":" + std::to_string(here.line());
}

}  // namespace

const GameState& Decided::then(const std::vector<Event>& expected, Here here) const {
  BOOST_TEST_INFO_SCOPE("at " << line_of(here));
  if (!decided_) BOOST_FAIL("refused: " << decided_.error());
  BOOST_TEST(*decided_ == expected, boost::test_tools::per_element());
  return state_;
}

void Decided::require_refusal(Here here) const {
  BOOST_TEST_INFO_SCOPE("at " << line_of(here));
  if (decided_) BOOST_FAIL("not refused: " << decided_->front());
}

Given::Given(const std::vector<Event>& events) {
  for (const Event& event : events) {
    const auto recorded = game_.record(event);
    if (!recorded) BOOST_FAIL(event << ": " << recorded.error().what);
  }
}

Decided Given::when(const Command& command) const {
  RecordedGame game = game_;
  auto decided = game.perform(command);
  return {std::move(decided), game.state()};
}

Board board_of(const BoardDescription& description) {
  auto board = Board::make(description);
  if (!board) BOOST_FAIL(board.error().front().message);
  return *std::move(board);
}

std::shared_ptr<const GameSetup> setup_of(const Table& table) {
  return std::make_shared<GameSetup>(GameSetup{.players = table.players,
                                               .board = board_of(table.board),
                                               .rules = table.rules,
                                               .seed = table.seed,
                                               .origin = table.origin});
}

Event started(const std::shared_ptr<const GameSetup>& setup) {
  return GameStarted{setup};
}

}  // namespace snl::test
