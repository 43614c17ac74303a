#include "board_warnings.hpp"

#include "effects.hpp"
#include "effects_reach.hpp"
#include "reachability.hpp"
#include "turn_dice.hpp"

#include <algorithm>
#include <span>

namespace snl {
namespace {

std::string jump_text(Jump jump) {
  return to_string(*jump_between(jump.from, jump.to)) + " " + std::to_string(jump.from) + "," +
         std::to_string(jump.to);
}

/// Whether another piece may send a piece that rests on this cell to a lower one.
bool can_be_sent_away(const Board& board, const Rules& rules, Cell cell) {
  return captures_on(rules, cell) || std::ranges::any_of(board.powers(), [&](const PowerCell& at) {
           return at.power.kind == PowerKind::swap && at.cell < cell;
         });
}

std::string stranding_text(const Board& board, const Rules& rules, Cell cell) {
  const std::string end = "cell " + std::to_string(board.cells());
  const std::string dice = may_stop_early(rules)
                               ? "under these rules, with dice rolled to their end,"
                               : "under these rules";
  if (!can_finish_from(board, rules, rules.start))
    return end + " can't be reached: " + dice + " nobody can ever win";
  return end + " can't be reached from cell " + std::to_string(cell) + ": " + dice +
         " a piece there " +
         (can_be_sent_away(board, rules, cell) ? "finishes only if another one sends it away"
                                               : "never finishes") +
         // If pieces meet, the fate of one says little about the game.
         (can_meet(board, rules, std::span(&rules.start, 1)) ? "" : ", and a game may never end");
}

void warn_about_powers(const Board& board, const Rules& rules, std::vector<std::string>& warnings) {
  if (board.powers().empty()) return;
  for (const auto& [cell, power] : reach_with_effects(board, rules, rules.start).idle)
    warnings.push_back("the power " + std::to_string(cell) + "," + to_string(power) +
                       " can't act: no move ends on its cell");
  const auto is_shield = [](const PowerCell& at) { return at.power.kind == PowerKind::shield; };
  if (board.snakes().empty() && std::ranges::any_of(board.powers(), is_shield))
    warnings.emplace_back("there are shields, but no snake that they could stop");
}

}  // namespace

std::vector<std::string> warnings_about(const Board& board, const Rules& rules) {
  std::vector<std::string> warnings;
  const auto check = [&](Jump jump) {
    if (jump.from == 1 && rules.start == 1)
      warnings.push_back("the " + jump_text(jump) +
                         " starts on cell 1: nobody who begins there takes it");
    const Cell end = board.landing(jump.to);
    if (end != jump.to)
      warnings.push_back("the " + jump_text(jump) + " ends where the " + jump_text({jump.to, end}) +
                         " starts: jumps are not chained");
  };
  std::ranges::for_each(board.snakes(), check);
  std::ranges::for_each(board.ladders(), check);
  warn_about_powers(board, rules, warnings);
  if (const auto stranded = stranding_cell(board, rules, rules.start))
    warnings.push_back(stranding_text(board, rules, *stranded));
  return warnings;
}

}  // namespace snl
