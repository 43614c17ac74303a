// replay, watch, log

#include "cli/drawing/terminal_text.hpp"
#include "cli/playback/on_screen.hpp"
#include "cli/reports/json_output.hpp"
#include "cli/terminal/screen.hpp"
#include "commands.hpp"
#include "number_options.hpp"
#include "storage/codec.hpp"
#include "storage/exchange/jsonl.hpp"
#include "storage/subscription.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace snl::cli {
namespace {

// ---- replay

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
      throw Failure(Exit::usage, fmt::format("--speed {}: it is above 0", *speed));
    EventStore& store = session.store_to_read(game.game);
    const std::string id = session.resolve(store, game.game);
    const Timeline timeline = history_of(store, id).timeline;
    const Turn highest = undone ? highest_turn(timeline) : timeline.last_turn();
    const Turn first = in_range(from.value_or(timeline.first_turn()), timeline, highest);
    const Turn last = in_range(to.value_or(highest), timeline, highest);
    if (first > last)
      throw Failure(Exit::usage, fmt::format("--from {} comes after --to {}", first, last));
    if (!game.json && has_screen()) return show(session, id, timeline, first, last);
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

  static Turn in_range(Turn turn, const Timeline& timeline, Turn highest) {
    if (turn >= timeline.first_turn() && turn <= highest) return turn;
    throw failure_from(TurnOutOfRange{turn, timeline.first_turn(), highest},
                       *timeline.state().setup);
  }

  /// On the screen, from the position before turn `begin` to the one after turn `end`.
  void show(const Session& session, const std::string& id, const Timeline& timeline, Turn begin,
            Turn end) const {
    Reel reel = undone ? Reel::recorded(timeline) : Reel::in_force(timeline);
    PlayerSettings settings{.speed = speed.value_or(1), .step = step, .loop = loop};
    settings.first = reel.shots();
    settings.last = 0;
    for (std::size_t shot = reel.shots(); shot >= 1; --shot)
      if (reel.shot(shot).turn.turn >= begin) settings.first = shot - 1;
    for (std::size_t shot = 1; shot <= reel.shots(); ++shot)
      if (reel.shot(shot).turn.turn <= end) settings.last = shot;
    settings.first = std::min(settings.first, *settings.last);
    show_replay(session, id, std::move(reel), settings);
  }

  void print_entry(const Session& session, const Timeline& timeline,
                   const Timeline::Entry& entry) const {
    const auto& players = timeline.state().setup->players;
    if (game.json) {
      auto object = turn_json(entry.turn, players);
      if (entry.undone) object["undone"] = true;
      return print_json(object);
    }
    print_line(printable(narrate(entry.turn, players, session.glyphs())) +
               (entry.undone ? " (undone)" : ""));
  }
};

void add_replay(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("replay", "Tell a game again, turn by turn");
  auto options = std::make_shared<Replay>();
  options->game.add_to(*command);
  add_number(*command, "--from", options->from, "From this turn on")->type_name("TURN");
  add_number(*command, "--to", options->to, "Up to this turn")->type_name("TURN");
  command
      ->add_option("--speed", options->speed,
                   "Times the normal speed, where the replay is animated")
      ->type_name("X");
  command->add_flag("--step", options->step,
                    "Wait for a key at each turn, where the replay is animated");
  command->add_flag("--loop", options->loop,
                    "Begin again at the end, where the replay is animated");
  command->add_flag("--undone", options->undone,
                    "In recorded order, with the turns that were taken back");
  command->callback([options, &session] { options->run(session); });
}

// ---- watch

/// Prints what happens in a game, as it happens.
class TurnTeller {
 public:
  TurnTeller(Glyphs glyphs, bool json) : glyphs_(glyphs), json_(json) {}

  /// False once somebody has won.
  bool tell(const CommitView& commit) {
    for (const Event& event : events_of(commit)) {
      // A turn that is taken back is known before it is, one that is put back only afterwards.
      const auto* undone = std::get_if<TurnUndone>(&event);
      std::optional<TurnPlayed> turn;
      if (undone != nullptr && is_in_force(undone->turn)) turn = timeline_.turn(undone->turn);
      if (const auto added = timeline_.add(event); !added)
        throw Failure(Exit::failed,
                      fmt::format("the log is damaged: {}; see snl audit", added.error().what));
      if (undone == nullptr && timeline_.last_turn() > timeline_.first_turn())
        turn = timeline_.turn(timeline_.last_turn());
      if (turn && !std::holds_alternative<GameStarted>(event))
        print_event(event, *turn, undone != nullptr);
    }
    flush();
    return !timeline_.state().completed();
  }

 private:
  bool is_in_force(Turn turn) const {
    return timeline_.state().started() && turn > timeline_.first_turn() &&
           turn <= timeline_.last_turn();
  }

  void print_event(const Event& event, const TurnPlayed& turn, bool undone) const {
    const auto& players = timeline_.state().setup->players;
    if (!json_) return print_line(printable(narrate(event, players, glyphs_)));
    auto object = turn_json(turn, players);
    if (undone) object["undone"] = true;
    print_json(object);
  }

  Glyphs glyphs_;
  bool json_;
  Timeline timeline_;
};

struct Watch {
  GameArgument game;

  void run(Session& session) const {
    EventStore& store = session.store_to_read(game.game);
    const std::string id = session.resolve(store, game.game);
    if (!game.json && has_screen()) return watch_on_screen(session, store, id);
    TurnTeller teller(session.glyphs(), game.json);
    Subscription::to_game(store, id, 1)
        .run([&](const CommitView& commit) { return teller.tell(commit); }, std::stop_token{});
  }
};

void add_watch(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("watch", "Follow a game that another process plays");
  auto options = std::make_shared<Watch>();
  options->game.add_to(*command);
  command->footer("Without a terminal: a line a turn, until somebody has won.");
  command->callback([options, &session] { options->run(session); });
}

// ---- log

/// Tells commits, with the names of the players of each game.
class CommitTeller {
 public:
  CommitTeller(EventStore& store, Glyphs glyphs) : store_(store), glyphs_(glyphs) {}

  void tell(const CommitView& commit) {
    for (const Event& event : events_of(commit)) {
      const std::string line =
          fmt::format("{:>6} {} {} v{}: {}", commit.position, format_time(commit.time), commit.game,
                      commit.version, narrate(event, players_of(commit, event), glyphs_));
      print_line(printable(line));
    }
  }

 private:
  const std::vector<std::string>& players_of(const CommitView& commit, const Event& event) {
    constexpr std::size_t most_remembered = 1000;
    const std::string game(commit.game);
    if (const auto known = players_.find(game); known != players_.end()) return known->second;
    if (players_.size() >= most_remembered) players_.clear();
    const auto* started = std::get_if<GameStarted>(&event);
    const auto first = started == nullptr ? store_.commit(game, 1) : std::nullopt;
    if (first) {
      first_ = events_of(first->view());
      started = std::get_if<GameStarted>(&first_.front());
    }
    if (started == nullptr)
      throw Failure(Exit::failed,
                    fmt::format("game {}: its first event is missing; see snl audit", game));
    return players_[game] = started->setup->players;
  }

  EventStore& store_;
  Glyphs glyphs_;
  std::map<std::string, std::vector<std::string>, std::less<>> players_;
  std::vector<Event> first_;
};

struct Log {
  std::optional<std::string> game;
  bool follow = false;
  bool json = false;

  void run(Session& session) const {
    EventStore* store = game ? &session.store_to_read(*game) : session.store_to_read_if_any();
    if (store == nullptr && !follow) return;
    if (store == nullptr)
      throw Failure(Exit::failed,
                    fmt::format("store {}: there is nothing to follow; snl new makes one",
                                session.db_path()));
    auto subscription = game ? Subscription::to_game(*store, session.resolve(*store, *game), 1)
                             : Subscription::to_store(*store, 1);
    CommitTeller teller(*store, session.glyphs());
    const CommitVisitor tell = [&](const CommitView& commit) {
      if (json)
        print_json_line(log_line(commit));
      else
        teller.tell(commit);
      if (follow) flush();
      return true;
    };
    if (follow)
      subscription.run(tell, std::stop_token{});
    else
      subscription.poll(tell);
  }
};

void add_log(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("log", "Show every recorded command with its events");
  auto options = std::make_shared<Log>();
  command->add_option("GAME", options->game, "Of one game (default: of the whole store)");
  command->add_flag("--follow,-f", options->follow, "Go on with what is recorded from now on");
  command->add_flag("--json", options->json, "Print JSON, a line a command");
  command->callback([options, &session] { options->run(session); });
}

}  // namespace

void add_history_commands(CLI::App& app, Session& session) {
  add_replay(app, session);
  add_watch(app, session);
  add_log(app, session);
}

}  // namespace snl::cli
