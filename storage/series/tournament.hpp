// A tournament that is played with seeded dice. Each match is recorded as a game.
#pragma once

#include "domain/analysis/tournament.hpp"
#include "domain/board.hpp"
#include "domain/rules.hpp"
#include "storage/event_store.hpp"

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace snl {

inline constexpr std::size_t max_matches = 1'000'000;

struct TournamentPlan {
  std::vector<std::string> players;  // in the order of entry
  Board board;
  Rules rules;
  std::size_t rounds = 1;  // how often every pair meets
  std::uint64_t seed = 0;  // of all matches
  Turn max_turns = 0;      // after so many turns a match ends without a winner
};

/// The number of matches in a round in which each pair meets once.
constexpr std::size_t matches_a_round(std::size_t players) {
  return players * (players - 1) / 2;
}

/// The faults in a tournament's list of players, a sentence each.
std::vector<std::string> faults_of_entrants(std::span<const std::string> players);

/// A match that was played, and where to find it.
struct PlayedMatch {
  std::string game;
  std::size_t round;  // from 1
  MatchResult result;
};

/// Plays all matches, at most max_matches, and records several in each transaction. The players
/// must have no faults. After each transaction, `recorded` receives the number of matches recorded
/// so far. Fails with a sentence if an ID was taken meanwhile. Throws StoreError.
std::expected<std::vector<PlayedMatch>, std::string> play_tournament(
    EventStore& store, const TournamentPlan& plan,
    const std::function<void(std::size_t)>& recorded = [](std::size_t) {});

/// A recorded tournament. The store holds no more of it than its matches.
struct RecordedTournament {
  std::vector<std::string> players;  // in the order of entry
  std::vector<PlayedMatch> matches;
};

/// The tournament whose matches these games are, in their order; none if they aren't a
/// tournament's. Throws StoreError.
std::optional<RecordedTournament> read_tournament(StoreReader& store,
                                                  std::span<const std::string> games);

}  // namespace snl
