// The state of a game that is played back, and how keys and time change it.
//
//   press(state, key)     → state, and perhaps a wish that only the world outside can grant
//   advance(state, time)  → state
//
// Nothing here reads a clock, a terminal or a store. A caller with a recording can go through it
// frame by frame (see until_change), on a screen or into a file.
#pragma once

#include "cli/drawing/board_view.hpp"
#include "cli/terminal/keys.hpp"
#include "cli/terminal/milliseconds.hpp"
#include "domain/analysis/race_sums.hpp"
#include "domain/narration.hpp"
#include "playback_keys.hpp"
#include "recording.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace snl::cli {

struct PlaybackSettings {
  Mode mode = Mode::replay;
  double speed = 1;           // a multiple of the normal one, > 0
  double slowest = 1.0 / 16;  // the least possible speed
  double fastest = 1024;
  bool step = false;              // stops after each turn
  bool loop = false;              // begins again at the end
  Glyphs glyphs = Glyphs::ascii;  // of the sentences
  /// The first and the last shot that are shown. By default, the whole recording as it grows.
  std::size_t first = 0;
  std::optional<std::size_t> last = std::nullopt;
};

// ---- Wishes that only the world outside can grant.

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
  /// A replay plays from the first shot on, unless it stops after each turn. A table or a watch
  /// shows the last shot.
  Playback(Recording recording, const PlaybackSettings& settings);

  std::optional<Wish> press(const Key& key);
  void advance(Milliseconds time);
  /// Shows a shot, or the one so many shots away, to its end: for the mouse.
  void point_at(std::size_t shot);
  void scroll(std::int64_t shots);
  /// The time from the beginning of the first shot to the end of the last one, if no shot rests
  /// longer than `longest_rest` before the next one.
  Milliseconds length(double speed, Milliseconds longest_rest) const;
  /// The time until the picture changes by itself; none if it won't.
  std::optional<Milliseconds> until_change() const;

  /// Takes in an event that was recorded; `timeline` has it already. (table, watch)
  void follow(const Timeline& timeline, const Event& event);
  void say(std::string note) { note_ = std::move(note); }

  // ---- Chances to win come from outside, since they may take a while.

  /// The chances at the recording's first positions, as many as are known.
  const std::vector<RaceOdds>& chances() const { return chances_; }
  /// A number that changes when positions leave the recording.
  std::uint64_t edition() const { return edition_; }
  /// Takes in the chances at the positions after those with known chances.
  void add_chances(const std::vector<RaceOdds>& more);
  /// Says that there won't be any chances, and why.
  void give_up_chances(std::string why) { no_chances_ = std::move(why); }
  const std::optional<std::string>& no_chances() const { return no_chances_; }

  // ---- The state to show.

  const Recording& recording() const { return recording_; }
  const PlaybackSettings& settings() const { return settings_; }
  Scene scene() const;
  std::size_t shot() const { return shot_; }
  std::size_t first() const { return settings_.first; }
  std::size_t last() const { return settings_.last.value_or(recording_.shots()); }
  bool is_playing() const { return playing_; }
  /// Whether a table shows another turn than the last one.
  bool looks_back() const { return settings_.mode == Mode::table && shot_ != last(); }
  bool is_completed() const;
  double speed() const { return speed_; }
  bool is_flipped() const { return flipped_; }
  bool shows_graph() const { return graph_; }
  /// The page of the help that is shown, if any. Pages go round: the first, 0, follows the last.
  std::optional<int> help_page() const { return help_page_; }
  const std::string& note() const { return note_; }
  /// The turn's number while it is being typed (after ':').
  const std::optional<std::string>& sought() const { return sought_; }
  const std::string& typed_dice() const { return typed_dice_; }

 private:
  /// The times of a shot's parts at normal speed, one after another.
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

  bool types_word(std::optional<Action> action, const Key& key) const;
  std::optional<Wish> carry_out(Action action, const Key& key);
  void change_view_or_type(Action action, char character);
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
  /// The turns that the note calls taken back, or put back, one after another.
  struct NotedTurns {
    bool undone;
    Turn first;
    Turn last;
  };
  std::optional<NotedTurns> noted_;
  std::size_t passed_over_ = 0;  // turns that a watch skipped, since too many came at once
  std::optional<std::string> sought_;
  std::string typed_dice_;
  /// Typed dice were dropped. If the next key is the Enter that was meant for them, it rolls no
  /// others.
  bool ignore_next_enter_ = false;
  bool ignores_enter_ = false;  // ignore_next_enter_ as it was before the current key
  std::vector<RaceOdds> chances_;
  std::optional<std::string> no_chances_;
  std::uint64_t edition_ = 0;
};

}  // namespace snl::cli
