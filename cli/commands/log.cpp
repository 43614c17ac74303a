// log

#include "cli/drawing/terminal_text.hpp"
#include "cli/session/failure.hpp"
#include "cli/session/next_step.hpp"
#include "cli/terminal/last_reader.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "storage/bounded_map.hpp"
#include "storage/codec.hpp"
#include "storage/exchange/jsonl.hpp"
#include "storage/subscription.hpp"
#include "storage/time.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

namespace snl::cli {
namespace {

/// Prints commits, with the names of the players of each game.
class CommitPrinter {
 public:
  CommitPrinter(StoreReader& store, Glyphs glyphs) : store_(store), glyphs_(glyphs) {}

  void print(const CommitView& commit) {
    for (const Event& event : events_of(commit)) {
      const std::vector<std::string>& players = players_of(commit, event);
      const std::string line = fmt::format(
          "{:>6} {} {} v{}: {}{}", commit.position, format_time(commit.time), commit.game,
          commit.version, narrate(event, players, glyphs_), reason(commit, event, players));
      print_line(printable(line));
    }
  }

 private:
  /// The players who asked for a takeback and agreed to it, or that a server rolled in a player's
  /// place; empty for any other commit.
  static std::string reason(const CommitView& commit, const Event& event,
                            const std::vector<std::string>& players) {
    if (std::holds_alternative<GameStarted>(event)) return {};
    const auto command = decode_command(commit.command);
    if (!command) return {};
    const auto* undo = std::get_if<UndoToTurn>(&command->command);
    if (undo != nullptr && undo->takeback)
      return fmt::format(" ({})", narrate(*undo->takeback, players));
    const auto* roll = std::get_if<RollTurn>(&command->command);
    if (roll == nullptr || roll->by == Roller::player) return {};
    return fmt::format(" ({})", narrate(*roll));
  }

  const std::vector<std::string>& players_of(const CommitView& commit, const Event& event) {
    const std::string game(commit.game);
    if (const auto* known = players_.find(game)) return *known;
    const auto* started = std::get_if<GameStarted>(&event);
    const auto first = started == nullptr ? store_.commit(game, 1) : std::nullopt;
    if (first) {
      first_ = events_of(first->view());
      started = std::get_if<GameStarted>(&first_.front());
    }
    if (started == nullptr)
      throw Failure(Exit::failed, fmt::format("game {}: its first event is missing; see {}", game,
                                              snl_command({"audit", game})));
    return players_.put(game, started->setup->players);
  }

  StoreReader& store_;
  Glyphs glyphs_;
  BoundedMap<std::string, std::vector<std::string>> players_{1000};
  std::vector<Event> first_;
};

struct Log {
  std::optional<std::string> game;
  bool follow = false;
  OutputForm form = OutputForm::words;

  void run(Session& session) const {
    StoreReader* store = game ? &session.store_to_read(*game) : session.store_to_read_if_any();
    if (store == nullptr && !follow) return;
    if (store == nullptr) throw Failure(Exit::failed, session.no_store_yet());
    auto subscription = game ? Subscription::to_game(*store, session.resolve(*store, *game), 1)
                             : Subscription::to_store(*store, 1);
    CommitPrinter printer(*store, session.glyphs());
    const CommitVisitor print = [&](const CommitView& commit) {
      if (form == OutputForm::json)
        print_json_line(log_line(commit));
      else
        printer.print(commit);
      if (follow) flush();
      return true;
    };
    if (!follow) {
      subscription.poll(print);
      return;
    }
    end_with_last_reader();
    subscription.run(print, std::stop_token{});
  }
};

}  // namespace

void add_log(CLI::App& app, Session& session) {
  auto [command, options] =
      add_command<Log>(app, session, "log", "Show every recorded command with its events");
  command.add_option("GAME", options.game, "Only of this game (default: of the whole store)");
  command.add_flag("--follow,-f", options.follow, "Go on with new commands as they are recorded");
  add_json_flag(command, options.form, "Print JSON, one line per command");
}

}  // namespace snl::cli
