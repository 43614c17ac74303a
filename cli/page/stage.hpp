// The drawing of a page's board, with the pieces on it.
#pragma once

#include "cli/drawing/board_layout.hpp"
#include "domain/game.hpp"

#include <span>
#include <string>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// The board, and below it the tray for pieces that wait off the board, if the rules let them wait.
/// Its units are those of board_layout.hpp. The setup must outlive it.
class Stage {
 public:
  explicit Stage(const GameSetup& setup);

  /// The viewBox of the `<svg>` around board_svg() and pieces_svg().
  std::string view_box() const;
  std::string board_svg() const;
  /// One piece for each seat, on these cells.
  std::string pieces_svg(std::span<const Cell> cells) const;

  const std::vector<Stand>& waiting() const { return waiting_; }

 private:
  double height() const { return board_height_ + (has_tray() ? tray_height : 0); }
  bool has_tray() const { return setup_.rules.start == 0; }
  std::vector<Stand> standing(std::span<const Cell> cells) const;

  static constexpr double tray_height = 110;
  const GameSetup& setup_;
  double width_;
  double board_height_;
  std::vector<Stand> waiting_;
};

}  // namespace cli
}  // namespace snl
