// Properties of any game, whatever its players do. Random scripts of legal and illegal commands are
// executed, and compared with a second, plain implementation and with their own history.
#include "bounds.hpp"
#include "domain/timeline.hpp"
#include "generators.hpp"
#include "recorded_game.hpp"
#include "reference_game.hpp"

#include <boost/test/unit_test.hpp>
#include <rapidcheck/boost_test.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <variant>

using namespace snl;
using namespace snl::test;

namespace {

namespace gen = rc::gen;
using Answer = ReferenceGame::Answer;

struct AnswerOf {
  Answer operator()(const InvalidMove& /*refusal*/) const { return Answer::invalid_move; }
  Answer operator()(const GameCompleted& /*refusal*/) const { return Answer::game_completed; }
  Answer operator()(const UnknownPlayer& /*refusal*/) const { return Answer::unknown_player; }
  Answer operator()(const ImpossibleDice& /*refusal*/) const { return Answer::impossible_dice; }
  Answer operator()(const NotEnoughTurns& /*refusal*/) const { return Answer::not_enough_turns; }
  Answer operator()(const TurnOutOfRange& /*refusal*/) const { return Answer::turn_out_of_range; }
  Answer operator()(const WrongStart& /*refusal*/) const { return Answer::wrong_start; }
  Answer operator()(const InvalidSetup& refusal) const { RC_FAIL(refusal.faults.front()); }
  Answer operator()(const Damage& refusal) const { RC_FAIL(refusal.what); }
};

Answer answer_to(const std::expected<std::vector<Event>, Refusal>& decided) {
  return decided ? Answer::accepted : std::visit(AnswerOf{}, decided.error());
}

/// The game after the whole script; `check` sees it after every command, including the start.
template <class Check>
RecordedGame perform(const Script& script, Check check) {
  RecordedGame game(script.setup);
  check(game);
  for (const Wish& wish : script.wishes) {
    std::ignore = game.perform(command_for(wish, game.state()));
    check(game);
  }
  return game;
}

RecordedGame perform(const Script& script) {
  return perform(script, [](const RecordedGame&) {});
}

/// Turns to undo or redo, 1 to `possible`.
Turn any_count(Turn possible) {
  RC_PRE(possible >= 1);
  return *gen::inRange<Turn>(1, possible + 1);
}

/// The state, without the number of commands that led to it.
GameState without_version(GameState state) {
  state.version = 0;
  state.index = 0;
  return state;
}

bool is_sound(const std::vector<Event>& events) {
  return fold({}, events).has_value();
}

// ---- Falsified events: one field is changed.

template <class Number>
Number another(Number value) {
  return static_cast<Number>(value + *gen::element(-100, -2, -1, 1, 2, 77));
}

std::optional<Seat> another(std::optional<Seat> next) {
  if (!next) return Seat{0};
  return *gen::arbitrary<bool>() ? std::nullopt : std::optional(another(*next));
}

Outcome another(Outcome outcome) {
  using enum Outcome;
  const Outcome other = *gen::element(moved, blocked, forfeited, waiting, won);
  return other != outcome ? other : outcome == moved ? blocked : moved;
}

Seat any_seat() {
  return *gen::inRange<Seat>(0, max_players);
}

void falsify(SeatSet& seats) {
  const SeatSet was = seats;
  seats = {};
  const Seat one = any_seat();
  for (Seat seat = 0; seat < max_players; ++seat)
    if (was.has(seat) != (seat == one)) seats.insert(seat);
}

void falsify(SeatCounts& counts) {
  const Seat seat = any_seat();
  counts.set(seat, (counts.of(seat) + 1) % (max_seat_count + 1));
}

void falsify(Effects& effects) {
  switch (*gen::inRange(0, 9)) {
    case 0:
      effects.rest = another(effects.rest);
      break;
    case 1:
      effects.shielded = !effects.shielded;
      break;
    case 2:
      falsify(effects.captured);
      break;
    case 3:
      effects.captured_to = another(effects.captured_to);
      break;
    case 4:
      effects.power = effects.power ? std::nullopt : std::optional(Power{.kind = PowerKind::again});
      break;
    case 5:
      effects.swapped = another(effects.swapped);
      break;
    case 6:
      falsify(**gen::element(&effects.before.shields, &effects.before.skips));
      break;
    case 7:
      falsify(**gen::element(&effects.after.shields, &effects.after.skips));
      break;
    default:
      falsify(effects.missed);
      break;
  }
}

void falsify(Restored& restored) {
  switch (*gen::inRange(0, 5)) {
    case 0:
      falsify(restored.captured);
      break;
    case 1:
      restored.captured_to = another(restored.captured_to);
      break;
    case 2:
      restored.swapped = another(restored.swapped);
      break;
    case 3:
      restored.swapped_to = another(restored.swapped_to);
      break;
    default:
      falsify(**gen::element(&restored.tallies.shields, &restored.tallies.skips));
      break;
  }
}

/// Each changes one field, and returns whether that puts the event out of sequence.
bool falsify(TurnPlayed& turn) {
  if (turn.effects && *gen::arbitrary<bool>()) {
    falsify(*turn.effects);
    return false;
  }
  switch (*gen::inRange(0, 10)) {
    case 0:
      turn.turn = another(turn.turn);
      return true;
    case 1:
      turn.seat = another(turn.seat);
      return true;
    case 2:
      turn.from = another(turn.from);
      return true;
    case 3:
      turn.previous = another(turn.previous);
      return true;
    case 4:
      turn.to = another(turn.to);
      return false;
    case 5:
      turn.next = another(turn.next);
      return false;
    case 6:
      turn.landed = another(turn.landed);
      return false;
    case 7:
      turn.outcome = another(turn.outcome);
      return false;
    case 8:
      turn.dice = turn.dice == Dice{1} ? Dice{another(1)} : Dice{1};
      return false;
    default:
      turn.rolled = !turn.rolled;
      return false;
  }
}

bool falsify(TurnUndone& undone) {
  if (undone.restored && *gen::arbitrary<bool>()) {
    falsify(*undone.restored);
    return false;
  }
  switch (*gen::inRange(0, 8)) {
    case 0:
      undone.turn = another(undone.turn);
      return true;
    case 1:
      undone.from = another(undone.from);
      return true;
    case 2:
      undone.played = another(undone.played);
      return true;
    case 3:
      undone.later.version = another(undone.later.version);
      return true;
    case 4:
      undone.seat = another(undone.seat);
      return false;
    case 5:
      undone.to = another(undone.to);
      return false;
    case 6:
      undone.previous = another(undone.previous);
      return false;
    default:
      undone.index = another(undone.index);
      return false;
  }
}

bool falsify(TurnRedone& redone) {
  if (redone.restored && *gen::arbitrary<bool>()) {
    falsify(*redone.restored);
    return false;
  }
  switch (*gen::inRange(0, 9)) {
    case 0:
      redone.turn = another(redone.turn);
      return true;
    case 1:
      redone.seat = another(redone.seat);
      return true;
    case 2:
      redone.from = another(redone.from);
      return true;
    case 3:
      redone.to = another(redone.to);
      return false;
    case 4:
      redone.played = another(redone.played);
      return false;
    case 5:
      redone.next = another(redone.next);
      return false;
    case 6:
      redone.later.version = another(redone.later.version);
      return false;
    case 7:
      redone.outcome = another(redone.outcome);
      return false;
    default:
      redone.index = another(redone.index);
      return false;
  }
}

bool falsify(GameStarted& started) {
  started.setup = nullptr;
  return true;
}

bool falsify(Event& event) {
  return std::visit([](auto& body) { return falsify(body); }, event);
}

/// A command and its recorded events.
struct Recorded {
  Command command;
  std::vector<Event> events;
};

std::vector<Recorded> recorded(const Script& script) {
  RecordedGame game;
  std::vector<Recorded> commands;
  const auto perform = [&](const Command& command) {
    if (auto decided = game.perform(command)) commands.push_back({command, *std::move(decided)});
  };
  perform(StartGame{script.setup});
  for (const Wish& wish : script.wishes)
    perform(command_for(wish, game.state()));
  return commands;
}

/// True if reading the log finds damage, or if its commands, decided again, give other events.
bool is_noticed(const std::vector<Recorded>& log) {
  RecordedGame game;
  for (const auto& [command, events] : log) {
    RecordedGame again = game;
    const auto decided = again.perform(command);
    if (!decided || *decided != events) return true;
    for (const Event& event : events)
      if (!game.record(event)) return true;
  }
  return false;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(playing_any_game)

RC_BOOST_PROP(the_engine_agrees_with_a_plain_implementation, (const Script& script)) {
  RecordedGame game(script.setup);
  ReferenceGame reference(script.setup);
  for (const Wish& wish : script.wishes) {
    const Command command = command_for(wish, game.state());
    RC_ASSERT(answer_to(game.perform(command)) == reference.perform(command));
    const GameState& state = game.state();
    RC_ASSERT(state.position == reference.position());
    RC_ASSERT(state.version == reference.version());
    RC_ASSERT(state.undoable() == reference.undoable());
    RC_ASSERT(state.redoable == reference.redoable());
  }
}

RC_BOOST_PROP(the_events_fold_to_the_live_state, (const Script& script)) {
  perform(script, [](const RecordedGame& game) {
    RC_ASSERT(fold({}, game.events()).value() == game.state());
  });
}

RC_BOOST_PROP(the_same_commands_cause_the_same_events, (const Script& script)) {
  RC_ASSERT(perform(script).events() == perform(script).events());
}

RC_BOOST_PROP(a_turn_tells_what_it_does, (const Script& script)) {
  const RecordedGame game = perform(script);
  GameState state;
  for (const Event& event : game.events()) {
    const GameState after = evolve(state, event).value();
    if (const auto* turn = std::get_if<TurnPlayed>(&event)) {
      RC_ASSERT(turn->from == state.position.cells[turn->seat]);
      RC_ASSERT(turn->to == after.position.cells[turn->seat]);
      const std::vector<Step> steps = steps_of(*turn);
      RC_ASSERT(turn->to == (steps.empty() ? turn->from : steps.back().to));
      for (const Displaced& piece : displaced_by(*turn)) {
        RC_ASSERT(piece.from == state.position.cells.at(piece.seat));
        RC_ASSERT(piece.to == after.position.cells.at(piece.seat));
      }
      RC_ASSERT(position_after(state.position, *turn) == after.position);
      RC_ASSERT(position_before(after.position, *turn) == state.position);
      RC_ASSERT(turn->next.has_value() == !after.completed());
      RC_ASSERT(turn->turn == after.position.turn);
    }
    state = after;
  }
}

RC_BOOST_PROP(playing_out_is_rolling_every_turn, (const GameSetup& setup)) {
  const auto shared = std::make_shared<const GameSetup>(setup);
  RecordedGame game(shared);
  const auto end = play_out(game.state(), seeded_dice, {}, 50).value();
  for (int turn = 0; turn < 50 && !game.state().completed(); ++turn)
    RC_ASSERT(game.perform(RollTurn{}).has_value());
  RC_ASSERT(end == game.state());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(undoing_in_any_game)

RC_BOOST_PROP(undo_then_redo_restores_all_but_the_version, (const Script& script)) {
  RecordedGame game = perform(script);
  const GameState before = game.state();
  const Turn count = any_count(before.undoable());
  RC_ASSERT(game.perform(UndoTurns{count}).has_value());
  RC_ASSERT(game.state().position.turn == before.position.turn - count);
  RC_ASSERT(game.perform(RedoTurns{count}).has_value());
  RC_ASSERT(without_version(game.state()) == without_version(before));
  RC_ASSERT(game.state().version == before.version + 2);
}

RC_BOOST_PROP(redo_then_undo_restores_the_position, (const Script& script)) {
  RecordedGame game = perform(script);
  const GameState before = game.state();
  const Turn count = any_count(before.redoable);
  RC_ASSERT(game.perform(RedoTurns{count}).has_value());
  RC_ASSERT(game.perform(UndoTurns{count}).has_value());
  RC_ASSERT(game.state().position == before.position);
  RC_ASSERT(game.state().redoable == before.redoable);
  RC_ASSERT(game.state().last_turn == before.last_turn);
}

RC_BOOST_PROP(many_undos_are_as_good_as_one, (const Script& script)) {
  RecordedGame at_once = perform(script);
  RecordedGame singly = at_once;
  const Turn count = any_count(at_once.state().undoable());
  RC_ASSERT(at_once.perform(UndoTurns{count}).has_value());
  for (Turn turn = 0; turn < count; ++turn)
    RC_ASSERT(singly.perform(UndoTurns{1}).has_value());
  RC_ASSERT(singly.state().position == at_once.state().position);
  RC_ASSERT(singly.state().redoable == at_once.state().redoable);
  RC_ASSERT(singly.state().last_turn == at_once.state().last_turn);
}

RC_BOOST_PROP(a_turn_moved_reads_at_most_two_events, (const Script& script)) {
  RecordedGame game(script.setup);
  for (const Wish& wish : script.wishes) {
    const std::size_t recalls = game.recalls();
    const auto decided = game.perform(command_for(wish, game.state()));
    const std::size_t events = decided ? decided->size() : 0;
    RC_ASSERT(game.recalls() - recalls <= 2 * events);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(looking_back_on_any_game)

RC_BOOST_PROP(every_position_is_the_one_that_was_live, (const Script& script)) {
  std::map<Turn, Position> live;
  const RecordedGame game = perform(script, [&](const RecordedGame& then) {
    const Position& position = then.state().position;
    live.insert_or_assign(position.turn, position);
  });
  Timeline timeline;
  for (const Event& event : game.events())
    RC_ASSERT(timeline.add(event).has_value());
  RC_ASSERT(timeline.state() == game.state());
  for (Turn turn = timeline.first_turn(); turn <= timeline.last_turn(); ++turn)
    RC_ASSERT(timeline.position_after(turn) == live.at(turn));
}

RC_BOOST_PROP(every_turn_is_on_record_and_those_in_force_arent_undone, (const Script& script)) {
  const RecordedGame game = perform(script);
  Timeline timeline;
  for (const Event& event : game.events())
    RC_ASSERT(timeline.add(event).has_value());
  const auto played = std::ranges::count_if(
      game.events(), [](const Event& event) { return std::holds_alternative<TurnPlayed>(event); });
  const auto in_force = std::ranges::count(timeline.recorded(), false, &Timeline::Entry::undone);
  RC_ASSERT(std::ssize(timeline.recorded()) == played);
  RC_ASSERT(in_force == game.state().undoable());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(reading_any_log_that_was_falsified)

RC_BOOST_PROP(an_event_out_of_sequence_is_damage, (const Script& script)) {
  const RecordedGame game = perform(script);
  const auto place = *gen::inRange<std::size_t>(0, game.events().size());
  const auto before = fold({}, std::span(game.events()).first(place)).value();
  Event event = game.events()[place];
  RC_PRE(falsify(event));
  RC_ASSERT(event != game.events()[place]);
  RC_ASSERT(!evolve(before, event).has_value());
}

RC_BOOST_PROP(whatever_the_events_the_state_is_in_bounds_and_can_be_played_on,
              (const Script& script)) {
  RecordedGame game(script.setup);
  for (const Wish& wish : script.wishes) {
    auto decided = game.decided(command_for(wish, game.state()));
    if (!decided) continue;
    for (Event& event : *decided) {
      for (int lies = *gen::inRange(0, 3); lies > 0; --lies)
        if (!std::holds_alternative<GameStarted>(event)) std::ignore = falsify(event);
      std::ignore = game.record(event);
      const char* const fault = fault_in(game.state());
      if (fault != nullptr) RC_FAIL(fault);
    }
    const GameState& state = game.state();
    std::ignore = game.decided(UndoTurns{state.undoable()});
    std::ignore = game.decided(RedoTurns{state.redoable});
    if (!state.completed()) RC_ASSERT(evolve(state, decide(state, RollTurn{}).value()).has_value());
  }
}

RC_BOOST_PROP(one_wrong_field_is_noticed_when_the_commands_are_decided_again,
              (const Script& script)) {
  auto log = recorded(script);
  RC_ASSERT(!is_noticed(log));
  Recorded& entry = log[*gen::inRange<std::size_t>(0, log.size())];
  const auto place = *gen::inRange<std::size_t>(0, entry.events.size());
  std::ignore = falsify(entry.events[place]);
  RC_ASSERT(is_noticed(log));
}

RC_BOOST_PROP(an_event_left_out_is_damage, (const Script& script)) {
  auto events = perform(script).events();
  RC_PRE(events.size() >= 2U);
  const auto index = *gen::inRange<std::ptrdiff_t>(0, std::ssize(events) - 1);
  events.erase(events.begin() + index);
  RC_ASSERT(!is_sound(events));
}

RC_BOOST_PROP(an_event_told_twice_is_damage, (const Script& script)) {
  auto events = perform(script).events();
  const auto index = *gen::inRange<std::ptrdiff_t>(0, std::ssize(events));
  const Event twice = events[static_cast<std::size_t>(index)];
  events.insert(events.begin() + index, twice);
  RC_ASSERT(!is_sound(events));
}

RC_BOOST_PROP(two_events_in_the_wrong_order_are_damage, (const Script& script)) {
  auto events = perform(script).events();
  RC_PRE(events.size() >= 2U);
  const auto index = *gen::inRange<std::size_t>(0, events.size() - 1);
  std::swap(events[index], events[index + 1]);
  RC_ASSERT(!is_sound(events));
}

BOOST_AUTO_TEST_SUITE_END()
