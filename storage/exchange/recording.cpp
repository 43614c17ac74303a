#include "recording.hpp"

#include "storage/codec.hpp"
#include "storage/departures.hpp"

#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace snl {
namespace {

using GamesById = std::map<std::string, const ImportedGame*>;

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
std::optional<NotRecorded> conflict_with(EventReader& store, const GamesById& games) {
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
  void look_up(EventReader& store) {
    for (auto& [id, proof] : in_store_)
      proof.catch_up(store);
  }

  /// Which games mustn't be added to from now on, or the branches of them that are still unproven
  /// might turn out to be wrong: to append nothing there tells.
  std::vector<Append> expectations(EventReader& store) const {
    static const GameState unused;
    std::vector<Append> expected;
    for (const auto& [id, proof] : in_store_)
      if (!proof.departures().all_seen())
        expected.push_back({.game = id,
                            .expected = store.head(id).value_or(Head{}),
                            .commits = {},
                            .after = &unused});
    return expected;
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
  const auto fault_now = [&](EventReader& now) {
    auto conflict = conflict_with(now, *known);
    if (conflict) return conflict;
    origins.look_up(now);
    return origins.fault();
  };
  auto found = at_one_moment(store, fault_now);
  // Where somebody was faster, what he appended is looked at; he has to wait then.
  std::string contested = games.empty() ? "" : games.front().game;
  bool is_recorded = false;
  while (!found && !is_recorded) {
    store.locked(contested, [&](EventStore& now) {
      std::vector<Append> appends;
      found = at_one_moment(now, [&](EventReader& moment) {
        appends = origins.expectations(moment);
        for (const ImportedGame& game : games)
          if (known->at(game.game) == &game && !moment.head(game.game))
            appends.push_back(game.append());
        return fault_now(moment);
      });
      if (found) return;
      const auto recorded = now.append(appends);
      is_recorded = recorded.has_value();
      if (!recorded) contested = recorded.error().game;
    });
  }
  if (found) return std::unexpected(*std::move(found));
  return {};
}

std::expected<void, NotRecorded> rehearse_together(StoreReader* store,
                                                   std::span<const ImportedGame> games) {
  const auto known = by_id(games);
  if (!known) return std::unexpected(known.error());
  Origins origins(*known);
  std::optional<NotRecorded> found;
  if (store != nullptr)
    found = at_one_moment(*store, [&](EventReader& now) {
      auto conflict = conflict_with(now, *known);
      if (!conflict) origins.look_up(now);
      return conflict;
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
