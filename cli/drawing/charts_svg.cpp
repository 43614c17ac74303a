#include "board_layout.hpp"
#include "board_svg.hpp"
#include "charts.hpp"
#include "svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace snl::cli {
namespace {

constexpr double chart_margin = 40;
constexpr double page_width = 1080;
constexpr double inner_width = page_width - 2 * chart_margin;

/// A part of the page with its height, drawn from y = 0 down.
struct Part {
  std::string svg;
  double height = 0;
};

struct TextStyle {
  std::string_view kind;  // its class
  double size;
  std::string_view anchor = "start";
};

std::string words_svg(Point at, std::string_view words, const TextStyle& style) {
  return fmt::format(
      "<text class=\"{}\" x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\">{}</text>\n",
      style.kind, svg_number(at.x), svg_number(at.y), svg_number(style.size), style.anchor,
      escaped(words));
}

std::string line_svg(Point from, Point to, std::string_view attributes) {
  return fmt::format("<path d=\"{}\" {}/>\n", SvgPath().move_to(from).line_to(to).text(),
                     attributes);
}

Part headings(const ChartPage& page) {
  Part part;
  part.height = 30;
  part.svg = words_svg({0, part.height}, page.title, {"ink", 30});
  for (const std::string& fact : page.facts) {
    part.height += 28;
    part.svg += words_svg({0, part.height}, fact, {"faint", 19});
  }
  part.height += 30;
  return part;
}

// ---- The histogram

constexpr double plot_left = 70;
constexpr double plot_top = 44;
constexpr double plot_height = 300;
constexpr double plot_width = inner_width - plot_left;

/// The distance between some five marks up to `highest`: 1, 2 or 5 times a power of ten.
double mark_distance(double highest) {
  const double power = std::pow(10, std::floor(std::log10(highest / 5)));
  for (const double factor : {1., 2., 5.})
    if (highest / (factor * power) <= 5) return factor * power;
  return 10 * power;
}

class Histogram {
 public:
  explicit Histogram(const ChartPage& page) : page_(page), bins_(bins_of(page.shares, most_bins)) {
    for (const Bin& bin : bins_)
      highest_ = std::max(highest_, bin.share);
    step_ = plot_width / static_cast<double>(bins_.size());
  }

  Part part() const {
    Part part;
    part.svg = words_svg({0, 20}, page_.histogram_title, {"ink", 22});
    part.svg += marks() + bars() + labels() + mean();
    part.height = plot_top + plot_height + 70;
    return part;
  }

 private:
  static constexpr std::size_t most_bins = 60;

  double y_of(double share) const { return plot_top + plot_height * (1 - share / highest_); }

  std::string marks() const {
    const double distance = mark_distance(highest_);
    std::string svg;
    for (int i = 0; i * distance <= highest_ * 1.0001; ++i) {
      const double y = y_of(i * distance);
      svg += line_svg({plot_left, y}, {inner_width, y}, "class=\"rule\"");
      svg += words_svg({plot_left - 10, y + 6}, fmt::format("{:.6g} %", 100 * i * distance),
                       {"faint", 16, "end"});
    }
    return svg;
  }

  std::string bars() const {
    std::string svg = "<g class=\"bars\">\n";
    for (std::size_t i = 0; i < bins_.size(); ++i) {
      const Bin& bin = bins_[i];
      const double left = plot_left + step_ * static_cast<double>(i);
      const double gap = std::min(3., step_ / 6);
      const std::string turns = !bin.last ? fmt::format("{} turns or more", bin.first)
                                : *bin.last == bin.first
                                    ? fmt::format("{} turns", bin.first)
                                    : fmt::format("{} to {} turns", bin.first, *bin.last);
      svg += fmt::format(
          "<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\">"
          "<title>{}: {:.3g} %</title></rect>\n",
          bin.last ? "bar" : "bar beyond", svg_number(left + gap / 2), svg_number(y_of(bin.share)),
          svg_number(step_ - gap), svg_number(plot_top + plot_height - y_of(bin.share)), turns,
          100 * bin.share);
    }
    return svg + "</g>\n";
  }

  std::string labels() const {
    constexpr double least_distance = 62;
    const auto every = static_cast<std::size_t>(std::ceil(least_distance / step_));
    std::string svg;
    for (std::size_t i = 0; i < bins_.size(); ++i) {
      const bool beyond = !bins_[i].last;
      const bool near_beyond = !bins_.back().last && !beyond && bins_.size() - 1 - i < every;
      if ((i % every != 0 && !beyond) || near_beyond) continue;
      // A bin of several turns has its label at its left edge.
      const bool single = bins_[i].last == bins_[i].first;
      const double x = plot_left + step_ * (static_cast<double>(i) + (single || beyond ? 0.5 : 0.));
      svg += words_svg({x, plot_top + plot_height + 24},
                       fmt::format("{}{}", beyond ? "≥ " : "", bins_[i].first),
                       {"faint", 16, "middle"});
    }
    return svg + words_svg({plot_left + plot_width / 2, plot_top + plot_height + 50}, "turns",
                           {"faint", 16, "middle"});
  }

  std::string mean() const {
    const Bin& last = bins_.back();
    const std::int64_t width =
        bins_.front().last.value_or(bins_.front().first) - bins_.front().first + 1;
    const std::int64_t begin = bins_.front().first;
    if (!page_.mean || *page_.mean < static_cast<double>(begin) ||
        *page_.mean > static_cast<double>(last.last.value_or(last.first)))
      return "";
    const double single = width == 1 ? 0.5 : 0;
    const double x =
        plot_left +
        step_ * ((*page_.mean - static_cast<double>(begin)) / static_cast<double>(width) + single);
    return line_svg({x, plot_top - 6}, {x, plot_top + plot_height}, "class=\"mean\"") +
           words_svg({x + 8, plot_top + 8}, fmt::format("mean {:.4g}", *page_.mean), {"ink", 16});
  }

  const ChartPage& page_;
  std::vector<Bin> bins_;
  double highest_ = 0;
  double step_ = 0;
};

// ---- The heat map

struct HeatColour {
  double red;
  double green;
  double blue;
};

/// From pale to deep (after ColorBrewer's YlOrRd, by Cynthia Brewer). Each step is darker than the
/// one before, so that the map reads in grey too.
constexpr std::array<HeatColour, 6> heat{{{255, 250, 230},
                                          {254, 224, 144},
                                          {253, 174, 97},
                                          {244, 109, 67},
                                          {215, 48, 39},
                                          {128, 0, 38}}};

HeatColour heat_of(double part) {
  const double at = std::clamp(part, 0., 1.) * (heat.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(at), heat.size() - 2);
  const double t = at - static_cast<double>(low);
  const HeatColour a = heat[low];
  const HeatColour b = heat[low + 1];
  return {std::lerp(a.red, b.red, t), std::lerp(a.green, b.green, t), std::lerp(a.blue, b.blue, t)};
}

std::string hex(HeatColour colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", std::lround(colour.red), std::lround(colour.green),
                     std::lround(colour.blue));
}

/// The luminance, from 0 (black) to 1 (white), as WCAG 2 defines it for sRGB colours.
double luminance_of(HeatColour colour) {
  const auto linear = [](double channel) {
    const double part = std::round(channel) / 255;
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
}

/// Black or white, whichever contrasts more: at least 4.58:1 on any colour.
std::string_view ink_on(HeatColour colour) {
  const double luminance = luminance_of(colour);
  const double of_white = 1.05 / (luminance + 0.05);
  const double of_black = (luminance + 0.05) / 0.05;
  return of_white > of_black ? "#fff" : "#000";
}

std::string percent(double chance) {
  if (chance <= 0) return "";
  return chance < 0.01 ? "<1" : fmt::format("{:.0f}", 100 * chance);
}

std::string heat_cell_svg(Cell cell, const Board& board, double chance, double highest) {
  const HeatColour colour = heat_of(highest > 0 ? chance / highest : 0);
  const std::string_view ink = ink_on(colour);
  const Point centre = centre_of(cell, board);
  const Cell landing = board.landing(cell);
  const auto write = [&](double down, double size, std::string_view weight,
                         const std::string& words) {
    if (words.empty()) return std::string();
    return fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" font-weight=\"{}\">{}</text>",
                       svg_number(centre.x), svg_number(centre.y + down), svg_number(size), weight,
                       escaped(words));
  };
  std::string svg = fmt::format(
      "<g class=\"heat\" fill=\"{}\"><title>cell {}: {:.3g} %</title><rect x=\"{}\" y=\"{}\" "
      "width=\"100\" height=\"100\" fill=\"{}\"/>",
      ink, cell, 100 * chance, svg_number(centre.x - 50), svg_number(centre.y - 50), hex(colour));
  svg += write(-28, 19, "normal", std::to_string(cell));
  svg += write(14, 36, "bold", percent(chance));
  if (landing != cell)
    svg += write(40, 18, "normal", fmt::format("{} {}", landing > cell ? "↑" : "↓", landing));
  return svg + "</g>\n";
}

Part heat_map(const ChartPage& page) {
  const auto& [board, chances] = *page.heat_map;
  const double scale =
      std::min(inner_width / (cell_units * board.width()), 1000 / (cell_units * board.rows()));
  const double highest = *std::max_element(chances.begin() + 1, chances.end());
  Part part;
  part.svg = words_svg({0, 20}, page.heat_map_title, {"ink", 22});
  part.svg += fmt::format(
      "<g transform=\"translate(0 40) scale({:.4})\" stroke=\"none\" text-anchor=\"middle\">\n",
      scale);
  for (Cell cell = 1; cell <= board.cells(); ++cell)
    part.svg += heat_cell_svg(cell, board, chances[static_cast<std::size_t>(cell)], highest);
  part.svg += "</g>\n";
  part.height = 40 + scale * cell_units * board.rows() + 20;
  return part;
}

constexpr std::string_view style =
    ".page{fill:#fffdf7}.ink{fill:#2b2416;font-weight:bold}.faint{fill:#6d6247}"
    ".rule{stroke:#e2d6b8;stroke-width:1.5}.bar{fill:#3b7f9e}.beyond{fill:#9db8c4}"
    ".mean{stroke:#b3402f;stroke-width:3;stroke-dasharray:8 6}"
    "@media(prefers-color-scheme:dark){.page{fill:#171a20}.ink{fill:#eceff5}.faint{fill:#a8b0be}"
    ".rule{stroke:#343a46}.bar{fill:#5aa7c8}.beyond{fill:#3d6173}.mean{stroke:#f08a76}}";

}  // namespace

std::string chart_page_svg(const ChartPage& page) {
  std::vector<Part> parts{headings(page)};
  if (!page.shares.empty()) parts.push_back(Histogram(page).part());
  if (page.heat_map && page.heat_map->board.cells() <= most_svg_cells)
    parts.push_back(heat_map(page));
  double y = chart_margin;
  std::string body;
  for (const Part& part : parts) {
    body += fmt::format("<g transform=\"translate({} {})\">\n{}</g>\n", svg_number(chart_margin),
                        svg_number(y), part.svg);
    y += part.height;
  }
  std::string description;
  for (const std::string& fact : page.facts)
    description += (description.empty() ? "" : " ") + fact + ".";
  return svg_text({.width = page_width,
                   .height = y + chart_margin / 2,
                   .title = page.title,
                   .description = description,
                   .style = std::string(style),
                   .body = body});
}

}  // namespace snl::cli
