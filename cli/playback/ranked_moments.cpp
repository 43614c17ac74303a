#include "ranked_moments.hpp"

#include <algorithm>
#include <cmath>

namespace snl::cli {
namespace {

struct Candidate {
  std::size_t shot;
  double weight;
};

/// The largest change of a player's chance by a turn.
double swing(const RaceOdds& before, const RaceOdds& after) {
  double most = 0;
  for (std::size_t seat = 0; seat < before.win.size(); ++seat)
    most = std::max(most, std::abs(after.win[seat] - before.win[seat]));
  return most;
}

/// The part of the board over which a turn carried its piece, beyond its walk. A win counts as the
/// whole.
double leap(const Recording::Shot& shot, const Board& board) {
  if (shot.moments.win) return 1;
  return static_cast<double>(std::abs(shot.turn.to - shot.turn.landed)) / board.cells();
}

}  // namespace

std::vector<std::size_t> ranked_moments(const Recording& recording,
                                        std::span<const RaceOdds> odds) {
  std::vector<Candidate> candidates;
  for (std::size_t shot = 1; shot <= recording.shots(); ++shot) {
    const double weight = odds.empty() ? leap(recording.shot(shot), recording.setup().board)
                                       : swing(odds[shot - 1], odds[shot]);
    if (weight >= least_swing) candidates.push_back({shot, weight});
  }
  std::ranges::sort(candidates, [](const Candidate& one, const Candidate& other) {
    return one.weight != other.weight ? one.weight > other.weight : one.shot < other.shot;
  });
  candidates.resize(std::min(candidates.size(), recording.shots() / turns_a_moment));
  std::vector<std::size_t> moments;
  moments.reserve(candidates.size());
  for (const Candidate& candidate : candidates)
    moments.push_back(candidate.shot);
  std::ranges::sort(moments);
  return moments;
}

std::optional<LuckiestThrow> luckiest_throw(const Recording& recording,
                                            std::span<const RaceOdds> odds, Seat seat) {
  std::optional<LuckiestThrow> best;
  for (std::size_t shot = 1; shot <= recording.shots(); ++shot) {
    if (recording.shot(shot).turn.seat != seat) continue;
    const double gain = odds[shot].win[seat] - odds[shot - 1].win[seat];
    if (gain >= (best ? best->gain : least_swing)) best = LuckiestThrow{shot, gain};
  }
  return best;
}

}  // namespace snl::cli
