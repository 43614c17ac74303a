// The table of keys: what each does while a game is played back, and what the help says of it.
#pragma once

#include "cli/terminal/keys.hpp"
#include "domain/rules.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snl::cli {

enum class Mode : std::uint8_t {
  replay,
  table,  // turns are played here
  watch,  // turns are played elsewhere
};

/// An action that a key asks for.
enum class Action : std::uint8_t {
  // Even while a turn is typed, or the help is shown.
  interrupt,
  suspend,
  redraw,
  // Anywhere.
  leave,
  forwards,
  backwards,
  ten_forwards,
  ten_backwards,
  next_moment,
  previous_moment,
  to_start,
  to_end,
  flip,
  show_or_hide_graph,
  help,
  // Where the game is only looked at.
  play_or_pause,
  to_tenth,  // of the game: the key is the digit
  ask_for_turn,
  faster,
  slower,
  normal_speed,
  // At the table.
  enter,  // plays the dice that were typed, or rolls
  enter_or_type,
  leave_or_drop_dice,
  type_dice,  // the key is the character
  delete_typed,
  undo,
  redo,
};

/// The action of a key; none if the key has none.
std::optional<Action> action_of(const Key& key, Mode mode);

/// How the help writes keys: in this terminal's characters, and with dice that these rules allow.
struct KeyWords {
  Mode mode = Mode::replay;
  std::string_view left = "<-";
  std::string_view right = "->";
  Rules rules = {};
};

struct KeyHelp {
  std::string keys;
  std::string what;
};

/// The help on all keys, one line each.
std::vector<KeyHelp> help_of_keys(const KeyWords& words);

/// The situation that decides which keys the last line shows.
struct KeyMoment {
  bool playing = false;
  bool completed = false;     // somebody has won, and that turn is shown
  bool looking_back = false;  // at a table, another turn than the last one is shown
};

/// The keys that help most now, the most important first.
std::vector<KeyHelp> hints_of_keys(const KeyWords& words, const KeyMoment& moment);

}  // namespace snl::cli
