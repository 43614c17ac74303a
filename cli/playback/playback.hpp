// The state of a game that is played back, and how keys and time change it.
//
//   press(state, key)     → state, and perhaps a wish that only the world outside can grant
//   advance(state, time)  → state
//
// Nothing here reads a clock, a terminal or a store: whoever has a recording can go through it
// frame by frame (see until_change), on a screen or into a file.
#pragma once

#include "cli/drawing/board_view.hpp"
#include "cli/drawing/walk.hpp"
#include "cli/terminal/keys.hpp"
#include "cli/terminal/milliseconds.hpp"
#include "domain/narration.hpp"
#include "playback_keys.hpp"
#include "recording.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace snl::cli {

/// Each seat's chance to win, 0 to 1.
using Chances = std::array<double, max_players>;

struct PlaybackSettings {
  Mode mode = Mode::replay;
  double speed = 1;           // times the normal one, > 0
  double slowest = 1.0 / 16;  // that it can be
  double fastest = 1024;
  bool step = false;              // stops after each turn
  bool loop = false;              // begins again at the end
  Glyphs glyphs = Glyphs::ascii;  // of what is said in words
  /// Of the recording's shots: what is before and after is not shown. By default the whole
  /// recording, as it grows.
  std::size_t first = 0;
  std::optional<std::size_t> last = std::nullopt;
};

// ---- What only the world outside can do.

struct Quit {
  bool interrupted = false;  // by Ctrl-C
};
struct Suspend {};
struct Redraw {};
/// A command of the player to move (Mode::table).
struct Play {
  Command command;
};
using Wish = std::variant<Quit, Suspend, Redraw, Play>;

class Playback {
 public:
  /// Plays from the first shot on, unless it stops after each (replay); or shows the last one
  /// (table, watch).
  Playback(Recording recording, const PlaybackSettings& settings);

  std::optional<Wish> press(const Key& key);
  void advance(Milliseconds time);
  /// Shows a shot, or the one so many shots on or back, to its end: for a pointer.
  void point_at(std::size_t shot);
  void scroll(std::int64_t shots);
  /// How long it takes from the first shot's beginning to the last one's end, where no shot rests
  /// longer than `longest_rest` before the next one.
  Milliseconds length(double speed, Milliseconds longest_rest) const;
  /// How long until the picture changes by itself; none if it won't.
  std::optional<Milliseconds> until_change() const;

  /// Something was recorded: `timeline` has it already. (table, watch)
  void follow(const Timeline& timeline, const Event& event);
  void say(std::string note) { note_ = std::move(note); }

  // ---- Chances to win come in from outside too: they may take a while.

  /// Of the recording's first positions, as far as they are known.
  const std::vector<Chances>& chances() const { return chances_; }
  /// Changes when positions that were in the recording are in it no more.
  std::uint64_t edition() const { return edition_; }
  /// Takes in the chances at the positions after those whose chances are known.
  void add_chances(const std::vector<Chances>& more);
  /// There won't be any, and why not.
  void give_up_chances(std::string why) { no_chances_ = std::move(why); }
  const std::optional<std::string>& no_chances() const { return no_chances_; }

  // ---- What is to be seen.

  const Recording& recording() const { return recording_; }
  const PlaybackSettings& settings() const { return settings_; }
  Scene scene() const;
  std::size_t shot() const { return shot_; }
  std::size_t first() const { return settings_.first; }
  std::size_t last() const { return settings_.last.value_or(recording_.shots()); }
  bool is_playing() const { return playing_; }
  /// At the last shot, shown to its end, and not about to go on.
  bool is_over() const { return !playing_ && shot_ == last() && is_settled(); }
  /// At a table, another turn than the last one is shown.
  bool looks_back() const { return settings_.mode == Mode::table && shot_ != last(); }
  bool is_completed() const;
  double speed() const { return speed_; }
  bool is_flipped() const { return flipped_; }
  bool shows_graph() const { return graph_; }
  /// Which page of the keys is shown, if any: 0 is the first one, as it is after the last one.
  std::optional<int> help_page() const { return help_page_; }
  const std::string& note() const { return note_; }
  /// The number of a turn that is being typed (after ':').
  const std::optional<std::string>& sought() const { return sought_; }
  const std::string& typed_dice() const { return typed_dice_; }

 private:
  /// How long the parts of a shot take at normal speed, one after another.
  struct Motion {
    Milliseconds roll{0};
    Milliseconds step{0};  // from a cell to the next
    int steps = 0;
    int slides = 0;  // one after another
    Milliseconds walk() const { return steps * step; }
    Milliseconds all() const;
  };
  Motion motion() const { return motion_of(shot_); }
  Motion motion_of(std::size_t shot) const;
  Milliseconds rest() const { return rest_of(shot_); }
  Milliseconds rest_of(std::size_t shot) const;
  double pace() const;
  bool is_settled() const { return elapsed_ >= motion().all(); }

  std::optional<Wish> carry_out(Action action, const Key& key);
  void look_or_type(Action action, char character);
  std::optional<Wish> enter();
  std::optional<Wish> take_back_or_redo(const Command& command);
  void press_in_help(const Key& key);
  void type_turn(const Key& key);
  void go_to_typed_turn();
  std::optional<Wish> enter_dice();
  std::optional<Wish> leave_or_drop_dice();
  void type_dice(char character);
  void delete_typed();
  void play_or_pause();
  void go_to_tenth(int tenths);
  void forwards();
  void backwards();
  void seek(std::size_t shot);
  void seek_by(std::int64_t shots);
  void seek_moment(int direction);
  void go_faster(double factor);
  void note(const Event& event);
  void catch_up();

  Recording recording_;
  PlaybackSettings settings_;
  std::size_t shot_;
  Milliseconds elapsed_{0};  // of the shot's motion and rest, at normal speed
  bool playing_ = true;
  double speed_;
  bool flipped_ = false;
  bool graph_ = true;
  std::optional<int> help_page_;
  std::string note_;
  /// The turns that the note says were taken back, or put back, one after another.
  struct NotedTurns {
    bool undone;
    Turn first;
    Turn last;
  };
  std::optional<NotedTurns> noted_;
  std::size_t passed_over_ = 0;  // turns that a watch didn't tell, since it was behind by too many
  std::optional<std::string> sought_;
  std::string typed_dice_;
  /// Dice that were typed were dropped: the next key, if it is the Enter that was meant for them,
  /// rolls no others.
  bool ignore_next_enter_ = false;
  bool ignores_enter_ = false;  // ignore_next_enter_, before the key that is being handled
  std::vector<Chances> chances_;
  std::optional<std::string> no_chances_;
  std::uint64_t edition_ = 0;
};

}  // namespace snl::cli
