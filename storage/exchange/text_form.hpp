// A game as a person would write it by hand: headers in brackets, a blank line, a line a turn.
//
//   [Id "final"]
//   [Player "Ann"]
//   [Player "Bob"]
//   [Cells "100"]
//   [Snake "17,7"]
//
//   Ann 6-3
//   Bob 4
#pragma once

#include "domain/dice.hpp"
#include "domain/faults.hpp"
#include "domain/timeline.hpp"

#include <expected>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

// ---- Turn lines, as `snl play -` reads them too

struct TurnLine {
  std::string player;
  std::vector<std::int32_t> dice;
  std::string dice_text;  // as they were written
  std::optional<std::string> command_id;
};

/// Reads a turn, `PLAYER DICE`. The dice ("6-6-1") follow the last space; the player is everything
/// before it, to the letter. A line that begins with a brace and a quote is JSON with "player",
/// "dice" and perhaps "id", each once.
///
/// If no player of `players` has this name, blanks (spaces and tabs) before the dice and at the
/// ends of the line don't count. If still none has, the dice may stand apart: "Ann 6 6 1". Returns
/// none for a blank line and for one that begins with `#`. The error is a sentence.
std::expected<std::optional<TurnLine>, std::string> parse_turn_line(
    std::string_view line, std::span<const std::string> players = {});

/// The line from which parse_turn_line reads this turn; JSON if the name would be misread.
std::string format_turn_line(std::string_view player, const Dice& dice);

// ---- Whole games

struct GameText {
  std::optional<std::string> id;
  std::shared_ptr<const GameSetup> setup;  // its seed is 0
  struct Turn {
    std::size_t line;
    TurnLine turn;
  };
};

/// Reads a game's text line by line, however long it is, and keeps none of its turns.
class GameTextReader {
 public:
  /// `lines_before` is the number of lines before the game in its text.
  explicit GameTextReader(std::size_t lines_before = 0);
  ~GameTextReader();

  /// Takes the next line, without its end. Returns the turn on it, if there is one, or an error
  /// with the line's number. Unreadable headers are collected. They are reported together with all
  /// other faults of the headers: at the first turn, by game(), or once there are very many.
  std::expected<std::optional<GameText::Turn>, std::string> add(std::string_view line);
  /// Whether the next line is the first header of another game: a header after a turn, or, after a
  /// blank line, an Id if there is one already.
  bool ends_before(std::string_view line) const;
  /// Headers that this program doesn't know and passed over, with their lines; if there are very
  /// many, the first ones.
  const std::vector<std::string>& unknown_headers() const { return unknown_; }
  /// How many lines there were so far, including those before the game.
  std::size_t lines() const { return line_; }
  /// The game as its headers describe it; they end at the first turn, or with the text.
  std::expected<GameText, std::string> game() const;

 private:
  class Headers;

  std::expected<void, std::string> add_header(std::string_view line);
  std::string headers_in_words() const;
  std::string faults_of_headers() const;
  std::expected<std::optional<TurnLine>, std::string> read_turn(std::string_view line);

  std::size_t first_line_;
  std::size_t line_;
  bool in_headers_ = true;
  bool after_blank_ = false;
  std::vector<std::string> unknown_;
  std::unique_ptr<Headers> headers_;
  Faults unreadable_;  // headers that can't be read, with the numbers of their lines
  std::set<std::string> command_ids_;
};

/// The text of a game with its turns in force. None for a branch: this form can't say where it
/// began.
std::optional<std::string> format_game_text(const std::string& id, const Timeline& timeline);

}  // namespace snl
