#include "narration.hpp"

#include "faults.hpp"
#include "names.hpp"
#include "overloaded.hpp"
#include "turn_dice.hpp"
#include "wording.hpp"

#include <array>
#include <iterator>
#include <optional>
#include <variant>

namespace snl {
namespace {

std::string arrow(Cell from, Cell to, Glyphs glyphs) {
  return std::to_string(from) + (glyphs == Glyphs::unicode ? " → " : " -> ") + std::to_string(to);
}

/// The player's name, or the seat's number: a log that nobody has audited may name any seat.
std::string name_of(std::span<const std::string> players, Seat seat) {
  return seat < players.size() ? players[seat] : "seat " + std::to_string(seat + 1);
}

std::string names_of(std::span<const std::string> players, std::span<const Seat> seats) {
  if (seats.empty()) return "nobody";
  std::vector<std::string> names;
  for (const Seat seat : seats)
    names.push_back(name_of(players, seat));
  return said_together(names);
}

std::string who_had_a_say(const Draw& draw, std::span<const std::string> players) {
  std::vector<Seat> seats;
  for (std::size_t seat = 0; seat < draw.entropy.size(); ++seat)
    if (draw.entropy[seat]) seats.push_back(static_cast<Seat>(seat));
  return names_of(players, seats) + " had a say";
}

/// The effect of the cell's power on the player, on the piece or on another player's.
std::string what_power_did(const Power& power, const TurnPlayed& turn,
                           std::span<const std::string> players, Glyphs glyphs) {
  const Effects& effects = *turn.effects;
  switch (power.kind) {
    case PowerKind::again:
      return "moves again";
    case PowerKind::skip:
      return "misses " + counted(power.n, "turn");
    case PowerKind::restart:
      return "back to the start " + arrow(effects.rest, turn.to, glyphs);
    case PowerKind::shield:
      return "now has " + counted(effects.after.shields.of(turn.seat), "shield");
    case PowerKind::swap:
      if (!effects.swapped) return "nobody ahead to swap with";
      return "changes places with " + name_of(players, *effects.swapped) + " " +
             arrow(effects.rest, turn.to, glyphs);
  }
  return {};
}

std::string what_effects_did(const TurnPlayed& turn, std::span<const std::string> players,
                             Glyphs glyphs) {
  if (!turn.effects) return {};
  std::string text;
  if (turn.effects->shielded)
    text += ", a shield stops the snake on " + std::to_string(turn.landed);
  for (const Displaced& piece : displaced_by(turn))
    if (piece.why == Displaced::Why::captured)
      text += ", sends " + name_of(players, piece.seat) + " back " +
              arrow(piece.from, piece.to, glyphs);
  if (const auto& power = turn.effects->power)
    text += ", " + what_power_did(*power, turn, players, glyphs);
  return text;
}

/// Each clause begins with the comma that separates it from the one before.
std::string what_became_of_piece(const TurnPlayed& turn, std::span<const std::string> players,
                                 Glyphs glyphs) {
  std::string text;
  if (turn.outcome == Outcome::blocked) return ", overshoots, stays";
  if (turn.outcome == Outcome::forfeited) return ", " + std::string(forfeit_name) + ", stays";
  if (turn.outcome == Outcome::waiting) return ", can't enter, stays";
  const bool past_the_end = turn.from + turn.dice.sum() != turn.landed;
  if (past_the_end && (turn.outcome == Outcome::moved || turn.landed != rest_of(turn)))
    text += ", bounces back to " + std::to_string(turn.landed);
  if (const auto jump = jump_of(turn))
    text += (*jump == JumpKind::ladder ? ", up the ladder " : ", down the snake ") +
            arrow(turn.landed, rest_of(turn), glyphs);
  text += what_effects_did(turn, players, glyphs);
  if (turn.outcome == Outcome::won) text += ", wins";
  return text;
}

/// Adds that the player has another turn, unless the text of an `again` power says so already.
std::string consequences(const TurnPlayed& turn, std::span<const std::string> players,
                         Glyphs glyphs) {
  const bool is_said =
      turn.effects && turn.effects->power && turn.effects->power->kind == PowerKind::again;
  return what_became_of_piece(turn, players, glyphs) +
         (moves_again(turn) && !is_said ? ", has another turn" : "");
}

/// "; Bob misses a turn", for each turn that somebody misses before the next one.
std::string who_missed(const TurnPlayed& turn, std::span<const std::string> players) {
  std::string text;
  for (const Seat seat : missed_after(turn))
    text += "; " + name_of(players, seat) + " misses a turn";
  return text;
}

/// ", Bob's piece goes to 9", for each piece of another player that a turn taken back, or put back,
/// moves.
std::string who_else_goes(const std::optional<Restored>& restored,
                          std::span<const std::string> players) {
  if (!restored) return {};
  std::string text;
  const auto goes = [&](Seat seat, Cell to) {
    text += ", " + name_of(players, seat) + "'s piece goes to " + std::to_string(to);
  };
  for (Seat seat = 0; seat < max_players; ++seat)
    if (restored->captured.has(seat)) goes(seat, restored->captured_to);
  if (restored->swapped) goes(*restored->swapped, restored->swapped_to);
  return text;
}

std::string numbered(Turn turn, const std::string& player) {
  return std::to_string(turn) + ". " + player;
}

/// Narrates an event of any kind.
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
    if (setup.draw) text += ", its seed drawn: " + who_had_a_say(*setup.draw, setup.players);
    return text;
  }
  std::string operator()(const TurnPlayed& played) const {
    return narrate(played, players, glyphs);
  }
  std::string operator()(const TurnUndone& undone) const {
    return numbered(undone.turn, name_of(players, undone.seat)) +
           "'s turn is undone: " + arrow(undone.from, undone.to, glyphs) +
           who_else_goes(undone.restored, players);
  }
  std::string operator()(const TurnRedone& redone) const {
    return numbered(redone.turn, name_of(players, redone.seat)) +
           "'s turn is redone: " + arrow(redone.from, redone.to, glyphs) +
           who_else_goes(redone.restored, players) +
           (redone.outcome == Outcome::won ? ", wins" : "");
  }
};

}  // namespace

std::string narrate(const TurnPlayed& event, std::span<const std::string> players, Glyphs glyphs) {
  return numbered(event.turn, name_of(players, event.seat)) + " rolls " + to_string(event.dice) +
         ": " + arrow(event.from, event.to, glyphs) + consequences(event, players, glyphs) +
         who_missed(event, players);
}

std::string what_happened(const TurnPlayed& turn, std::span<const std::string> players,
                          Glyphs glyphs) {
  const std::string text = consequences(turn, players, glyphs) + who_missed(turn, players);
  return text.empty() ? text : text.substr(2);
}

std::string narrate(const Event& event, std::span<const std::string> players, Glyphs glyphs) {
  return std::visit(Narrator{players, glyphs}, event);
}

std::string narrate(const RollTurn& roll) {
  if (roll.by == Roller::player) return {};
  return std::string("rolled by ").append(name_of(roller_names, roll.by));
}

std::string narrate(const Takeback& takeback, std::span<const std::string> players) {
  std::vector<Seat> others;
  for (Seat seat = 0; seat < max_players; ++seat)
    if (takeback.agreed.has(seat) && seat != takeback.asked) others.push_back(seat);
  const std::string asked = name_of(players, takeback.asked) + " asked";
  return others.empty() ? asked : asked + ", " + names_of(players, others) + " agreed";
}

std::string explain(const Refusal& refusal) {
  return std::visit(
      Overloaded{
          [](const InvalidMove&) { return std::string("another player is to move"); },
          [](const GameCompleted&) { return std::string("the game is over: somebody has won"); },
          [](const UnknownPlayer&) { return std::string("nobody plays in this seat"); },
          [](const ImpossibleDice& impossible) {
            return "dice " + to_string(impossible.dice) +
                   " are impossible: " + possible_dice(impossible.rules);
          },
          [](const NotEnoughTurns& few) {
            if (few.possible == 0)
              return std::string("there is no turn to take back or to put back");
            return counted(few.asked, "turn") + " can't be taken back or put back: at most " +
                   std::to_string(few.possible) + " can";
          },
          [](const TurnOutOfRange& range) {
            return "turn " + std::to_string(range.asked) + " is out of range: give one from " +
                   std::to_string(range.first) + " to " + std::to_string(range.last);
          },
          [](const InvalidSetup& invalid) {
            return in_a_line(invalid.faults, invalid.faults.size());
          },
          [](const WrongStart&) {
            return std::string("a game starts once, before any other command");
          },
          [](const Damage& damage) { return "the log is damaged: " + damage.what; },
      },
      refusal);
}

std::string contents_of(const Board& board) {
  const auto powers = std::ssize(board.powers());
  return counted(std::ssize(board.snakes()), "snake") + ", " +
         counted(std::ssize(board.ladders()), "ladder") +
         (powers == 0 ? "" : ", " + counted(powers, "power"));
}

std::vector<std::string> rules_in_words(const Rules& rules) {
  constexpr std::array finish_words{
      NamedValue{"the last cell is reached exactly or not at all", Finish::exact},
      NamedValue{"reaching or passing the last cell wins", Finish::overshoot},
      NamedValue{"a throw past the last cell bounces back from it", Finish::bounce}};
  const auto joined = [](std::span<const std::int32_t> numbers, std::string_view by) {
    std::string text;
    for (const std::int32_t number : numbers)
      text.append(text.empty() ? "" : by).append(std::to_string(number));
    return text;
  };
  std::vector<std::string> words{
      rules.start == 0 ? "pieces start off the board" : "pieces start on cell 1",
      std::string(name_of(finish_words, rules.finish)), throwing_words(rules)};
  if (!rules.enter.empty()) words.push_back("a piece enters with " + joined(rules.enter, " or "));
  if (rules.meet == Meet::capture)
    words.push_back("pieces that are met go back to the start" +
                    (rules.safe.empty() ? "" : ", but not from " + joined(rules.safe, ", ")));
  return words;
}

std::string result_of(const TurnPlayed& event, std::span<const std::string> players) {
  if (!event.next) return "WIN";
  return name_of(players, event.seat) + "," + std::to_string(event.to) + "," +
         name_of(players, *event.next) + ",CONTINUE";
}

}  // namespace snl
