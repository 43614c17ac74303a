#include "stage.hpp"

#include "cli/drawing/board_svg.hpp"
#include "cli/drawing/svg.hpp"
#include "words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace snl::cli {

Stage::Stage(const GameSetup& setup)
    : setup_(setup),
      width_(cell_units * setup.board.width()),
      board_height_(cell_units * setup.board.rows()),
      waiting_(setup.players.size()) {
  constexpr double widest = 64;
  const double step = std::min(widest, (width_ - 20) / static_cast<double>(waiting_.size()));
  for (std::size_t seat = 0; seat < waiting_.size(); ++seat)
    waiting_[seat] = {{15 + step * (static_cast<double>(seat) + 0.5), board_height_ + 60},
                      piece_radius * step / widest};
}

std::string Stage::view_box() const {
  return fmt::format("0 0 {} {}", svg_number(width_), svg_number(height()));
}

std::string Stage::board_svg() const {
  constexpr std::int32_t usual_width = 12;  // narrower boards are small either way
  std::string svg = setup_.board.width() > usual_width
                        ? board_art_svg(setup_.board, Numbers::in_rows)
                        : "<g class=\"large-cells\">\n" + board_art_svg(setup_.board) + "</g>\n";
  if (!has_tray()) return svg;
  svg +=
      fmt::format("<rect class=\"tray\" x=\"4\" y=\"{}\" width=\"{}\" height=\"96\" rx=\"16\"/>\n",
                  svg_number(board_height_ + 12), svg_number(width_ - 8));
  constexpr double room = 270;  // for the words and a piece beside them
  if (waiting_.empty() || waiting_.back().centre.x < width_ - room)
    svg +=
        fmt::format("<text class=\"tray-words\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
                    svg_number(width_ - 24), svg_number(board_height_ + 71), words::off_the_board);
  return svg;
}

std::vector<Stand> Stage::standing(std::span<const Cell> cells) const {
  std::vector<Stand> all = waiting_;
  std::map<Cell, std::vector<std::size_t>> crowds;
  for (std::size_t seat = 0; seat < cells.size(); ++seat)
    if (cells[seat] > 0) crowds[cells[seat]].push_back(seat);
  for (const auto& [cell, seats] : crowds) {
    const Point centre = centre_of(cell, setup_.board);
    for (std::size_t i = 0; i < seats.size(); ++i)
      all[seats[i]] = stand_of(centre, i, seats.size());
  }
  return all;
}

std::string Stage::pieces_svg(std::span<const Cell> cells) const {
  std::string svg;
  const std::vector<Stand> all = standing(cells);
  for (std::size_t seat = 0; seat < all.size(); ++seat)
    svg += fmt::format(
        "<g class=\"piece p{}\" data-seat=\"{}\" transform=\"translate({} {}) scale({})\">"
        "<circle class=\"shadow\" cx=\"2\" cy=\"4\" r=\"25\"/><circle class=\"disc\" r=\"25\"/>"
        "<circle class=\"rim\" r=\"20.5\"/><text y=\"9.5\">{}</text></g>\n",
        seat, seat, svg_number(all[seat].centre.x), svg_number(all[seat].centre.y),
        fmt::format("{:.3g}", all[seat].radius / piece_radius), seat + 1);
  return svg;
}

}  // namespace snl::cli
