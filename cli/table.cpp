#include "table.hpp"

#include "board_picture.hpp"
#include "files.hpp"
#include "storage/text_form.hpp"
#include "terminal_text.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>

namespace snl::cli {
namespace {

constexpr std::size_t longest_line = 4096;

class Table {
 public:
  Table(const Session& session, Match match) : session_(session), match_(std::move(match)) {}

  void sit() {
    say(fmt::format(
        "Game {}. Enter rolls, or type dice such as 6-3; u undoes, q leaves, b shows the board.",
        match_.id()));
    draw();
    while (true) {
      ask();
      const auto line = input_.next();
      if (!line) {
        say("");
        return leave();
      }
      if (!answer(trimmed(*line))) return leave();
    }
  }

 private:
  const GameSetup& setup() const { return *match_.state().setup; }

  static std::string trimmed(const std::string& line) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos) return {};
    return line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
  }

  static void say(std::string_view line) { print_line(printable(line)); }

  void ask() const {
    const Position& position = match_.state().position;
    if (position.winner)
      print(printable(
          fmt::format("{} has won. u undoes, q leaves: ", setup().players[*position.winner])));
    else
      print(printable(fmt::format("{}. {} (on {}) to roll: ", position.turn + 1,
                                  setup().players[position.next], position.cells[position.next])));
    flush();
  }

  void draw() {
    Picture picture;
    picture.players = setup().players;
    picture.position = match_.state().position;
    picture.last_move = match_.last_turn();
    picture.unicode = session_.glyphs() == Glyphs::unicode;
    picture.colour = session_.use_color();
    print(draw_board(setup().board, picture));
  }

  /// False to leave.
  bool answer(const std::string& word) {
    if (word == "q" || word == "quit") return false;
    if (word == "?" || word == "h" || word == "help")
      say("Enter rolls the game's own dice; 6-3 plays dice that you threw; u undoes; b shows the "
          "board; q leaves.");
    else if (word == "b")
      draw();
    else if (word == "u")
      play(UndoTurns{1});
    else if (word.empty())
      play(RollTurn{});
    else
      play_typed(word);
    return true;
  }

  void play_typed(const std::string& word) {
    const auto dice = parse_dice(joined(word));
    if (!dice)
      say(fmt::format("\"{}\" isn't a list of dice; {}", word, possible_dice(setup().rules)));
    else
      play(PlayTurn{match_.state().position.next, Dice(std::span(*dice))});
  }

  /// "6 3" as "6-3".
  static std::string joined(const std::string& words) {
    std::string joined;
    for (const char c : words) {
      const bool is_blank = c == ' ' || c == '\t';
      if (!is_blank) joined += c;
      if (is_blank && !joined.ends_with('-')) joined += '-';
    }
    return joined;
  }

  /// Does what was asked of the position that was shown, and of no other.
  void play(const Command& command) {
    const auto recorded =
        match_.execute(command, {.expected_version = match_.state().version, .command_id = {}});
    if (!recorded) {
      if (!std::holds_alternative<Conflict>(recorded.error()))
        return say(failure_from(recorded.error(), setup(), match_.id()).what());
      say("Somebody else has moved meanwhile; nothing was done.");
      return draw();
    }
    for (const Event& event : recorded->events)
      say(narrate(event, setup().players, session_.glyphs()));
    if (match_.state().completed()) draw();
  }

  void leave() const {
    if (!match_.state().completed())
      say(fmt::format("Game {} is kept; go on with: snl play {}", match_.id(), match_.id()));
  }

  const Session& session_;
  Match match_;
  LineReader input_{"-", longest_line};
};

}  // namespace

void play_at_table(Session& session, const std::string& game) {
  if (isatty(STDIN_FILENO) != 1 || !session.stdout_is_terminal())
    throw Failure(
        Exit::usage,
        "a table to play at needs a terminal; give PLAYER DICE, or - to read turns from stdin");
  Table(session, session.match(game)).sit();
}

}  // namespace snl::cli
