// The turns of one piece, alone, as a finite absorbing Markov chain. The states are the cells, and
// every turn moves the piece by chances that depend on its cell alone. In games with effects, the
// chain is made of rows instead (effects_chain.hpp). There a "cell" is the number of a state, and a
// turn may be a round.
//
// (Kemeny and Snell, Finite Markov Chains, 1960, chapter III; for this game: Althoen, King and
// Schilling, "How long is a game of Snakes and Ladders?", The Mathematical Gazette 77, 1993.)
#pragma once

#include "domain/board.hpp"
#include "domain/reachability.hpp"
#include "domain/rules.hpp"
#include "throw_odds.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// A value for each cell, 0 (off the board) to the last; or for each state.
using CellValues = std::vector<double>;

/// Smaller chances count as 0: arithmetic far below this takes a hundred times as long.
inline constexpr double as_good_as_none = 1e-250;

class Chain {
 public:
  struct Move {
    Cell to;
    double probability;
  };
  /// Every state's moves, one state after the other. The last state comes after all that have
  /// moves.
  struct Rows {
    std::vector<Move> moves;
    std::vector<std::size_t> begin{0};  // where each state's moves begin; last, the number of all
    /// The expected turns that a piece plays in a round from each state; empty if that is one turn
    /// from all of them.
    CellValues plays;
  };

  /// The chain of pieces that begin on any of `from`. Keeps `board`, which must outlive it.
  Chain(const Board& board, const Rules& rules, std::span<const Cell> from);
  /// The chain of pieces that may come to every state.
  explicit Chain(Rows rows);

  Cell last() const { return last_; }
  std::size_t size() const { return live_.size(); }

  /// The cells that an unfinished piece may come to, and from which it can finish.
  const CellSet& live() const { return live_; }
  bool is_live(Cell cell) const { return live_[index_of(cell)]; }
  /// The cells that a piece may come to and can't finish from, and whether there are any.
  const CellSet& stranded() const { return stranded_; }
  bool can_strand() const { return can_strand_; }
  /// Whether a piece on `cell` may come to one of those; true if it is there already.
  bool may_strand(Cell cell) const { return can_strand_ && may_strand_[index_of(cell)]; }

  /// The expected value of `values` after one turn from each live cell; 0 for every other cell.
  /// Values below as_good_as_none become 0. For one thread at a time.
  void step(std::span<const double> values, CellValues& after) const;

  /// The same from every cell, where the chain is made of rows.
  void step_everywhere(std::span<const double> values, CellValues& after) const;

  /// See Rows. The last state has a 0.
  const CellValues& plays() const { return plays_; }

  /// The chance to finish with the next turn, from each live cell.
  CellValues finishing() const;
  /// The chance to come with the next turn to a cell from which no piece can finish.
  CellValues stranding() const;

  /// Calls visit(target, probability) for each move of a turn from `cell`. A target may come
  /// several times. A piece that stays moves to the same cell.
  template <class Visit>
  void for_each_move(Cell cell, const Visit& visit) const {
    if (cell > last_plain_) {
      for (const Move& move : moves_near_end(cell))
        visit(move.to, move.probability);
      return;
    }
    if (forfeit_ > 0) visit(cell, forfeit_);
    for (const ThrowOdds& odds : moving_)
      visit(board_->landing(cell + odds.distance), odds.probability);
  }

  /// The number of multiplications in a step, each with an addition.
  double work_of_a_step() const {
    return static_cast<double>(size()) * static_cast<double>(moving_.size() + 1) +
           static_cast<double>(near_end_.size());
  }

 private:
  struct Landing {
    std::size_t from;
    std::size_t to;
  };

  void add_moves_near_end(const Rules& rules);
  /// A step of the cells from `begin` up to `end`. No throw from these goes past the end of the
  /// board.
  void step_plain(std::span<const double> values, std::size_t begin, std::size_t end,
                  CellValues& after) const;
  std::span<const Move> moves_near_end(Cell cell) const;
  /// The states from which rows lead to one of `goals`, and the goals themselves.
  CellSet leading_to(const CellSet& goals) const;

  const Board* board_ = nullptr;  // null where the chain is made of rows
  Cell last_;
  double forfeit_ = 0;             // the chance of three sixes
  std::vector<ThrowOdds> moving_;  // all other throws
  Cell last_plain_ = -1;           // the last cell from which no throw passes the end; may be < 0
  std::vector<Move> near_end_;     // the moves from the cells after it
  std::vector<std::size_t> near_end_begin_;
  std::vector<Landing> landings_;
  CellSet live_;
  std::vector<std::size_t> not_live_;
  CellSet stranded_;
  CellSet may_strand_;  // empty if nothing is stranded
  bool can_strand_ = false;
  CellValues plays_;
  mutable CellValues landed_;  // scratch space of step()
};

}  // namespace snl
