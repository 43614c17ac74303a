// Goal: the player shows a game as it was, and its screens can be read at any size. Method: states
// are checked moment by moment and key by key, without a terminal. A small emulator, which knows
// the few sequences in use, works out the contents of the screen. test_player.py compares whole
// screens.
#include "../../domain/recorded_game.hpp"
#include "cli/drawing/board_view.hpp"
#include "cli/drawing/frame.hpp"
#include "cli/drawing/pieces.hpp"
#include "cli/drawing/terminal_text.hpp"
#include "cli/playback/background_chances.hpp"
#include "cli/playback/chances_graph.hpp"
#include "cli/playback/playback_view.hpp"
#include "cli/playback/ranked_moments.hpp"
#include "cli/terminal/keys.hpp"
#include "domain/named_boards.hpp"
#include "played_games.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>
#include <regex>
#include <set>

using namespace snl;
using namespace snl::cli;
using namespace snl::cli::played;
using Code = Key::Code;

namespace {

constexpr Milliseconds an_hour{3'600'000};

/// The positions of the mover on the screen, from the beginning of the next shot to its end.
std::vector<Cell> way_of_next_turn(Playback& playback) {
  std::vector<Cell> way;
  type(playback, ".");
  while (!playback.scene().settled) {
    const Scene scene = playback.scene();
    const Cell cell = scene.position.cells[*scene.mover];
    if (way.empty() || way.back() != cell) way.push_back(cell);
    playback.advance(*playback.until_change());
  }
  const Cell end = playback.scene().position.cells[*playback.scene().mover];
  if (way.empty() || way.back() != end) way.push_back(end);
  return way;
}

// ---- A terminal

/// Knows CUP and ED, and ignores SGR.
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

}  // namespace

BOOST_AUTO_TEST_SUITE(writing_a_screen)

BOOST_AUTO_TEST_CASE(what_differs_is_enough_whatever_was_there) {
  std::mt19937 random(7);
  const std::vector<std::string> words{"a", "bc", " ", "龍", "é", "─", "⣿", "x龍y", "e\u0301"};
  for (const Colours colour : {Colours::none, Colours::eight, Colours::palette}) {
    const Size size{.columns = 9, .rows = 3};
    Terminal terminal(size);
    Frame shown(size);
    terminal.take(whole(shown, colour));
    for (int i = 0; i < 500; ++i) {
      Frame wanted = shown;
      for (int changed = 0; changed < 3; ++changed)
        wanted.put(static_cast<int>(random() % 11) - 1, static_cast<int>(random() % 3),
                   words[random() % words.size()],
                   {.bold = random() % 2 == 0, .ink = random() % 2 == 0 ? Shade{99} : Shade{}});
      terminal.take(changes(shown, wanted, colour));
      BOOST_TEST(terminal.screen() == lines_of(wanted), boost::test_tools::per_element());
      shown = wanted;
    }
  }
}

BOOST_AUTO_TEST_CASE(nothing_is_written_of_what_is_there_already) {
  Frame frame({.columns = 20, .rows = 4});
  frame.put(2, 1, "abc", {.bold = true});
  BOOST_TEST(changes(frame, frame, Colours::palette).empty());
  Frame other = frame;
  other.put(3, 1, "x", {.bold = true});
  BOOST_TEST(changes(frame, other, Colours::eight) == "\x1b[2;4H\x1b[0;1mx\x1b[0m");
  other.put(3, 1, "b");
  BOOST_TEST(changes(frame, other, Colours::none).empty());
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
  const Recording recording = Recording::in_force(timeline);
  BOOST_TEST_REQUIRE(recording.shots() == static_cast<std::size_t>(timeline.last_turn()));
  for (std::size_t shot = 0; shot <= recording.shots(); ++shot) {
    const auto turn = static_cast<Turn>(shot);
    BOOST_TEST((recording.position(shot) == timeline.position_after(turn)));
    if (shot > 0) BOOST_TEST((recording.before(shot) == timeline.position_after(turn - 1)));
    BOOST_TEST(*recording.shot_of(turn) == shot);
  }
  BOOST_TEST(!recording.shot_of(timeline.last_turn() + 1));
}

BOOST_AUTO_TEST_CASE(knows_the_moments_that_matter) {
  // Ladder 3 → 22, snake 54 → 34, ladder 26 ← 11.
  const auto setup = a_setup(class_board(), "standard", 2);
  const Recording recording = Recording::in_force(timeline_of(
      test::events_of(setup, {turn_of(0, {1}), turn_of(1, {2}), turn_of(0, {6, 6, 6}),
                              turn_of(1, {5}), UndoTurns{1}, turn_of(1, {4}), turn_of(0, {3})})));
  BOOST_TEST_REQUIRE(recording.shots() == 5U);
  BOOST_TEST(
      (recording.shot(1).moments == Moments{}));  // the first player to lead overtakes no other
  BOOST_TEST((recording.shot(2).moments == Moments{.ladder = true, .lead = true}));
  BOOST_TEST((recording.shot(3).moments == Moments{}));
  BOOST_TEST((recording.shot(4).moments == Moments{.undo = true}));
  BOOST_TEST((recording.shot(5).moments == Moments{}) ==
             (recording.shot(5).turn.landed == recording.shot(5).turn.to));
}

BOOST_AUTO_TEST_CASE(of_what_was_recorded_has_what_was_undone_too) {
  const auto setup = a_setup(class_board(), "standard", 2);
  const Recording recording = Recording::recorded(timeline_of(
      test::events_of(setup, {turn_of(0, {1}), turn_of(1, {1}), turn_of(0, {1}), UndoTurns{2},
                              RedoTurns{1}, UndoTurns{1}, turn_of(1, {4})})));
  BOOST_TEST_REQUIRE(recording.shots() == 4U);
  std::vector<bool> undone;
  for (std::size_t shot = 1; shot <= 4; ++shot)
    undone.push_back(recording.shot(shot).undone);
  BOOST_TEST((undone == std::vector{false, true, true, false}));
  BOOST_TEST(recording.position(4).turn == 2);
  BOOST_TEST(recording.position(4).cells[0] == 2);
  BOOST_TEST(recording.before(4).cells[1] == 1);
  BOOST_TEST(*recording.shot_of(2) == 4U);
  BOOST_TEST(*recording.shot_of(3) == 3U);  // not in force, but there
  BOOST_TEST(!recording.shot_of(4));
}

BOOST_AUTO_TEST_CASE(follows_what_happens) {
  const auto setup = a_setup(class_board(), "standard", 2);
  const auto events = test::events_of(
      setup, {turn_of(0, {1}), turn_of(1, {2}), turn_of(0, {3}), UndoTurns{2}, RedoTurns{1},
              UndoTurns{1}, turn_of(1, {4}), turn_of(0, {5}), UndoTurns{1}, RedoTurns{1}});
  Timeline timeline;
  BOOST_REQUIRE(timeline.add(events[0]).has_value());
  Recording recording = Recording::in_force(timeline);
  for (std::size_t i = 1; i < events.size(); ++i) {
    BOOST_REQUIRE(timeline.add(events[i]).has_value());
    recording.follow(timeline, events[i]);
    const Recording anew = Recording::in_force(timeline);
    BOOST_TEST_REQUIRE(recording.shots() == anew.shots());
    for (std::size_t shot = 1; shot <= recording.shots(); ++shot) {
      BOOST_TEST((recording.position(shot) == anew.position(shot)));
      BOOST_TEST((recording.shot(shot).moments == anew.shot(shot).moments));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(playing_a_game_back)

BOOST_AUTO_TEST_CASE(shows_every_turn_to_its_end_and_stops) {
  Playback playback = replay_of(a_class_game());
  std::set<std::size_t> settled{0};
  int frames = 0;
  while (const auto wait = playback.until_change()) {
    BOOST_TEST_REQUIRE(++frames < 20'000);
    playback.advance(*wait);
    const Scene scene = playback.scene();
    if (!scene.settled) continue;
    settled.insert(scene.shot);
    BOOST_TEST((scene.position == playback.recording().position(scene.shot)));
  }
  BOOST_TEST(settled.size() == playback.recording().shots() + 1);
  BOOST_TEST(is_over(playback));
}

BOOST_AUTO_TEST_CASE(is_the_same_however_often_one_looks) {
  Playback often = replay_of(a_class_game());
  Playback seldom = often;
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
  Playback playback = replay_of(timeline_of(
      test::events_of(setup, {turn_of(0, {2}), turn_of(1, {6, 3}), turn_of(0, {6, 6, 6})})));
  BOOST_TEST(way_of_next_turn(playback) == (std::vector<Cell>{2, 3, 22}),
             boost::test_tools::per_element());
  BOOST_TEST(way_of_next_turn(playback) == (std::vector<Cell>{2, 3, 4, 5, 6, 7, 8, 9, 10}),
             boost::test_tools::per_element());
  BOOST_TEST(way_of_next_turn(playback) == (std::vector<Cell>{22}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(slides_from_one_end_of_a_jump_to_the_other) {
  const auto setup = a_setup(class_board(), "standard", 2);
  Playback playback = replay_of(timeline_of(test::events_of(setup, {turn_of(0, {2})})));
  type(playback, ".");
  double part = -1;
  while (!playback.scene().settled) {
    if (const auto slide = playback.scene().slide) {
      BOOST_TEST((slide->pieces ==
                  std::vector{Carried{.seat = 0, .from = 3, .to = 22, .jump = JumpKind::ladder}}));
      BOOST_TEST(slide->part > part);
      part = slide->part;
    }
    playback.advance(*playback.until_change());
  }
  BOOST_TEST(part > 0.9);
}

BOOST_AUTO_TEST_CASE(bounces_off_the_end) {
  auto setup = std::make_shared<GameSetup>(*a_setup(a_board(5, 5), "standard", 2));
  setup->rules.finish = Finish::bounce;
  setup->rules.sixes = Sixes::plain;
  Playback playback = replay_of(
      timeline_of(test::events_of(setup, {turn_of(0, {3}), turn_of(1, {5}), turn_of(0, {6})})));
  BOOST_TEST(way_of_next_turn(playback) == (std::vector<Cell>{2, 3, 4}),
             boost::test_tools::per_element());
  BOOST_TEST(way_of_next_turn(playback) == (std::vector<Cell>{2, 3, 4, 5, 4}),
             boost::test_tools::per_element());
  BOOST_TEST(way_of_next_turn(playback) == (std::vector<Cell>{5, 4, 3, 2, 1, 2}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(is_paused_by_a_step_and_by_space) {
  Playback playback = replay_of(a_class_game());
  type(playback, " ");
  playback.advance(an_hour);
  BOOST_TEST(playback.shot() == 0U);
  type(playback, "..");
  playback.advance(an_hour);
  BOOST_TEST(playback.shot() == 2U);
  BOOST_TEST(!playback.until_change().has_value());
  type(playback, " ");
  playback.advance(Milliseconds{5000});
  BOOST_TEST(playback.shot() > 2U);
  type(playback, ",");
  BOOST_TEST(playback.scene().settled);
  BOOST_TEST(!playback.is_playing());
}

BOOST_AUTO_TEST_CASE(begins_again_after_the_end_if_asked_to) {
  Playback playback = replay_of(a_class_game());
  playback.advance(an_hour);
  BOOST_TEST(is_over(playback));
  type(playback, " ");
  BOOST_TEST(playback.shot() == 0U);
  BOOST_TEST(playback.is_playing());

  Playback loop = replay_of(a_class_game(), {.loop = true});
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

BOOST_AUTO_TEST_CASE(stops_after_each_turn_of_a_loop_too) {
  const auto setup = a_setup(class_board(), "standard", 2);
  Playback playback = replay_of(timeline_of(test::events_of(setup, {turn_of(0, {2})})),
                                {.step = true, .loop = true});
  for (const std::size_t shot : {1U, 0U, 1U, 0U}) {
    type(playback, " ");
    playback.advance(an_hour);
    BOOST_TEST(playback.shot() == shot);
    BOOST_TEST(!playback.is_playing());
  }
}

/// One definition for the terminal, the page and the recording.
BOOST_AUTO_TEST_CASE(stops_at_the_moments_that_pages_mark) {
  const Timeline game = a_class_game();
  Playback playback = replay_of(game);
  const auto stops = [&](std::string_view key) {
    std::vector<std::size_t> seen;
    for (std::size_t before = playback.shot() + 1; before != playback.shot();) {
      before = playback.shot();
      type(playback, key);
      if (playback.shot() != before) seen.push_back(playback.shot());
    }
    return seen;
  };
  const auto expected = [&](std::span<const RaceOdds> odds) {
    auto moments = ranked_moments(playback.recording(), odds);
    if (moments.empty() || moments.back() != playback.last()) moments.push_back(playback.last());
    return moments;
  };
  BOOST_TEST(stops("]") == expected({}), boost::test_tools::per_element());
  std::vector<Position> positions;
  for (std::size_t shot = 0; shot <= playback.last(); ++shot)
    positions.push_back(playback.recording().position(shot));
  const auto odds = exact_odds(playback.recording().setup(), positions, {});
  BOOST_TEST_REQUIRE(odds.has_value());
  playback.add_chances(*odds);
  type(playback, "g");
  auto forwards = stops("]");
  BOOST_TEST(forwards == expected(*odds), boost::test_tools::per_element());
  BOOST_TEST(forwards.size() < playback.last() / 2);
  auto back = stops("[");
  back.insert(back.begin(), playback.last());
  BOOST_TEST(back.back() == playback.first());
  back.pop_back();
  std::ranges::reverse(back);
  BOOST_TEST(back == forwards, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(time_stands_still_behind_the_help) {
  Playback playback = replay_of(a_class_game());
  playback.advance(Milliseconds{2000});
  const std::size_t shot = playback.shot();
  BOOST_TEST(playback.is_playing());
  type(playback, "?");
  BOOST_TEST(!playback.until_change());
  playback.advance(an_hour);
  BOOST_TEST(playback.shot() == shot);
  type(playback, "?");
  BOOST_TEST(playback.is_playing());
  BOOST_TEST(playback.until_change().has_value());
  playback.advance(an_hour);
  BOOST_TEST(playback.shot() == playback.last());
}

BOOST_AUTO_TEST_CASE(goes_to_the_nearest_turn_of_a_tenth) {
  Playback playback = replay_of(rolled(a_setup(a_board(10'000, 100), "standard", 2), 37));
  for (const auto& [key, shot] : std::vector<std::pair<char, std::size_t>>{
           {'0', 0}, {'1', 4}, {'2', 7}, {'5', 19}, {'7', 26}, {'9', 33}}) {
    type(playback, std::string_view(&key, 1));
    BOOST_TEST(playback.shot() == shot, key);
  }
}

BOOST_AUTO_TEST_CASE(goes_to_turns_that_were_undone_by_their_numbers) {
  const auto setup = a_setup(class_board(), "standard", 2);
  Playback playback(Recording::recorded(timeline_of(
                        test::events_of(setup, {turn_of(0, {1}), turn_of(1, {1}), turn_of(0, {1}),
                                                UndoTurns{2}, turn_of(1, {4})}))),
                    {.step = true});
  const auto go_to = [&](std::string_view turn) {
    type(playback, turn);
    press(playback, Code::enter);
    return playback.shot();
  };
  BOOST_TEST(go_to(":3") == 3U);
  BOOST_TEST(go_to(":2") == 4U);
  BOOST_TEST(go_to(":4") == 4U);
  BOOST_TEST(playback.note() == "there is no turn 4 here: 0 to 3");
}

BOOST_AUTO_TEST_CASE(goes_as_fast_as_one_likes) {
  Playback playback = replay_of(a_class_game(), {.speed = 3});
  BOOST_TEST(playback.speed() == 3);
  type(playback, "++-");
  BOOST_TEST(playback.speed() == 6);
  press(playback, Code::backspace);
  BOOST_TEST(playback.speed() == 1);
  for (int i = 0; i < 100; ++i)
    type(playback, "+");
  const double fastest = playback.speed();
  playback.advance(Milliseconds{40});
  BOOST_TEST(playback.shot() > 5U);
  BOOST_TEST(fastest >= 64);
}

BOOST_AUTO_TEST_CASE(asks_for_the_world_s_help_where_it_must) {
  Playback playback = replay_of(a_class_game());
  BOOST_TEST(!playback.press(typed('x')));
  BOOST_TEST(!std::get<Quit>(*playback.press(typed('q'))).interrupted);
  BOOST_TEST(!std::get<Quit>(*playback.press({.code = Code::escape})).interrupted);
  BOOST_TEST(std::get<Quit>(*playback.press({.code = Code::interrupt})).interrupted);
  BOOST_TEST(std::holds_alternative<Suspend>(*playback.press({.code = Code::suspend})));
  type(playback, "?");
  BOOST_TEST(!playback.press(typed('q')));  // closes the help
  type(playback, ":");
  BOOST_TEST(!playback.press({.code = Code::escape}));
  BOOST_TEST(!playback.sought());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(playing_at_a_table)

Playback table_of(const Timeline& timeline) {
  return Playback(Recording::in_force(timeline), {.mode = Mode::table});
}

/// A player who looks back doesn't see the effect of a key, so the first key only shows the current
/// state of the game.
BOOST_AUTO_TEST_CASE(returns_to_the_game_before_it_does_anything) {
  const auto setup = a_setup(class_board(), "standard", 2);
  const auto events =
      test::events_of(setup, {turn_of(0, {1}), turn_of(1, {2}), turn_of(0, {3}), turn_of(1, {1})});
  Playback playback = table_of(timeline_of(events));
  const auto look_back = [&] {
    press(playback, Code::left);
    press(playback, Code::left);
    BOOST_TEST_REQUIRE(playback.looks_back());
  };
  for (const char key : {'u', 'r'}) {
    look_back();
    BOOST_TEST(!playback.press(typed(key)));
    BOOST_TEST(playback.shot() == playback.last());
    BOOST_TEST(playback.note().starts_with("Back at the game: "));
    BOOST_TEST(playback.press(typed(key)).has_value());
  }
  look_back();
  type(playback, "5");
  BOOST_TEST(playback.shot() == playback.last());
  BOOST_TEST(playback.typed_dice() == "5");
  press(playback, Code::escape);
  look_back();
  BOOST_TEST(!playback.press({.code = Code::enter}));
  BOOST_TEST(playback.shot() == playback.last());
}

/// The line below the board describes what Enter does.
BOOST_AUTO_TEST_CASE(hints_are_of_what_the_keys_do_now) {
  const auto hint = [](const KeyMoment& moment, std::string_view key) {
    for (const KeyHelp& help : hints_of_keys({.mode = Mode::table}, moment))
      if (help.keys == key) return help.what;
    return std::string();
  };
  BOOST_TEST(hint({}, "Enter") == "rolls");
  BOOST_TEST(hint({.looking_back = true}, "Enter") == "returns");
  BOOST_TEST(hint({.looking_back = true}, "u") == "");
  // A line that is cut short keeps the keys to leave and to find the other keys.
  const KeyMoment moments[] = {{}, {.completed = true}, {.looking_back = true}};
  for (const KeyMoment& moment : moments) {
    std::string shown;
    for (const KeyHelp& help : hints_of_keys({.mode = Mode::table}, moment)) {
      const std::string one = help.keys + " " + help.what;
      if (shown.size() + one.size() > 40) break;
      shown += one + "   ";
    }
    BOOST_TEST(shown.contains("q leaves"), shown);
    BOOST_TEST(shown.contains("? keys"), shown);
  }
}

BOOST_AUTO_TEST_CASE(turns_keys_into_commands) {
  const auto setup = a_setup(class_board(), "standard", 2);
  Playback playback = table_of(timeline_of(test::events_of(setup, {turn_of(0, {1})})));
  const auto command = [&](const Key& key) { return std::get<Play>(*playback.press(key)).command; };
  const Key enter{.code = Code::enter};
  BOOST_TEST(std::holds_alternative<RollTurn>(command(enter)));
  BOOST_TEST(std::holds_alternative<RollTurn>(command(typed(' '))));
  BOOST_TEST(std::holds_alternative<UndoTurns>(command(typed('u'))));
  BOOST_TEST(std::holds_alternative<RedoTurns>(command(typed('r'))));
  type(playback, "6 6-1");
  BOOST_TEST((std::get<PlayTurn>(command(enter)) == turn_of(1, {6, 6, 1})));
  BOOST_TEST(playback.typed_dice().empty());
  type(playback, "3");
  press(playback, Code::escape);
  BOOST_TEST(playback.typed_dice().empty());
  BOOST_TEST(std::holds_alternative<Quit>(*playback.press({.code = Code::escape})));
  press(playback, Code::left);
  BOOST_TEST(!playback.press(enter));  // back to the game, no roll
  BOOST_TEST(playback.shot() == 1U);
}

BOOST_AUTO_TEST_CASE(takes_dice_with_whatever_is_between_them_but_none_that_is_missing) {
  const auto setup = a_setup(class_board(), "standard", 2);
  Playback playback = table_of(timeline_of(test::events_of(setup, {turn_of(0, {1})})));
  for (const std::string_view dice : {"6-3", "6 3", "6,3", "6, 3", "6+3", "6.3", "6/3 "}) {
    type(playback, dice);
    const auto wish = playback.press({.code = Code::enter});
    BOOST_TEST_REQUIRE(wish.has_value(), dice);
    BOOST_TEST((std::get<PlayTurn>(std::get<Play>(*wish).command) == turn_of(1, {6, 3})), dice);
  }
  for (const std::string_view dice : {"6-", "-6", "6,", "6- ", "-", "Ann 2", "x", "Nora"}) {
    type(playback, dice);
    BOOST_TEST(!playback.press({.code = Code::enter}), dice);
    BOOST_TEST(playback.note().starts_with("\"" + std::string(dice) + "\" isn't a list of dice"));
  }
}

/// A playback that has the first events, and gets the others on request.
struct Told {
  Told(const std::vector<Event>& all, std::size_t seen, Mode mode)
      : events(all),
        timeline(timeline_of({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(seen)})),
        playback(Recording::in_force(timeline), {.mode = mode}),
        next(seen) {}
  void tell(std::size_t count = 1) {
    for (; count > 0; --count, ++next) {
      BOOST_REQUIRE(timeline.add(events[next]).has_value());
      playback.follow(timeline, events[next]);
    }
  }
  std::vector<Event> events;
  Timeline timeline;
  Playback playback;
  std::size_t next;
};

BOOST_AUTO_TEST_CASE(dice_are_for_nobody_but_the_player_they_were_typed_for) {
  const auto setup = a_setup(class_board(), "standard", 2);
  Told table(test::events_of(setup, {turn_of(0, {1}), UndoTurns{1}}), 1, Mode::table);
  type(table.playback, "6-");
  table.tell();
  BOOST_TEST(table.playback.typed_dice().empty());
  BOOST_TEST(table.playback.note() ==
             "Somebody else has moved; the dice that you had typed are dropped");
  type(table.playback, "3");
  table.tell();
  BOOST_TEST(table.playback.typed_dice().empty());
  BOOST_TEST(table.playback.note() ==
             "1. Ann's turn is undone: 2 -> 1; the dice that you had typed are dropped");
  // The Enter that was meant for those turns comes too late. The next Enter is for another turn.
  BOOST_TEST(!table.playback.press({.code = Key::Code::enter}).has_value());
  BOOST_TEST(table.playback.press({.code = Key::Code::enter}).has_value());
}

BOOST_AUTO_TEST_CASE(all_turns_that_are_taken_back_together_are_told_of) {
  const auto setup = a_setup(a_board(100, 10), "standard", 2);
  Told watch(test::events_of(setup, {turn_of(0, {1}), turn_of(1, {1}), turn_of(0, {1}),
                                     turn_of(1, {2}), UndoTurns{3}, RedoTurns{2}, RedoTurns{1}}),
             5, Mode::watch);
  watch.tell(3);
  BOOST_TEST(watch.playback.note() == "Turns 2 to 4 are undone");
  watch.tell(2);
  BOOST_TEST(watch.playback.note() == "Turns 2 to 3 are redone");
  type(watch.playback, "w");
  watch.tell();
  BOOST_TEST(watch.playback.note() == "4. Bob's turn is redone: 2 -> 4");
}

BOOST_AUTO_TEST_CASE(a_watch_that_is_held_stays_held) {
  const auto setup = a_setup(a_board(100, 10), "standard", 2);
  const auto events = test::events_of(setup, {turn_of(0, {1}), turn_of(1, {1}), UndoTurns{1}});
  for (const bool held : {true, false}) {
    Told watch(events, 3, Mode::watch);
    if (held) type(watch.playback, " ");
    watch.tell();
    BOOST_TEST(watch.playback.is_playing() == !held);
    BOOST_TEST(watch.playback.shot() == 1U);
  }
}

BOOST_AUTO_TEST_CASE(a_watch_says_how_fast_it_is_and_when_it_is_over) {
  const auto setup = a_setup(a_board(4, 4), "standard", 2);
  Told watch(test::events_of(setup, {turn_of(0, {1}), turn_of(1, {3}), UndoTurns{1}}), 2,
             Mode::watch);
  const auto screen = [&] { return view(watch.playback, {80, 24}, {}); };
  BOOST_TEST(shows(screen(), "> live =="));
  type(watch.playback, "--");
  BOOST_TEST(shows(screen(), "> live 1/4x =="));
  press(watch.playback, Code::backspace);
  watch.tell();
  BOOST_TEST(shows(screen(), "> live --") != shows(screen(), "> live =="));
  watch.playback.advance(an_hour);
  BOOST_TEST(shows(screen(), "# over =="));
  BOOST_TEST(!shows(screen(), "space"));
  type(watch.playback, " ");
  BOOST_TEST(shows(screen(), "# over =="));
  watch.tell();
  BOOST_TEST(shows(screen(), "> live =="));
  type(watch.playback, "w");  // dismisses the note
  BOOST_TEST(shows(screen(), "space pauses"));
}

BOOST_AUTO_TEST_CASE(chances_of_what_was_undone_are_forgotten) {
  const auto setup = a_setup(class_board(), "standard", 2);
  const auto events = test::events_of(setup, {turn_of(0, {1}), turn_of(1, {1}), UndoTurns{1}});
  Timeline timeline;
  for (std::size_t i = 0; i < 3; ++i)
    BOOST_REQUIRE(timeline.add(events[i]).has_value());
  Playback playback = table_of(timeline);
  playback.add_chances(some_chances(9));
  BOOST_TEST(playback.chances().size() == 3U);
  const auto edition = playback.edition();
  BOOST_REQUIRE(timeline.add(events[3]).has_value());
  playback.follow(timeline, events[3]);
  BOOST_TEST(playback.chances().size() == 2U);
  BOOST_TEST(playback.edition() != edition);
  BOOST_TEST(playback.note() == "2. Bob's turn is undone: 2 -> 1");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(drawing_the_player)

/// The number of players whose cells are shown as " 3:22" or "3 22" beside or below the board.
/// Every cell that is shown must be right.
std::size_t seats_shown(const Frame& frame, const Position& position) {
  // A mark, the seat, and the cell, alone in a line or after others.
  static const std::regex brief("[ >▸]([0-9]):([0-9a-z]*)");
  static const std::regex each(
      "(?:^|  )(?:[ >]|▸)?([0-9]) +([0-9]+|off) +(?:[<>]?[0-9]+%)? +[A-Z][a-z]");
  std::set<std::size_t> seats;
  for (const std::string& line : lines_of(frame))
    for (const std::regex& pattern : {brief, each}) {
      if (line.find(" rolls ") != std::string::npos) continue;
      for (std::sregex_iterator found(line.begin(), line.end(), pattern), end; found != end;
           ++found) {
        const std::size_t seat = (std::stoul((*found)[1]) + 9) % 10;
        BOOST_TEST((*found)[2].str() == std::to_string(position.cells[seat]), line);
        seats.insert(seat);
      }
    }
  return seats.size();
}

BOOST_AUTO_TEST_CASE(is_possible_at_every_size) {
  for (const std::size_t players : {2UZ, 10UZ}) {
    Playback playback = replay_of(rolled(a_setup(class_board(), "standard", players), 30));
    type(playback, "5");
    playback.add_chances(some_chances(31));
    const std::string sentence = players == 10 ? "15. Eva rolls" : "15. Ann rolls";
    for (const Glyphs glyphs : {Glyphs::ascii, Glyphs::unicode})
      for (const int columns : {1, 2, 27, 28, 29, 33, 40, 50, 59, 60, 61, 70, 79, 80, 81, 100, 130})
        for (const int rows : {1, 2, 8, 9, 10, 11, 13, 16, 19, 22, 23, 24, 25, 31, 45}) {
          const Frame frame = view(playback, {columns, rows}, {.title = "game", .glyphs = glyphs});
          BOOST_TEST((frame.size() == Size{columns, rows}));
          if (columns < smallest_screen.columns || rows < smallest_screen.rows) continue;
          // The turn, the mover, and the key to leave.
          BOOST_TEST(shows(frame, "15/30"), columns << "x" << rows);
          BOOST_TEST(shows(frame, players == 10 ? "[5]" : "[1]"), columns << "x" << rows);
          BOOST_TEST(shows(frame, "q quits"), columns << "x" << rows);
          BOOST_TEST(seats_shown(frame, playback.scene().position) >= std::min(players, 4UZ),
                     columns << "x" << rows);
          // Nothing overlaps the lines at the bottom.
          BOOST_TEST(frame.text(rows - 2).ends_with(" 15/30"));
          BOOST_TEST(frame.text(rows - (columns < 60 ? 4 : 3)).starts_with(sentence));
        }
  }
}

BOOST_AUTO_TEST_CASE(explains_every_key_at_every_size) {
  for (const Mode mode : {Mode::replay, Mode::table})
    for (const Size size : {Size{80, 24}, Size{40, 15}, Size{30, 9}, smallest_screen}) {
      Playback playback(Recording::in_force(a_class_game()), {.mode = mode});
      type(playback, "?");
      const std::string first = text_of(view(playback, size, {}));
      std::string pages = first;
      int count = 1;
      for (; count < 20; ++count) {
        press(playback, Code::down);
        const std::string page = text_of(view(playback, size, {}));
        if (page == first) break;
        pages += page;
      }
      // Signs follow, on pages of their own.
      if (size.rows == 24) BOOST_TEST(first.find("the graph of chances") != std::string::npos);
      BOOST_TEST(count > 1);
      for (const std::string_view text :
           {"Ctrl-C", "g Home, G End", "to the start,", "the graph of chances", "[ ]"})
        BOOST_TEST(pages.find(text) != std::string::npos, text << " at " << size.columns);
      type(playback, "jk");
      BOOST_TEST(text_of(view(playback, size, {})) == first);
      BOOST_TEST(!playback.press(typed('q')));
      BOOST_TEST(!playback.help_page());
    }
}

BOOST_AUTO_TEST_CASE(shows_a_long_note_to_its_end) {
  Playback playback(Recording::in_force(a_class_game()), {.mode = Mode::table});
  playback.say("dice 7 are impossible: " + possible_dice(playback.recording().setup().rules));
  for (const Size size : {Size{80, 24}, Size{60, 20}, Size{40, 15}}) {
    const Frame frame = view(playback, size, {});
    BOOST_TEST(shows(frame, "alone\n"), size.columns);
    BOOST_TEST(shows(frame, "has won."));
  }
}

BOOST_AUTO_TEST_CASE(shows_dice_that_are_typed_whatever_a_player_is_called) {
  auto setup = std::make_shared<GameSetup>(*a_setup(class_board(), "standard", 2));
  setup->players[0] = std::string(70, 'A');
  Playback playback(Recording::in_force(rolled(setup, 0)), {.mode = Mode::table});
  type(playback, "6-6-1");
  for (const Size size : {Size{80, 24}, Size{40, 15}, smallest_screen})
    BOOST_TEST(shows(view(playback, size, {}), "to roll: 6-6-1\n"), size.columns);
}

BOOST_AUTO_TEST_CASE(offers_dice_that_the_rules_allow) {
  for (const auto& [rules, dice, help] :
       std::vector<std::tuple<std::string, std::string, std::string>>{
           {"standard", "6-3 plays dice", "6-3, 6 3"}, {"lld", "2 plays dice", "2 "}}) {
    Playback playback(Recording::in_force(rolled(a_setup(class_board(), rules, 2), 0)),
                      {.mode = Mode::table});
    BOOST_TEST(shows(view(playback, {80, 24}, {}), "keys   " + dice));
    type(playback, "?");
    BOOST_TEST(shows(view(playback, {80, 24}, {}), "| " + help));
  }
}

BOOST_AUTO_TEST_CASE(upside_down_arrows_lead_where_jumps_do) {
  Playback playback = replay_of(a_class_game(), {.step = true});
  // Ladder 3 to 22 and snake 98 to 79.
  const Frame upright = view(playback, {80, 24}, {});
  BOOST_TEST(shows(upright, "+3 A^"));
  BOOST_TEST(shows(upright, "+98 Hv"));
  type(playback, "f");
  const Frame turned = view(playback, {80, 24}, {});
  BOOST_TEST(shows(turned, "+3 Av"));
  BOOST_TEST(shows(turned, "+98 H^"));
  BOOST_TEST(turned.text(0).starts_with("+1----+2----+3 Av"));
}

BOOST_AUTO_TEST_CASE(graph_ends_are_no_numbers_of_two_digits) {
  const auto end_of = [](const std::vector<double>& chances) {
    const std::vector<RaceOdds> known(2, RaceOdds{.win = chances});
    Frame frame({20, 5});
    draw_chances(frame, {.size = {20, 5}},
                 {.chances = known, .players = chances.size(), .first = 0, .last = 1, .now = 0},
                 Glyphs::ascii);
    std::string ends;
    for (int row = 0; row < 5; ++row)
      ends +=
          (row == 0 ? "" : "|") +
          std::string(frame.text(row)).substr(std::min<std::size_t>(frame.text(row).size(), 17));
    return ends;
  };
  BOOST_TEST(end_of({0, 0, 1}) == "3||||1,2");
  BOOST_TEST(end_of({0, 0, 0, 0.5}) == "||4||1,+");
}

BOOST_AUTO_TEST_CASE(windows_of_large_boards_show_much) {
  const Board board = a_board(400, 20);
  const Size part = shape_for(board, {45, 17}).grid.shown;
  BOOST_TEST(part.columns * part.rows == 170);
  BOOST_TEST((shape_for(a_board(441, 21), {130, 50}).grid.shown == Size{21, 21}));
}

BOOST_AUTO_TEST_CASE(in_ascii_is_ascii) {
  Playback playback = replay_of(a_class_game());
  playback.add_chances(some_chances(100));
  for (int i = 0; i < 400; ++i) {
    for (const char c : text_of(view(playback, {100, 30}, {.title = "game"})))
      BOOST_TEST_REQUIRE(static_cast<unsigned char>(c) < 0x80);
    playback.advance(*playback.until_change());
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
  Playback playback = replay_of(timeline);
  while (!is_over(playback)) {
    for (const Size size : {Size{80, 24}, Size{30, 10}}) {
      const Frame frame = view(playback, size, {});
      const std::string mover =
          playback.shot() == 0 ? "(1" : "[" + piece_digit(*playback.scene().mover) + "]";
      BOOST_TEST_REQUIRE(shows(frame, mover), "shot " << playback.shot());
    }
    playback.advance(std::max(*playback.until_change(), Milliseconds{400}));
  }
}

BOOST_AUTO_TEST_CASE(pieces_in_a_window_are_no_numbers) {
  const Timeline timeline = rolled(a_setup(a_board(2'500, 50), "standard", 3), 0);
  const Frame frame = view(replay_of(timeline), {80, 24}, {});
  BOOST_TEST(shows(frame, "(123)"));
  BOOST_TEST(!shows(frame, " 123 "));
  // On a whole board without lines too.
  const Timeline small = rolled(a_setup(a_board(100, 10), "standard", 3), 0);
  BOOST_TEST(shows(view(replay_of(small), {40, 20}, {}), "(1+ 2"));
}

BOOST_AUTO_TEST_CASE(a_window_says_where_the_board_goes_on) {
  const Timeline timeline = rolled(a_setup(a_board(2'500, 50), "standard", 2), 0);
  const std::vector<std::string> lines = lines_of(view(replay_of(timeline), {80, 24}, {}));
  // At the bottom left of the board: more above and to the right, none below nor to the left.
  const std::size_t last = lines.size() - 4;
  const auto edge = lines[1].find(" >");
  BOOST_TEST_REQUIRE(edge != std::string::npos);
  BOOST_TEST(lines[0].front() == '^');
  BOOST_TEST(lines[0][edge + 1] == '^');
  for (std::size_t row = 1; row <= last; ++row) {
    BOOST_TEST(lines[row].front() == ' ');
    BOOST_TEST(lines[row][edge + 1] == '>');
  }
}

BOOST_AUTO_TEST_CASE(a_window_stays_while_a_piece_walks_within_it) {
  auto setup = std::make_shared<GameSetup>(*a_setup(a_board(2'500, 50), "standard", 2));
  setup->rules.sixes = Sixes::plain;
  Playback playback = replay_of(rolled(setup, 100));
  // The first number of the lowest row tells which part is seen.
  Viewer viewer;
  const auto window = [&] {
    const std::string line = lines_of(viewer.view(playback, {80, 24}, {})).at(20).substr(2);
    return line.substr(0, line.find_first_of(' ', line.find_first_of("0123456789([")));
  };
  int moves = 0;
  std::size_t shot = 0;
  std::string before;
  while (!is_over(playback)) {
    const std::string now = window();
    const bool is_number = now.find_first_not_of(" 0123456789<v") == std::string::npos;
    if (is_number && playback.shot() == shot && now != before) ++moves;
    if (is_number) before = now;
    shot = playback.shot();
    playback.advance(*playback.until_change());
  }
  BOOST_TEST(shot == 100U);
  BOOST_TEST(moves <= 60, moves << " moves of the window within 100 turns");
}

BOOST_AUTO_TEST_CASE(shows_no_keys_where_nobody_can_press_them) {
  const Playback playback = replay_of(a_class_game());
  for (const Size size : {Size{80, 24}, Size{40, 20}, Size{120, 40}}) {
    BOOST_TEST(shows(view(playback, size, {}), "? keys"));
    const Frame frame = view(playback, size, {.title = "", .key_bar = false});
    BOOST_TEST(!shows(frame, "? keys"));
    BOOST_TEST(!shows(frame, "quits"));
    // The last line shows the progress instead.
    BOOST_TEST(frame.text(size.rows - 1).find("0/") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(says_why_there_are_no_chances) {
  Playback playback = replay_of(a_class_game());
  const Look look{.title = "", .glyphs = Glyphs::unicode};
  BOOST_TEST(shows(view(playback, {120, 40}, look), "are worked out"));
  playback.give_up_chances("the board is too large");
  BOOST_TEST(shows(view(playback, {120, 40}, look), "No chances to"));
  BOOST_TEST(!shows(view(playback, {120, 40}, look), "…"));
  // A reason that is too long is seen to be cut.
  std::string reason = "the board";
  for (int i = 0; i < 40; ++i)
    reason += " is too large";
  playback.give_up_chances(reason);
  BOOST_TEST(shows(view(playback, {80, 24}, look), "…"));
}

BOOST_AUTO_TEST_SUITE_END()
