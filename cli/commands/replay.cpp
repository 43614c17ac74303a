// replay

#include "cli/drawing/terminal_text.hpp"
#include "cli/reports/json_output.hpp"
#include "cli/session/rejection.hpp"
#include "cli/terminal/screen.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "game_screens.hpp"
#include "number_options.hpp"
#include "storage/match.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace snl::cli {
namespace {

struct Replay {
  GameArgument game;
  std::optional<Turn> from;
  std::optional<Turn> to;
  std::optional<double> speed;
  bool step = false;
  bool loop = false;
  bool undone = false;

  void run(Session& session) const {
    if (speed && !(*speed > 0))
      throw Failure(Exit::usage, fmt::format("--speed {}: it must be above 0", *speed));
    StoreReader& store = session.store_to_read(game.game);
    const std::string id = session.resolve(store, game.game);
    const Timeline timeline = history_of(store, id).timeline;
    const Turn highest = undone ? highest_turn(timeline) : timeline.last_turn();
    const Turn first = from.value_or(timeline.first_turn());
    const Turn last = to.value_or(highest);
    check_turn(first, timeline.first_turn(), highest);
    check_turn(last, timeline.first_turn(), highest);
    if (first > last)
      throw Failure(Exit::usage, fmt::format("--from {} comes after --to {}", first, last));
    if (game.form == OutputForm::words && has_screen())
      return show(session, id, timeline, first, last);
    for (const Timeline::Entry& entry : timeline.recorded()) {
      if (entry.undone && !undone) continue;
      if (entry.turn.turn >= first && entry.turn.turn <= last)
        print_entry(session, timeline, entry);
    }
  }

 private:
  static Turn highest_turn(const Timeline& timeline) {
    Turn highest = timeline.last_turn();
    for (const Timeline::Entry& entry : timeline.recorded())
      highest = std::max(highest, entry.turn.turn);
    return highest;
  }

  /// Shows the replay on the screen, from the position before turn `begin` to the one after turn
  /// `end`.
  void show(const Session& session, const std::string& id, const Timeline& timeline, Turn begin,
            Turn end) const {
    Recording recording = undone ? Recording::recorded(timeline) : Recording::in_force(timeline);
    PlaybackSettings settings{.speed = speed.value_or(1), .step = step, .loop = loop};
    settings.first = recording.shots();
    settings.last = 0;
    for (std::size_t shot = recording.shots(); shot >= 1; --shot)
      if (recording.shot(shot).turn.turn >= begin) settings.first = shot - 1;
    for (std::size_t shot = 1; shot <= recording.shots(); ++shot)
      if (recording.shot(shot).turn.turn <= end) settings.last = shot;
    settings.first = std::min(settings.first, *settings.last);
    show_replay(session, id, std::move(recording), settings);
  }

  void print_entry(const Session& session, const Timeline& timeline,
                   const Timeline::Entry& entry) const {
    const auto& players = timeline.state().setup->players;
    if (game.form == OutputForm::json) {
      auto object = turn_json(entry.turn, players);
      if (entry.undone) object["undone"] = true;
      add_effects(object, entry.turn, players);
      return print_json(object);
    }
    print_line(printable(narrate(entry.turn, players, session.glyphs())) +
               (entry.undone ? " (undone)" : ""));
  }
};

}  // namespace

void add_replay(CLI::App& app, Session& session) {
  auto [command, options] =
      add_command<Replay>(app, session, "replay", "Show a game again, turn by turn");
  options.game.add_to(command);
  add_number(command, "--from", options.from, "From this turn on")->type_name("TURN");
  add_number(command, "--to", options.to, "Up to this turn")->type_name("TURN");
  add_value(command, "--speed", options.speed, "X",
            "The speed of an animated replay, as a multiple of the normal one");
  command.add_flag("--step", options.step,
                   "Wait for a key at each turn, where the replay is animated");
  command.add_flag("--loop", options.loop, "Begin again at the end, where the replay is animated");
  command.add_flag("--undone", options.undone,
                   "In recorded order, with the turns that were taken back");
}

}  // namespace snl::cli
