#include "recording.hpp"

#include "storage/codec.hpp"
#include "storage/departures.hpp"

#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace snl {
namespace {

using GamesById = std::map<std::string, const ImportedGame*>;

/// Leaves EventStore::atomically, which nothing but an exception rolls back.
struct RolledBack : std::exception {
  explicit RolledBack(NotRecorded why) : cause(std::move(why)) {}
  NotRecorded cause;
};

NotRecorded conflict(const std::string& game) {
  return {.cause = NotRecorded::Cause::conflict, .game = game, .why = {}};
}

/// The games of a file; an error if one ID stands for two of them.
std::expected<GamesById, NotRecorded> by_id(std::span<const ImportedGame> games) {
  GamesById found;
  for (const ImportedGame& game : games) {
    const auto [known, is_new] = found.try_emplace(game.game, &game);
    if (!is_new && known->second->head != game.head) return std::unexpected(conflict(game.game));
  }
  return found;
}

/// The first game whose ID another game in the store has.
std::optional<NotRecorded> conflict_with(EventStore& store, const GamesById& games) {
  for (const auto& [id, game] : games)
    if (const auto head = store.head(id); head && *head != game->head) return conflict(id);
  return std::nullopt;
}

/// Where the branches among the games of a file begin: by the games that they left in the file,
/// else by those in the store.
class Origins {
 public:
  explicit Origins(const GamesById& games) : games_(games) {
    for (const auto& [id, game] : games) {
      const auto& origin = game->state.setup->origin;
      if (!origin) continue;
      if (games.contains(origin->game))
        departures_from(origin->game).expect(id, origin->head);
      else
        proof_of(origin->game).expect(id, origin->head);
    }
    for (auto& [id, departures] : in_file_)
      follow(departures, *games.at(id));
  }

  /// Reads what the store holds of the games that were left; a second time only what was added.
  void look_up(EventStore& store) {
    for (auto& [id, proof] : in_store_)
      proof.catch_up(store);
  }

  std::optional<NotRecorded> fault() const {
    for (const auto& [id, departures] : in_file_)
      if (auto found = fault_in(departures)) return found;
    for (const auto& [id, proof] : in_store_)
      if (auto found = fault_in(proof.departures())) return found;
    return std::nullopt;
  }

 private:
  Departures::SetupOf setups() const {
    return [this](const std::string& branch) { return games_.at(branch)->state.setup; };
  }
  Departures& departures_from(const std::string& game) {
    return in_file_.try_emplace(game, setups()).first->second;
  }
  OriginProof& proof_of(const std::string& game) {
    return in_store_.try_emplace(game, game, setups()).first->second;
  }

  /// The game was proven when it was read.
  static void follow(Departures& departures, const ImportedGame& game) {
    HashChain chain;
    Hash hash = HashChain::origin;
    for (const NewCommit& commit : game.commits) {
      if (departures.all_seen()) return;
      hash = chain.next(hash, game.game, time_text(commit.time), commit.command, commit.events);
      departures.follow(hash, decode_events(commit.events).value());
    }
  }

  static std::optional<NotRecorded> fault_in(const Departures& departures) {
    if (departures.faults().empty()) return std::nullopt;
    const auto& [branch, why] = *departures.faults().begin();
    return NotRecorded{.cause = NotRecorded::Cause::unsound, .game = branch, .why = why};
  }

  const GamesById& games_;
  std::map<std::string, Departures> in_file_;  // by the game that was left
  std::map<std::string, OriginProof> in_store_;
};

}  // namespace

std::expected<void, NotRecorded> record_together(EventStore& store,
                                                 std::span<const ImportedGame> games) {
  const auto known = by_id(games);
  if (!known) return std::unexpected(known.error());
  Origins origins(*known);
  const auto fault = [&] {
    auto found = conflict_with(store, *known);
    if (found) return found;
    origins.look_up(store);
    return origins.fault();
  };
  std::optional<NotRecorded> found;
  store.at_one_moment([&] { found = fault(); });
  if (found) return std::unexpected(*std::move(found));
  try {
    store.atomically([&] {
      for (const ImportedGame& game : games)
        if (record(store, game) == ImportOutcome::conflict) throw RolledBack(conflict(game.game));
      origins.look_up(store);
      if (auto late = origins.fault()) throw RolledBack(*std::move(late));
    });
  } catch (RolledBack& rolled_back) {
    return std::unexpected(std::move(rolled_back.cause));
  }
  return {};
}

std::expected<void, NotRecorded> rehearse_together(EventStore* store,
                                                   std::span<const ImportedGame> games) {
  const auto known = by_id(games);
  if (!known) return std::unexpected(known.error());
  Origins origins(*known);
  std::optional<NotRecorded> found;
  if (store != nullptr)
    store->at_one_moment([&] {
      found = conflict_with(*store, *known);
      if (!found) origins.look_up(*store);
    });
  if (!found) found = origins.fault();
  if (found) return std::unexpected(*std::move(found));
  return {};
}

// ---- A game from a text

GameFromText::GameFromText(GameSetup setup, std::uint64_t seed, Clock clock)
    : clock_(std::move(clock)) {
  setup.seed = seed;
  const StartGame start{std::make_shared<const GameSetup>(std::move(setup))};
  add(start, std::nullopt, decide(state_, start).value());
}

std::expected<void, Refusal> GameFromText::play(const TurnLine& turn) {
  const PlayTurn command{seat_of(*state_.setup, turn.player), Dice(std::span(turn.dice))};
  const auto played = decide(state_, command);
  if (!played) return std::unexpected(played.error());
  add(command, turn.command_id, *played);
  return {};
}

void GameFromText::add(const Command& command, const std::optional<std::string>& command_id,
                       const Event& event) {
  commits_.push_back({.time = clock_(),
                      .command = encode(command, command_id),
                      .events = encode(std::span(&event, 1)),
                      .command_id = command_id});
  state_ = evolve(std::move(state_), event).value();
}

}  // namespace snl
