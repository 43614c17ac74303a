// Goal: the drawing of a board can be read, whatever the board, the players and the terminal.
// Method: whole drawings are compared with files that a person has checked, in golden/board_*.txt
// (SNL_UPDATE_GOLDEN=1 in the environment rewrites them). Properties of every drawing are counted
// in drawings of boards of all sizes.
#include "cli/drawing/board_picture.hpp"

#include "../random_boards.hpp"
#include "cli/drawing/jump_letters.hpp"
#include "cli/drawing/terminal_text.hpp"
#include "domain/engine.hpp"
#include "domain/named_boards.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

using namespace snl;
using namespace snl::cli;

namespace {

// ---- Scenes

Board board_named(std::string_view name) {
  return find_named_board(name)->board();
}

Board empty_board(std::int64_t cells, std::int64_t width) {
  return *Board::make({.cells = cells, .width = width});
}

std::vector<std::string> ten_players() {
  return {"Ann", "Bob", "Cem", "Dee", "Eva", "Fay", "Gus", "Hal", "Ida", "Jim"};
}

std::vector<std::string> some_players(std::size_t count) {
  auto players = ten_players();
  players.resize(count);
  return players;
}

/// A game's picture after `turns` turns of its seeded dice.
Picture game_on(const Board& board, std::string_view rules, const std::vector<std::string>& players,
                Turn turns) {
  const auto setup = std::make_shared<const GameSetup>(GameSetup{
      .players = players, .board = board, .rules = *value_named(preset_names, rules), .seed = 7});
  const GameState start = *evolve(GameState{}, *decide(GameState{}, StartGame{setup}));
  Picture picture{.players = players, .position = start.position};
  if (turns == 0) return picture;
  const auto remember = [&](const Event& event) {
    picture.last_move = std::get<TurnPlayed>(event);
  };
  picture.position = play_out(start, seeded_dice, remember, turns)->position;
  return picture;
}

/// Pieces on these cells; the first player is to move.
Picture pieces_on(const std::vector<Cell>& cells, const std::vector<std::string>& players) {
  Picture picture{.players = players, .position = Position{}};
  std::ranges::copy(cells, picture.position->cells.begin());
  return picture;
}

struct Scene {
  std::string name;
  Board board;
  Picture picture;
};

std::ostream& operator<<(std::ostream& stream, const Scene& scene) {
  return stream << scene.name;
}

Scene in_unicode(Scene scene) {
  scene.picture.glyphs = Glyphs::unicode;
  return scene;
}

Scene in_colour(Scene scene) {
  scene.picture.colour = true;
  return in_unicode(std::move(scene));
}

Scene on_columns(int columns, Scene scene) {
  scene.picture.columns = columns;
  return scene;
}

std::vector<Scene> golden_scenes() {
  const Board milton_bradley = board_named("milton-bradley");
  const Picture four = game_on(milton_bradley, "milton-bradley", some_players(4), 21);

  Picture crowd = pieces_on({17, 17, 4, 17, 17, 17}, some_players(6));
  crowd.last_move = TurnPlayed{
      .turn = 8, .seat = 1, .dice = {6, 1}, .from = 10, .landed = 17, .to = 17, .next = Seat{2}};
  crowd.position->next = 2;

  Picture winner = pieces_on({100, 78, 3}, {"Ann Lee", "Bartholomew the Unlucky", "Cem"});
  winner.last_move = TurnPlayed{.turn = 31,
                                .seat = 0,
                                .dice = {4},
                                .from = 76,
                                .landed = 80,
                                .to = 100,
                                .outcome = Outcome::won,
                                .next = std::nullopt};
  winner.position->winner = Seat{0};

  const Picture ten = game_on(random_board(400, 20, 70, 3), "milton-bradley", ten_players(), 65);
  return {
      {"milton_bradley_ascii", milton_bradley, four},
      in_unicode({"milton_bradley_unicode", milton_bradley, four}),
      in_colour({"milton_bradley_colour", milton_bradley, four}),
      in_unicode({"milton_bradley_alone", milton_bradley, {}}),
      in_unicode({"milton_bradley_won", milton_bradley, winner}),
      in_unicode(on_columns(120, {"milton_bradley_120_columns", milton_bradley, four})),
      on_columns(40, {"milton_bradley_40_columns", milton_bradley, four}),
      in_unicode({"lld_start", board_named("lld"),
                  game_on(board_named("lld"), "lld", some_players(3), 2)}),
      in_unicode({"class_first_turn", board_named("class"),
                  game_on(board_named("class"), "standard", some_players(2), 1)}),
      in_unicode({"geeks30_crowd", board_named("geeks30"), crowd}),
      {"geeks30_crowd_ascii", board_named("geeks30"), crowd},
      {"2_cells", empty_board(2, 1), pieces_on({1, 1}, some_players(2))},
      in_unicode(
          {"11_cells_3_wide", random_board(11, 3, 4, 1), pieces_on({4, 5, 11}, some_players(3))}),
      in_unicode({"13_cells_5_wide", empty_board(13, 5), pieces_on({1, 12}, some_players(2))}),
      in_unicode(
          {"10_players", empty_board(25, 5), pieces_on(std::vector<Cell>(10, 13), ten_players())}),
      in_unicode({"20_by_20", random_board(400, 20, 70, 3), ten}),
      {"20_by_20_ascii", random_board(400, 20, 70, 3), ten},
      in_unicode({"50_by_50", random_board(2500, 50, 70, 3),
                  game_on(random_board(2500, 50, 70, 3), "lld", some_players(3), 100)}),
      in_unicode({"50_by_50_alone", random_board(2500, 50, 70, 3), {}}),
  };
}

// ---- Looking at a drawing

std::vector<std::string> lines_of(const std::string& drawing) {
  std::vector<std::string> lines;
  std::istringstream stream(drawing);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

std::string without_colour(const std::string& drawing) {
  static const std::regex sgr("\x1b\\[[0-9;]*m");
  return std::regex_replace(drawing, sgr, "");
}

/// The drawings for properties of every drawing: boards of many sizes, terminals of many widths.
void for_each_drawing(const auto& look) {
  for (const std::int64_t cells : {2, 3, 10, 99, 100, 101, 399, 400, 401}) {
    for (const std::int64_t width : {1, 3, 9, 10, 20, 21, 40}) {
      if (width > cells) continue;
      const auto seed = static_cast<unsigned>(cells * 1000 + width);
      const Board board = random_board(cells, width, static_cast<int>(cells / 5), seed);
      Picture picture = game_on(board, "lld", some_players(2 + seed % 9), seed % 60);
      picture.glyphs = seed % 3 != 0 ? Glyphs::unicode : Glyphs::ascii;
      for (const int columns : {1, 20, 79, 80, 200}) {
        picture.columns = columns;
        look(board, picture);
      }
    }
  }
}

bool is_drawn(const Board& board, int columns) {
  return board.cells() <= most_drawn_cells && board.width() * 4 - 1 <= columns;
}

/// How often each match of the first group is found.
std::map<std::string, int> matches(const std::string& text, const std::regex& expression) {
  std::map<std::string, int> counts;
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
    ++counts[(*match)[1]];
  return counts;
}

bool is_ascii(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// Names that would garble a terminal, and similar names that a person may really have.
const std::vector<std::string> hostile_names{
    "\x1b[2J\x1b]0;gone\x07",            // clears the screen, sets the title
    "Ann\r\nBob\tCem",                   //
    "\u202Eevil\u202C \u2066x\u2069",    // reverses the writing direction
    "a\u200Fb\u061Cc\u2028d\u2029e",     //
    "\u200B\u200D\u2060",                // invisible
    "e\u0301\u0302\u0303\u0304o\u0308",  // marks on letters
    "日本語の名前",                      // two columns each
    "\xff\xc3(\xed\xa0\x80\xf8",         // not UTF-8
    "\u009B31mred\u0085\x7f",            // C1 and DEL
    std::string(256, 'W'),
};

std::string golden_path(const std::string& name) {
  return std::string(SNL_TESTS) + "/cli/golden/board_" + name + ".txt";
}

std::string content_of(const std::string& path) {
  const std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(drawing_known_scenes)

BOOST_DATA_TEST_CASE(a_drawing_is_as_it_was_looked_at, golden_scenes(), scene) {
  const std::string drawing = draw_board(scene.board, scene.picture);
  const char* update = std::getenv("SNL_UPDATE_GOLDEN");
  if (update != nullptr && std::string_view(update) == "1")
    std::ofstream(golden_path(scene.name), std::ios::binary) << drawing;
  BOOST_TEST(drawing == content_of(golden_path(scene.name)));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(drawing_any_board)

BOOST_AUTO_TEST_CASE(no_line_is_wider_than_the_terminal) {
  for_each_drawing([](const Board& board, const Picture& picture) {
    const std::string drawing = draw_board(board, picture);
    BOOST_TEST_REQUIRE(drawing.ends_with('\n'));
    for (const std::string& line : lines_of(drawing))
      BOOST_TEST_REQUIRE(display_width(line) <= picture.columns,
                         line << " on " << picture.columns << " columns");
  });
}

BOOST_AUTO_TEST_CASE(every_line_of_the_board_is_as_wide_as_the_others) {
  for_each_drawing([](const Board& board, const Picture& picture) {
    if (!is_drawn(board, picture.columns)) return;
    const Board bare = empty_board(board.cells(), board.width());
    std::set<int> widths;
    for (const std::string& line : lines_of(draw_board(bare, {.columns = picture.columns})))
      widths.insert(display_width(line));
    BOOST_TEST_REQUIRE(widths.size() == 1U);
  });
}

BOOST_AUTO_TEST_CASE(every_cell_has_its_number_once) {
  for_each_drawing([](const Board& board, const Picture& picture) {
    if (!is_drawn(board, picture.columns)) return;
    const Board bare = empty_board(board.cells(), board.width());
    const auto numbers =
        matches(draw_board(bare, {.columns = picture.columns}), std::regex("([0-9]+)"));
    BOOST_TEST_REQUIRE(numbers.size() == static_cast<std::size_t>(board.cells()));
    for (Cell cell = 1; cell <= board.cells(); ++cell)
      BOOST_TEST_REQUIRE(numbers.at(std::to_string(cell)) == 1);
  });
}

BOOST_AUTO_TEST_CASE(rows_run_from_the_bottom_left_and_turn) {
  const auto lines = lines_of(draw_board(empty_board(8, 3), {.columns = 19}));
  BOOST_TEST_REQUIRE(lines.size() == 10U);
  BOOST_TEST(lines[0] == "+7----+8----+      ");
  BOOST_TEST(lines[1] == "|     |     |      ");
  BOOST_TEST(lines[3].find('4') > lines[3].find('5'));
  BOOST_TEST(lines[6].find('1') < lines[6].find('2'));
}

BOOST_AUTO_TEST_CASE(every_jump_is_listed_and_has_letters_of_its_own) {
  static const std::regex starts("([A-Za-z]+)(?:↑|↓)");
  static const std::regex ends("([A-Za-z]+)(?:=|~)");
  for_each_drawing([](const Board& board, Picture picture) {
    if (!is_drawn(board, picture.columns)) return;
    picture.glyphs = Glyphs::unicode;
    picture.players.clear();
    picture.position.reset();
    const std::string drawing = draw_board(board, picture);
    const auto jumps = board.snakes().size() + board.ladders().size();
    for (const std::regex& end : {starts, ends}) {
      const auto letters = matches(drawing, end);
      BOOST_TEST_REQUIRE(letters.size() <= jumps);
      BOOST_TEST_REQUIRE((letters.size() == jumps || drawing.find('+') != std::string::npos));
      for (const auto& [letter, count] : letters)
        BOOST_TEST_REQUIRE(count == 1, letter);
    }
    static const std::regex listed("([A-Za-z]+) +(?:snake|ladder) ");
    BOOST_TEST_REQUIRE(matches(drawing, listed).size() == jumps);
  });
}

BOOST_AUTO_TEST_CASE(a_board_full_of_jumps_has_each_of_them) {
  BoardDescription description{.cells = 400, .width = 20};
  for (std::int64_t cell = 2; cell < 400; ++cell)
    description.snakes.push_back({cell, 1});
  const std::string drawing =
      draw_board(*Board::make(description), {.glyphs = Glyphs::unicode, .columns = 80});
  BOOST_TEST(matches(drawing, std::regex("([A-Za-z]+) +snake ")).size() == 398U);
  BOOST_TEST(matches(drawing, std::regex("([A-Za-z]+)↓")).size() == 398U);
}

BOOST_AUTO_TEST_CASE(every_piece_is_drawn_once_and_listed_once) {
  for_each_drawing([](const Board& board, Picture picture) {
    if (!is_drawn(board, picture.columns) || picture.columns < 20) return;
    picture.last_move.reset();
    const Board bare = empty_board(board.cells(), board.width());
    Picture nobody = picture;
    nobody.position.reset();
    const auto digits = [&](const Picture& shown) {
      std::map<char, int> counts;
      for (const char c : draw_board(bare, shown))
        ++counts[c];
      return counts;
    };
    auto with = digits(picture);
    auto without = digits(nobody);
    for (std::size_t seat = 0; seat < picture.players.size(); ++seat)
      for (const char c : std::to_string(picture.position->cells[seat]))
        --with[c];
    for (std::size_t seat = 0; seat < picture.players.size(); ++seat) {
      const char digit = std::to_string((seat + 1) % 10)[0];
      BOOST_TEST_REQUIRE(with[digit] - without[digit] == 2, digit);
    }
  });
}

BOOST_AUTO_TEST_CASE(the_last_move_is_told_and_its_piece_is_marked) {
  const Board board = board_named("class");
  Picture picture = pieces_on({22, 1}, some_players(2));
  picture.last_move =
      TurnPlayed{.turn = 1, .dice = {2}, .from = 1, .landed = 3, .to = 22, .next = Seat{1}};
  picture.position->next = 1;
  const std::string drawing = draw_board(board, picture);
  BOOST_TEST(matches(drawing, std::regex("(\\[1\\])"))["[1]"] == 1);
  BOOST_TEST(drawing.ends_with("last: 1. Ann rolls 2: 1 -> 22, up the ladder 3 -> 22\n"));

  picture.last_move = TurnPlayed{.turn = 2,
                                 .seat = 1,
                                 .dice = {6, 6, 6},
                                 .from = 1,
                                 .landed = 1,
                                 .to = 1,
                                 .outcome = Outcome::forfeited,
                                 .next = Seat{0}};
  const std::string stayed = draw_board(board, picture);
  BOOST_TEST(matches(stayed, std::regex("(\\[2\\])"))["[2]"] == 1);
}

BOOST_AUTO_TEST_CASE(pieces_off_the_board_wait_at_the_start) {
  const Board board = board_named("lld");
  BOOST_TEST(draw_board(board, pieces_on({0, 7, 0}, some_players(3))).find("\nstart: 1 3\n") !=
             std::string::npos);
  BOOST_TEST(draw_board(board, pieces_on({5, 7, 1}, some_players(3))).find("start") ==
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_player_to_move_and_the_winner_are_marked) {
  Picture picture = pieces_on({4, 9}, some_players(2));
  picture.position->next = 1;
  BOOST_TEST(draw_board(board_named("empty"), picture).find(">2   9  Bob") != std::string::npos);
  picture.position->winner = Seat{0};
  const std::string won = draw_board(board_named("empty"), picture);
  BOOST_TEST(won.find("*1   4  Ann") != std::string::npos);
  BOOST_TEST(won.find('>') == std::string::npos);
}

BOOST_AUTO_TEST_CASE(of_a_board_too_large_to_draw_whole_a_part_is_drawn) {
  const Board board = random_board(1'000'000, 1000, 5000, 5);
  const std::string drawing = draw_board(board, pieces_on({5, 999'999}, some_players(2)));
  BOOST_TEST(drawing.starts_with("The board is too large to draw whole here: 1000000 cells"));
  BOOST_TEST(drawing.find(" (1) ") != std::string::npos);
  BOOST_TEST(drawing.find("999999  Bob") != std::string::npos);
  BOOST_TEST(lines_of(drawing).size() < 30U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(choosing_glyphs_and_colours)

BOOST_AUTO_TEST_CASE(a_drawing_without_unicode_is_ascii) {
  for_each_drawing([](const Board& board, Picture picture) {
    picture.glyphs = Glyphs::ascii;
    BOOST_TEST_REQUIRE(is_ascii(draw_board(board, picture)));
  });
}

BOOST_AUTO_TEST_CASE(colour_changes_nothing_but_colour) {
  for_each_drawing([](const Board& board, Picture picture) {
    const std::string plain = draw_board(board, picture);
    picture.colour = true;
    const std::string coloured = draw_board(board, picture);
    BOOST_TEST_REQUIRE(plain.find('\x1b') == std::string::npos);
    BOOST_TEST_REQUIRE(without_colour(coloured) == plain);
    for (const std::string& line : lines_of(coloured)) {
      const auto last = line.rfind("\x1b[");
      BOOST_TEST_REQUIRE((last == std::string::npos || line.compare(last, 4, "\x1b[0m") == 0),
                         line);
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(showing_names_that_others_chose)

BOOST_AUTO_TEST_CASE(a_hostile_name_can_not_steer_the_terminal) {
  static const std::string unsafe_bytes = [] {
    std::string bytes = "\x7f";
    for (char c = 0; c < 0x20; ++c)
      bytes += c;
    return bytes;
  }();
  for (const Glyphs glyphs : {Glyphs::ascii, Glyphs::unicode}) {
    for (const std::int64_t width : {10, 50}) {
      Picture picture = pieces_on({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, hostile_names);
      picture.glyphs = glyphs;
      for (std::size_t seat = 0; seat < hostile_names.size(); ++seat) {
        picture.last_move = TurnPlayed{.turn = 1,
                                       .seat = static_cast<Seat>(seat),
                                       .dice = {1},
                                       .from = 1,
                                       .landed = 2,
                                       .to = 2,
                                       .next = Seat{0}};
        const std::string drawing = draw_board(empty_board(width * 10, width), picture);
        for (const std::string& line : lines_of(drawing)) {
          BOOST_TEST_REQUIRE(line.find_first_of(unsafe_bytes) == std::string::npos, line);
          BOOST_TEST_REQUIRE(printable(line) == line, line);
          BOOST_TEST_REQUIRE(display_width(line) <= picture.columns, line);
        }
        BOOST_TEST_REQUIRE(drawing.find("rolls 1: 1 ") != std::string::npos, drawing);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(printable_text_shows_what_it_replaces) {
  BOOST_TEST(printable("Ann Lee, 2 \\ Zoë 日本 \U0001F40D") == "Ann Lee, 2 \\ Zoë 日本 \U0001F40D");
  BOOST_TEST(printable("\x1b[2J\n") == "\\x1b[2J\\x0a");
  BOOST_TEST(printable(std::string_view("\0", 1)) == "\\x00");
  BOOST_TEST(printable("\u009B\x7f") == "\\x9b\\x7f");
  BOOST_TEST(printable("\u202E\u202C\u2066\u2069\u200F\u061C\u2028") ==
             "\\u202e\\u202c\\u2066\\u2069\\u200f\\u061c\\u2028");
  BOOST_TEST(printable("a\xff"
                       "b\xe2\x82") == "a\\xffb\\xe2\\x82");
  BOOST_TEST(printable("\xc0\xaf") == "\\xc0\\xaf");           // overlong
  BOOST_TEST(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");  // a surrogate
  BOOST_TEST(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");
}

BOOST_AUTO_TEST_CASE(printable_text_keeps_joiners_where_they_change_what_is_seen) {
  for (const std::string_view kept :
       {"\U0001F469\u200D\U0001F469\u200D\U0001F467",               // a family
        "\U0001F469\U0001F3FD\u200D\U0001F680",                     // an astronaut
        "\u2764\uFE0F\u200D\U0001F525",                             // a heart on fire
        "\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645",         // Persian
        "\u0915\u094D\u200D\u0937", "\u0D9A\u0DCA\u200D\u0DBB"}) {  // Hindi, Sinhala
    BOOST_TEST(printable(kept) == kept);
    BOOST_TEST(printable_json(kept) == kept);
  }
  BOOST_TEST(printable("\u200DAnn\u200D \u200C1\u200C2") == "\\u200dAnn\\u200d \\u200c1\\u200c2");
  BOOST_TEST(printable("a\u200D\u200Db\u200B\u200Dc") == "a\\u200d\\u200db\\u200b\\u200dc");
  BOOST_TEST(printable("A\uFE0F") == "A\\ufe0f");
}

BOOST_AUTO_TEST_CASE(printable_text_has_no_noncharacters) {
  BOOST_TEST(printable("a\uFFFE\uFFFF\uFDD0\U0010FFFF") == "a\\ufffe\\uffff\\ufdd0\\U0010ffff");
}

BOOST_AUTO_TEST_CASE(nothing_is_cut_in_its_middle) {
  const std::string shown = printable("Ann\u202E\u2028\U000E0001\x1b!");
  const std::set<std::string> ends{"Ann", "\\u202e", "\\u2028", "\\U000e0001", "\\x1b"};
  for (int columns = 4; columns < display_width(shown); ++columns) {
    const std::string cut = shortened(shown, columns);
    BOOST_TEST_REQUIRE(cut.ends_with('~'));
    const std::string kept = cut.substr(0, cut.size() - 1);
    BOOST_TEST(std::ranges::any_of(ends, [&](const auto& end) { return kept.ends_with(end); }),
               cut);
  }
  // A text that only looks like an escape is plain letters.
  BOOST_TEST(shortened("\\u20 and more", 5) == "\\u20~");
  const std::string family = "\U0001F469\u200D\U0001F467";
  BOOST_TEST(shortened("Ann " + family + family, 7) == "Ann " + family + "~");
  BOOST_TEST(shortened("Ann " + family + family, 6) == "Ann ~");
  const std::vector<std::string> lines = folded("abc\\u202edef", 8, 0);
  const std::vector<std::string> expected{"abc", "\\u202ede", "f"};
  BOOST_TEST(lines == expected, boost::test_tools::per_element());
  // In a line that is too short for a cluster, the cluster must be cut.
  for (const std::string& line : folded(shown, 5, 2))
    BOOST_TEST(display_width(line) <= 5);
}

BOOST_AUTO_TEST_CASE(width_is_counted_in_columns) {
  BOOST_TEST(display_width("") == 0);
  BOOST_TEST(display_width("Zoë") == 3);
  BOOST_TEST(display_width("e\u0301") == 1);
  BOOST_TEST(display_width("a\u200Bb\u200D") == 2);
  BOOST_TEST(display_width("日本語") == 6);
  BOOST_TEST(display_width("한국") == 4);
  BOOST_TEST(display_width("\u1112\u1161\u11AB") == 2);    // the same syllable in three parts
  BOOST_TEST(display_width("\U0001F40D\U0001FA9C") == 4);  // a snake, a ladder
  BOOST_TEST(display_width("\u00AD") == 1);
  BOOST_TEST(display_width("\u0915\u093E") == 2);        // a mark that takes a column of its own
  BOOST_TEST(display_width("\u0915\u0941") == 1);        // one that doesn't
  BOOST_TEST(display_width("\u00A7\u2460\u03B1") == 3);  // wide in old East Asian fonts alone
  BOOST_TEST(display_width("\u0E01\u0E34\u0E48") == 1);  // Thai
  BOOST_TEST(display_width("\uFF21\uFF71") == 3);        // full width, half width
  BOOST_TEST(display_width("┼↑→▸★…─") == 7);
  BOOST_TEST(display_width("\U0001F469\u200D\U0001F469\u200D\U0001F467") == 2);
  BOOST_TEST(display_width("\u0915\u094D\u200D\u0937") == 2);  // two letters
  BOOST_TEST(display_width("\U00020000") == 2);
  BOOST_TEST(display_width("\U000E0100") == 0);
}

BOOST_AUTO_TEST_CASE(fitted_text_takes_the_columns_it_is_given) {
  BOOST_TEST(fitted("Ann", 5) == "Ann  ");
  BOOST_TEST(fitted("Annabel", 5) == "Anna~");
  BOOST_TEST(fitted("Annabel", 5, "…") == "Anna…");
  BOOST_TEST(fitted("日本語", 4) == "日~ ");
  BOOST_TEST(fitted("日本語", 1) == "~");
  BOOST_TEST(fitted("e\u0301e\u0301e\u0301", 2) == "e\u0301~");
  for (const std::string& name : hostile_names)
    for (int columns = 1; columns < 30; ++columns)
      BOOST_TEST_REQUIRE(display_width(fitted(printable(name), columns)) == columns);
}

BOOST_AUTO_TEST_CASE(wrapped_text_is_broken_between_words) {
  const std::vector<std::string> lines = wrapped("one two three four-and-a-half", 9, 2);
  const std::vector<std::string> expected{"one two", "  three", "  four-a~"};
  BOOST_TEST(lines == expected, boost::test_tools::per_element());
  BOOST_TEST(wrapped("", 9, 2).size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
