// watch

#include "cli/drawing/terminal_text.hpp"
#include "cli/reports/json_output.hpp"
#include "cli/session/rejection.hpp"
#include "cli/terminal/last_reader.hpp"
#include "cli/terminal/screen.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "game_screens.hpp"
#include "storage/subscription.hpp"

#include <optional>
#include <string>
#include <variant>

namespace snl::cli {
namespace {

class NewTurnPrinter {
 public:
  NewTurnPrinter(StoreReader& store, Glyphs glyphs, OutputForm form)
      : store_(store), glyphs_(glyphs), form_(form) {}

  /// Returns false once somebody has won, unless that has already been taken back.
  bool print(const CommitView& commit) {
    for (const Event& event : events_of(commit)) {
      // The timeline has an undone turn only before it takes the event, a redone one only after.
      const auto* undone = std::get_if<TurnUndone>(&event);
      std::optional<TurnPlayed> turn;
      if (undone != nullptr && is_in_force(undone->turn)) turn = timeline_.turn(undone->turn);
      if (const auto added = timeline_.add(event); !added) throw damaged_log(added.error());
      if (undone == nullptr && timeline_.last_turn() > timeline_.first_turn())
        turn = timeline_.turn(timeline_.last_turn());
      if (turn && !std::holds_alternative<GameStarted>(event))
        print_event(event, *turn, undone != nullptr);
    }
    flush();
    if (!timeline_.state().completed()) return true;
    const auto head = store_.head(std::string(commit.game));
    return head && head->version > commit.version;
  }

 private:
  bool is_in_force(Turn turn) const {
    return timeline_.state().started() && turn > timeline_.first_turn() &&
           turn <= timeline_.last_turn();
  }

  void print_event(const Event& event, const TurnPlayed& turn, bool undone) const {
    const auto& players = timeline_.state().setup->players;
    if (form_ == OutputForm::words) return print_line(printable(narrate(event, players, glyphs_)));
    auto object = turn_json(turn, players);
    if (undone) object["undone"] = true;
    add_effects(object, turn, players);
    print_json(object);
  }

  StoreReader& store_;
  Glyphs glyphs_;
  OutputForm form_;
  Timeline timeline_;
};

struct Watch {
  GameArgument game;

  void run(Session& session) const {
    StoreReader& store = session.store_to_read(game.game);
    const std::string id = session.resolve(store, game.game);
    if (game.form == OutputForm::words && has_screen()) return watch_on_screen(session, store, id);
    NewTurnPrinter printer(store, session.glyphs(), game.form);
    end_with_last_reader();
    Subscription::to_game(store, id, 1)
        .run([&](const CommitView& commit) { return printer.print(commit); }, std::stop_token{});
  }
};

}  // namespace

void add_watch(CLI::App& app, Session& session) {
  auto [command, options] =
      add_command<Watch>(app, session, "watch", "Follow a game that another process plays");
  options.game.add_to(command);
  command.footer("Without a terminal: one line per turn, until somebody has won.");
}

}  // namespace snl::cli
