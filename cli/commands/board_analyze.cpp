// board analyze

#include "chart_options.hpp"
#include "chosen_board.hpp"
#include "cli/drawing/terminal_text.hpp"
#include "cli/session/failure.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "domain/analysis/odds.hpp"
#include "domain/turn_dice.hpp"
#include "domain/wording.hpp"
#include "estimates.hpp"
#include "number_options.hpp"
#include "quantiles_option.hpp"
#include "rules_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace snl::cli {
namespace {

namespace json = boost::json;

BoardOdds odds_or_failure(const Board& board, const Rules& rules, const OddsQuestion& question) {
  auto odds = odds_of(board, rules, question);
  if (odds) return *std::move(odds);
  throw estimates_only(odds.error());
}

template <class Value>
json::value or_null(const std::optional<Value>& value) {
  return value ? json::value(*value) : json::value(nullptr);
}

std::string percent(double chance) {
  return fmt::format("{:.2f} %", 100 * chance);
}

/// The race that --players, --positions and --to-move ask for.
struct RaceOptions {
  std::optional<std::size_t> players;
  std::string positions;
  std::size_t to_move = 1;

  void add_to(CLI::App& command) {
    add_number(command, "--players", players, "How many players race, 1 to 10 (default: 2)", 1,
               max_players);
    command
        .add_option("--positions", positions,
                    "Where the players' pieces stand, in turn order (default: at the start)")
        ->type_name("C,C,…");
    add_number(command, "--to-move", to_move, "Whose turn it is, from 1 (default: 1)", 1,
               max_players);
  }

  /// Throws Failure for what isn't a race on this board.
  Race race(const Board& board, const Rules& rules) const {
    Race race;
    if (positions.empty())
      race.cells.assign(players.value_or(2), rules.start);
    else
      race.cells = cells_from(positions, board, rules);
    if (race.cells.size() > max_players)
      throw Failure(Exit::usage, fmt::format("--positions has {} cells: a race has 1 to {} players",
                                             race.cells.size(), max_players));
    if (players && *players != race.cells.size())
      throw Failure(Exit::usage, fmt::format("--positions has {} cells for --players {}",
                                             race.cells.size(), *players));
    if (to_move > race.cells.size())
      throw Failure(Exit::usage,
                    fmt::format("--to-move {}: it is 1 to {}", to_move, race.cells.size()));
    race.to_move = to_move - 1;
    return race;
  }

 private:
  static std::vector<Cell> cells_from(std::string_view list, const Board& board,
                                      const Rules& rules) {
    const auto is_cell = whole_number<Cell>(rules.start, board.cells() - 1);
    std::vector<Cell> cells;
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      const std::string word(list.substr(begin, end - begin));
      if (const std::string fault = is_cell(word); !fault.empty())
        throw Failure(Exit::usage,
                      fmt::format("--positions {}: {}, where pieces stand that are still to finish",
                                  list, fault));
      cells.push_back(static_cast<Cell>(std::stol(word)));
      begin = end + 1;
    }
    return cells;
  }
};

json::value distribution_json(const PieceOdds& piece) {
  if (!piece.distribution) return nullptr;
  json::array rows;
  for (const auto& [turns, probability] : *piece.distribution)
    rows.push_back(json::array{turns, probability});
  return rows;
}

void print_fact(std::string_view name, const std::string& value) {
  print_line(fmt::format("  {:<24}{}", name, value));
}

/// The shares that are asked for, with the turns of a piece and of the race.
struct Quantiles {
  std::vector<double> shares;

  json::object json_of(const auto& turns_of) const {
    json::object object;
    for (std::size_t i = 0; i < shares.size(); ++i)
      object[fmt::format("{}", shares[i])] = or_null(turns_of(i));
    return object;
  }
  void print(const auto& turns_of) const {
    for (std::size_t i = 0; i < shares.size(); ++i)
      print_fact(fmt::format("{:.6g} % are over by turn", 100 * shares[i]),
                 turns_of(i) ? std::to_string(*turns_of(i)) : "not known, or never");
  }
  auto of_piece(const PieceOdds& piece) const {
    return [this, &piece](std::size_t i) { return piece.quantile(shares[i]); };
  }
  static auto of_race(const RaceOdds& race) {
    return [&race](std::size_t i) { return race.quantiles[i]; };
  }
};

json::object board_odds_json(const PieceOdds& piece, const Race& race, const RaceOdds* odds) {
  json::object object{{"reachable", piece.reachable},
                      {"finish_probability", piece.finish_probability},
                      {"stranding_cell", or_null(piece.stranding_cell)},
                      {"min_turns", or_null(piece.fewest_turns)},
                      {"expected_turns", or_null(piece.expected_turns)},
                      {"stddev_turns", or_null(piece.stddev_turns)},
                      {"median_turns", or_null(piece.median_turns)},
                      {"distribution", distribution_json(piece)},
                      {"players", race.cells.size()},
                      {"win_probability", nullptr},
                      {"never", nullptr},
                      {"expected_game_turns", nullptr},
                      {"positions", json::array(race.cells.begin(), race.cells.end())},
                      {"to_move", race.to_move + 1},
                      {"residual", piece.residual},
                      {"stddev_game_turns", nullptr}};
  if (odds != nullptr) {
    object["win_probability"] = json::array(odds->win.begin(), odds->win.end());
    object["never"] = odds->never;
    object["expected_game_turns"] = or_null(odds->expected_turns);
    object["stddev_game_turns"] = or_null(odds->stddev_turns);
  }
  return object;
}

std::string place_name(Cell cell) {
  return cell == 0 ? "off the board" : fmt::format("cell {}", cell);
}

void print_piece(const PieceOdds& piece, const Rules& rules, const Race& race) {
  print_line("One piece, from " + place_name(race.cells[race.to_move]) +
             (may_stop_early(rules) ? ", with dice rolled to their end" : ""));
  const auto number = [](const auto& value, const char* none) {
    return value ? fmt::format("{:.6g}", static_cast<double>(*value)) : std::string(none);
  };
  print_fact("chance to finish",
             piece.stranding_cell ? percent(piece.finish_probability) : "certain");
  if (piece.stranding_cell)
    print_fact("never finishes from", fmt::format("cell {}", *piece.stranding_cell));
  print_fact("fewest turns",
             piece.fewest_turns ? std::to_string(*piece.fewest_turns) : "the end can't be reached");
  print_fact("expected turns", number(piece.expected_turns, "infinite"));
  if (piece.stddev_turns) print_fact("standard deviation", number(piece.stddev_turns, "infinite"));
  if (piece.median_turns) print_fact("median", std::to_string(*piece.median_turns));
  if (piece.reachable && !piece.distribution)
    print_fact("residual", fmt::format("{:.2g}", piece.residual));
}

void print_race(const Race& race, const RaceOdds& odds) {
  print_line(counted(std::ssize(race.cells), "player"));
  for (std::size_t seat = 0; seat < odds.win.size(); ++seat)
    print_fact(
        fmt::format("player {} on {} wins", seat + 1, race.cells[seat]),
        fmt::format("{:>7}{}", percent(odds.win[seat]), seat == race.to_move ? ", to move" : ""));
  if (odds.never > 0) print_fact("nobody ever wins", percent(odds.never));
  print_fact("expected turns in all", odds.expected_turns
                                          ? fmt::format("{:.6g}", *odds.expected_turns)
                                          : std::string("infinite"));
  if (odds.stddev_turns)
    print_fact("standard deviation", fmt::format("{:.6g}", *odds.stddev_turns));
}

struct AnalyzeBoard {
  std::string board;
  RulesOptions rules_options;
  RaceOptions race_options;
  QuantilesOption quantiles_option;
  ChartOptions charts;
  OutputForm form = OutputForm::words;

  void run(const Session& session) const {
    charts.check(session);
    const ChosenBoard chosen = board_from(board);
    const Rules rules = rules_options.chosen(chosen.rules);
    check_safe_cells(rules, chosen.board);
    const Race race = race_options.race(chosen.board, rules);
    const Quantiles quantiles{quantiles_option.values()};
    const BoardOdds odds = odds_or_failure(
        chosen.board, rules,
        {.piece = race.cells[race.to_move], .races = {race}, .quantiles = quantiles.shares});
    const RaceOdds* race_odds = odds.races ? &odds.races->front() : nullptr;
    if (!odds.races)
      warn("the race is left out, and what else shows null: " +
           std::string(estimates_only(odds.why_no_races).what()));
    if (odds.piece->distribution && odds.piece->distribution->size() == max_distribution)
      warn(fmt::format("the distribution is cut off after {} rows", max_distribution));
    if (form == OutputForm::json) {
      json::object object = board_odds_json(*odds.piece, race, race_odds);
      if (!quantiles.shares.empty()) {
        object["quantiles"] = quantiles.json_of(quantiles.of_piece(*odds.piece));
        object["game_quantiles"] = nullptr;
        if (race_odds != nullptr)
          object["game_quantiles"] = quantiles.json_of(Quantiles::of_race(*race_odds));
      }
      print_json(object);
    } else {
      print_piece(*odds.piece, rules, race);
      quantiles.print(quantiles.of_piece(*odds.piece));
      if (race_odds != nullptr) {
        print_race(race, *race_odds);
        quantiles.print(Quantiles::of_race(*race_odds));
      }
    }
    if (charts.wanted(session, form))
      charts.draw(session, form, chart_page(chosen.board, rules, race, *odds.piece));
  }

 private:
  ChartPage chart_page(const Board& analyzed, const Rules& rules, const Race& race,
                       const PieceOdds& piece) const {
    const Cell from = race.cells[race.to_move];
    ChartPage page{.title = "Snakes and Ladders: " + printable(board),
                   .facts = {fmt::format("{} cells, {} snakes, {} ladders; exact chances of one "
                                         "piece from {}",
                                         analyzed.cells(), analyzed.snakes().size(),
                                         analyzed.ladders().size(), place_name(from))},
                   .histogram_title = "turns that one piece takes, and the chance of each",
                   .mean = piece.expected_turns,
                   .heat_map_title = "chance that the piece ever stands on a cell, in percent"};
    if (piece.distribution)
      for (const auto& [turns, probability] : *piece.distribution)
        page.shares.push_back({.turns = turns, .share = probability});
    charts.add_heat_map(page, analyzed, rules, from);
    return page;
  }
};

}  // namespace

void add_board_analyze(CLI::App& board, Session& session) {
  auto* command = board.add_subcommand(
      "analyze", "How long a piece takes and who wins, exactly, not simulated");
  auto& options = options_of<AnalyzeBoard>(*command, session);
  command->add_option("BOARD", options.board, "A name or a JSON file; - is stdin")->required();
  options.race_options.add_to(*command);
  options.rules_options.add_to(*command);
  options.quantiles_option.add_to(*command);
  options.charts.add_to(*command);
  add_json_flag(*command, options.form);
  command->footer(
      R"(The piece that is looked at alone stands where the player to move does. On a terminal, and
with --svg, its turns are drawn as a histogram, and the chance that it ever stands on a cell
on a map of the board.)");
}

}  // namespace snl::cli
