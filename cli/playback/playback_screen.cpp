#include "playback_screen.hpp"

#include "background_chances.hpp"
#include "cli/terminal/screen.hpp"
#include "pointer.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <utility>
#include <variant>

namespace snl::cli {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// A playback on the terminal, connected to keys, time and the world.
class PlaybackScreen {
 public:
  PlaybackScreen(Playback playback, const ScreenLook& look, PlaybackWorld world)
      : look_(look.look),
        playback_(std::move(playback)),
        world_(std::move(world)),
        screen_(look.colours) {}

  void run() {
    while (!is_ended()) {
      chances_.serve(playback_);
      if (world_.refresh) world_.refresh(playback_);
      // Keys pressed before the result was on the screen aren't meant for the new picture.
      if (commanded_) take(screen_.wait(Milliseconds{0}, -1));
      commanded_ = false;
      if (is_ended()) break;
      screen_.show(viewer_.view(playback_, screen_.size(), look_));
      take(screen_.wait(timeout(), chances_.wake()));
    }
  }

  PlaybackEnd end() const { return end_; }

 private:
  std::optional<Milliseconds> timeout() const {
    constexpr Milliseconds between_refreshes{100};
    const auto until_change = playback_.until_change();
    if (!world_.refresh) return until_change;
    return std::min(until_change.value_or(between_refreshes), between_refreshes);
  }

  void pass_time(bool was_away) {
    const auto now = SteadyClock::now();
    if (!was_away) playback_.advance(now - now_);
    now_ = now;
  }

  bool is_ended() const { return has_quit_ || end_.signal; }

  void take(const Screen::Input& input) {
    pass_time(input.was_away);
    for (const Key& key : input.keys)
      if (!commanded_ || is_never_lost(key)) press(key);
    if (input.signal == SIGINT)
      end_ = {.interrupted = true};
    else if (input.signal)
      end_.signal = input.signal;
    has_quit_ = has_quit_ || end_.interrupted;
  }

  static bool is_never_lost(const Key& key) {
    return key.code == Key::Code::interrupt || key.code == Key::Code::suspend;
  }

  void press(const Key& key) {
    if (pointer_.take(key, viewer_, playback_)) return;
    const auto wish = playback_.press(key);
    if (!wish || has_quit_) return;
    if (const auto* quit = std::get_if<Quit>(&*wish)) {
      has_quit_ = true;
      end_.interrupted = quit->interrupted;
    } else if (const auto* play = std::get_if<Play>(&*wish)) {
      world_.play(playback_, play->command);
      commanded_ = true;
    } else if (std::holds_alternative<Suspend>(*wish)) {
      screen_.suspend();
      now_ = SteadyClock::now();
    } else {
      screen_.forget();
    }
  }

  Look look_;
  Playback playback_;
  Viewer viewer_;
  Pointer pointer_;
  PlaybackWorld world_;
  Screen screen_;  // before the chances: their thread must not receive signals
  BackgroundChances chances_;
  SteadyClock::time_point now_ = SteadyClock::now();
  bool has_quit_ = false;
  PlaybackEnd end_;
  bool commanded_ =
      false;  // a command was given; its result is on the screen only after the next show
};

}  // namespace

PlaybackEnd run_on_screen(Playback playback, const ScreenLook& look, PlaybackWorld world) {
  PlaybackScreen screen(std::move(playback), look, std::move(world));
  screen.run();
  return screen.end();
}

}  // namespace snl::cli
