#include "charts.hpp"

#include "terminal_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace snl::cli {
namespace {

// ---- Bins

/// 1, 2, 5, 10, 20, 50, …
std::int64_t next_width(std::int64_t width) {
  std::int64_t leading = width;
  while (leading >= 10)
    leading /= 10;
  return leading == 2 ? width / 2 * 5 : width * 2;
}

std::int64_t floor_to(std::int64_t number, std::int64_t width) {
  return number / width * width;
}

/// The fewest turns that all but the longest hundredth take.
std::int64_t bulk_end(std::span<const TurnShare> shares) {
  constexpr double longest = 0.01;
  double all = 0;
  for (const TurnShare& share : shares)
    all += share.share;
  double sum = 0;
  for (const TurnShare& share : shares) {
    sum += share.share;
    if (sum >= (1 - longest) * all) return share.turns;
  }
  return shares.back().turns;
}

// ---- Text

int width_of(std::string_view ascii) {
  return static_cast<int>(ascii.size());
}

/// A bar of `length` columns (≥ 0): in eighths of a column in UTF-8, else in whole columns.
std::string bar(double length, Glyphs glyphs) {
  constexpr std::array<std::string_view, 8> eighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  std::string text;
  if (glyphs == Glyphs::ascii)
    return text.append(static_cast<std::size_t>(std::lround(length)), '#');
  const auto parts = static_cast<std::size_t>(std::lround(length * 8));
  for (std::size_t i = 0; i < parts / 8; ++i)
    text += "█";
  return text.append(eighths[parts % 8]);
}

/// "10-14", "12", ">= 150".
std::string label_of(const Bin& bin, Glyphs glyphs) {
  if (!bin.last) return fmt::format("{} {}", glyphs == Glyphs::unicode ? "≥" : ">=", bin.first);
  if (*bin.last == bin.first) return std::to_string(bin.first);
  return fmt::format("{}-{}", bin.first, *bin.last);
}

/// A chance in percent, 3 columns wide.
std::string percent_text(double chance, Glyphs glyphs) {
  if (chance <= 0) return glyphs == Glyphs::unicode ? "  ·" : "  .";
  if (chance < 0.01) return " <1";
  return fmt::format("{:>3.0f}", 100 * chance);
}

/// A block as high as the chance.
std::string_view block_of(double chance) {
  constexpr std::array<std::string_view, 9> blocks{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  if (chance <= 0) return blocks[0];
  return blocks[static_cast<std::size_t>(std::clamp(std::ceil(chance * 8), 1., 8.))];
}

/// A chance in one column: a block of its height, or its tenths as a digit.
std::string sign_of(double chance, Glyphs glyphs) {
  if (chance <= 0) return glyphs == Glyphs::unicode ? "·" : ".";
  if (glyphs == Glyphs::unicode) return std::string(block_of(chance));
  return chance >= 1 ? "*" : std::string(1, static_cast<char>('0' + static_cast<int>(chance * 10)));
}

}  // namespace

std::vector<Bin> bins_of(std::span<const TurnShare> shares, std::size_t most) {
  if (shares.empty()) return {};
  const std::int64_t begin = shares.front().turns;
  const std::int64_t bulk = bulk_end(shares);
  const std::int64_t longest = shares.back().turns;
  const std::int64_t end = longest - begin > 2 * (bulk - begin) ? bulk : longest;
  const auto bins_from = [&](std::int64_t width) {
    return (floor_to(end, width) - floor_to(begin, width)) / width + (end < longest ? 2 : 1);
  };
  std::int64_t width = 1;
  while (bins_from(width) > static_cast<std::int64_t>(most))
    width = next_width(width);

  std::vector<Bin> bins;
  for (std::int64_t first = floor_to(begin, width); first <= end; first += width)
    bins.push_back({first, first + width - 1, 0});
  if (bins.back().last < longest) bins.push_back({*bins.back().last + 1, std::nullopt, 0});
  for (const TurnShare& share : shares) {
    const auto index = static_cast<std::size_t>((share.turns - bins.front().first) / width);
    bins[std::min(index, bins.size() - 1)].share += share.share;
  }
  return bins;
}

std::string histogram_text(std::span<const Bin> bins, const TextChart& chart) {
  constexpr int share_columns = 10;  // "  12.34 % "
  double highest = 0;
  int label_columns = 5;
  for (const Bin& bin : bins) {
    highest = std::max(highest, bin.share);
    label_columns = std::max(label_columns, width_of(label_of(bin, Glyphs::ascii)));
  }
  const int room = std::max(1, chart.columns - label_columns - share_columns - 1);
  std::string text;
  for (const Bin& bin : bins) {
    // "≥" takes one column less than ">=": one more blank aligns the label.
    const std::string label = label_of(bin, chart.glyphs);
    const int blanks = label_columns - width_of(label_of(bin, Glyphs::ascii)) +
                       (!bin.last && chart.glyphs == Glyphs::unicode ? 1 : 0);
    const double length = highest > 0 ? room * bin.share / highest : 0;
    text += fmt::format("{:{}}{} {:>6.2f} % {}", "", blanks, label, 100 * bin.share,
                        bar(length, chart.glyphs));
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

std::optional<std::string> heat_map_text(const Board& board, std::span<const double> chances,
                                         const TextChart& chart) {
  const bool unicode = chart.glyphs == Glyphs::unicode;
  const int number_columns = width_of(std::to_string(board.cells()));
  const int room = chart.columns - 2 * number_columns - 4;
  const int wide = unicode ? 5 : 4;
  const bool narrow = board.width() * wide > room;
  if (board.cells() > most_text_map_cells || (narrow && board.width() + 2 > room))
    return std::nullopt;
  const int cell_columns = narrow ? 1 : wide;
  const std::string_view upright = unicode ? "│" : "|";
  std::string text;
  for (std::int32_t row = board.rows() - 1; row >= 0; --row) {
    const auto cell_in = [&](std::int32_t column) {
      const Cell cell = cell_at({row, column}, board.width());
      return cell <= board.cells() ? std::optional(cell) : std::nullopt;
    };
    const auto number = [&](std::int32_t column) {
      const auto cell = cell_in(column);
      return cell ? std::to_string(*cell) : std::string();
    };
    text += fmt::format("{:>{}} {}{}", number(0), number_columns, upright, narrow ? " " : "");
    for (std::int32_t column = 0; column < board.width(); ++column) {
      const auto cell = cell_in(column);
      const double chance = cell ? chances[static_cast<std::size_t>(*cell)] : 0;
      if (!cell)
        text.append(static_cast<std::size_t>(cell_columns), ' ');
      else if (narrow)
        text += sign_of(chance, chart.glyphs);
      else
        text += fmt::format("{}{} ", unicode ? block_of(chance) : "",
                            percent_text(chance, chart.glyphs));
    }
    text += fmt::format("{}{} {:>{}}", narrow ? " " : "", upright, number(board.width() - 1),
                        number_columns);
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  if (narrow)
    text += unicode ? "as eighths: ▁ to █, · none\n" : "as tenths: 0 to 9, * all, . none\n";
  return text;
}

std::string chart_page_text(const ChartPage& page, const TextChart& chart) {
  constexpr std::size_t most_bins = 16;
  const auto heading = [&](const std::string& words) {
    return fmt::format("{}\n", fmt::join(wrapped(printable(words), chart.columns, 0), "\n"));
  };
  std::string text;
  if (!page.shares.empty())
    text += heading(page.histogram_title) + histogram_text(bins_of(page.shares, most_bins), chart);
  if (!page.heat_map) return text;
  if (!text.empty()) text += '\n';
  const auto map = heat_map_text(page.heat_map->board, page.heat_map->chances, chart);
  return text + (map ? heading(page.heat_map_title) + *map
                     : heading(page.heat_map_title + ": too wide to draw here; see --svg"));
}

}  // namespace snl::cli
