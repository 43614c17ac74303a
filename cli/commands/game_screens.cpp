#include "game_screens.hpp"

#include "cli/playback/playback_screen.hpp"
#include "cli/session/next_step.hpp"
#include "cli/session/output.hpp"
#include "cli/session/rejection.hpp"
#include "cli/terminal/screen.hpp"
#include "storage/subscription.hpp"

#include <fmt/format.h>

#include <utility>
#include <variant>

namespace snl::cli {
namespace {

void run(const Session& session, const std::string& game, Playback playback, PlaybackWorld world) {
  const ScreenLook look{.look = {.title = game, .glyphs = session.glyphs()},
                        .colours = session.screen_colours()};
  never_page();
  const PlaybackEnd end = run_on_screen(std::move(playback), look, std::move(world));
  if (end.interrupted) throw Failure(Exit::interrupted, "");
  if (end.signal) end_by(*end.signal);
}

/// Follows a game as it is recorded.
class NewTurns {
 public:
  NewTurns(StoreReader& store, std::string game)
      : store_(store),
        history_(history_of(store, game)),
        subscription_(Subscription::to_game(store, std::move(game), history_.head.version + 1)) {}

  const Timeline& timeline() const { return history_.timeline; }

  void show(Playback& playback) {
    const StorePosition now = store_.wait_for_append(0, std::chrono::milliseconds{0});
    if (std::exchange(seen_, now) == now) return;
    subscription_.poll([&](const CommitView& commit) {
      for (const Event& event : events_of(commit)) {
        if (const auto added = history_.timeline.add(event); !added)
          throw damaged_log(added.error());
        playback.follow(history_.timeline, event);
      }
      return true;
    });
  }

 private:
  StoreReader& store_;
  History history_;
  Subscription subscription_;
  StorePosition seen_ = -1;
};

}  // namespace

void show_replay(const Session& session, const std::string& game, Recording recording,
                 const PlaybackSettings& settings) {
  run(session, game, Playback(std::move(recording), settings), {});
}

void watch_on_screen(const Session& session, StoreReader& store, const std::string& game) {
  NewTurns new_turns(store, game);
  Playback playback(Recording::in_force(new_turns.timeline()),
                    {.mode = Mode::watch, .glyphs = session.glyphs()});
  run(session, game, std::move(playback),
      {.refresh = [&](Playback& shown) { new_turns.show(shown); }});
}

void play_at_table(Session& session, const std::string& game) {
  if (!has_screen())
    throw Failure(Exit::usage,
                  "a table to play at needs a terminal; give PLAYER DICE, or - to read turns from "
                  "stdin");
  EventStore& store = session.store_to_write(game);
  const std::string id = session.resolve(store, game);
  auto match = Match::load(store, id);
  if (!match) throw no_such_game(game);
  NewTurns new_turns(store, id);
  Playback playback(Recording::in_force(new_turns.timeline()),
                    {.mode = Mode::table, .glyphs = session.glyphs()});
  // Executes a command only on the position that is shown.
  const auto play = [&](Playback& shown, const Command& command) {
    const auto recorded = match->execute(
        command, {.expected_version = new_turns.timeline().state().version, .command_id = {}});
    if (recorded) note_recorded(id, recorded->head.version);
    new_turns.show(shown);
    forget_done();  // a later failure has nothing to do with this turn
    if (recorded) return;
    if (std::holds_alternative<Conflict>(recorded.error()))
      shown.say("Somebody else has moved; nothing was recorded. Play again on this position.");
    else
      shown.say(failure_from(recorded.error(), *match, command).what());
  };
  run(session, id, std::move(playback),
      {.refresh = [&](Playback& shown) { new_turns.show(shown); }, .play = play});
  if (!match->state().completed())
    print_line(fmt::format("Game {} is kept; go on with: {}", id, snl_command({"play", id})));
}

}  // namespace snl::cli
