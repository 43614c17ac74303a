// board analyze

#include "chart_options.hpp"
#include "chosen_board.hpp"
#include "cli/drawing/terminal_text.hpp"
#include "cli/reports/csv.hpp"
#include "cli/reports/exact_odds.hpp"
#include "cli/session/failure.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "domain/analysis/odds.hpp"
#include "domain/turn_dice.hpp"
#include "domain/wording.hpp"
#include "number_options.hpp"
#include "rules_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace snl::cli {
namespace {

namespace json = boost::json;

BoardOdds odds_or_failure(const Board& board, const Rules& rules, const OddsQuestion& question) {
  auto odds = odds_of(board, rules, question);
  if (odds) return *std::move(odds);
  throw estimates_only(odds.error());
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
    add_value(command, "--positions", positions, "C,C,…",
              "Where the players' pieces stand, in turn order (default: at the start)");
    add_number(command, "--to-move", to_move, "Whose turn it is, from 1 (default: 1)", 1,
               max_players);
  }

  /// Throws Failure for a race that can't be on this board.
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
      throw Failure(Exit::usage, fmt::format("--to-move {}: it must be from 1 to {}", to_move,
                                             race.cells.size()));
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
        throw Failure(Exit::usage, fmt::format("--positions {}: {}; give a cell before the last "
                                               "one, for pieces that haven't finished",
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
  print_line(fmt::format("  {:<23} {}", name, value));
}

/// The shares that --quantiles asks for, and the turn by which a piece, or the race, reaches each.
struct Quantiles {
  std::vector<double> shares;

  json::object json_of(const auto& turns_of) const {
    json::object object;
    for (std::size_t i = 0; i < shares.size(); ++i)
      object[fmt::format("{}", shares[i])] = json::value_from(turns_of(i));
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
                      {"stranding_cell", json::value_from(piece.stranding_cell)},
                      {"min_turns", json::value_from(piece.fewest_turns)},
                      {"expected_turns", json::value_from(piece.expected_turns)},
                      {"stddev_turns", json::value_from(piece.stddev_turns)},
                      {"median_turns", json::value_from(piece.median_turns)},
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
    object["expected_game_turns"] = json::value_from(odds->expected_turns);
    object["stddev_game_turns"] = json::value_from(odds->stddev_turns);
  }
  return object;
}

std::string place_name(Cell cell) {
  return cell == 0 ? "off the board" : fmt::format("cell {}", cell);
}

std::string number(const auto& value, const char* none) {
  return value ? fmt::format("{:.6g}", static_cast<double>(*value)) : std::string(none);
}

void print_piece(const PieceOdds& piece, const Rules& rules, const Race& race) {
  print_line("One piece, from " + place_name(race.cells[race.to_move]) +
             (may_stop_early(rules) ? ", with dice rolled to their end" : ""));
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
  print_fact("expected turns in all", number(odds.expected_turns, "infinite"));
  if (odds.stddev_turns) print_fact("standard deviation", number(odds.stddev_turns, "infinite"));
}

void print_exact(const ExactOdds& exact) {
  if (exact.expected_turns) print_fact("expected turns, exactly", *exact.expected_turns);
  if (exact.finish_probability != "1") print_fact("finishes, exactly", exact.finish_probability);
}

void print_exact_race(const ExactOdds& exact) {
  for (std::size_t seat = 0; seat < exact.win.size(); ++seat)
    print_fact(fmt::format("player {} wins, exactly", seat + 1), exact.win[seat]);
  if (exact.expected_game_turns) print_fact("in all, exactly", *exact.expected_game_turns);
}

/// A board from the command line, with everything that is known of it.
struct Analyzed {
  ChosenBoard board;
  Rules rules;
  Race race;
  BoardOdds odds;
  std::optional<ExactOdds> exact = std::nullopt;

  const RaceOdds* race_odds() const { return odds.races ? &odds.races->front() : nullptr; }
};

json::object analyzed_json(const Analyzed& analyzed, const Quantiles& quantiles) {
  const RaceOdds* race_odds = analyzed.race_odds();
  json::object object = board_odds_json(*analyzed.odds.piece, analyzed.race, race_odds);
  if (!quantiles.shares.empty()) {
    object["quantiles"] = quantiles.json_of(quantiles.of_piece(*analyzed.odds.piece));
    object["game_quantiles"] = nullptr;
    if (race_odds != nullptr)
      object["game_quantiles"] = quantiles.json_of(Quantiles::of_race(*race_odds));
  }
  object["board"] = analyzed.board.name;
  if (analyzed.exact) object["exact"] = exact_odds_json(*analyzed.exact);
  return object;
}

CsvColumns figure_columns(const Analyzed& analyzed, const Quantiles& quantiles) {
  CsvColumns columns{"board",          "reachable",    "finish_probability",
                     "stranding_cell", "min_turns",    "expected_turns",
                     "stddev_turns",   "median_turns", "players"};
  add_list(columns, "win_probability", analyzed.race.cells.size());
  columns.insert(columns.end(), {"never", "expected_game_turns", "stddev_game_turns"});
  add_list(columns, "positions", analyzed.race.cells.size());
  columns.emplace_back("to_move");
  for (const char* turns : {"quantiles", "game_quantiles"})
    for (const double share : quantiles.shares)
      columns.push_back(fmt::format("{}_{}", turns, share));
  if (analyzed.exact) {
    columns.insert(columns.end(), {"exact_expected_turns", "exact_finish_probability",
                                   "exact_expected_game_turns"});
    add_list(columns, "exact_win_probability", analyzed.race.cells.size());
  }
  return columns;
}

void print_figures_csv(const std::vector<Analyzed>& boards, const Quantiles& quantiles) {
  const CsvColumns columns = figure_columns(boards.front(), quantiles);
  print_names(csv_header(columns));
  for (const Analyzed& analyzed : boards) {
    json::object row = analyzed_json(analyzed, quantiles);
    row.erase("distribution");
    print_names(csv_row(columns, row));
  }
}

void print_distributions_csv(const std::vector<Analyzed>& boards) {
  const CsvColumns columns{"board", "turns", "probability"};
  print_names(csv_header(columns));
  for (const Analyzed& analyzed : boards) {
    const auto& distribution = analyzed.odds.piece->distribution;
    if (!distribution) continue;
    for (const auto& [turns, probability] : *distribution)
      print_names(csv_row(
          columns,
          {{"board", analyzed.board.name}, {"turns", turns}, {"probability", probability}}));
  }
}

void print_analyzed(const Analyzed& analyzed, const Quantiles& quantiles) {
  const PieceOdds& piece = *analyzed.odds.piece;
  print_piece(piece, analyzed.rules, analyzed.race);
  if (analyzed.exact) print_exact(*analyzed.exact);
  quantiles.print(quantiles.of_piece(piece));
  if (const RaceOdds* race_odds = analyzed.race_odds()) {
    print_race(analyzed.race, *race_odds);
    if (analyzed.exact) print_exact_race(*analyzed.exact);
    quantiles.print(Quantiles::of_race(*race_odds));
  }
}

/// The cells of a board's row, each with its column's title.
std::vector<std::pair<std::string, std::string>> cells_of_row(const Analyzed& analyzed,
                                                              const Quantiles& quantiles) {
  const PieceOdds& piece = *analyzed.odds.piece;
  const RaceOdds* race = analyzed.race_odds();
  const auto of_share = [](const char* what, double share) {
    return fmt::format("{} {:.6g} % by", what, 100 * share);
  };
  std::vector<std::pair<std::string, std::string>> cells{
      {"expected turns", number(piece.expected_turns, "infinite")},
      {"deviation", number(piece.stddev_turns, "-")},
      {"median", number(piece.median_turns, "-")},
      {"fewest", number(piece.fewest_turns, "-")},
      {"finishes", percent(piece.finish_probability)}};
  for (const double share : quantiles.shares)
    cells.emplace_back(of_share("piece", share), number(piece.quantile(share), "-"));
  for (std::size_t seat = 0; seat < analyzed.race.cells.size(); ++seat)
    cells.emplace_back(fmt::format("player {} wins", seat + 1),
                       race == nullptr ? "-" : percent(race->win[seat]));
  cells.emplace_back("turns in all",
                     race == nullptr ? "-" : number(race->expected_turns, "infinite"));
  for (std::size_t i = 0; i < quantiles.shares.size(); ++i)
    cells.emplace_back(of_share("game", quantiles.shares[i]),
                       race == nullptr ? "-" : number(race->quantiles[i], "-"));
  if (analyzed.exact)
    cells.emplace_back("expected turns, exactly",
                       analyzed.exact->expected_turns.value_or("infinite"));
  return cells;
}

/// Prints several boards, a row each, below the columns' titles.
void print_side_by_side(const std::vector<Analyzed>& boards, const Quantiles& quantiles) {
  std::vector<std::string> names;
  int width = 5;
  for (const Analyzed& analyzed : boards) {
    constexpr int widest_name = 40;
    names.push_back(printable(analyzed.board.name));
    width = std::clamp(display_width(names.back()), width, widest_name);
  }
  for (std::size_t i = 0; i < boards.size(); ++i) {
    const auto cells = cells_of_row(boards[i], quantiles);
    if (i == 0) {
      std::string header = fitted("board", width);
      for (const auto& [title, value] : cells)
        header += fmt::format("  {}", title);
      print_broken(header + '\n', width);
    }
    std::string line = fitted(names[i], width);
    for (const auto& [title, value] : cells)
      line += fmt::format("  {:>{}}", value, title.size());
    print_broken(line + '\n', width);
  }
}

struct AnalyzeBoard {
  std::vector<std::string> boards;
  RulesOptions rules_options;
  RaceOptions race_options;
  QuantilesOption quantiles_option;
  ChartOptions charts;
  bool exact = false;
  bool distribution = false;
  OutputForm form = OutputForm::words;

  void run(const Session& session) const {
    charts.check(session, boards.size() == 1 ? file_of_board(boards.front()) : "");
    if (boards.size() > 1 && charts.is_for_a_file())
      throw Failure(Exit::usage,
                    fmt::format("--svg draws one board, not {}; give one of them", boards.size()));
    const Quantiles quantiles{quantiles_option.values()};
    std::vector<Analyzed> analyzed;
    analyzed.reserve(boards.size());
    for (const std::string& board : boards)
      analyzed.push_back(analyze(board, quantiles));
    if (form == OutputForm::json)
      for (const Analyzed& one : analyzed)
        print_json(analyzed_json(one, quantiles));
    else if (form == OutputForm::csv && distribution)
      print_distributions_csv(analyzed);
    else if (form == OutputForm::csv)
      print_figures_csv(analyzed, quantiles);
    else if (analyzed.size() > 1)
      print_side_by_side(analyzed, quantiles);
    else
      print_analyzed(analyzed.front(), quantiles);
    if (analyzed.size() == 1 && charts.wanted(session, form))
      charts.draw(session, form, chart_page(analyzed.front()));
  }

 private:
  Analyzed analyze(const std::string& name, const Quantiles& quantiles) const {
    ChosenBoard board = board_from(name);
    const Rules rules = rules_options.chosen(board.rules);
    check_safe_cells(rules, board.board);
    const Race race = race_options.race(board.board, rules);
    BoardOdds odds = odds_or_failure(
        board.board, rules,
        {.piece = race.cells[race.to_move], .races = {race}, .quantiles = quantiles.shares});
    const std::string of_which = boards.size() > 1 ? board.name + ": " : "";
    if (!odds.races)
      warn(of_which +
           "the race is left out, and so are all other values that --json shows as null: " +
           std::string(estimates_only(odds.why_no_races).what()));
    if (odds.piece->distribution && odds.piece->distribution->size() == max_distribution)
      warn(fmt::format("{}the distribution is cut off after {} rows", of_which, max_distribution));
    Analyzed analyzed{
        .board = std::move(board), .rules = rules, .race = race, .odds = std::move(odds)};
    if (exact) analyzed.exact = exact_or_failure(analyzed);
    return analyzed;
  }

  static ExactOdds exact_or_failure(const Analyzed& analyzed) {
    auto odds = exact_odds(analyzed.board.board, analyzed.rules, analyzed.race);
    if (odds) return *std::move(odds);
    throw Failure(Exit::usage, fmt::format("--exact: board {}: {}; leave out --exact: the "
                                           "decimals are right to their last digit",
                                           analyzed.board.name, odds.error()));
  }

  ChartPage chart_page(const Analyzed& analyzed) const {
    const Board& board = analyzed.board.board;
    const PieceOdds& piece = *analyzed.odds.piece;
    const Cell from = analyzed.race.cells[analyzed.race.to_move];
    ChartPage page{.title = "Snakes and Ladders: " + printable(boards.front()),
                   .facts = {fmt::format("{} cells, {} snakes, {} ladders; exact chances of one "
                                         "piece from {}",
                                         board.cells(), board.snakes().size(),
                                         board.ladders().size(), place_name(from))},
                   .histogram_title = "turns that one piece takes, and the chance of each",
                   .mean = piece.expected_turns,
                   .heat_map_title = "chance that the piece ever stands on a cell, in percent"};
    if (piece.distribution)
      for (const auto& [turns, probability] : *piece.distribution)
        page.shares.push_back({.turns = turns, .share = probability});
    charts.add_heat_map(page, board, analyzed.rules, from);
    return page;
  }
};

}  // namespace

void add_board_analyze(CLI::App& board, Session& session) {
  auto [command, options] = add_command<AnalyzeBoard>(
      board, session, "analyze", "How long a piece takes and who wins, exactly, not simulated");
  command
      .add_option("BOARD", options.boards,
                  "A name or a JSON file, or several to compare; - is stdin")
      ->required();
  options.race_options.add_to(command);
  options.rules_options.add_to(command);
  options.quantiles_option.add_to(command);
  command.add_flag("--exact", options.exact, "Expected turns and chances as fractions, too");
  options.charts.add_to(command);
  add_json_flag(command, options.form, "Print JSON, one line per board");
  add_csv_flag(command, options.form, "Print a table for spreadsheets, as CSV: one row per board");
  add_distribution_flag(command, options.form, options.distribution);
  command.footer(
      R"(The lone piece starts where the player to move stands. On a terminal, and with --svg, its turns
are drawn as a histogram. A map of the board shows the chance that the piece ever stands on each
cell. With --exact, a race has fractions too if its pieces can stand in few ways: two players on
some 20 cells.)");
}

}  // namespace snl::cli
