// Goal: at any size of terminal and board, a person sees where every piece is, what is outside the
// window and what each sign means, and can point at it. Method: windows, edges and the mouse's
// bytes are tested without a screen. Boards are drawn at very many sizes, and pieces are found by
// the colours that only they have.
#include "../../domain/recorded_game.hpp"
#include "cli/drawing/board_view.hpp"
#include "cli/drawing/jump_art.hpp"
#include "cli/drawing/pieces.hpp"
#include "cli/drawing/signs.hpp"
#include "cli/drawing/terminal_text.hpp"
#include "cli/playback/playback_view.hpp"
#include "cli/playback/pointer.hpp"
#include "cli/terminal/terminal_size.hpp"
#include "played_games.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

using namespace snl;
using namespace snl::cli;
using namespace snl::cli::played;
using Code = Key::Code;

namespace {

std::string at_size(Size size) {
  return std::to_string(size.columns) + "x" + std::to_string(size.rows);
}

/// Boards from 2 to 10,000 cells, with jumps where they fit.
std::vector<Board> all_sorts_of_boards() {
  std::vector<Board> boards;
  for (const auto& [cells, width] :
       std::vector<std::pair<std::int64_t, std::int64_t>>{{2, 1},
                                                          {2, 2},
                                                          {11, 3},
                                                          {30, 6},
                                                          {100, 10},
                                                          {64, 8},
                                                          {90, 30},
                                                          {400, 20},
                                                          {441, 21},
                                                          {900, 30},
                                                          {1000, 10},
                                                          {2500, 50},
                                                          {10'000, 100},
                                                          {10'000, 5}}) {
    BoardDescription described{.cells = cells, .width = width};
    if (cells >= 30) {
      described.snakes = {{cells - 1, 2}, {cells / 2, cells / 4}, {cells / 3, 3}};
      described.ladders = {{4, cells - 2}, {5, cells / 2 + 3}, {cells / 2 + 1, cells - 4}};
    }
    boards.push_back(*Board::make(described));
  }
  return boards;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reading_the_mouse)

Key mouse(Code code, int column, int row) {
  return {.code = code, .column = column, .row = row};
}

BOOST_AUTO_TEST_CASE(of_mode_1006) {
  const std::vector<std::pair<std::string, Key>> sequences{
      {"\x1b[<0;1;1M", mouse(Code::press, 0, 0)},
      {"\x1b[<0;80;24M", mouse(Code::press, 79, 23)},
      {"\x1b[<0;300;100m", mouse(Code::release, 299, 99)},
      {"\x1b[<16;5;6M", mouse(Code::press, 4, 5)},  // with Ctrl
      {"\x1b[<32;7;8M", mouse(Code::drag, 6, 7)},
      {"\x1b[<64;2;3M", mouse(Code::wheel_up, 1, 2)},
      {"\x1b[<65;2;3M", mouse(Code::wheel_down, 1, 2)},
      {"\x1b[<1;2;3M", Key{}},  // other buttons
      {"\x1b[<2;2;3M", Key{}},
      {"\x1b[<35;2;3M", Key{}},  // moved without a button
      {"\x1b[<66;2;3M", Key{}},  // a wheel that goes sideways
      {"\x1b[M !!", Key{}}};     // as it was before mode 1006
  for (const auto& [bytes, key] : sequences) {
    KeyReader reader;
    const auto keys = reader.read(bytes);
    BOOST_TEST_REQUIRE(keys.size() == 1U, bytes.substr(1));
    BOOST_TEST((keys[0] == key), bytes.substr(1));
    BOOST_TEST(!reader.is_in_sequence());
    // Wherever the bytes are split, the event is the same, and so is the rest.
    for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
      KeyReader slow;
      BOOST_TEST(slow.read(bytes.substr(0, cut)).empty(), bytes.substr(1) << " at " << cut);
      BOOST_TEST((slow.read(bytes.substr(cut) + "q") == std::vector{key, typed('q')}),
                 bytes.substr(1) << " at " << cut);
    }
  }
}

BOOST_AUTO_TEST_CASE(of_hostile_bytes) {
  for (const std::string parameters : {"",
                                       "<",
                                       "<;;",
                                       "<0",
                                       "<0;1",
                                       "<0;1;",
                                       "<0;;1",
                                       "<0;1;1;1",
                                       "<-1;1;1",
                                       "<0;0;1",
                                       "<0;1;0",
                                       "<0;-5;1",
                                       "<99999999999999999999;1;1",
                                       "<0;99999999999;1",
                                       "<0;1;1 ",
                                       "<0:1:1",
                                       "<<0;1;1",
                                       "0;1;1",
                                       "<0;1;1?",
                                       "< 0;1;1",
                                       "<4294967296;1;1"}) {
    KeyReader reader;
    for (const Key& key :
         reader.read("\x1b[" + parameters + "M" + (parameters.empty() ? "abc" : "")))
      BOOST_TEST((key == Key{}), parameters);
    BOOST_TEST((reader.read("q") == std::vector{typed('q')}), parameters);
  }
  // Random bytes give nothing but keys, and positions on some screen.
  std::mt19937 random(3);
  const std::string alphabet = "\x1b[<0123456789;Mm\x03 q\xff";
  KeyReader reader;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes;
    for (std::size_t size = random() % 6; size > 0; --size)
      bytes += alphabet[random() % alphabet.size()];
    for (const Key& key : reader.read(bytes)) {
      BOOST_TEST_REQUIRE(key.column >= 0);
      BOOST_TEST_REQUIRE(key.row >= 0);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_window_over_a_board)

constexpr Size shown{.columns = 20, .rows = 12};

BOOST_AUTO_TEST_CASE(stays_while_the_move_is_in_its_middle) {
  const Board board = a_board(10'000, 100);
  FollowingWindow window;
  const GridWindow first = window.follow({50, 50}, board, shown, false);
  BOOST_TEST(first.left == 41);  // 50 is in the middle of 41 to 60
  BOOST_TEST(first.top == 45);
  for (double column = 46; column <= 55; column += 0.5)
    for (double row = 48; row <= 53; row += 0.5) {
      const GridWindow now = window.follow({column, row}, board, shown, false);
      BOOST_TEST_REQUIRE(now.left == first.left);
      BOOST_TEST_REQUIRE(now.top == first.top);
    }
  // A step farther, and it is in the middle again; only in the direction in which it left.
  const GridWindow beyond = window.follow({56, 50}, board, shown, false);
  BOOST_TEST(beyond.left == 47);
  BOOST_TEST(beyond.top == first.top);
}

BOOST_AUTO_TEST_CASE(never_leaves_the_board_and_always_has_the_move) {
  std::mt19937 random(11);
  for (const Board& board : all_sorts_of_boards()) {
    const Size seen{.columns = std::min(shown.columns, board.width()),
                    .rows = std::min(shown.rows, board.rows())};
    FollowingWindow window;
    for (int i = 0; i < 300; ++i) {
      const auto cell = static_cast<Cell>(random() % static_cast<unsigned>(board.cells())) + 1;
      const bool flipped = random() % 50 == 0;
      const Spot spot = seen_at(cell, board, flipped);
      const GridWindow now = window.follow(spot, board, seen, flipped);
      BOOST_TEST_REQUIRE(now.left >= 0);
      BOOST_TEST_REQUIRE(now.top >= 0);
      BOOST_TEST_REQUIRE(now.left + seen.columns <= board.width());
      BOOST_TEST_REQUIRE(now.top + seen.rows <= board.rows());
      BOOST_TEST_REQUIRE(spot.column >= now.left);
      BOOST_TEST_REQUIRE(spot.column < now.left + seen.columns);
      BOOST_TEST_REQUIRE(spot.row >= now.top);
      BOOST_TEST_REQUIRE(spot.row < now.top + seen.rows);
    }
  }
}

BOOST_AUTO_TEST_CASE(begins_anew_where_it_is_another) {
  const Board board = a_board(10'000, 100);
  FollowingWindow window;
  (void)window.follow({50, 50}, board, shown, false);
  BOOST_TEST(window.follow({53, 50}, board, shown, false).left == 41);
  BOOST_TEST(window.follow({53, 50}, board, shown, true).left == 44);
  BOOST_TEST(window.follow({50, 50}, board, {.columns = 10, .rows = 10}, true).left == 46);
}

BOOST_AUTO_TEST_CASE(says_who_is_beyond_which_edge) {
  using Edge = Outside::Edge;
  const Board board = a_board(10'000, 100);
  // Columns 40 to 59, rows 50 to 61 from the top: row 50 of the screen is the board's row 49.
  const GridWindow window{.left = 40, .top = 50};
  const auto cell = [&](int column, int row) {
    return cell_at(Place{.row = 99 - row, .column = column}, 100);
  };
  Position position;
  const std::vector<Cell> cells{cell(45, 55), cell(0, 55),  cell(99, 52), cell(45, 0),
                                cell(59, 99), cell(10, 10), cell(39, 50), cell(60, 61)};
  std::ranges::copy(cells, position.cells.begin());
  const auto outside = outside_of(window, shown, board, position, cells.size());
  const auto piece = [](Edge edge, int along, Seat seat) {
    return Outside{.edge = edge, .along = along, .seat = seat};
  };
  const std::vector<Outside> expected{piece(Edge::left, 5, 1),  piece(Edge::right, 2, 2),
                                      piece(Edge::above, 5, 3), piece(Edge::below, 19, 4),
                                      piece(Edge::left, 0, 5),  piece(Edge::left, 0, 6),
                                      piece(Edge::right, 11, 7)};
  BOOST_TEST((outside == expected));
}

BOOST_AUTO_TEST_CASE(says_where_jumps_lead_out) {
  using Edge = Outside::Edge;
  const auto cell = [](int column, int row) {
    return cell_at(Place{.row = 99 - row, .column = column}, 100);
  };
  const Board board = *Board::make({.cells = 10'000,
                                    .width = 100,
                                    .snakes = {{cell(50, 40), cell(50, 55)},      // from above
                                               {cell(45, 52), cell(55, 57)}},     // within
                                    .ladders = {{cell(41, 60), cell(21, 50)},     // to the left
                                                {cell(20, 90), cell(90, 20)}}});  // passes through
  const auto outside = outside_of({.left = 40, .top = 50}, shown, board, Position{}, 0);
  const std::vector<Outside> expected{{.edge = Edge::above, .along = 10, .jump = JumpKind::snake},
                                      {.edge = Edge::left, .along = 9, .jump = JumpKind::ladder}};
  BOOST_TEST((outside == expected));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_board_of_any_size)

struct Drawn {
  Frame frame;
  BoardShape shape;
};

Drawn drawn(const Board& board, const Scene& scene, std::size_t players, Size room, Glyphs glyphs) {
  const BoardShape shape = shape_for(board, room);
  Frame frame(room);
  BoardMemory memory;
  draw_board_view(frame, {.size = room}, shape,
                  {.board = board, .scene = scene, .players = players},
                  {.glyphs = glyphs, .flipped = false}, memory);
  return {.frame = std::move(frame), .shape = shape};
}

/// The seats whose pieces are on the board or named at its edges, found by the look that only
/// pieces have; and whether a sign says that there are more.
std::set<std::size_t> seats_seen(const Frame& frame, std::size_t players, bool& more) {
  std::set<std::size_t> seats;
  for (int row = 0; row < frame.size().rows; ++row)
    for (int column = 0; column < frame.size().columns; ++column) {
      const Frame::Spot& spot = frame.at(column, row);
      if (spot.text == "+" && spot.style.bold) more = true;
      for (std::size_t seat = 0; seat < players; ++seat) {
        const bool has_colour =
            spot.style.ink == piece_shade(seat) || spot.style.paper == piece_shade(seat);
        if (has_colour && spot.text.find(piece_digit(seat)) != std::string::npos)
          seats.insert(seat);
      }
    }
  return seats;
}

BOOST_AUTO_TEST_CASE(shows_or_names_every_piece_and_stays_in_its_frame) {
  std::mt19937 random(5);
  const auto between = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  for (const Board& board : all_sorts_of_boards())
    for (int i = 0; i < 60; ++i) {
      const Size room{.columns = between(20, 300), .rows = between(4, 100)};
      const auto players = static_cast<std::size_t>(between(2, 10));
      Scene scene;
      for (std::size_t seat = 0; seat < players; ++seat)
        scene.position.cells[seat] = between(1, board.cells());
      scene.position.next = static_cast<Seat>(between(0, static_cast<int>(players) - 1));
      scene.mover = scene.position.next;
      const Glyphs glyphs = i % 2 == 0 ? Glyphs::unicode : Glyphs::ascii;
      const auto [frame, shape] = drawn(board, scene, players, room, glyphs);
      const std::string where = std::to_string(board.cells()) + " cells at " + at_size(room);
      BOOST_TEST_REQUIRE(shape.size().columns <= room.columns, where);
      BOOST_TEST_REQUIRE(shape.size().rows <= room.rows, where);
      bool more = false;
      const auto seats = seats_seen(frame, players, more);
      for (std::size_t seat = 0; seat < players; ++seat) {
        // A cell of three columns shows the mover alone. The list of players shows the others.
        const bool with_mover = scene.position.cells[seat] == scene.position.cells[*scene.mover];
        BOOST_TEST_REQUIRE((more || with_mover || seats.contains(seat)), where << "\n"
                                                                               << text_of(frame));
      }
      BOOST_TEST_REQUIRE(seats.contains(*scene.mover), where);
      BOOST_TEST_REQUIRE(shows(frame, "[" + piece_digit(*scene.mover) + "]"), where);
      // Beside and below the board nothing is drawn.
      for (int row = 0; row < room.rows; ++row)
        for (int column = 0; column < room.columns; ++column)
          if ((row >= shape.size().rows || column >= shape.size().columns) &&
              frame.at(column, row).text != " ")
            BOOST_FAIL(where << ", column " << column << ", row " << row << "\n" << text_of(frame));
    }
}

BOOST_AUTO_TEST_CASE(is_drawn_with_its_jumps_where_there_is_room) {
  using Jumps = BoardShape::Jumps;
  const Board board = class_board();
  BOOST_TEST((shape_for(board, {61, 21}).jumps == Jumps::labelled));   // 80x24
  BOOST_TEST((shape_for(board, {101, 37}).jumps == Jumps::labelled));  // 120x40
  BOOST_TEST((shape_for(board, {141, 47}).jumps == Jumps::drawn));     // 160x50
  BOOST_TEST((shape_for(board, {181, 57}).jumps == Jumps::drawn));     // 200x60
  BOOST_TEST((shape_for(a_board(900, 30), {281, 97}).jumps == Jumps::labelled));
  BOOST_TEST((shape_for(board, {141, 47}).grid.pitch() == Size{10, 4}));
  BOOST_TEST((shape_for(board, {181, 57}).grid.pitch() == Size{12, 5}));
  BOOST_TEST((shape_for(a_board(2, 2), {281, 97}).grid.pitch() == Size{20, 8}));
}

/// The number of the board's characters that are braille, or have the colour of a jump.
std::size_t spots_of(const Frame& frame, Colour colour) {
  std::size_t count = 0;
  for (int row = 0; row < frame.size().rows; ++row)
    for (int column = 0; column < frame.size().columns; ++column) {
      const Frame::Spot& spot = frame.at(column, row);
      if (spot.style.colour == colour && spot.text != " ") ++count;
    }
  return count;
}

BOOST_AUTO_TEST_CASE(a_drawn_board_has_every_number_and_hides_no_piece) {
  const Board board = find_named_board("milton-bradley")->board();
  for (const Glyphs glyphs : {Glyphs::unicode, Glyphs::ascii})
    for (const Size room : {Size{141, 47}, Size{181, 57}, Size{281, 97}}) {
      Scene scene;
      for (std::size_t seat = 0; seat < max_players; ++seat)
        scene.position.cells[seat] = static_cast<Cell>(seat * 11 + 1);
      scene.mover = Seat{3};
      const Frame frame = drawn(board, scene, max_players, room, glyphs).frame;
      bool more = false;
      BOOST_TEST(seats_seen(frame, max_players, more).size() == max_players, at_size(room));
      BOOST_TEST(!more);
      std::set<std::string> numbers;
      for (const std::string& line : lines_of(frame))
        for (std::size_t i = line.find_first_of("0123456789"); i != std::string::npos;) {
          const std::size_t end = std::min(line.find_first_not_of("0123456789", i), line.size());
          numbers.insert(line.substr(i, end - i));
          i = line.find_first_of("0123456789", end);
        }
      for (Cell cell = 1; cell <= board.cells(); ++cell)
        BOOST_TEST(numbers.contains(std::to_string(cell)), cell << " at " << at_size(room));
      BOOST_TEST(spots_of(frame, Colour::red) > 100U);
      BOOST_TEST(spots_of(frame, Colour::green) > 100U);
    }
}

BOOST_AUTO_TEST_CASE(art_is_on_the_board_and_in_ascii_is_ascii) {
  for (const std::string_view name : {"class", "milton-bradley", "lld", "party", "geeks30"}) {
    const Board board = find_named_board(name)->board();
    const JumpArt art(board);
    for (const Size pitch : {Size{9, 4}, Size{12, 5}, Size{20, 8}})
      for (const bool flipped : {false, true})
        for (const Glyphs glyphs : {Glyphs::unicode, Glyphs::ascii}) {
          const ArtShape shape{.pitch = pitch, .flipped = flipped, .glyphs = glyphs};
          std::set<Jump> jumps;
          for (const ArtSpot& spot : art.drawn(shape)) {
            jumps.insert(spot.jump);
            BOOST_TEST_REQUIRE(spot.column >= 0);
            BOOST_TEST_REQUIRE(spot.row >= 0);
            BOOST_TEST_REQUIRE(spot.column <= board.width() * pitch.columns);
            BOOST_TEST_REQUIRE(spot.row <= board.rows() * pitch.rows);
            BOOST_TEST_REQUIRE(display_width(spot.text) == 1);
            if (glyphs == Glyphs::ascii) BOOST_TEST_REQUIRE(spot.text.size() == 1U);
          }
          BOOST_TEST(jumps.size() == board.snakes().size() + board.ladders().size());
        }
  }
}

BOOST_AUTO_TEST_CASE(a_piece_slides_along_what_is_drawn) {
  const Board board = class_board();
  const JumpArt art(board);
  const ArtShape shape{.pitch = {12, 5}, .glyphs = Glyphs::unicode};
  const std::vector<ArtSpot> spots = art.drawn(shape);
  for (const auto jumps : {board.snakes(), board.ladders()})
    for (const Jump jump : jumps)
      for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        const ArtPlace place = art.along(jump, part, shape);
        const bool near = std::ranges::any_of(spots, [&](const ArtSpot& spot) {
          return std::abs(spot.column + 0.5 - place.column) <= 2 &&
                 std::abs(spot.row + 0.5 - place.row) <= 1;
        });
        BOOST_TEST(near, jump.from << " to " << jump.to << " at " << part);
      }
}

BOOST_AUTO_TEST_CASE(says_the_same_in_all_colours) {
  const Playback playback = replay_of(a_class_game());
  const Frame frame = view(playback, {200, 60}, {.title = "game", .glyphs = Glyphs::unicode});
  // Nothing is conveyed by a style alone: the characters are the same with or without styles.
  const auto without_styles = [](const std::string& text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\x1b' && text.find('m', i) < text.find('H', i))
        i = text.find('m', i);
      else
        plain += text[i];
    return plain;
  };
  const std::string none = whole(frame, Colours::none);
  BOOST_TEST(none.find(";5;") == std::string::npos);
  BOOST_TEST(whole(frame, Colours::eight).find(";5;") == std::string::npos);
  BOOST_TEST(whole(frame, Colours::palette).find("48;5;") != std::string::npos);
  BOOST_TEST(!without_styles(none).empty());
}

BOOST_AUTO_TEST_CASE(knows_how_many_colours_a_terminal_has) {
  BOOST_TEST((colours_named("xterm-256color", "") == Colours::palette));
  BOOST_TEST((colours_named("xterm", "truecolor") == Colours::palette));
  BOOST_TEST((colours_named("screen", "") == Colours::eight));
  BOOST_TEST((colours_named("linux", "yes") == Colours::eight));
}

BOOST_AUTO_TEST_CASE(ten_players_have_ten_looks) {
  std::set<Shade> shades;
  std::set<std::string> digits;
  for (std::size_t seat = 0; seat < max_players; ++seat) {
    shades.insert(piece_shade(seat));
    digits.insert(piece_digit(seat));
  }
  BOOST_TEST(shades.size() == max_players);
  BOOST_TEST(digits.size() == max_players);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(the_whole_screen)

BOOST_AUTO_TEST_CASE(can_be_drawn_at_every_size_on_every_board) {
  std::mt19937 random(2);
  for (const Board& board : all_sorts_of_boards()) {
    Playback playback = replay_of(rolled(a_setup(board, "lld", 4), 40));
    type(playback, "5");
    playback.add_chances(some_chances(41));
    Viewer viewer;
    for (int i = 0; i < 25; ++i) {
      const Size size{.columns = 20 + static_cast<int>(random() % 281),
                      .rows = 8 + static_cast<int>(random() % 93)};
      const Frame frame = viewer.view(playback, size, {.title = "g", .glyphs = Glyphs::unicode});
      BOOST_TEST_REQUIRE((frame.size() == size));
      if (size.columns < smallest_screen.columns || size.rows < smallest_screen.rows) continue;
      BOOST_TEST_REQUIRE(shows(frame, "q quits"), at_size(size) << "\n" << text_of(frame));
      BOOST_TEST_REQUIRE(frame.text(size.rows - 2).find("●") != std::string::npos,
                         at_size(size) << "\n"
                                       << text_of(frame));
    }
  }
}

BOOST_AUTO_TEST_CASE(has_a_map_beside_a_window) {
  Playback playback = replay_of(rolled(a_setup(a_board(2'500, 50), "standard", 2), 60));
  type(playback, "9");
  for (const Size size : {Size{80, 24}, Size{120, 40}, Size{200, 60}}) {
    const Frame frame = view(playback, size, {.title = "g", .glyphs = Glyphs::unicode});
    BOOST_TEST(shows(frame, "▒▒"), at_size(size));
    BOOST_TEST(shows(frame, "··"), at_size(size));
  }
  const Frame whole_board =
      view(replay_of(a_class_game()), {120, 40}, {.title = "g", .glyphs = Glyphs::unicode});
  BOOST_TEST(!shows(whole_board, "▒"));
}

BOOST_AUTO_TEST_CASE(is_the_same_whatever_is_remembered) {
  Playback playback = replay_of(a_class_game());
  Viewer viewer;
  for (int i = 0; i < 300; ++i) {
    if (i % 37 == 0) type(playback, "f");
    const Size size = i % 60 < 30 ? Size{80, 24} : Size{160, 50};
    BOOST_TEST_REQUIRE(
        (viewer.view(playback, size, {.title = "g"}) == view(playback, size, {.title = "g"})));
    playback.advance(*playback.until_change());
  }
}

BOOST_AUTO_TEST_CASE(explains_every_sign_that_is_on_it) {
  const Board large = *Board::make({.cells = 2'500,
                                    .width = 50,
                                    .snakes = {{60, 12}, {2'000, 40}},
                                    .ladders = {{5, 99}, {20, 1'800}}});
  for (const Board& board : {class_board(), find_named_board("party")->board(), large})
    for (const Glyphs glyphs : {Glyphs::unicode, Glyphs::ascii})
      for (const Size size : {Size{80, 24}, Size{120, 40}, Size{200, 60}}) {
        Playback playback = replay_of(rolled(a_setup(board, "standard", 3), 60));
        const Look look{.title = "g", .glyphs = glyphs};
        // Frames, numbers and words need no explanation.
        std::set<std::string> explained;
        const std::string plain = "╭╮╰╯─│┌┐└┘├┤┬┴┼·●×←→:%,()[]/?_<>+-|=x";
        for (const Character& character : characters_of(plain))
          if (glyphs == Glyphs::unicode || character.text.size() == 1)
            explained.insert(std::string(character.text));
        Viewer viewer;
        type(playback, "?");
        const std::string first = text_of(viewer.view(playback, size, look));
        std::string page = first;
        do {
          for (const Character& character : characters_of(page))
            if (character.text != "\n") explained.insert(std::string(character.text));
          press(playback, Code::down);
          page = text_of(viewer.view(playback, size, look));
        } while (page != first);
        type(playback, "?");
        for (int i = 0; i < 200; ++i) {
          const Frame frame = viewer.view(playback, size, look);
          for (int row = 0; row < size.rows - 3; ++row)
            for (int column = 0; column < size.columns; ++column) {
              const std::string& text = frame.at(column, row).text;
              const bool is_art =
                  text.size() == 3 && text[0] == '\xE2' && text[1] >= '\xA0' && text[1] <= '\xA3';
              const bool is_word = text.size() == 1 && std::isalnum(text[0]) != 0;
              if (is_art || is_word || text.empty()) continue;
              if (!explained.contains(text))
                BOOST_FAIL(text << " at " << at_size(size) << ", "
                                << (glyphs == Glyphs::ascii ? "ascii" : "unicode"));
            }
          const auto wait = playback.until_change();
          if (!wait) break;
          playback.advance(*wait * 3);
        }
      }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_pointer)

struct Pointing {
  explicit Pointing(Size screen, const Timeline& timeline = a_class_game(),
                    PlaybackSettings settings = {.step = true})
      : playback(Recording::in_force(timeline), settings), size(screen) {
    playback.add_chances(some_chances(playback.recording().shots() + 1));
    look();
  }
  void look() { frame = viewer.view(playback, size, {.title = "g", .glyphs = Glyphs::unicode}); }
  std::size_t point(Code code, int column, int row) {
    BOOST_TEST(pointer.take({.code = code, .column = column, .row = row}, viewer, playback));
    look();
    return playback.shot();
  }
  /// The position where a text begins on the screen.
  std::pair<int, int> place_of(std::string_view text) const {
    for (int row = 0; row < size.rows; ++row)
      for (int column = 0; column < size.columns; ++column) {
        std::string here;
        for (int i = column; i < size.columns && here.size() < text.size(); ++i)
          here += frame.at(i, row).text;
        if (here == text) return {column, row};
      }
    BOOST_FAIL("no " << text << " in\n" << text_of(frame));
    return {};
  }

  Playback playback;
  Viewer viewer;
  Pointer pointer;
  Size size;
  Frame frame{Size{}};
};

BOOST_AUTO_TEST_CASE(goes_along_the_timeline) {
  for (const Size size : {Size{80, 24}, Size{40, 16}, Size{200, 60}}) {
    Pointing pointing(size);
    const std::size_t last = pointing.playback.last();
    const auto [begin, row] = pointing.place_of("●─");
    const int end = pointing.place_of("─ ").first;
    BOOST_TEST(pointing.point(Code::press, end, row) == last);
    BOOST_TEST(pointing.point(Code::drag, begin, row) == 0U);
    const std::size_t middle = pointing.point(Code::drag, (begin + end) / 2, row);
    BOOST_TEST(middle >= last / 2 - 1);
    BOOST_TEST(middle <= last / 2 + 1);
    // A drag off the bar continues. Far beyond its ends, the position is at its ends.
    BOOST_TEST(pointing.point(Code::drag, 0, 0) == 0U);
    BOOST_TEST(pointing.point(Code::drag, size.columns - 1, 2) == last);
    BOOST_TEST(pointing.point(Code::release, 0, 0) == last);
    BOOST_TEST(pointing.point(Code::drag, begin, row) == last);  // nothing is held
    BOOST_TEST(pointing.point(Code::wheel_up, begin, row) ==
               last - std::max<std::size_t>(1, last / static_cast<std::size_t>(end - begin)));
  }
}

BOOST_AUTO_TEST_CASE(goes_to_a_turn_of_the_list) {
  Pointing pointing({80, 24});
  const auto [column, row] = pointing.place_of(" 3 3 ");
  BOOST_TEST(pointing.point(Code::press, column + 2, row) == 3U);
  const auto [other_column, other_row] = pointing.place_of(" 5 2 ");
  BOOST_TEST(pointing.point(Code::press, other_column, other_row) == 5U);
  BOOST_TEST(pointing.point(Code::wheel_down, other_column, other_row) == 6U);
  BOOST_TEST(pointing.point(Code::wheel_up, other_column, other_row) == 5U);
  BOOST_TEST(!pointing.playback.is_playing());
}

BOOST_AUTO_TEST_CASE(goes_along_the_graph) {
  Pointing pointing({120, 40});
  const auto [column, row] = pointing.place_of("100 │");
  BOOST_TEST(pointing.point(Code::press, column + 5, row + 2) == 0U);
  BOOST_TEST(pointing.point(Code::press, 120 - 4, row + 1) == pointing.playback.last());
}

BOOST_AUTO_TEST_CASE(on_the_board_and_elsewhere_changes_nothing) {
  Pointing pointing({80, 24});
  type(pointing.playback, "5");
  pointing.look();
  const std::size_t shot = pointing.playback.shot();
  for (const Code code : {Code::press, Code::drag, Code::release, Code::wheel_up, Code::wheel_down})
    for (const auto& [column, row] :
         std::vector<std::pair<int, int>>{{3, 3}, {0, 23}, {79, 23}, {500, 3}, {3, 500}, {0, 22}})
      BOOST_TEST(pointing.point(code, column, row) == shot);
  BOOST_TEST(!pointing.pointer.take(typed('q'), pointing.viewer, pointing.playback));
}

BOOST_AUTO_TEST_CASE(turns_the_help_s_pages_and_closes_it) {
  Pointing pointing({80, 24});
  type(pointing.playback, "?");
  pointing.look();
  const auto row = pointing.size.rows - 2;
  (void)pointing.point(Code::wheel_down, 40, row);
  BOOST_TEST(*pointing.playback.help_page() == 1);
  (void)pointing.point(Code::wheel_up, 40, row);
  BOOST_TEST(*pointing.playback.help_page() == 0);
  BOOST_TEST(pointing.point(Code::press, 40, row) == 0U);
  BOOST_TEST(!pointing.playback.help_page());
}

BOOST_AUTO_TEST_CASE(is_never_lost_whatever_it_does) {
  std::mt19937 random(9);
  for (const Turn turns : {0, 1, 2, 300}) {
    Pointing pointing({80, 24}, rolled(a_setup(a_board(2'500, 50), "standard", 2), turns));
    for (int i = 0; i < 300; ++i) {
      const auto code =
          static_cast<Code>(static_cast<int>(Code::press) + static_cast<int>(random() % 5));
      const std::size_t shot =
          pointing.point(code, static_cast<int>(random() % 90), static_cast<int>(random() % 30));
      BOOST_TEST_REQUIRE(shot <= pointing.playback.last());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(what_carries_pieces)

/// Cells of interest: 10 is a ladder to 40, 12 swap, 20 restart. Pieces are captured.
std::shared_ptr<const GameSetup> a_setup_with_powers() {
  auto setup = std::make_shared<GameSetup>(
      *a_setup(*Board::make({.cells = 100,
                             .width = 10,
                             .ladders = {{10, 40}},
                             .powers = {{.cell = 12, .kind = PowerKind::swap},
                                        {.cell = 20, .kind = PowerKind::restart},
                                        {.cell = 30, .kind = PowerKind::shield, .n = 2}}}),
               "standard", 3));
  setup->rules.meet = Meet::capture;
  setup->rules.faces = 40;
  setup->rules.sixes = Sixes::plain;
  BOOST_REQUIRE(faults_of(*setup).empty());
  return setup;
}

/// The pieces that slide in the next turn, stage by stage.
std::vector<std::vector<Carried>> slides_of_next_turn(Playback& playback) {
  std::vector<std::vector<Carried>> stages;
  type(playback, ".");
  while (!playback.scene().settled) {
    const Scene scene = playback.scene();
    if (scene.slide && (stages.empty() || stages.back() != scene.slide->pieces))
      stages.push_back(scene.slide->pieces);
    playback.advance(*playback.until_change());
  }
  return stages;
}

BOOST_AUTO_TEST_CASE(is_seen_one_thing_after_another) {
  Playback playback = replay_of(timeline_of(snl::test::events_of(
      a_setup_with_powers(),
      {turn_of(0, {9}), turn_of(1, {9}), turn_of(2, {11}), turn_of(0, {19})})));
  using Stages = std::vector<std::vector<Carried>>;
  // Ann is carried up the ladder; so is Bob, who sends her back; Cem changes places with him.
  BOOST_TEST((slides_of_next_turn(playback) ==
              Stages{{{.seat = 0, .from = 10, .to = 40, .jump = JumpKind::ladder}}}));
  BOOST_TEST((slides_of_next_turn(playback) ==
              Stages{{{.seat = 1, .from = 10, .to = 40, .jump = JumpKind::ladder}},
                     {{.seat = 0, .from = 40, .to = 1}}}));
  BOOST_TEST((slides_of_next_turn(playback) ==
              Stages{{{.seat = 1, .from = 40, .to = 12}, {.seat = 2, .from = 12, .to = 40}}}));
  BOOST_TEST((slides_of_next_turn(playback) == Stages{{{.seat = 0, .from = 20, .to = 1}}}));
}

BOOST_AUTO_TEST_CASE(never_makes_a_piece_vanish_or_appear_twice) {
  Playback playback =
      replay_of(rolled(a_setup(find_named_board("party")->board(), "standard", 3), 60));
  Viewer viewer;
  int slides = 0;
  while (!is_over(playback)) {
    const Scene scene = playback.scene();
    if (scene.slide) {
      ++slides;
      BOOST_TEST_REQUIRE(scene.slide->part >= 0);
      BOOST_TEST_REQUIRE(scene.slide->part <= 1);
    }
    const Frame frame = viewer.view(playback, {120, 40}, {.title = "g", .glyphs = Glyphs::unicode});
    // Columns on the board, which is to the left of the panel.
    for (std::size_t seat = 0; seat < 3; ++seat) {
      int seen = 0;
      for (int row = 0; row < 34; ++row)
        for (int column = 0; column < 80; ++column) {
          const Frame::Spot& spot = frame.at(column, row);
          if (spot.text == piece_digit(seat) &&
              (spot.style.ink == piece_shade(seat) || spot.style.paper == piece_shade(seat)))
            ++seen;
        }
      // A piece that slides may be over another one.
      BOOST_TEST_REQUIRE((seen == 1 || (seen == 0 && scene.slide)), "turn " << scene.shot << "\n"
                                                                            << text_of(frame));
    }
    playback.advance(*playback.until_change());
  }
  BOOST_TEST(slides > 20);
}

BOOST_AUTO_TEST_CASE(shields_and_turns_to_miss_are_shown_at_every_size) {
  Playback playback = replay_of(timeline_of(
      snl::test::events_of(a_setup_with_powers(), {turn_of(0, {29}), turn_of(1, {1})})));
  type(playback, "G");
  BOOST_TEST(shows(view(playback, {80, 24}, {}), "A~ o2\n"));
  BOOST_TEST(shows(view(playback, {160, 50}, {}), "Ann (2 shields)"));
  BOOST_TEST(shows(view(playback, {40, 14}, {}), "1:30o2"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(suspense)

BOOST_AUTO_TEST_CASE(nothing_of_a_turn_is_told_before_it_is_seen) {
  const Timeline whole_game = a_class_game();
  Timeline timeline;
  (void)timeline.add(GameStarted{whole_game.state().setup});
  Playback playback(Recording::in_force(timeline), {.mode = Mode::watch});
  Viewer viewer;
  for (const Timeline::Entry& entry : whole_game.recorded()) {
    const TurnPlayed& turn = entry.turn;
    (void)timeline.add(turn);
    playback.follow(timeline, turn);
    playback.add_chances(some_chances(1));
    const std::string sentence = narrate(turn, whole_game.state().setup->players, Glyphs::ascii);
    const std::string result = " " + to_string(turn.dice) + ": ";
    while (!playback.scene().settled) {
      const Scene scene = playback.scene();
      const Frame frame = viewer.view(playback, {120, 40}, {.title = "g"});
      BOOST_TEST_REQUIRE(!shows(frame, sentence), sentence);
      BOOST_TEST_REQUIRE(!shows(frame, " rolls" + result), sentence);
      if (scene.rolling) BOOST_TEST_REQUIRE(shows(frame, "rolls ...\n"));
      BOOST_TEST_REQUIRE(!scene.position.winner);
      BOOST_TEST_REQUIRE(scene.position.next == turn.seat);
      playback.advance(*playback.until_change());
    }
    BOOST_TEST_REQUIRE(shows(viewer.view(playback, {120, 40}, {.title = "g"}), sentence));
  }
  BOOST_TEST(playback.is_completed());
}

BOOST_AUTO_TEST_CASE(a_watch_says_how_far_it_is_behind_and_catches_up) {
  const Timeline whole_game = rolled(a_setup(a_board(10'000, 100), "standard", 2), 200);
  Timeline timeline;
  (void)timeline.add(GameStarted{whole_game.state().setup});
  Playback playback(Recording::in_force(timeline), {.mode = Mode::watch});
  const auto entries = whole_game.recorded();
  std::size_t next = 0;
  const auto play = [&](std::size_t turns) {
    for (; turns > 0; --turns, ++next) {
      (void)timeline.add(entries[next].turn);
      playback.follow(timeline, entries[next].turn);
    }
  };
  const auto screen = [&] { return view(playback, {100, 30}, {.title = "g"}); };
  play(1);
  BOOST_TEST(shows(screen(), "> live "));
  play(5);
  BOOST_TEST(playback.shot() == 1U);
  BOOST_TEST(shows(screen(), "> 5 behind "));
  BOOST_TEST(!shows(
      screen(),
      "  2 Bob"));  // the list shows nothing of them It shows all of them, faster than usual.
  std::set<std::size_t> told;
  Milliseconds passed{0};
  while (const auto wait = playback.until_change()) {
    passed += *wait;
    playback.advance(*wait);
    if (playback.scene().settled) told.insert(playback.shot());
  }
  BOOST_TEST(told.size() == 6U);
  BOOST_TEST(passed.count() < 6 * 2'000 * 0.7);
  BOOST_TEST(shows(screen(), "> live "));
  // It skips most of very many, and says so.
  play(100);
  BOOST_TEST(playback.last() - playback.shot() <= 31U);
  BOOST_TEST(shows(screen(), " turns were passed over, to catch up"));
  type(playback, " ");
  BOOST_TEST(shows(screen(), "# held, "));
  const std::size_t held = playback.shot();
  play(50);
  BOOST_TEST(playback.shot() == held);
}

BOOST_AUTO_TEST_SUITE_END()
