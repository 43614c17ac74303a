// list

#include "cli/drawing/terminal_text.hpp"
#include "cli/reports/csv.hpp"
#include "cli/reports/json_output.hpp"
#include "cli/session/near_word.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "number_options.hpp"
#include "storage/match.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace snl::cli {
namespace {

namespace json = boost::json;

CsvColumns list_columns() {
  return {"id",         "created",     "status",      "turn",        "players",
          "next",       "winner",      "board_name",  "rules_start", "rules_finish",
          "rules_dice", "rules_faces", "rules_sixes", "rules_meet"};
}

struct ListGames {
  std::string status;
  std::string player;
  std::optional<std::size_t> limit;
  OutputForm form = OutputForm::words;

  void run(Session& session) const {
    ListFilter filter;
    if (!status.empty()) filter.completed = status == "completed";
    if (!player.empty()) filter.player = player;
    if (form == OutputForm::csv) print_names(csv_header(list_columns()));
    StoreReader* store = session.store_to_read_if_any();
    if (store == nullptr) {
      if (session.stdout_is_terminal()) warn(session.no_store_yet());
      return;
    }
    std::size_t left = limit.value_or(std::numeric_limits<std::size_t>::max());
    while (left > 0) {
      const auto page = store->list(filter, std::min(left, page_size));
      if (page.empty() && filter.player && !filter.before && session.stdout_is_terminal())
        print_why_none(*store);
      if (page.empty()) return;
      for (const std::string& id : page)
        print_game(*store, id);
      left -= page.size();
      filter.before = page.back();
    }
  }

  /// If no game of any status has that player, says so and suggests a name.
  void print_why_none(StoreReader& store) const {
    constexpr std::size_t most_games = 1000;  // the newest, whose players are suggested
    if (!store.list({.player = player}, 1).empty()) return;
    std::vector<std::string> players;
    for (const std::string& id : store.list({}, most_games))
      if (const auto game = RecordedGame::load(store, id))
        std::ranges::copy(game->state().setup->players, std::back_inserter(players));
    warn(fmt::format("no game has a player \"{}\"{}", player, suggestion(player, players)));
  }

  void print_game(StoreReader& store, const std::string& id) const {
    const auto game = RecordedGame::load(store, id);
    if (!game) return;
    // The search used list entries; this checks the log itself.
    if (!status.empty() && game->state().completed() != (status == "completed")) return;
    if (form == OutputForm::json) return print_json(list_json(*game));
    const std::vector<std::string>& players = game->state().setup->players;
    if (form == OutputForm::csv) {
      json::object row = list_json(*game);
      row["players"] = fmt::format("{}", fmt::join(players, "; "));
      return print_names(csv_row(list_columns(), row));
    }
    const Position& position = game->state().position;
    const std::string progress =
        position.winner ? players[*position.winner] + " won" : players[position.next] + " to move";
    const std::string line =
        fmt::format("{:<10} {}  {:<11}  turn {:>4}  {}: {}", id, format_time(game->created()),
                    position.winner ? "completed" : "in-progress", position.turn,
                    fmt::join(players, ", "), progress);
    print_broken(printable(line) + '\n', 11);
  }
};

}  // namespace

void add_list(CLI::App& app, Session& session) {
  auto [command, options] =
      add_command<ListGames>(app, session, "list", "List games, newest first");
  add_word(command, "--status", options.status, {"in-progress", "completed"}, "STATUS",
           "Only these: in-progress or completed");
  add_value(command, "--player", options.player, "PLAYER", "Only games of this player");
  add_number(command, "--limit", options.limit, "At most N games");
  add_json_flag(command, options.form, "Print JSON, one line per game");
  add_csv_flag(command, options.form, "Print a table for spreadsheets, as CSV: one row per game");
}

}  // namespace snl::cli
