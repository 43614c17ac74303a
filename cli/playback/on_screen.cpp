#include "on_screen.hpp"

#include "cli/session/output.hpp"
#include "cli/session/rejection.hpp"
#include "cli/terminal/screen.hpp"
#include "judge.hpp"
#include "storage/subscription.hpp"
#include "view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <variant>

namespace snl::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// A model on a screen, with what connects it to the world.
class Player {
 public:
  /// What a player does with the world outside, where it has one.
  struct World {
    std::function<void(PlayerModel&)> look = {};  // for what happened meanwhile
    std::function<void(PlayerModel&, const Command&)> play = {};
  };

  Player(const Session& session, const std::string& game, PlayerModel model, World world)
      : look_{.title = game, .unicode = session.glyphs() == Glyphs::unicode},
        model_(std::move(model)),
        world_(std::move(world)),
        screen_(session.use_color()) {}

  void run() {
    while (!is_ended()) {
      judge_.serve(model_);
      if (world_.look) world_.look(model_);
      // Keys that were pressed before an answer was seen aren't meant for what is seen now.
      if (answered_) take(screen_.wait(Milliseconds{0}, -1));
      answered_ = false;
      if (is_ended()) break;
      screen_.show(view(model_, screen_.size(), look_));
      take(screen_.wait(patience(), judge_.wake()));
    }
  }

  /// How it ended; the screen must be gone by then.
  struct End {
    bool interrupted;
    std::optional<int> signal;
  };
  End end() const { return {quit_ && quit_->interrupted, ended_by_}; }

 private:
  std::optional<Milliseconds> patience() const {
    constexpr Milliseconds between_looks{100};
    const auto until_change = model_.until_change();
    if (!world_.look) return until_change;
    return std::min(until_change.value_or(between_looks), between_looks);
  }

  void pass_time(bool was_away) {
    const auto now = Clock::now();
    if (!was_away) model_.advance(now - now_);
    now_ = now;
  }

  bool is_ended() const { return quit_ || ended_by_; }

  void take(const Screen::Input& input) {
    pass_time(input.was_away);
    for (const Key& key : input.keys)
      if (!answered_ || is_never_lost(key)) press(key);
    if (input.signal) ended_by_ = input.signal;
  }

  static bool is_never_lost(const Key& key) {
    return key.code == Key::Code::interrupt || key.code == Key::Code::suspend;
  }

  void press(const Key& key) {
    const auto wish = model_.press(key);
    if (!wish || quit_) return;
    if (const auto* quit = std::get_if<Quit>(&*wish)) {
      quit_ = *quit;
    } else if (const auto* play = std::get_if<Play>(&*wish)) {
      world_.play(model_, play->command);
      answered_ = true;
    } else if (std::holds_alternative<Suspend>(*wish)) {
      screen_.suspend();
      now_ = Clock::now();
    } else {
      screen_.forget();
    }
  }

  Look look_;
  PlayerModel model_;
  World world_;
  Screen screen_;  // before the judge: its thread must not be given signals
  Judge judge_;
  Clock::time_point now_ = Clock::now();
  std::optional<Quit> quit_;
  bool answered_ = false;  // a command, which is on the screen only after the next show
  std::optional<int> ended_by_;
};

void run(const Session& session, const std::string& game, PlayerModel model, Player::World world) {
  Player::End end{};
  {
    Player player(session, game, std::move(model), std::move(world));
    player.run();
    end = player.end();
  }
  if (end.interrupted) throw Failure(Exit::interrupted, "");
  if (end.signal) end_by(*end.signal);
}

/// What is recorded of a game, as it is recorded.
class News {
 public:
  News(EventStore& store, std::string game)
      : store_(store),
        history_(history_of(store, game)),
        subscription_(Subscription::to_game(store, std::move(game), history_.head.version + 1)) {}

  const Timeline& timeline() const { return history_.timeline; }

  void tell(PlayerModel& model) {
    const StorePosition now = store_.wait_for_append(0, std::chrono::milliseconds{0});
    if (std::exchange(seen_, now) == now) return;
    subscription_.poll([&](const CommitView& commit) {
      for (const Event& event : events_of(commit)) {
        if (const auto added = history_.timeline.add(event); !added)
          throw damaged_log(added.error());
        model.follow(history_.timeline, event);
      }
      return true;
    });
  }

 private:
  EventStore& store_;
  History history_;
  Subscription subscription_;
  StorePosition seen_ = -1;
};

}  // namespace

void show_replay(const Session& session, const std::string& game, Reel reel,
                 const PlayerSettings& settings) {
  run(session, game, PlayerModel(std::move(reel), settings), {});
}

void watch_on_screen(const Session& session, EventStore& store, const std::string& game) {
  News news(store, game);
  PlayerModel model(Reel::in_force(news.timeline()),
                    {.mode = Mode::watch, .glyphs = session.glyphs()});
  run(session, game, std::move(model), {.look = [&](PlayerModel& shown) { news.tell(shown); }});
}

void play_at_table(Session& session, const std::string& game) {
  if (!has_screen())
    throw Failure(Exit::usage,
                  "a table to play at needs a terminal; give PLAYER DICE, or - to read turns from "
                  "stdin");
  EventStore& store = session.store_to_write(game);
  const std::string id = session.resolve(store, game);
  auto match = Match::load(store, id);
  if (!match) throw Failure(Exit::no_such, fmt::format("no game \"{}\"", game));
  News news(store, id);
  PlayerModel model(Reel::in_force(news.timeline()),
                    {.mode = Mode::table, .glyphs = session.glyphs()});
  // Does what was asked of the position that is shown, and of no other.
  const auto play = [&](PlayerModel& shown, const Command& command) {
    const auto recorded = match->execute(
        command, {.expected_version = news.timeline().state().version, .command_id = {}});
    news.tell(shown);
    if (recorded) return;
    if (std::holds_alternative<Conflict>(recorded.error()))
      shown.say("Somebody else has moved meanwhile; nothing was done.");
    else
      shown.say(failure_from(recorded.error(), *match->state().setup, id).what());
  };
  run(session, id, std::move(model),
      {.look = [&](PlayerModel& shown) { news.tell(shown); }, .play = play});
  if (!match->state().completed())
    print_line(fmt::format("Game {} is kept; go on with: snl play {}", id, id));
}

}  // namespace snl::cli
