// Goal: the player goes through a game as it was, and its screens can be read at any size. Method:
// states are asked, moment by moment and key by key, without a terminal; what a terminal would show
// is worked out by a small one that knows the few sequences that are written. Whole screens are
// compared in test_player.py.
#define BOOST_TEST_MODULE player
#include "cli/board_view.hpp"
#include "cli/frame.hpp"
#include "cli/keys.hpp"
#include "cli/player_view.hpp"
#include "cli/terminal_text.hpp"
#include "domain/named_boards.hpp"
#include "tests/domain/recorded_game.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>
#include <set>

using namespace snl;
using namespace snl::cli;
using Code = Key::Code;

namespace {

// ---- Games

std::shared_ptr<const GameSetup> a_setup(const Board& board, std::string_view rules,
                                         std::size_t players) {
  const std::vector<std::string> names{"Ann", "Bob", "Cem", "Dee", "Eva",
                                       "Fay", "Gus", "Hal", "Ida", "Jim"};
  const auto count = static_cast<std::ptrdiff_t>(players);
  return std::make_shared<const GameSetup>(
      GameSetup{.players = {names.begin(), names.begin() + count},
                .board = board,
                .rules = *rules_named(rules),
                .seed = 42});
}

Board a_board(std::int64_t cells, std::int64_t width) {
  return *Board::make({.cells = cells, .width = width});
}

Board class_board() {
  return find_named_board("class")->board();
}

Timeline timeline_of(const std::vector<Event>& events) {
  Timeline timeline;
  for (const Event& event : events)
    BOOST_REQUIRE(timeline.add(event).has_value());
  return timeline;
}

/// A game of seeded dice: up to `turns`.
Timeline rolled(const std::shared_ptr<const GameSetup>& setup, Turn turns) {
  Timeline timeline;
  const auto start = evolve(GameState{}, *decide(GameState{}, StartGame{setup}));
  (void)timeline.add(GameStarted{setup});
  (void)play_out(
      *start, seeded_dice, [&](const Event& event) { (void)timeline.add(event); }, turns);
  return timeline;
}

Timeline a_class_game() {
  return rolled(a_setup(class_board(), "standard", 3), 1000);
}

PlayTurn turn_of(Seat seat, std::initializer_list<std::int32_t> dice) {
  return {seat, Dice(dice)};
}

// ---- Doing things

PlayerModel replay_of(const Timeline& timeline, const PlayerSettings& settings = {}) {
  return PlayerModel(Reel::in_force(timeline), settings);
}

void type(PlayerModel& model, std::string_view characters) {
  for (const char c : characters)
    (void)model.press(typed(c));
}

void press(PlayerModel& model, Code code) {
  (void)model.press(Key{.code = code});
}

constexpr Milliseconds an_hour{3'600'000};

/// Where the mover is seen, from the beginning of the shot that comes next to its end.
std::vector<Cell> way_of_next_turn(PlayerModel& model) {
  std::vector<Cell> way;
  type(model, ".");
  while (!model.scene().settled) {
    const Scene scene = model.scene();
    const Cell cell = scene.position.cells[*scene.mover];
    if (way.empty() || way.back() != cell) way.push_back(cell);
    model.advance(*model.until_change());
  }
  const Cell end = model.scene().position.cells[*model.scene().mover];
  if (way.empty() || way.back() != end) way.push_back(end);
  return way;
}

// ---- A terminal

/// Knows CUP and ED, and passes over SGR.
class Terminal {
 public:
  explicit Terminal(Size size) : frame_(size) {}

  void take(std::string_view text) {
    while (!text.empty()) {
      if (text[0] != '\x1b') {
        const auto end = std::min(text.find('\x1b'), text.size());
        column_ = frame_.put(column_, row_, text.substr(0, end));
        text.remove_prefix(end);
        continue;
      }
      const auto end = text.find_first_of("HJm");
      BOOST_REQUIRE(end != std::string_view::npos);
      if (text[end] == 'H') move_to(text.substr(2, end - 2));
      if (text[end] == 'J') frame_ = Frame(frame_.size());
      text.remove_prefix(end + 1);
    }
  }

  std::vector<std::string> screen() const {
    std::vector<std::string> lines;
    for (int row = 0; row < frame_.size().rows; ++row)
      lines.push_back(frame_.text(row));
    return lines;
  }

 private:
  void move_to(std::string_view place) {
    const auto semicolon = place.find(';');
    row_ = place.empty() ? 0 : std::stoi(std::string(place.substr(0, semicolon))) - 1;
    column_ = place.empty() ? 0 : std::stoi(std::string(place.substr(semicolon + 1))) - 1;
  }

  Frame frame_;
  int column_ = 0;
  int row_ = 0;
};

std::vector<std::string> lines_of(const Frame& frame) {
  std::vector<std::string> lines;
  for (int row = 0; row < frame.size().rows; ++row)
    lines.push_back(frame.text(row));
  return lines;
}

std::string text_of(const Frame& frame) {
  std::string text;
  for (const std::string& line : lines_of(frame))
    text += line + '\n';
  return text;
}

bool shows(const Frame& frame, std::string_view text) {
  return text_of(frame).find(text) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(writing_a_screen)

BOOST_AUTO_TEST_CASE(what_differs_is_enough_whatever_was_there) {
  std::mt19937 random(7);
  const std::vector<std::string> words{"a", "bc", " ", "龍", "é", "─", "⣿", "x龍y", "e\u0301"};
  for (const bool colour : {false, true}) {
    const Size size{.columns = 9, .rows = 3};
    Terminal terminal(size);
    Frame shown(size);
    terminal.take(whole(shown, colour));
    for (int i = 0; i < 500; ++i) {
      Frame wanted = shown;
      for (int changed = 0; changed < 3; ++changed)
        wanted.put(static_cast<int>(random() % 11) - 1, static_cast<int>(random() % 3),
                   words[random() % words.size()], {.bold = random() % 2 == 0});
      terminal.take(changes(shown, wanted, colour));
      BOOST_TEST(terminal.screen() == lines_of(wanted), boost::test_tools::per_element());
      shown = wanted;
    }
  }
}

BOOST_AUTO_TEST_CASE(nothing_is_written_of_what_is_there_already) {
  Frame frame({.columns = 20, .rows = 4});
  frame.put(2, 1, "abc", {.bold = true});
  BOOST_TEST(changes(frame, frame, true).empty());
  Frame other = frame;
  other.put(3, 1, "x", {.bold = true});
  BOOST_TEST(changes(frame, other, true) == "\x1b[2;4H\x1b[0;1mx\x1b[0m");
  other.put(3, 1, "b");
  BOOST_TEST(changes(frame, other, false).empty());
}

BOOST_AUTO_TEST_CASE(half_a_wide_character_is_a_blank) {
  Frame frame({.columns = 4, .rows = 1});
  frame.put(0, 0, "龍龍");
  frame.put(1, 0, "x");
  BOOST_TEST(frame.text(0) == " x龍");
  frame.put(3, 0, "龍");
  BOOST_TEST(frame.text(0) == " x");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(reading_keys)

BOOST_AUTO_TEST_CASE(of_every_terminal) {
  const std::vector<std::pair<std::string, Code>> sequences{
      {"\x1b[C", Code::right},       {"\x1bOC", Code::right},
      {"\x1b[D", Code::left},        {"\x1b[1;2C", Code::far_right},
      {"\x1b[1;2D", Code::far_left}, {"\x1b[c", Code::far_right},
      {"\x1b[5~", Code::far_left},   {"\x1b[6~", Code::far_right},
      {"\x1b[H", Code::home},        {"\x1bOH", Code::home},
      {"\x1b[1~", Code::home},       {"\x1b[7~", Code::home},
      {"\x1b[F", Code::end},         {"\x1b[4~", Code::end},
      {"\x1b[8~", Code::end},        {"\x7f", Code::backspace},
      {"\b", Code::backspace},       {"\r", Code::enter},
      {"\x03", Code::interrupt},     {"\x1a", Code::suspend},
      {"\x1b[99;5u", Code::other},   {"é", Code::other},
      {"\x1bx", Code::other},        {"a", Code::character}};
  for (const auto& [bytes, code] : sequences) {
    KeyReader reader;
    const auto keys = reader.read(bytes);
    BOOST_TEST_REQUIRE(keys.size() == 1U, bytes.substr(1));
    BOOST_TEST((keys[0].code == code), bytes.substr(1));
    BOOST_TEST(!reader.is_in_sequence());

    // Byte by byte it is the same key.
    KeyReader slow;
    std::vector<Key> slowly;
    for (const char byte : bytes)
      for (const Key& key : slow.read({&byte, 1}))
        slowly.push_back(key);
    BOOST_TEST((slowly == keys), bytes.substr(1));
  }
}

BOOST_AUTO_TEST_CASE(an_escape_that_nothing_follows_is_a_key) {
  KeyReader reader;
  BOOST_TEST(reader.read("\x1b").empty());
  BOOST_TEST(reader.is_in_sequence());
  BOOST_TEST((reader.give_up() == std::vector{Key{.code = Code::escape}}));
  BOOST_TEST(!reader.is_in_sequence());
  BOOST_TEST((reader.read("\x1b\x1b[C") ==
              std::vector{Key{.code = Code::escape}, Key{.code = Code::right}}));
}

BOOST_AUTO_TEST_CASE(endless_sequences_are_forgotten) {
  KeyReader reader;
  BOOST_TEST(reader.read("\x1b[" + std::string(100'000, '1')).empty());
  BOOST_TEST((reader.read("q") == std::vector{typed('q')}));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_reel)

BOOST_AUTO_TEST_CASE(has_the_positions_of_the_game) {
  const Timeline timeline = a_class_game();
  const Reel reel = Reel::in_force(timeline);
  BOOST_TEST_REQUIRE(reel.shots() == static_cast<std::size_t>(timeline.last_turn()));
  for (std::size_t shot = 0; shot <= reel.shots(); ++shot) {
    const auto turn = static_cast<Turn>(shot);
    BOOST_TEST((reel.position(shot) == timeline.position_after(turn)));
    if (shot > 0) BOOST_TEST((reel.before(shot) == timeline.position_after(turn - 1)));
    BOOST_TEST(*reel.shot_of(turn) == shot);
  }
  BOOST_TEST(!reel.shot_of(timeline.last_turn() + 1));
}

BOOST_AUTO_TEST_CASE(knows_the_moments_that_matter) {
  // Ladder 3 → 22, snake 54 → 34, ladder 26 ← 11.
  const auto setup = a_setup(class_board(), "standard", 2);
  const Reel reel = Reel::in_force(timeline_of(
      test::events_of(setup, {turn_of(0, {1}), turn_of(1, {2}), turn_of(0, {6, 6, 6}),
                              turn_of(1, {5}), UndoTurns{1}, turn_of(1, {4}), turn_of(0, {3})})));
  BOOST_TEST_REQUIRE(reel.shots() == 5U);
  BOOST_TEST((reel.shot(1).moments == Moments{}));  // the first to lead takes it from nobody
  BOOST_TEST((reel.shot(2).moments == Moments{.ladder = true, .lead = true}));
  BOOST_TEST((reel.shot(3).moments == Moments{.forfeit = true}));
  BOOST_TEST((reel.shot(4).moments == Moments{.undo = true}));
  BOOST_TEST(reel.shot(5).moments.any() == (reel.shot(5).turn.landed != reel.shot(5).turn.to));
}

BOOST_AUTO_TEST_CASE(of_what_was_recorded_has_what_was_undone_too) {
  const auto setup = a_setup(class_board(), "standard", 2);
  const Reel reel = Reel::recorded(timeline_of(
      test::events_of(setup, {turn_of(0, {1}), turn_of(1, {1}), turn_of(0, {1}), UndoTurns{2},
                              RedoTurns{1}, UndoTurns{1}, turn_of(1, {4})})));
  BOOST_TEST_REQUIRE(reel.shots() == 4U);
  std::vector<bool> undone;
  for (std::size_t shot = 1; shot <= 4; ++shot)
    undone.push_back(reel.shot(shot).undone);
  BOOST_TEST((undone == std::vector{false, true, true, false}));
  BOOST_TEST(reel.position(4).turn == 2);
  BOOST_TEST(reel.position(4).cells[0] == 2);
  BOOST_TEST(reel.before(4).cells[1] == 1);
  BOOST_TEST(*reel.shot_of(2) == 4U);
}

BOOST_AUTO_TEST_CASE(follows_what_happens) {
  const auto setup = a_setup(class_board(), "standard", 2);
  const auto events = test::events_of(
      setup, {turn_of(0, {1}), turn_of(1, {2}), turn_of(0, {3}), UndoTurns{2}, RedoTurns{1},
              UndoTurns{1}, turn_of(1, {4}), turn_of(0, {5}), UndoTurns{1}, RedoTurns{1}});
  Timeline timeline;
  BOOST_REQUIRE(timeline.add(events[0]).has_value());
  Reel reel = Reel::in_force(timeline);
  for (std::size_t i = 1; i < events.size(); ++i) {
    BOOST_REQUIRE(timeline.add(events[i]).has_value());
    reel.follow(timeline, events[i]);
    const Reel anew = Reel::in_force(timeline);
    BOOST_TEST_REQUIRE(reel.shots() == anew.shots());
    for (std::size_t shot = 1; shot <= reel.shots(); ++shot) {
      BOOST_TEST((reel.position(shot) == anew.position(shot)));
      BOOST_TEST((reel.shot(shot).moments == anew.shot(shot).moments));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(playing_a_game_back)

BOOST_AUTO_TEST_CASE(shows_every_turn_to_its_end_and_stops) {
  PlayerModel model = replay_of(a_class_game());
  std::set<std::size_t> settled{0};
  int frames = 0;
  while (const auto wait = model.until_change()) {
    BOOST_TEST_REQUIRE(++frames < 20'000);
    model.advance(*wait);
    const Scene scene = model.scene();
    if (!scene.settled) continue;
    settled.insert(scene.shot);
    BOOST_TEST((scene.position == model.reel().position(scene.shot)));
  }
  BOOST_TEST(settled.size() == model.reel().shots() + 1);
  BOOST_TEST(model.is_over());
}

BOOST_AUTO_TEST_CASE(is_the_same_however_often_one_looks) {
  PlayerModel often = replay_of(a_class_game());
  PlayerModel seldom = often;
  for (int second = 0; second < 60; ++second) {
    for (int i = 0; i < 100; ++i)
      often.advance(Milliseconds{10});
    seldom.advance(Milliseconds{1000});
    BOOST_TEST(often.scene().shot == seldom.scene().shot);
    BOOST_TEST((often.scene().position == seldom.scene().position));
  }
}

BOOST_AUTO_TEST_CASE(moves_pieces_cell_by_cell_and_along_jumps) {
  const auto setup = a_setup(class_board(), "standard", 2);
  PlayerModel model = replay_of(timeline_of(
      test::events_of(setup, {turn_of(0, {2}), turn_of(1, {6, 3}), turn_of(0, {6, 6, 6})})));
  BOOST_TEST(way_of_next_turn(model) == (std::vector<Cell>{2, 3, 22}),
             boost::test_tools::per_element());
  BOOST_TEST(way_of_next_turn(model) == (std::vector<Cell>{2, 3, 4, 5, 6, 7, 8, 9, 10}),
             boost::test_tools::per_element());
  BOOST_TEST(way_of_next_turn(model) == (std::vector<Cell>{22}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(slides_from_one_end_of_a_jump_to_the_other) {
  const auto setup = a_setup(class_board(), "standard", 2);
  PlayerModel model = replay_of(timeline_of(test::events_of(setup, {turn_of(0, {2})})));
  type(model, ".");
  double part = -1;
  while (!model.scene().settled) {
    if (const auto slide = model.scene().slide) {
      BOOST_TEST(slide->from == 3);
      BOOST_TEST(slide->to == 22);
      BOOST_TEST(slide->part > part);
      part = slide->part;
    }
    model.advance(*model.until_change());
  }
  BOOST_TEST(part > 0.9);
}

BOOST_AUTO_TEST_CASE(bounces_off_the_end) {
  auto setup = std::make_shared<GameSetup>(*a_setup(a_board(5, 5), "standard", 2));
  setup->rules.finish = Finish::bounce;
  setup->rules.sixes = Sixes::plain;
  PlayerModel model = replay_of(
      timeline_of(test::events_of(setup, {turn_of(0, {3}), turn_of(1, {5}), turn_of(0, {6})})));
  BOOST_TEST(way_of_next_turn(model) == (std::vector<Cell>{2, 3, 4}),
             boost::test_tools::per_element());
  BOOST_TEST(way_of_next_turn(model) == (std::vector<Cell>{2, 3, 4, 5, 4}),
             boost::test_tools::per_element());
  BOOST_TEST(way_of_next_turn(model) == (std::vector<Cell>{5, 4, 3, 2, 1, 2}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(is_paused_by_a_step_and_by_space) {
  PlayerModel model = replay_of(a_class_game());
  type(model, " ");
  model.advance(an_hour);
  BOOST_TEST(model.shot() == 0U);
  type(model, "..");
  model.advance(an_hour);
  BOOST_TEST(model.shot() == 2U);
  BOOST_TEST(!model.until_change().has_value());
  type(model, " ");
  model.advance(Milliseconds{5000});
  BOOST_TEST(model.shot() > 2U);
  type(model, ",");
  BOOST_TEST(model.scene().settled);
  BOOST_TEST(!model.is_playing());
}

BOOST_AUTO_TEST_CASE(begins_again_after_the_end_if_asked_to) {
  PlayerModel model = replay_of(a_class_game());
  model.advance(an_hour);
  BOOST_TEST(model.is_over());
  type(model, " ");
  BOOST_TEST(model.shot() == 0U);
  BOOST_TEST(model.is_playing());

  PlayerModel loop = replay_of(a_class_game(), {.loop = true});
  std::set<std::size_t> seen;
  for (int i = 0; i < 3000; ++i) {
    loop.advance(*loop.until_change());
    if (seen.size() == loop.last() + 1) break;
    seen.insert(loop.shot());
  }
  loop.advance(Milliseconds{4000});
  BOOST_TEST(loop.is_playing());
  BOOST_TEST(loop.shot() < 5U);
}

BOOST_AUTO_TEST_CASE(goes_as_fast_as_one_likes) {
  PlayerModel model = replay_of(a_class_game(), {.speed = 3});
  BOOST_TEST(model.speed() == 3);
  type(model, "++-");
  BOOST_TEST(model.speed() == 6);
  press(model, Code::backspace);
  BOOST_TEST(model.speed() == 1);
  for (int i = 0; i < 100; ++i)
    type(model, "+");
  const double fastest = model.speed();
  model.advance(Milliseconds{40});
  BOOST_TEST(model.shot() > 5U);
  BOOST_TEST(fastest >= 64);
}

BOOST_AUTO_TEST_CASE(asks_for_the_world_s_help_where_it_must) {
  PlayerModel model = replay_of(a_class_game());
  BOOST_TEST(!model.press(typed('x')));
  BOOST_TEST(!std::get<Quit>(*model.press(typed('q'))).interrupted);
  BOOST_TEST(!std::get<Quit>(*model.press({.code = Code::escape})).interrupted);
  BOOST_TEST(std::get<Quit>(*model.press({.code = Code::interrupt})).interrupted);
  BOOST_TEST(std::holds_alternative<Suspend>(*model.press({.code = Code::suspend})));
  type(model, "?");
  BOOST_TEST(!model.press(typed('q')));  // closes the help
  type(model, ":");
  BOOST_TEST(!model.press({.code = Code::escape}));
  BOOST_TEST(!model.sought());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(playing_at_a_table)

PlayerModel table_of(const Timeline& timeline) {
  return PlayerModel(Reel::in_force(timeline), {.mode = Mode::table});
}

BOOST_AUTO_TEST_CASE(turns_keys_into_commands) {
  const auto setup = a_setup(class_board(), "standard", 2);
  PlayerModel model = table_of(timeline_of(test::events_of(setup, {turn_of(0, {1})})));
  const auto command = [&](const Key& key) { return std::get<Play>(*model.press(key)).command; };
  const Key enter{.code = Code::enter};
  BOOST_TEST(std::holds_alternative<RollTurn>(command(enter)));
  BOOST_TEST(std::holds_alternative<RollTurn>(command(typed(' '))));
  BOOST_TEST(std::holds_alternative<UndoTurns>(command(typed('u'))));
  BOOST_TEST(std::holds_alternative<RedoTurns>(command(typed('r'))));
  type(model, "6 6-1");
  BOOST_TEST((std::get<PlayTurn>(command(enter)) == turn_of(1, {6, 6, 1})));
  BOOST_TEST(model.typed_dice().empty());
  type(model, "3");
  press(model, Code::escape);
  BOOST_TEST(model.typed_dice().empty());
  BOOST_TEST(std::holds_alternative<Quit>(*model.press({.code = Code::escape})));
  press(model, Code::left);
  BOOST_TEST(!model.press(enter));  // back to the game, no roll
  BOOST_TEST(model.shot() == 1U);
}

BOOST_AUTO_TEST_CASE(chances_of_what_was_undone_are_forgotten) {
  const auto setup = a_setup(class_board(), "standard", 2);
  const auto events = test::events_of(setup, {turn_of(0, {1}), turn_of(1, {1}), UndoTurns{1}});
  Timeline timeline;
  for (std::size_t i = 0; i < 3; ++i)
    BOOST_REQUIRE(timeline.add(events[i]).has_value());
  PlayerModel model = table_of(timeline);
  model.judge(std::vector<Chances>(9));
  BOOST_TEST(model.judged() == 3U);
  const auto edition = model.edition();
  BOOST_REQUIRE(timeline.add(events[3]).has_value());
  model.follow(timeline, events[3]);
  BOOST_TEST(model.judged() == 2U);
  BOOST_TEST(model.edition() != edition);
  BOOST_TEST(model.note() == "2. Bob's turn is undone: 2 -> 1");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(drawing_the_player)

BOOST_AUTO_TEST_CASE(is_possible_at_every_size) {
  for (const std::size_t players : {2UZ, 10UZ}) {
    PlayerModel model = replay_of(rolled(a_setup(class_board(), "standard", players), 30));
    type(model, "5");
    model.judge(std::vector<Chances>(31));
    for (const bool unicode : {false, true})
      for (const int columns : {1, 2, 27, 28, 29, 33, 40, 50, 59, 60, 61, 70, 79, 80, 81, 100, 130})
        for (const int rows : {1, 2, 8, 9, 10, 11, 13, 16, 19, 22, 23, 24, 25, 31, 45}) {
          const Frame frame = view(model, {columns, rows}, {.title = "game", .unicode = unicode});
          BOOST_TEST((frame.size() == Size{columns, rows}));
          if (columns < smallest_screen.columns || rows < smallest_screen.rows) continue;
          // The turn, the mover, and how to get out.
          BOOST_TEST(shows(frame, "15/30"), columns << "x" << rows);
          BOOST_TEST(shows(frame, players == 10 ? "[5]" : "[1]"), columns << "x" << rows);
          BOOST_TEST(shows(frame, "q quits"), columns << "x" << rows);
        }
  }
}

BOOST_AUTO_TEST_CASE(in_ascii_is_ascii) {
  PlayerModel model = replay_of(a_class_game());
  model.judge(std::vector<Chances>(100));
  for (int i = 0; i < 400; ++i) {
    for (const char c : text_of(view(model, {100, 30}, {.title = "game"})))
      BOOST_TEST_REQUIRE(static_cast<unsigned char>(c) < 0x80);
    model.advance(*model.until_change());
  }
}

BOOST_AUTO_TEST_CASE(shows_every_cell_of_boards_up_to_20_by_20) {
  for (const auto& [side, size] : std::vector<std::pair<int, Size>>{
           {20, {98, 24}}, {20, {80, 24}}, {10, {80, 24}}, {10, {40, 16}}}) {
    const Timeline timeline = rolled(a_setup(a_board(side * side, side), "standard", 2), 0);
    const std::string text = text_of(view(replay_of(timeline), size, {}));
    std::set<std::string> numbers;
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t begin = text.find_first_of("0123456789", i);
      i = std::min(text.find_first_not_of("0123456789", begin), text.size());
      if (begin < text.size()) numbers.insert(text.substr(begin, i - begin));
    }
    for (int cell = 3; cell <= side * side; ++cell)
      BOOST_TEST(numbers.contains(std::to_string(cell)), side << ": " << cell);
  }
}

BOOST_AUTO_TEST_CASE(follows_the_move_on_larger_boards) {
  auto setup = std::make_shared<GameSetup>(*a_setup(a_board(10'000, 100), "standard", 2));
  setup->rules.faces = 100;
  setup->rules.sixes = Sixes::plain;
  const Timeline timeline = rolled(setup, 100);
  PlayerModel model = replay_of(timeline);
  while (!model.is_over()) {
    for (const Size size : {Size{80, 24}, Size{30, 10}}) {
      const Frame frame = view(model, size, {});
      const std::string mover =
          model.shot() == 0 ? "1" : "[" + digit_of(*model.scene().mover) + "]";
      BOOST_TEST_REQUIRE(shows(frame, mover), "shot " << model.shot());
    }
    model.advance(std::max(*model.until_change(), Milliseconds{400}));
  }
}

BOOST_AUTO_TEST_CASE(says_why_there_are_no_chances) {
  PlayerModel model = replay_of(a_class_game());
  const Look look{};
  BOOST_TEST(shows(view(model, {120, 40}, look), "are worked out"));
  model.give_up_judging("the board is too large");
  BOOST_TEST(shows(view(model, {120, 40}, look), "No chances to"));
}

BOOST_AUTO_TEST_SUITE_END()
