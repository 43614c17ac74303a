#include "printing.hpp"

#include <iomanip>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace snl {
namespace {

void show_seat(std::ostream& out, std::optional<Seat> seat) {
  if (seat)
    out << int{*seat};
  else
    out << "nobody";
}

void show_jumps(std::ostream& out, const char* name, std::span<const Jump> jumps) {
  out << name;
  for (const Jump jump : jumps)
    out << " " << jump;
}

std::ostream& operator<<(std::ostream& out, const SeatSet& seats) {
  out << "{";
  for (Seat seat = 0; seat < max_players; ++seat)
    if (seats.has(seat)) out << " " << int{seat};
  return out << " }";
}

std::ostream& operator<<(std::ostream& out, const SeatCounts& counts) {
  for (Seat seat = 0; seat < max_players; ++seat)
    out << counts.of(seat);
  return out;
}

std::ostream& operator<<(std::ostream& out, const Tallies& tallies) {
  return out << "shields " << tallies.shields << " skips " << tallies.skips;
}

void show_effects(std::ostream& out, const std::optional<Effects>& effects) {
  if (!effects) return;
  out << ", rest " << effects->rest << (effects->shielded ? " shielded" : "") << ", captured "
      << effects->captured << " to " << effects->captured_to << ", power "
      << (effects->power ? to_string(*effects->power) : "none") << ", swapped ";
  show_seat(out, effects->swapped);
  out << ", before " << effects->before << ", after " << effects->after << ", missed "
      << effects->missed;
}

void show_restored(std::ostream& out, const std::optional<Restored>& restored) {
  if (!restored) return;
  out << ", captured " << restored->captured << " to " << restored->captured_to << ", swapped ";
  show_seat(out, restored->swapped);
  out << " to " << restored->swapped_to << ", " << restored->tallies;
}

void show_bytes(std::ostream& out, const Draw::Bytes& bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (const std::uint8_t byte : bytes)
    out << digits[byte >> 4U] << digits[byte & 0xFU];
}

struct ShowCommand {
  std::ostream& out;

  void operator()(const StartGame& start) const { out << "StartGame{" << *start.setup << "}"; }
  void operator()(const PlayTurn& play) const {
    out << "PlayTurn{seat " << int{play.seat} << ", dice " << play.dice << "}";
  }
  void operator()(const RollTurn& roll) const {
    out << "RollTurn{" << name_of(roller_names, roll.by) << "}";
  }
  void operator()(const UndoTurns& undo) const { out << "UndoTurns{" << undo.count << "}"; }
  void operator()(const UndoToTurn& undo) const {
    out << "UndoToTurn{" << undo.turn;
    if (undo.takeback)
      out << ", asked by " << int{undo.takeback->asked} << ", agreed " << undo.takeback->agreed;
    out << "}";
  }
  void operator()(const RedoTurns& redo) const { out << "RedoTurns{" << redo.count << "}"; }
};

struct ShowEvent {
  std::ostream& out;

  void operator()(const GameStarted& started) const {
    out << "GameStarted{" << *started.setup << "}";
  }
  void operator()(const TurnPlayed& played) const { out << played; }
  void operator()(const TurnUndone& undone) const {
    out << "TurnUndone{index " << undone.index << ", turn " << undone.turn << ", seat "
        << int{undone.seat} << ", from " << undone.from << ", to " << undone.to << ", played "
        << undone.played << ", previous " << undone.previous << ", later " << undone.later;
    show_restored(out, undone.restored);
    out << "}";
  }
  void operator()(const TurnRedone& redone) const {
    out << "TurnRedone{index " << redone.index << ", turn " << redone.turn << ", seat "
        << int{redone.seat} << ", from " << redone.from << ", to " << redone.to << ", "
        << redone.outcome << ", next ";
    show_seat(out, redone.next);
    out << ", played " << redone.played << ", later " << redone.later;
    show_restored(out, redone.restored);
    out << "}";
  }
};

struct ShowRefusal {
  std::ostream& out;

  void operator()(const InvalidMove& /*refusal*/) const { out << "InvalidMove"; }
  void operator()(const GameCompleted& /*refusal*/) const { out << "GameCompleted"; }
  void operator()(const UnknownPlayer& /*refusal*/) const { out << "UnknownPlayer"; }
  void operator()(const ImpossibleDice& refusal) const {
    out << "ImpossibleDice{" << refusal.dice << "}";
  }
  void operator()(const NotEnoughTurns& refusal) const {
    out << "NotEnoughTurns{asked " << refusal.asked << ", possible " << refusal.possible << "}";
  }
  void operator()(const TurnOutOfRange& refusal) const {
    out << "TurnOutOfRange{asked " << refusal.asked << ", " << refusal.first << " to "
        << refusal.last << "}";
  }
  void operator()(const InvalidSetup& refusal) const {
    out << "InvalidSetup{";
    for (const std::string& fault : refusal.faults)
      out << fault << "; ";
    out << "}";
  }
  void operator()(const WrongStart& /*refusal*/) const { out << "WrongStart"; }
  void operator()(const Damage& refusal) const { out << "Damage{" << refusal.what << "}"; }
};

}  // namespace

std::ostream& operator<<(std::ostream& out, Outcome outcome) {
  return out << to_string(outcome);
}

std::ostream& operator<<(std::ostream& out, JumpKind kind) {
  return out << to_string(kind);
}

std::ostream& operator<<(std::ostream& out, const Jump& jump) {
  return out << jump.from << "," << jump.to;
}

std::ostream& operator<<(std::ostream& out, const Place& place) {
  return out << "row " << place.row << " column " << place.column;
}

std::ostream& operator<<(std::ostream& out, const Dice& dice) {
  return out << "[" << to_string(dice) << "]";
}

std::ostream& operator<<(std::ostream& out, const Rules& rules) {
  out << "start " << rules.start << ", " << to_string(rules.finish) << ", " << rules.dice
      << " dice of " << rules.faces << " faces, " << to_string(rules.sixes);
  const auto show = [&](const char* name, const std::vector<std::int32_t>& numbers) {
    if (!numbers.empty()) out << ", " << name;
    for (const std::int32_t number : numbers)
      out << " " << number;
  };
  show("enter", rules.enter);
  if (rules.meet != Meet::share) out << ", " << to_string(rules.meet);
  show("safe", rules.safe);
  return out;
}

std::ostream& operator<<(std::ostream& out, const Board& board) {
  out << board.cells() << " cells in rows of " << board.width();
  show_jumps(out, ", snakes", board.snakes());
  show_jumps(out, ", ladders", board.ladders());
  if (!board.powers().empty()) out << ", powers";
  for (const PowerCell& power : board.powers())
    out << " " << power.cell << "," << to_string(power.power);
  return out;
}

std::ostream& operator<<(std::ostream& out, const BoardDescription& board) {
  const auto show = [&](const char* name, const std::vector<DescribedJump>& jumps) {
    out << name;
    for (const auto& jump : jumps)
      out << " " << jump.from << "," << jump.to;
  };
  out << board.cells << " cells";
  if (board.width) out << " in rows of " << *board.width;
  show(", snakes", board.snakes);
  show(", ladders", board.ladders);
  if (!board.powers.empty()) out << ", powers";
  for (const DescribedPower& power : board.powers)
    out << " " << to_string(power);
  return out;
}

std::ostream& operator<<(std::ostream& out, const EventRef& ref) {
  return out << ref.version << "/" << ref.index;
}

std::ostream& operator<<(std::ostream& out, const Position& position) {
  out << "turn " << position.turn << ", cells";
  for (const Cell cell : position.cells)
    out << " " << cell;
  out << ", next " << int{position.next} << ", winner ";
  show_seat(out, position.winner);
  if (position.tallies != Tallies{}) out << ", " << position.tallies;
  return out;
}

std::ostream& operator<<(std::ostream& out, const Draw& draw) {
  out << "drawn of ";
  show_bytes(out, draw.secret);
  out << ", promised as ";
  show_bytes(out, draw.commitment);
  out << ", and";
  for (const auto& entropy : draw.entropy) {
    out << " ";
    if (entropy)
      show_bytes(out, *entropy);
    else
      out << "none";
  }
  return out;
}

std::ostream& operator<<(std::ostream& out, const GameSetup& setup) {
  out << "players";
  for (const std::string& player : setup.players)
    out << " " << std::quoted(player);
  out << "; " << setup.board << "; " << setup.rules << "; seed " << setup.seed;
  if (setup.origin) out << "; from " << setup.origin->game << " at " << setup.origin->position;
  if (setup.draw) out << "; " << *setup.draw;
  return out;
}

std::ostream& operator<<(std::ostream& out, const GameState& state) {
  if (!state.started()) return out << "not started";
  return out << "version " << state.version << ", index " << state.index << ", last turn by "
             << state.last_turn << ", redo " << state.redo << ", redoable " << state.redoable
             << "; " << state.position;
}

std::ostream& operator<<(std::ostream& out, const Command& command) {
  std::visit(ShowCommand{out}, command);
  return out;
}

std::ostream& operator<<(std::ostream& out, const TurnPlayed& event) {
  out << "TurnPlayed{turn " << event.turn << ", seat " << int{event.seat} << ", dice " << event.dice
      << (event.rolled ? " rolled" : "") << ", from " << event.from << ", landed " << event.landed
      << ", to " << event.to << ", " << event.outcome << ", next ";
  show_seat(out, event.next);
  out << ", previous " << event.previous;
  show_effects(out, event.effects);
  return out << "}";
}

std::ostream& operator<<(std::ostream& out, const Event& event) {
  std::visit(ShowEvent{out}, event);
  return out;
}

std::ostream& operator<<(std::ostream& out, const Refusal& refusal) {
  std::visit(ShowRefusal{out}, refusal);
  return out;
}

}  // namespace snl
