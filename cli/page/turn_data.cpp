#include "turn_data.hpp"

#include "cli/drawing/terminal_text.hpp"
#include "cli/drawing/walk.hpp"
#include "domain/narration.hpp"

#include <cassert>
#include <utility>

namespace snl::cli {
namespace {

namespace json = boost::json;

/// A turn's sentence, in the parts that are told one by one: "7. Ann" — " rolls " — "6-3" —
/// ": 94 → 100" — ", wins".
struct Sentence {
  std::string rolls;
  std::string result_text;
  std::string won;  // ", wins", or nothing
};

/// It names only other players, and those who miss turns.
Sentence sentence_of(const TurnPlayed& turn, std::span<const std::string> players) {
  const std::string text = narrate(turn, players, Glyphs::unicode);
  const std::string dice = to_string(turn.dice);
  const std::size_t name = text.find(". ") + 2 + players[turn.seat].size();
  const std::size_t number = text.find(dice, name);
  assert(number != std::string::npos);
  const std::size_t end = turn.outcome == Outcome::won ? text.rfind(", ") : text.size();
  const std::size_t result = number + dice.size();
  return {.rolls = text.substr(name, number - name),
          .result_text = text.substr(result, end - result),
          .won = text.substr(end)};
}

/// The seats whose shields or turns to miss a turn changed, as [seat, shields, turns to miss] after
/// it.
json::array tallies_of(const Effects& effects) {
  json::array changed;
  for (Seat seat = 0; seat < max_players; ++seat) {
    const std::int32_t shields = effects.after.shields.of(seat);
    const std::int32_t skips = effects.after.skips.of(seat);
    if (shields != effects.before.shields.of(seat) || skips != effects.before.skips.of(seat))
      changed.push_back(json::array{seat, shields, skips});
  }
  return changed;
}

/// In a game with effects: the cells to which dice and jump carried the piece, the places of other
/// pieces as [seat, cell], the next player (null: none), and the effects that players have.
json::array effects_of(const TurnPlayed& turn) {
  json::array others;
  for (const Displaced& piece : displaced_by(turn))
    others.push_back(json::array{piece.seat, piece.to});
  return {rest_of(turn), std::move(others), value_or_null(turn.next), tallies_of(*turn.effects)};
}

}  // namespace

std::vector<std::string> shown_names(const GameSetup& setup) {
  std::vector<std::string> names;
  names.reserve(setup.players.size());
  for (const std::string& player : setup.players)
    names.push_back(printable(player));
  return names;
}

json::array move_of(const TurnPlayed& turn, const GameSetup& setup,
                    std::span<const std::string> names) {
  const std::vector<Cell> path = turning_points(turn, setup);
  const Sentence sentence = sentence_of(turn, names);
  json::array move{to_string(turn.dice), json::array(path.begin(), path.end()), turn.to,
                   sentence.result_text};
  if (turn.effects || !sentence.won.empty()) move.push_back(json::string(sentence.won));
  if (turn.effects) move.push_back(effects_of(turn));
  return move;
}

std::string rolls_words() {
  const std::vector<std::string> players{"Ann"};
  TurnPlayed turn;
  turn.dice = {1};
  return sentence_of(turn, players).rolls;
}

}  // namespace snl::cli
