#include "chart_options.hpp"

#include "cli/session/failure.hpp"
#include "common_options.hpp"
#include "domain/analysis/visits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ranges>
#include <string_view>
#include <utility>

namespace snl::cli {

void QuantilesOption::add_to(CLI::App& command) {
  add_value(command, "--quantiles", list, "Q,Q,...",
            "The turn by which each share of all games is over, as 0.1,0.5,0.9");
}

std::vector<double> QuantilesOption::values() const {
  std::vector<double> values;
  for (const auto part : std::views::split(list, ',')) {
    const std::string_view word(part);
    double value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool is_share = value > 0 && value < 1;
    if (error != std::errc() || stop != word.data() + word.size() || !is_share)
      throw Failure(Exit::usage,
                    fmt::format("--quantiles {}: \"{}\" isn't a number between 0 and 1, "
                                "such as 0.9",
                                list, word));
    if (std::ranges::find(values, value) != values.end())
      throw Failure(Exit::usage, fmt::format("--quantiles {}: {} is named twice", list, value));
    values.push_back(value);
  }
  return values;
}

void ChartOptions::add_to(CLI::App& command) {
  add_value(command, "--svg", svg_, "FILE", "Draw charts into this file, as an SVG picture");
  add_force_flag(command, occupied_);
}

bool ChartOptions::wanted(const Session& session, OutputForm form) const {
  return !svg_.empty() || (form == OutputForm::words && session.stdout_is_terminal());
}

void ChartOptions::add_heat_map(ChartPage& page, const Board& board, const Rules& rules,
                                Cell from) const {
  if (svg_.empty() && board.cells() > most_text_map_cells) return;
  auto visits = cell_visits(board, rules, from);
  if (visits)
    page.heat_map.emplace(board, std::move(visits->chance));
  else
    warn("there are no chances by cell: " + visits.error());
}

void ChartOptions::check(const Session& session, const std::string& file_of_board) const {
  if (svg_ == "-")
    throw Failure(Exit::usage, "--svg -: stdout is for the report; give the path of a file");
  if (svg_.empty()) return;
  check_writable(session, svg_, occupied_);
  check_not_read(svg_, {file_of_board}, "--svg");
}

void ChartOptions::draw(const Session& session, OutputForm form, const ChartPage& page) const {
  if (form == OutputForm::words && session.stdout_is_terminal())
    print("\n" + chart_page_text(page, {.columns = session.columns(), .glyphs = session.glyphs()}));
  if (svg_.empty()) return;
  OutputFile file(session, svg_, occupied_);
  file.write(chart_page_svg(page));
  file.commit();
}

}  // namespace snl::cli
