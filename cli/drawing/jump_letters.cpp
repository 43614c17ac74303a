#include "jump_letters.hpp"

#include "domain/names.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

namespace snl::cli {
namespace {

/// A to Z, a to z, then AA, AB, … to ZZ: enough for every board that is drawn.
std::string letters_of(std::size_t index) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  if (index < alphabet.size()) return {alphabet[index]};
  index -= alphabet.size();
  return {alphabet[index / 26 % 26], alphabet[index % 26]};
}

}  // namespace

std::vector<LetteredJump> jumps_beyond(const Board& board, Cell cell, std::size_t most) {
  const auto beyond = [&](std::span<const Jump> jumps) {
    return std::span(std::ranges::upper_bound(jumps, cell, {}, &Jump::from), jumps.end());
  };
  std::span<const Jump> snakes = beyond(board.snakes());
  std::span<const Jump> ladders = beyond(board.ladders());
  std::vector<LetteredJump> jumps;
  while (jumps.size() < most && !(snakes.empty() && ladders.empty())) {
    const bool snake = ladders.empty() || (!snakes.empty() && snakes[0].from < ladders[0].from);
    std::span<const Jump>& first = snake ? snakes : ladders;
    jumps.push_back({first[0], snake ? JumpKind::snake : JumpKind::ladder, ""});
    first = first.subspan(1);
  }
  return jumps;
}

std::string power_mark(const Power& power) {
  constexpr std::array marks{NamedValue{"@", PowerKind::again}, NamedValue{"z", PowerKind::skip},
                             NamedValue{"<<", PowerKind::restart},
                             NamedValue{"o", PowerKind::shield}, NamedValue{"<>", PowerKind::swap}};
  const std::string mark(name_of(marks, power.kind));
  return has_number(power.kind) ? mark + std::to_string(power.n) : mark;
}

std::vector<LetteredJump> lettered_jumps(const Board& board) {
  auto jumps = jumps_beyond(board, 0, std::numeric_limits<std::size_t>::max());
  for (std::size_t i = 0; i < jumps.size(); ++i)
    jumps[i].letters = letters_of(i);
  return jumps;
}

}  // namespace snl::cli
