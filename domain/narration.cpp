#include "narration.hpp"

#include "turn_dice.hpp"

#include <variant>

namespace snl {
namespace {

std::string arrow(Cell from, Cell to, Glyphs glyphs) {
  return std::to_string(from) + (glyphs == Glyphs::unicode ? " → " : " -> ") + std::to_string(to);
}

std::string what_happened(const TurnPlayed& turn, Glyphs glyphs) {
  std::string text;
  if (turn.outcome == Outcome::blocked) return ", overshoots, stays";
  if (turn.outcome == Outcome::forfeited) return ", " + std::string(forfeit_name) + ", stays";
  const bool past_the_end = turn.from + turn.dice.sum() != turn.landed;
  if (past_the_end && (turn.outcome == Outcome::moved || turn.landed != turn.to))
    text += ", bounces back to " + std::to_string(turn.landed);
  if (const auto jump = jump_between(turn.landed, turn.to))
    text += (*jump == JumpKind::ladder ? ", up the ladder " : ", down the snake ") +
            arrow(turn.landed, turn.to, glyphs);
  if (turn.outcome == Outcome::won) text += ", wins";
  return text;
}

/// A log that nobody has audited may name any seat.
std::string name_of(std::span<const std::string> players, Seat seat) {
  return seat < players.size() ? players[seat] : "seat " + std::to_string(seat + 1);
}

std::string numbered(Turn turn, const std::string& player) {
  return std::to_string(turn) + ". " + player;
}

/// Tells the events that have no overload of narrate of their own.
struct Narrator {
  std::span<const std::string> players;
  Glyphs glyphs;

  std::string operator()(const GameStarted& started) const {
    const GameSetup& setup = *started.setup;
    std::string text = "a game of ";
    for (std::size_t seat = 0; seat < setup.players.size(); ++seat)
      text += (seat == 0 ? "" : ", ") + setup.players[seat];
    text += " on " + std::to_string(setup.board.cells()) + " cells";
    if (setup.origin)
      text += ", from turn " + std::to_string(setup.origin->position.turn) + " of " +
              setup.origin->game;
    return text;
  }
  std::string operator()(const TurnPlayed& played) const {
    return narrate(played, players, glyphs);
  }
  std::string operator()(const TurnUndone& undone) const {
    return numbered(undone.turn, name_of(players, undone.seat)) +
           "'s turn is undone: " + arrow(undone.from, undone.to, glyphs);
  }
  std::string operator()(const TurnRedone& redone) const {
    return numbered(redone.turn, name_of(players, redone.seat)) +
           "'s turn is redone: " + arrow(redone.from, redone.to, glyphs) +
           (redone.outcome == Outcome::won ? ", wins" : "");
  }
};

}  // namespace

std::string narrate(const TurnPlayed& event, std::span<const std::string> players, Glyphs glyphs) {
  return numbered(event.turn, name_of(players, event.seat)) + " rolls " + to_string(event.dice) +
         ": " + arrow(event.from, event.to, glyphs) + what_happened(event, glyphs);
}

std::string narrate(const Event& event, std::span<const std::string> players, Glyphs glyphs) {
  return std::visit(Narrator{players, glyphs}, event);
}

std::string result_of(const TurnPlayed& event, std::span<const std::string> players) {
  if (!event.next) return "WIN";
  return name_of(players, event.seat) + "," + std::to_string(event.to) + "," +
         name_of(players, *event.next) + ",CONTINUE";
}

}  // namespace snl
