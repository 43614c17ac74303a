// Logs that weren't audited, with a line of events for each commit. They are loaded as for showing,
// replaying and playing on.
#include "../domain/bounds.hpp"
#include "cli/drawing/board_svg.hpp"
#include "cli/drawing/position_svg.hpp"
#include "cli/page/turn_data.hpp"
#include "cli/playback/playback_view.hpp"
#include "cli/playback/recording.hpp"
#include "cli/reports/csv.hpp"
#include "domain/analysis/game_chances.hpp"
#include "storage/codec.hpp"
#include "storage/exchange/text_form.hpp"
#include "target.hpp"

#include <algorithm>
#include <variant>
#include <vector>

namespace snl::test {
namespace {

/// The commits that could be folded.
struct Log {
  std::vector<std::vector<Event>> commits;
  Timeline timeline;

  const Event* recall(EventRef ref) const {
    if (ref.version < 1 || ref.version > std::ssize(commits)) return nullptr;
    const auto& events = commits[static_cast<std::size_t>(ref.version) - 1];
    return ref.index >= 0 && ref.index < std::ssize(events)
               ? &events[static_cast<std::size_t>(ref.index)]
               : nullptr;
  }
};

Log read(std::string_view text) {
  Log log;
  while (!text.empty()) {
    const auto events = decode_events(take_line(text));
    if (!events) break;
    for (const Event& event : *events) {
      if (!log.timeline.add(event)) return log;
      const char* const fault = fault_in(log.timeline.state());
      require(fault == nullptr, fault);
    }
    if (log.timeline.state().version != std::ssize(log.commits) + 1) return log;
    log.commits.push_back(*events);
  }
  return log;
}

/// Decides on the state, and on the state after that, to the end of a short game.
void play_on(const Log& log) {
  const GameState& state = log.timeline.state();
  const Recall recall = [&](EventRef ref) { return log.recall(ref); };
  (void)decide(state, Command{UndoTurns{state.undoable()}}, recall);
  (void)decide(state, Command{UndoToTurn{log.timeline.first_turn()}}, recall);
  (void)decide(state, Command{RedoTurns{state.redoable}}, recall);
  constexpr Turn turns = 50;
  require(state.completed() || play_out(
                                   state, seeded_dice, [](const Event&) {}, turns)
                                   .has_value(),
          "any game that could be loaded can be played on");
}

void watch(const cli::Recording& recording, Glyphs glyphs, cli::Size size) {
  cli::Playback playback(recording, {.glyphs = glyphs});
  cli::Viewer viewer;
  constexpr int most_views = 30;
  for (int i = 0; i < most_views; ++i) {
    (void)viewer.view(playback, size, {.title = "g", .glyphs = glyphs});
    const auto until_change = playback.until_change();
    if (!until_change) return;
    playback.advance(*until_change);
  }
}

void tell(const Log& log) {
  const Timeline& timeline = log.timeline;
  const GameSetup& setup = *timeline.state().setup;
  const std::vector<std::string> names = cli::shown_names(setup);
  for (const auto& events : log.commits)
    for (const Event& event : events)
      require(!narrate(event, names, Glyphs::unicode).empty(), "every event has a sentence");
  std::vector<Position> positions;
  for (Turn turn = timeline.first_turn(); turn <= timeline.last_turn(); ++turn)
    positions.push_back(timeline.position_after(turn));
  for (const auto& [turn, undone] : timeline.recorded()) {
    (void)cli::csv_row(cli::turn_columns(), cli::turn_values(turn, names));
    (void)cli::move_of(turn, setup, names);
  }
  (void)format_game_text("g", timeline);
  (void)chances_at(setup, positions, max_work / 10'000);
  if (setup.board.cells() <= cli::most_svg_cells) {
    cli::DrawnPosition drawn{.game = "g", .setup = setup, .position = positions.back()};
    if (positions.size() > 1) drawn.last_move = timeline.turn(timeline.last_turn());
    (void)cli::position_svg(drawn);
  }
  watch(cli::Recording::recorded(timeline), Glyphs::unicode, {.columns = 120, .rows = 50});
  watch(cli::Recording::in_force(timeline), Glyphs::ascii, {.columns = 40, .rows = 12});
}

void check(std::string_view text) {
  const Log log = read(text);
  if (log.commits.empty()) return;
  tell(log);
  play_on(log);
}

}  // namespace
}  // namespace snl::test

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  snl::test::check(snl::test::text_of(data, size));
  return 0;
}
