#include "simulation_report.hpp"

#include "csv.hpp"
#include "domain/wording.hpp"

#include <fmt/format.h>

#include <iterator>

namespace snl::cli {
namespace {

std::string games_text(std::uint64_t games) {
  return counted(static_cast<std::int64_t>(games), "game");
}

std::string games_of_players(const SimulationReport& report) {
  return fmt::format("{} of {}, seed {}", games_text(report.result.games),
                     counted(std::ssize(report.result.wins), "player"), report.seed);
}

std::vector<double> quantiles_of(const SimulationReport& report) {
  if (!report.quantiles.empty()) return report.quantiles;
  return {0.05, 0.25, 0.5, 0.75, 0.95};
}

boost::json::object turns_json(const SimulationReport& report) {
  const TurnCounts& turns = report.result.turns;
  const auto statistics = turns.statistics();
  boost::json::object quantiles;
  for (const double share : quantiles_of(report))
    quantiles[fmt::format("{}", share)] = boost::json::value_from(turns.quantile_of(share));
  const auto known = [&](auto field) {
    return statistics ? boost::json::value(*statistics.*field) : nullptr;
  };
  return {{"mean", known(&TurnStatistics::mean)},
          {"stddev", known(&TurnStatistics::stddev)},
          {"min", known(&TurnStatistics::min)},
          {"max", known(&TurnStatistics::max)},
          {"quantiles", std::move(quantiles)}};
}

boost::json::value notable_json(const std::optional<NotableGame>& game) {
  if (!game) return nullptr;
  return boost::json::object{{"seed", game->seed}, {"turns", game->turns}};
}

double percent_of(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(all);
}

double each(std::uint64_t number, std::uint64_t games) {
  return games == 0 ? 0 : static_cast<double>(number) / static_cast<double>(games);
}

std::string turns_text(const SimulationReport& report) {
  const TurnCounts& turns = report.result.turns;
  const auto statistics = turns.statistics();
  if (!statistics) return "";
  std::string text =
      fmt::format("turns       mean {:.2f}, standard deviation {:.2f}, from {} to {}\n",
                  statistics->mean, statistics->stddev, statistics->min, statistics->max);
  const char* before = "            ";
  const char* games_end = " of the games end by turn";
  for (const double share : quantiles_of(report)) {
    const std::string part = share == 0.5 ? "half" : fmt::format("{:.6g}%", 100 * share);
    text += fmt::format("{}{}{} {}", before, part, games_end, *turns.quantile_of(share));
    before = ", ";
    games_end = " by";
  }
  return text + '\n';
}

std::string notable_text(std::string_view which, const std::optional<NotableGame>& game) {
  if (!game) return "";
  return fmt::format("{:<12}{}, seed {}\n", which, counted(game->turns, "turn"), game->seed);
}

}  // namespace

boost::json::object report_json(const SimulationReport& report) {
  const SimulationResult& result = report.result;
  boost::json::array histogram;
  result.turns.for_each([&](Turn turns, std::uint64_t games) {
    histogram.push_back(boost::json::array{turns, games});
  });
  boost::json::object json{{"games", result.games},
                           {"players", result.wins.size()},
                           {"turns", turns_json(report)},
                           {"wins", boost::json::value_from(result.wins)},
                           {"unfinished", result.unfinished},
                           {"snakes", result.snakes},
                           {"ladders", result.ladders},
                           {"shortest", notable_json(result.shortest)},
                           {"longest", notable_json(result.longest)},
                           {"histogram", std::move(histogram)},
                           {"seed", report.seed},
                           {"max_turns", report.max_turns}};
  if (report.saved) json["saved"] = {{"first", report.saved->first}, {"last", report.saved->last}};
  return json;
}

std::string report_csv(const SimulationReport& report) {
  CsvColumns columns{"games", "players", "turns_mean", "turns_stddev", "turns_min", "turns_max"};
  for (const double share : quantiles_of(report))
    columns.push_back(fmt::format("turns_quantiles_{}", share));
  add_list(columns, "wins", report.result.wins.size());
  columns.insert(columns.end(),
                 {"unfinished", "snakes", "ladders", "shortest_seed", "shortest_turns",
                  "longest_seed", "longest_turns", "seed", "max_turns"});
  return csv_header(columns) + csv_row(columns, report_json(report));
}

std::string histogram_csv(const SimulationReport& report) {
  const CsvColumns columns{"turns", "games"};
  std::string table = csv_header(columns);
  report.result.turns.for_each([&](Turn turns, std::uint64_t games) {
    table += csv_row(columns, {{"turns", turns}, {"games", games}});
  });
  return table;
}

std::string report_text(const SimulationReport& report) {
  const SimulationResult& result = report.result;
  std::string text = games_of_players(report) + '\n';
  if (result.games == 0) return text;
  text += turns_text(report);
  for (std::size_t seat = 0; seat < result.wins.size(); ++seat)
    text += fmt::format("{:<12}player {}: {:.2f}%, {}\n", seat == 0 ? "wins" : "", seat + 1,
                        percent_of(result.wins[seat], result.games), games_text(result.wins[seat]));
  if (result.unfinished > 0)
    text += fmt::format("unfinished  {:.2f}%, {} that nobody had won after {}\n",
                        percent_of(result.unfinished, result.games), games_text(result.unfinished),
                        counted(report.max_turns, "turn"));
  text += fmt::format("snakes      {:.2f} a game\nladders     {:.2f} a game\n",
                      each(result.snakes, result.games), each(result.ladders, result.games));
  text += notable_text("shortest", result.shortest);
  text += notable_text("longest", result.longest);
  return text;
}

ChartPage chart_page(const SimulationReport& report) {
  const SimulationResult& result = report.result;
  const auto won = static_cast<double>(result.turns.games());
  ChartPage page{
      .title = "Snakes and Ladders: how long games take",
      .facts = {games_of_players(report)},
      .histogram_title = "turns of all players, and the share of the games that took them",
      .mean = result.turns.statistics()->mean,
      .heat_map_title =
          "chance that a piece alone ever stands on a cell, in percent; exact, not simulated"};
  result.turns.for_each([&](Turn turns, std::uint64_t games) {
    page.shares.push_back({.turns = turns, .share = static_cast<double>(games) / won});
  });
  return page;
}

}  // namespace snl::cli
