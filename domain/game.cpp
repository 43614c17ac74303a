#include "game.hpp"

#include "wording.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace snl {
namespace {

/// The length of the UTF-8 sequence that `text` begins with (RFC 3629), 0 if it begins with none.
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

}  // namespace

std::optional<std::string> fault_of_name(std::string_view name) {
  if (name.empty()) return "is empty";
  if (name.size() > max_name_bytes)
    return "has " + std::to_string(name.size()) + " bytes; " + std::to_string(max_name_bytes) +
           " are the most";
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
  // Turns go around: turn 1 is seat 0's. Whoever has won stays the next one.
  const Turn seats = static_cast<Turn>(players);
  const Turn turns_before_next = position.turn - (position.winner ? 1 : 0);
  if (turns_before_next < 0 || position.next != turns_before_next % seats) return false;
  if (position.winner && *position.winner != position.next) return false;
  for (std::size_t seat = 0; seat < max_players; ++seat) {
    const Cell cell = position.cells[seat];
    const bool on_the_track = cell >= setup.rules.start && cell <= setup.board.cells();
    if (seat < players ? !on_the_track : cell != 0) return false;
    const bool at_the_end = seat < players && cell == setup.board.cells();
    if (at_the_end != (position.winner == seat)) return false;
    const bool has_moved = static_cast<Turn>(seat) < position.turn;
    if (seat < players && !has_moved && cell != setup.rules.start) return false;
  }
  return true;
}

std::vector<std::string> faults_of_players(
    std::span<const std::string> players,
    const std::function<std::optional<std::string>(std::string_view)>& fault_of) {
  std::vector<std::string> faults;
  if (players.size() < min_players || players.size() > max_players)
    faults.push_back(counted(std::ssize(players), "player") + ": a game has " +
                     std::to_string(min_players) + " to " + std::to_string(max_players));
  // Where there are far too many players, their names are no help any more.
  const auto looked_at = players.first(std::min(players.size(), max_players));
  for (auto player = looked_at.begin(); player != looked_at.end(); ++player) {
    if (const auto fault = fault_of(*player))
      faults.push_back("player \"" + *player + "\": the name " + *fault);
    if (std::find(looked_at.begin(), player, *player) != player)
      faults.push_back("player \"" + *player + "\": two players have this name");
  }
  return faults;
}

std::vector<std::string> faults_of(const GameSetup& setup) {
  std::vector<std::string> faults = faults_of_players(setup.players, fault_of_name);
  std::ranges::move(faults_of(setup.rules), std::back_inserter(faults));
  if (setup.origin) {
    if (!is_possible(setup.origin->position, setup))
      faults.emplace_back("the position it branches from is impossible");
  }
  return faults;
}

Position first_position(const GameSetup& setup) {
  if (setup.origin) return setup.origin->position;
  Position position;
  std::fill_n(position.cells.begin(), setup.players.size(), setup.rules.start);
  return position;
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
