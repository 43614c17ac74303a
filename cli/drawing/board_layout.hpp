// The places of a board's cells, snakes and ladders: geometry alone, no picture yet.
//
// User units: a cell is a square of 100. Column c counts from the left and row r from the bottom,
// as in Place, but y runs downwards, as in SVG. So the middle of a cell is at x = 100 c + 50,
// y = 100 (rows − 1 − r) + 50.
#pragma once

#include "domain/board.hpp"

#include <cstddef>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

inline constexpr double cell_units = 100;

struct Point {
  double x = 0;
  double y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

double distance(Point a, Point b);

/// The middle of a cell (1 to cells).
Point centre_of(Cell cell, const Board& board);

/// A piece's place, and its size.
struct Stand {
  Point centre;
  double radius = 0;
};

/// The radius of a piece that is alone on its cell.
inline constexpr double piece_radius = 25;

/// The places of a cell's pieces, below the cell's number: `count` of them, in rows.
Stand stand_of(Point cell_centre, std::size_t index, std::size_t count);

/// A shape that a snake can take: a sine wave about a bow over the straight line.
struct Wave {
  int halves = 2;        // half-waves from head to tail
  double amplitude = 0;  // user units at the head; less towards the tail
  double bow = 0;        // user units, at the middle
};

struct DrawnSnake {
  Jump jump;
  /// From the middle of the head's cell to the middle of the tail's: at least 5 points of the curve
  /// that spine_at() describes.
  std::vector<Point> spine;
  /// Half the width of the body where it is thickest.
  double half_width = 0;
  Wave wave = {};  // the shape that the spine follows
};

struct DrawnLadder {
  Jump jump;
  Point foot;  // within the cell where the ladder starts
  Point top;   // within the cell where it ends
};

/// Both lists follow the cells where the jumps start, as in Board.
struct BoardLayout {
  std::vector<DrawnSnake> snakes;
  std::vector<DrawnLadder> ladders;
};

/// Lays out a board. Snakes wind and bend so that they stay on the board. As far as possible, they
/// also avoid one another, the ladders and the numbers. The same board always gets the same layout.
BoardLayout lay_out(const Board& board);

/// The place on a snake's spine at `t` of its length, 0 (the head) to 1 (the tip of the tail).
Point spine_at(const DrawnSnake& snake, double t);

/// Half the width of a snake's body at `t` of its length, 0 (the neck) to 1 (the tip of the tail).
double half_width_at(const DrawnSnake& snake, double t);

}  // namespace cli
}  // namespace snl
