#include "cli/playback/playback_view.hpp"
#include "domain/engine.hpp"
#include "endless_game.hpp"
#include "rows.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace snl::benchmarks {
namespace {

constexpr cli::Size screen_size{.columns = 160, .rows = 50};

std::vector<Event> endless_events(Turn turns) {
  std::vector<Event> events{GameStarted{endless_game()}};
  const auto start = evolve(GameState{}, events.front());
  (void)play_out(*start, seeded_dice, [&](const Event& event) { events.push_back(event); }, turns);
  return events;
}

Timeline timeline_of(const std::vector<Event>& events) {
  Timeline timeline;
  for (const Event& event : events)
    (void)timeline.add(event);
  return timeline;
}

/// A replay that is open on a screen, with its odds known.
struct Shown {
  cli::Playback playback;
  cli::Look look{.title = "game", .glyphs = Glyphs::unicode};
  cli::Frame frame;
  std::size_t turn = 0;
  cli::Viewer viewer;

  explicit Shown(const std::vector<Event>& events)
      : playback(cli::Recording::in_force(timeline_of(events)), {.step = true}),
        frame(screen_size) {
    std::vector<RaceOdds> chances(playback.recording().shots() + 1);
    for (std::size_t i = 0; i < chances.size(); ++i) {
      const double first = 0.5 + 0.4 * std::sin(static_cast<double>(i));
      chances[i].win = {first, 1 - first};
    }
    playback.add_chances(chances);
  }

  /// Goes there by the keys that a person presses; returns the output for the terminal.
  std::string seek_afar() {
    constexpr std::size_t far = 7919;
    turn = (turn + far) % (playback.recording().shots() + 1);
    for (const char c : ":" + std::to_string(turn))
      (void)playback.press(cli::typed(c));
    (void)playback.press({.code = cli::Key::Code::enter});
    cli::Frame wanted = viewer.view(playback, screen_size, look);
    std::string text = changes(frame, wanted, cli::Colours::palette);
    frame = std::move(wanted);
    return text;
  }
};

}  // namespace

std::vector<Row> player_rows(const Options& options) {
  const auto turns = static_cast<Turn>(scaled(options, 10'000));
  return {{.name = "seek and draw in a replay of " + with_commas(turns) + " turns on a terminal",
           .baseline_name = "folding the game again",
           .unit = "seeks",
           .measure = Measure::time,
           .bar = Bar{Bar::Of::figure, 0.010},
           .prepare = [=, &options] {
             const double times = scaled(options, 200);
             const auto events = std::make_shared<const std::vector<Event>>(endless_events(turns));
             const auto shown = std::make_shared<Shown>(*events);
             return Contest{[=] {
                              std::size_t written = 0;
                              for (double i = 0; i < times; ++i)
                                written += shown->seek_afar().size();
                              return Done(written > 0 ? times : 0);
                            },
                            [=] {
                              constexpr double few = 5;
                              Turn sum = 0;
                              for (double i = 0; i < few; ++i)
                                sum += timeline_of(*events).last_turn();
                              return Done(sum > 0 ? few : 0);
                            }};
           }}};
}

}  // namespace snl::benchmarks
