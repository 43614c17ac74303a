#include "snake_and_ladder_game.hpp"

#include "engine.hpp"
#include "faults.hpp"
#include "narration.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <variant>

namespace snl {
namespace {

/// Names them all, however many there are.
[[noreturn]] void throw_faults(const Faults& faults) {
  throw std::invalid_argument(in_a_line(faults, faults.size()));
}

DescribedJump parse_jump(const std::string& kind, const std::string& text) {
  const auto jump = jump_from_text(text);
  if (!jump || text.find(' ') != std::string::npos)
    throw std::invalid_argument(kind + " \"" + text +
                                "\": two cells joined by a comma are expected, such as \"17,7\"");
  return *jump;
}

Board parse_board(const std::vector<std::string>& snakes, const std::vector<std::string>& ladders) {
  BoardDescription description{.cells = 100};
  for (const std::string& snake : snakes)
    description.snakes.push_back(parse_jump("snake", snake));
  for (const std::string& ladder : ladders)
    description.ladders.push_back(parse_jump("ladder", ladder));
  auto board = Board::make(description);
  if (board) return *std::move(board);
  throw_faults(messages_of(board.error()));
}

/// An ID may be any text except an empty one.
std::optional<std::string> fault_of_id(std::string_view id) {
  if (id.empty()) return "is empty";
  return std::nullopt;
}

void check_players(const std::vector<std::string>& players) {
  if (const auto faults = faults_of_players(players, fault_of_id); !faults.empty())
    throw_faults(faults);
}

[[noreturn]] void throw_unknown(const std::string& player) {
  throw std::invalid_argument("player \"" + player + "\": nobody plays under this name");
}

std::string list_text(const std::vector<int>& dice) {
  std::string text = "[";
  for (const int value : dice)
    text += (text.size() == 1 ? "" : ",") + std::to_string(value);
  return text + "]";
}

}  // namespace

SnakeAndLadderGame::SnakeAndLadderGame(const std::vector<std::string>& playerIds,
                                       const std::vector<std::string>& snakes,
                                       const std::vector<std::string>& ladders)
    : players_(playerIds) {
  check_players(players_);
  // The engine doesn't take every text as a name, so it gets seat numbers.
  std::vector<std::string> seats;
  for (std::size_t seat = 1; seat <= players_.size(); ++seat)
    seats.push_back(std::to_string(seat));
  const StartGame start{std::make_shared<GameSetup>(
      GameSetup{.players = std::move(seats), .board = parse_board(snakes, ladders), .rules = {}})};
  state_ = *evolve(GameState{}, Event{*decide(state_, start)});
}

Seat SnakeAndLadderGame::seat_of(const std::string& player) const {
  const auto found = std::ranges::find(players_, player);
  return found == players_.end() ? unknown_seat : static_cast<Seat>(found - players_.begin());
}

std::string SnakeAndLadderGame::playTurn(const std::string& playerId,
                                         const std::vector<int>& diceValues) {
  const auto played = decide(state_, PlayTurn{seat_of(playerId), Dice(std::span(diceValues))});
  if (!played) {
    if (std::holds_alternative<GameCompleted>(played.error())) return game_completed_result;
    if (std::holds_alternative<InvalidMove>(played.error())) return invalid_move_result;
    if (std::holds_alternative<UnknownPlayer>(played.error())) throw_unknown(playerId);
    throw std::invalid_argument("dice " + list_text(diceValues) + ": " +
                                possible_dice(state_.setup->rules));
  }
  state_ = *evolve(std::move(state_), *played);
  return result_of(*played, players_);
}

int SnakeAndLadderGame::getPlayerPosition(const std::string& playerId) const {
  const Seat seat = seat_of(playerId);
  if (seat == unknown_seat) throw_unknown(playerId);
  return state_.position.cells[seat];
}

std::string SnakeAndLadderGame::getWinner() const {
  return state_.completed() ? players_[*state_.position.winner] : "";
}

}  // namespace snl
