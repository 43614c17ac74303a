#include "generators.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <utility>

namespace snl::test {
namespace {

namespace gen = rc::gen;

using Ends = std::pair<std::int64_t, std::int64_t>;

/// Keeps those of `ends` (any numbers ≥ 0) that are separate jumps on this board, at most one for
/// every third cell.
void add_jumps(BoardDescription& board, const std::vector<Ends>& ends) {
  std::set<std::int64_t> starts;
  for (const auto& [a, b] : ends) {
    const std::int64_t from = a % board.cells + 1;
    const std::int64_t to = b % board.cells + 1;
    if (from == board.cells || from == to || std::cmp_greater(starts.size(), board.cells / 3))
      continue;
    if (!starts.insert(from).second) continue;
    (to < from ? board.snakes : board.ladders).push_back({from, to});
  }
}

BoardDescription describe(std::int64_t cells, std::int64_t width, const std::vector<Ends>& ends) {
  BoardDescription board{.cells = cells};
  if (width > 0) board.width = (width - 1) % cells + 1;
  add_jumps(board, ends);
  return board;
}

rc::Gen<std::int64_t> any_cells() {
  return gen::weightedOneOf<std::int64_t>({{3, gen::inRange<std::int64_t>(2, 12)},
                                           {3, gen::inRange<std::int64_t>(12, 40)},
                                           {2, gen::inRange<std::int64_t>(40, 121)}});
}

rc::Gen<Finish> any_finish() {
  return gen::element(Finish::exact, Finish::overshoot, Finish::bounce);
}

rc::Gen<Cell> any_start() {
  return gen::element(Cell{1}, Cell{0});
}

rc::Gen<Rules> rules_that_roll_again() {
  return gen::map(gen::tuple(any_start(), any_finish()), [](const auto& parts) {
    return Rules{.start = std::get<0>(parts), .finish = std::get<1>(parts)};
  });
}

rc::Gen<Rules> plain_rules() {
  const auto faces = gen::weightedOneOf<std::int32_t>(
      {{3, gen::just(6)}, {1, gen::inRange(min_faces, max_faces + 1)}});
  return gen::map(
      gen::tuple(any_start(), any_finish(), gen::element(1, 2), faces), [](const auto& parts) {
        const auto& [start, finish, dice, sides] = parts;
        return Rules{
            .start = start, .finish = finish, .dice = dice, .faces = sides, .sixes = Sixes::plain};
      });
}

/// Unique: each name ends with its seat.
rc::Gen<std::vector<std::string>> any_players() {
  const auto count = gen::inRange<std::size_t>(min_players, max_players + 1);
  return gen::mapcat(count, [](std::size_t seats) {
    return gen::map(gen::container<std::vector<std::string>>(seats, any_name()),
                    [](std::vector<std::string> players) {
                      for (std::size_t seat = 0; seat < players.size(); ++seat)
                        players[seat] += std::to_string(seat);
                      return players;
                    });
  });
}

using Numbers = std::vector<std::int32_t>;

/// The largest number of a power of this kind; 0 without any.
std::int32_t most_of(PowerKind kind, const Board& board) {
  std::int32_t most = 0;
  for (const PowerCell& power : board.powers())
    if (power.power.kind == kind) most = std::max(most, std::int32_t{power.power.n});
  return most;
}

/// A position in the middle of a game with effects. Any player who doesn't miss a turn may be next.
rc::Gen<Position> any_position_with_effects(const GameSetup& setup) {
  const auto players = setup.players.size();
  const auto cells = gen::container<std::vector<Cell>>(
      players, gen::inRange(setup.rules.start, std::max(setup.board.cells(), 2)));
  const auto counts = [&](PowerKind kind) {
    return gen::container<Numbers>(players, gen::inRange(0, most_of(kind, setup.board) + 1));
  };
  return gen::map(gen::tuple(cells, counts(PowerKind::shield), counts(PowerKind::skip),
                             gen::inRange<std::size_t>(0, players), gen::inRange<Turn>(10, 200)),
                  [players](const auto& parts) {
                    const auto& [stand, shields, skips, next, turn] = parts;
                    Position position{.next = static_cast<Seat>(next), .turn = turn};
                    const auto seats = static_cast<Seat>(players);
                    for (Seat seat = 0; seat < seats; ++seat) {
                      position.cells.at(seat) = stand[seat];
                      position.tallies.shields.set(seat, shields[seat]);
                      position.tallies.skips.set(seat, seat == next ? 0 : skips[seat]);
                    }
                    return position;
                  });
}

/// A position in the middle of a game that no player has won.
rc::Gen<Position> any_position(const GameSetup& setup) {
  if (has_effects(setup)) return any_position_with_effects(setup);
  const auto players = setup.players.size();
  const Cell start = setup.rules.start;
  const auto cells = gen::container<std::vector<Cell>>(
      players, gen::inRange(setup.rules.start, std::max(setup.board.cells(), 2)));
  return gen::map(gen::tuple(cells, gen::inRange<Turn>(1, 200)), [players,
                                                                  start](const auto& parts) {
    const auto& [stand, turn] = parts;
    const auto seats = static_cast<Turn>(players);
    Position position{
        .cells = {}, .next = static_cast<Seat>(turn % seats), .winner = std::nullopt, .turn = turn};
    for (std::size_t seat = 0; seat < players; ++seat)
      position.cells[seat] = static_cast<Turn>(seat) < turn ? stand[seat] : start;
    return position;
  });
}

rc::Gen<GameSetup> any_first_game() {
  return gen::map(
      gen::tuple(any_players(), any_board(), any_rules(), gen::arbitrary<std::uint64_t>()),
      [](const auto& parts) {
        const auto& [players, board, rules, seed] = parts;
        return GameSetup{.players = players, .board = board, .rules = rules, .seed = seed};
      });
}

using Places = std::vector<std::pair<std::int64_t, std::int32_t>>;

/// Keeps those of `places` (any numbers ≥ 0) that are powers on this board.
void add_powers(BoardDescription& board, const Places& places) {
  std::set<std::int64_t> taken;
  for (const auto& jumps : {board.snakes, board.ladders})
    for (const DescribedJump jump : jumps)
      taken.insert(jump.from);
  for (const auto& [place, which] : places) {
    const std::int64_t cell = place % (board.cells - 1) + 1;
    if (!taken.insert(cell).second) continue;
    const auto kinds = static_cast<std::int32_t>(power_kinds.size());
    DescribedPower power{.cell = cell,
                         .kind = power_kinds.at(static_cast<std::size_t>(which % kinds))};
    if (has_number(power.kind)) power.n = which / kinds % max_seat_count + 1;
    board.powers.push_back(power);
  }
}

/// Arbitrary numbers: the domain's tests know no hashes, so commitments and entropy needn't match.
rc::Gen<GameSetup> with_a_draw(const rc::Gen<GameSetup>& games) {
  using Entropy = std::vector<std::pair<bool, Draw::Bytes>>;
  return gen::mapcat(games, [](const GameSetup& game) {
    const auto bytes = gen::arbitrary<Draw::Bytes>();
    const auto entropy =
        gen::container<Entropy>(game.players.size(), gen::pair(gen::arbitrary<bool>(), bytes));
    return gen::map(gen::tuple(bytes, bytes, entropy), [game](const auto& parts) {
      const auto& [commitment, secret, promised] = parts;
      GameSetup setup = game;
      Draw& draw = setup.draw.emplace();
      draw.commitment = commitment;
      draw.secret = secret;
      for (const auto& [has_a_say, said] : promised)
        draw.entropy.push_back(has_a_say ? std::optional(said) : std::nullopt);
      return setup;
    });
  });
}

rc::Gen<Places> any_places() {
  return gen::container<Places>(
      gen::pair(gen::inRange<std::int64_t>(0, 1'000'000), gen::inRange(0, 1000)));
}

/// Some of the numbers from `least` to `most`, ascending, made from any numbers ≥ 0.
std::vector<std::int32_t> some_of(const Numbers& numbers, std::int32_t least, std::int32_t most) {
  std::set<std::int32_t> some;
  for (const std::int32_t number : numbers)
    if (most >= least) some.insert(number % (most - least + 1) + least);
  return {some.begin(), some.end()};
}

rc::Gen<Numbers> few_numbers() {
  return gen::resize(4, gen::container<Numbers>(gen::inRange(0, 1000)));
}

/// With powers, and perhaps with captures, faces that enter and sixes that give another turn.
rc::Gen<GameSetup> any_first_game_with_effects() {
  const auto parts =
      gen::tuple(any_first_game(), any_board_description(), any_places(), few_numbers(),
                 gen::element(Meet::share, Meet::capture), few_numbers(), gen::arbitrary<bool>());
  return gen::map(parts, [](const auto& chosen) {
    auto [setup, description, places, enter, meet, safe, each] = chosen;
    add_powers(description, places);
    setup.board = Board::make(description).value();
    if (each && can_roll_again(setup.rules)) setup.rules.sixes = Sixes::each;
    if (setup.rules.start == 0) setup.rules.enter = some_of(enter, 1, setup.rules.faces);
    setup.rules.meet = meet;
    if (meet == Meet::capture) setup.rules.safe = some_of(safe, 2, setup.board.cells() - 1);
    return setup;
  });
}

rc::Gen<GameSetup> any_branch_of(const rc::Gen<GameSetup>& games) {
  return gen::mapcat(games, [](const GameSetup& first) {
    return gen::map(any_position(first), [first](const Position& position) {
      GameSetup branch = first;
      branch.origin = Origin{.game = "g1", .head = std::string(64, 'a'), .position = position};
      return branch;
    });
  });
}

/// n dice of `faces`.
rc::Gen<Dice> thrown(std::int32_t n, std::int32_t faces) {
  return gen::map(gen::container<std::vector<std::int32_t>>(static_cast<std::size_t>(n),
                                                            gen::inRange(1, faces + 1)),
                  [](const std::vector<std::int32_t>& values) { return Dice(std::span(values)); });
}

/// Up to two sixes, then any die.
rc::Gen<Dice> thrown_again_after_sixes() {
  return gen::map(
      gen::tuple(gen::weightedElement<int>({{4, 0}, {2, 1}, {1, 2}}), gen::inRange(1, 7)),
      [](const auto& parts) {
        std::vector<std::int32_t> values(static_cast<std::size_t>(std::get<0>(parts)), 6);
        values.push_back(std::get<1>(parts));
        return Dice(std::span<const std::int32_t>(values));
      });
}

rc::Gen<Wish> wish_of(Wish::Kind kind, rc::Gen<Turn> amount, rc::Gen<Dice> dice) {
  return gen::map(gen::tuple(std::move(amount), std::move(dice)), [kind](const auto& parts) {
    return Wish{.kind = kind, .amount = std::get<0>(parts), .dice = std::get<1>(parts)};
  });
}

rc::Gen<Wish> any_wish(const Rules& rules) {
  using enum Wish::Kind;
  const auto none = gen::just(Turn{0});
  const auto some =
      gen::weightedOneOf<Turn>({{9, gen::inRange<Turn>(1, 5)}, {1, gen::inRange<Turn>(-1, 20)}});
  const auto seats = gen::inRange<Turn>(1, static_cast<Turn>(max_players));
  const auto no_dice = gen::just(Dice{});
  const auto possible = possible_dice_under(rules);
  return gen::weightedOneOf<Wish>({
      {24, wish_of(play, none, possible)},
      {12, wish_of(roll, none, no_dice)},
      {8, wish_of(undo, some, no_dice)},
      {8, wish_of(redo, some, no_dice)},
      {2, wish_of(undo_to, some, no_dice)},
      {2, wish_of(play_out_of_turn, seats, possible)},
      {1, wish_of(play_as_nobody, none, possible)},
      {2, wish_of(play_impossibly, none, impossible_dice_under(rules))},
      {1, wish_of(start, none, no_dice)},
  });
}

}  // namespace

rc::Gen<BoardDescription> any_board_description() {
  const auto number = gen::inRange<std::int64_t>(0, 1'000'000);
  return gen::map(gen::tuple(any_cells(), gen::inRange<std::int64_t>(0, 130),
                             gen::container<std::vector<Ends>>(gen::pair(number, number))),
                  [](const auto& parts) {
                    const auto& [cells, width, ends] = parts;
                    return describe(cells, width, ends);
                  });
}

rc::Gen<Board> any_board() {
  return gen::map(any_board_description(), [](const BoardDescription& description) {
    return Board::make(description).value();
  });
}

rc::Gen<Rules> any_rules() {
  return gen::oneOf(rules_that_roll_again(), plain_rules());
}

rc::Gen<std::string> any_name() {
  const auto piece =
      gen::elementOf(std::vector<std::string>{"A", "b", " ", ",", "\"", "'", "\\", "-", "{", "é",
                                              "玩家", "🐍", "WIN", "null", "%s", "\u00a0"});
  return gen::map(
      gen::container<std::vector<std::string>>(3, piece),
      [](const std::vector<std::string>& pieces) { return pieces[0] + pieces[1] + pieces[2]; });
}

rc::Gen<GameSetup> any_setup() {
  return gen::weightedOneOf<GameSetup>({{3, any_first_game()},
                                        {1, any_branch_of(any_first_game())},
                                        {1, with_a_draw(any_first_game())},
                                        {3, any_first_game_with_effects()},
                                        {1, any_branch_of(any_first_game_with_effects())},
                                        {1, with_a_draw(any_first_game_with_effects())}});
}

rc::Gen<Dice> possible_dice_under(const Rules& rules) {
  if (rules.sixes == Sixes::again) return thrown_again_after_sixes();
  return thrown(rules.dice, rules.faces);
}

rc::Gen<Dice> impossible_dice_under(const Rules& rules) {
  std::vector<Dice> dice{{}, {0}, {-1}, {rules.faces + 1}, {1, 0}, {1, 1, 1}, {6, 6, 6, 6}};
  if (rules.sixes == Sixes::again)
    dice.insert(dice.end(), {{1, 6}, {6, 7}, {6, 1, 6}, {6, 6, 0}});
  else
    dice.push_back(rules.dice == 1 ? Dice{1, 1} : Dice{1});
  return gen::elementOf(dice);
}

/// For an even number of undone turns, one player asked and another agreed.
std::optional<Takeback> takeback_for(const Wish& wish, const GameState& state) {
  if (wish.amount % 2 != 0) return std::nullopt;
  Takeback takeback{.asked = state.position.next};
  for (Seat seat = 0; seat < state.players(); ++seat)
    if (seat % 2 == 0 || wish.amount > 2) takeback.agreed.insert(seat);
  return takeback;
}

Command command_for(const Wish& wish, const GameState& state) {
  const Seat next = state.position.next;
  switch (wish.kind) {
    case Wish::Kind::play:
    case Wish::Kind::play_impossibly:
      return PlayTurn{next, wish.dice};
    case Wish::Kind::roll:
      return RollTurn{.by = static_cast<Roller>(wish.amount % 4)};
    case Wish::Kind::undo:
      return UndoTurns{wish.amount};
    case Wish::Kind::redo:
      return RedoTurns{wish.amount};
    case Wish::Kind::undo_to:
      return UndoToTurn{.turn = state.position.turn - wish.amount,
                        .takeback = takeback_for(wish, state)};
    case Wish::Kind::play_out_of_turn: {
      const auto others = static_cast<Turn>(state.players()) - 1;
      const Turn away = (wish.amount - 1) % others + 1;
      return PlayTurn{static_cast<Seat>((next + away) % (others + 1)), wish.dice};
    }
    case Wish::Kind::play_as_nobody:
      return PlayTurn{unknown_seat, wish.dice};
    case Wish::Kind::start:
      break;
  }
  return StartGame{state.setup};
}

rc::Gen<Script> any_script() {
  return gen::mapcat(any_setup(), [](const GameSetup& setup) {
    const auto shared = std::make_shared<const GameSetup>(setup);
    return gen::map(
        gen::container<std::vector<Wish>>(any_wish(setup.rules)),
        [shared](std::vector<Wish> wishes) { return Script{shared, std::move(wishes)}; });
  });
}

std::ostream& operator<<(std::ostream& out, const Wish& wish) {
  switch (wish.kind) {
    case Wish::Kind::play:
      return out << "play " << wish.dice;
    case Wish::Kind::roll:
      return out << "roll";
    case Wish::Kind::undo:
      return out << "undo " << wish.amount;
    case Wish::Kind::redo:
      return out << "redo " << wish.amount;
    case Wish::Kind::undo_to:
      return out << "undo to " << wish.amount << " turns before";
    case Wish::Kind::play_out_of_turn:
      return out << "play " << wish.dice << " out of turn by " << wish.amount;
    case Wish::Kind::play_as_nobody:
      return out << "play " << wish.dice << " as nobody";
    case Wish::Kind::play_impossibly:
      return out << "play impossible " << wish.dice;
    case Wish::Kind::start:
      return out << "start again";
  }
  return out;
}

std::ostream& operator<<(std::ostream& out, const Script& script) {
  out << *script.setup;
  for (const Wish& wish : script.wishes)
    out << "\n  " << wish;
  return out;
}

}  // namespace snl::test
