#include "game.hpp"

#include "wording.hpp"

#include <algorithm>
#include <iterator>

namespace snl {
namespace {

/// The length of the UTF-8 sequence at the beginning of `text` (RFC 3629); 0 if there is none.
std::size_t utf8_sequence(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto continues = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return continues(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const unsigned low = lead == 0xE0 ? 0xA0 : 0x80;   // no overlong forms
    const unsigned high = lead == 0xED ? 0x9F : 0xBF;  // no surrogates
    return continues(1, low, high) && continues(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const unsigned low = lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xF4 ? 0x8F : 0xBF;  // at most U+10FFFF
    return continues(1, low, high) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

/// C0, DEL and C1 (U+0080 to U+009F) controls.
bool is_control(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return first < 0x20 || first == 0x7F;
  return first == 0xC2 && static_cast<unsigned char>(sequence[1]) < 0xA0;
}

/// Whether every piece is on the track, and on the last cell if and only if its player has won.
bool are_on_the_track(const Position& position, const GameSetup& setup) {
  const std::size_t players = setup.players.size();
  for (std::size_t seat = 0; seat < max_players; ++seat) {
    const Cell cell = position.cells[seat];
    const bool on_the_track = cell >= setup.rules.start && cell <= setup.board.cells();
    if (seat < players ? !on_the_track : cell != 0) return false;
    const bool at_the_end = seat < players && cell == setup.board.cells();
    if (at_the_end != (position.winner == seat)) return false;
  }
  return true;
}

/// The largest number of a power of this kind; 0 without any.
std::int32_t most_of(PowerKind kind, const Board& board) {
  std::int32_t most = 0;
  for (const PowerCell& power : board.powers())
    if (power.power.kind == kind) most = std::max(most, std::int32_t{power.power.n});
  return most;
}

/// Whether the board's powers can give every player this count. Seats beyond the last player must
/// have none.
bool can_be_given(const SeatCounts& counts, PowerKind kind, const GameSetup& setup) {
  const std::int32_t most = most_of(kind, setup.board);
  for (Seat seat = 0; seat < max_players; ++seat)
    if (counts.of(seat) > (seat < setup.players.size() ? most : 0)) return false;
  return true;
}

/// Relies on two facts: a turn moves at most one piece away from the start, and only its player's
/// tallies grow.
bool is_possible_with_effects(const Position& position, const GameSetup& setup) {
  const auto& [shields, skips] = position.tallies;
  if (!are_on_the_track(position, setup)) return false;
  if (!can_be_given(shields, PowerKind::shield, setup)) return false;
  if (!can_be_given(skips, PowerKind::skip, setup)) return false;
  if (position.winner ? position.turn == 0 : skips.of(position.next) > 0) return false;
  Turn moved = 0;
  const auto players = static_cast<Seat>(setup.players.size());
  for (Seat seat = 0; seat < players; ++seat)
    if (position.cells[seat] != setup.rules.start || shields.of(seat) > 0 || skips.of(seat) > 0)
      ++moved;
  return moved <= position.turn && (position.turn > 0 || position.next == 0);
}

/// Seats in turn order after `mover`, the mover last. `count_of` says how often each one occurs.
template <class CountOf>
std::vector<Seat> in_turn_order_after(Seat mover, const CountOf& count_of) {
  std::vector<Seat> seats;
  for (std::int32_t round = 1; round <= max_seat_count; ++round)
    for (std::size_t away = 1; away <= max_players; ++away) {
      const auto seat = static_cast<Seat>((mover + away) % max_players);
      if (count_of(seat) >= round) seats.push_back(seat);
    }
  return seats;
}

/// Whether the mover was to move again, and missed that turn. Then it missed as many turns as
/// anybody, and more than the next player if that is another one.
bool missed_its_own_first(const TurnPlayed& turn) {
  const SeatCounts& missed = turn.effects->missed;
  const std::int32_t own = missed.of(turn.seat);
  for (Seat seat = 0; seat < max_players; ++seat)
    if (missed.of(seat) > own) return false;
  return own > 0 && (turn.next == turn.seat || (turn.next && missed.of(*turn.next) < own));
}

}  // namespace

std::optional<std::string> fault_of_name(std::string_view name) {
  if (name.empty()) return "is empty";
  if (name.size() > max_name_bytes)
    return "has " + std::to_string(name.size()) + " bytes; at most " +
           std::to_string(max_name_bytes) + " fit";
  while (!name.empty()) {
    const std::size_t length = utf8_sequence(name);
    if (length == 0) return "is not UTF-8";
    if (is_control(name.substr(0, length))) return "has a control character";
    name.remove_prefix(length);
  }
  return std::nullopt;
}

bool is_possible(const Position& position, const GameSetup& setup) {
  const std::size_t players = setup.players.size();
  if (players < min_players || players > max_players || position.next >= players) return false;
  if (position.turn < 0 || position.turn > max_turn) return false;
  if (position.winner && *position.winner != position.next) return false;
  if (has_effects(setup)) return is_possible_with_effects(position, setup);
  if (position.tallies != Tallies{}) return false;
  // Turns go around, and turn 1 is seat 0's. A winner stays `next`.
  const Turn seats = static_cast<Turn>(players);
  const Turn turns_before_next = position.turn - (position.winner ? 1 : 0);
  if (turns_before_next < 0 || position.next != turns_before_next % seats) return false;
  if (!are_on_the_track(position, setup)) return false;
  for (std::size_t seat = 0; seat < players; ++seat) {
    const bool has_moved = static_cast<Turn>(seat) < position.turn;
    if (!has_moved && position.cells[seat] != setup.rules.start) return false;
  }
  return true;
}

namespace {

std::string beginning_of(const std::string& name) {
  constexpr std::size_t shown = 64;  // bytes
  if (name.size() <= max_name_bytes) return name;
  std::size_t end = shown;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U)
    --end;
  return name.substr(0, end) + "…";
}

}  // namespace

std::vector<std::string> faults_of_players(
    std::span<const std::string> players,
    const std::function<std::optional<std::string>(std::string_view)>& fault_of) {
  std::vector<std::string> faults;
  if (players.size() < min_players || players.size() > max_players)
    faults.push_back(counted(std::ssize(players), "player") + ": a game has " +
                     std::to_string(min_players) + " to " + std::to_string(max_players));
  // With far too many players, their names are no help.
  const auto checked = players.first(std::min(players.size(), max_players));
  for (auto player = checked.begin(); player != checked.end(); ++player) {
    if (const auto fault = fault_of(*player))
      faults.push_back("player \"" + beginning_of(*player) + "\": the name " + *fault);
    if (std::find(checked.begin(), player, *player) != player)
      faults.push_back("player \"" + beginning_of(*player) + "\": two players have this name");
  }
  return faults;
}

std::vector<std::string> faults_besides_board(std::span<const std::string> players,
                                              const Rules& rules) {
  std::vector<std::string> faults = faults_of_players(players, fault_of_name);
  std::ranges::move(faults_of(rules), std::back_inserter(faults));
  return faults;
}

std::vector<std::string> faults_of(const GameSetup& setup) {
  std::vector<std::string> faults = faults_besides_board(setup.players, setup.rules);
  std::ranges::move(faults_of_safe_cells(setup.rules, setup.board.cells()),
                    std::back_inserter(faults));
  if (setup.origin) {
    if (!is_possible(setup.origin->position, setup))
      faults.emplace_back("the position it branches from is impossible");
    if (setup.draw) faults.emplace_back("a branch has its origin's seed, so it can't have a draw");
  }
  return faults;
}

Position first_position(const GameSetup& setup) {
  if (setup.origin) return setup.origin->position;
  Position position;
  const std::size_t players = std::min(setup.players.size(), position.cells.size());
  std::fill_n(position.cells.begin(), players, setup.rules.start);
  return position;
}

std::string_view to_string(StepKind kind) {
  constexpr std::array step_names{
      NamedValue{"dice", StepKind::dice},       NamedValue{"ladder", StepKind::ladder},
      NamedValue{"snake", StepKind::snake},     NamedValue{"shield", StepKind::shield},
      NamedValue{"restart", StepKind::restart}, NamedValue{"swap", StepKind::swap}};
  return name_of(step_names, kind);
}

std::vector<Step> steps_of(const TurnPlayed& turn) {
  if (stays(turn.outcome)) return {};
  std::vector<Step> steps{{StepKind::dice, turn.landed}};
  if (const auto jump = jump_of(turn))
    steps.push_back({*jump == JumpKind::snake ? StepKind::snake : StepKind::ladder, rest_of(turn)});
  if (!turn.effects) return steps;
  if (turn.effects->shielded) steps.push_back({StepKind::shield, turn.landed});
  const auto& power = turn.effects->power;
  if (power && power->kind == PowerKind::restart) steps.push_back({StepKind::restart, turn.to});
  if (turn.effects->swapped) steps.push_back({StepKind::swap, turn.to});
  return steps;
}

std::string_view to_string(Displaced::Why why) {
  return why == Displaced::Why::captured ? "captured" : "swapped";
}

std::vector<Displaced> displaced_by(const TurnPlayed& turn) {
  if (!turn.effects) return {};
  const Effects& effects = *turn.effects;
  std::vector<Displaced> displaced;
  for (const Seat seat : in_turn_order_after(
           turn.seat, [&](Seat seat) { return effects.captured.has(seat) ? 1 : 0; }))
    displaced.push_back({seat, Displaced::Why::captured, effects.rest, effects.captured_to});
  if (effects.swapped)
    displaced.push_back({*effects.swapped, Displaced::Why::swapped, turn.to, effects.rest});
  return displaced;
}

bool moves_again(const TurnPlayed& turn) {
  return turn.effects && turn.next == turn.seat && turn.effects->missed == SeatCounts{};
}

std::vector<Seat> missed_after(const TurnPlayed& turn) {
  if (!turn.effects) return {};
  const auto count_of = [&](Seat seat) { return turn.effects->missed.of(seat); };
  const auto before = static_cast<Seat>((turn.seat + max_players - 1) % max_players);
  return in_turn_order_after(missed_its_own_first(turn) ? before : turn.seat, count_of);
}

Restored taken_back(const TurnPlayed& turn, const Effects& effects) {
  return {.captured = effects.captured,
          .captured_to = effects.captured.empty() ? 0 : effects.rest,
          .swapped = effects.swapped,
          .swapped_to = effects.swapped ? turn.to : 0,
          .tallies = effects.before};
}

Restored put_back(const Effects& effects) {
  return {.captured = effects.captured,
          .captured_to = effects.captured_to,
          .swapped = effects.swapped,
          .swapped_to = effects.swapped ? effects.rest : 0,
          .tallies = effects.after};
}

void restore(Position& position, const Restored& restored) {
  for (Seat seat = 0; seat < max_players; ++seat)
    if (restored.captured.has(seat)) position.cells[seat] = restored.captured_to;
  if (restored.swapped) position.cells.at(*restored.swapped) = restored.swapped_to;
  position.tallies = restored.tallies;
}

Position position_after(Position before, const TurnPlayed& turn) {
  before.cells.at(turn.seat) = turn.to;
  before.turn = turn.turn;
  before.next = turn.next.value_or(turn.seat);
  before.winner = turn.next ? std::nullopt : std::optional(turn.seat);
  if (turn.effects) restore(before, put_back(*turn.effects));
  return before;
}

Position position_before(Position after, const TurnPlayed& turn) {
  after.cells.at(turn.seat) = turn.from;
  after.turn = turn.turn - 1;
  after.next = turn.seat;
  after.winner = std::nullopt;
  if (turn.effects) restore(after, taken_back(turn, *turn.effects));
  return after;
}

Seat seat_of(const GameSetup& setup, std::string_view name) {
  const auto found = std::ranges::find(setup.players, name);
  return found == setup.players.end() ? unknown_seat
                                      : static_cast<Seat>(found - setup.players.begin());
}

bool operator==(const GameState& a, const GameState& b) {
  const bool same_setup =
      a.setup == b.setup || (a.started() && b.started() && *a.setup == *b.setup);
  return same_setup && a.position == b.position && a.version == b.version && a.index == b.index &&
         a.last_turn == b.last_turn && a.redo == b.redo && a.redoable == b.redoable;
}

}  // namespace snl
