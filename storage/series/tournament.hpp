// A tournament that is played by seeded dice, every match of it recorded as a game.
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
  Turn max_turns = 0;      // a match of so many turns ends without a winner
};

/// How many matches a round has in which every pair meets once.
constexpr std::size_t matches_a_round(std::size_t players) {
  return players * (players - 1) / 2;
}

/// What is wrong with the players of a tournament, a sentence each.
std::vector<std::string> faults_of_entrants(std::span<const std::string> players);

/// A match that was played, and where to find it.
struct PlayedMatch {
  std::string game;
  std::size_t round;  // from 1
  MatchResult result;
};

/// Plays every match, at most max_matches of them, between players without faults, and records it,
/// some in each transaction, after which `recorded` is told how many are by then. Fails with a
/// sentence where an ID was taken meanwhile. Throws StoreError.
std::expected<std::vector<PlayedMatch>, std::string> play_tournament(
    EventStore& store, const TournamentPlan& plan,
    const std::function<void(std::size_t)>& recorded = [](std::size_t) {});

/// A tournament that was recorded, of which the store doesn't hold more than its matches.
struct RecordedTournament {
  std::vector<std::string> players;  // in the order of entry
  std::vector<PlayedMatch> matches;
};

/// The tournament whose matches these games are, in their order; none where they are of no
/// tournament. Throws StoreError.
std::optional<RecordedTournament> read_tournament(StoreReader& store,
                                                  std::span<const std::string> games);

}  // namespace snl
