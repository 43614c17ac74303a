#include "recording.hpp"

#include "domain/narration.hpp"
#include "storage/branch_point_check.hpp"
#include "storage/codec.hpp"
#include "storage/hash.hpp"
#include "storage/time.hpp"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

namespace snl {
namespace {

using GamesById = std::map<std::string, const ImportedGame*>;

NotRecorded conflict(const std::string& game, std::string why) {
  return {.cause = NotRecorded::Cause::conflict, .game = game, .why = std::move(why)};
}

// ---- How much of a game the store has already

/// Calls `visit` with each hash of a game of a file, from version 1 on, until it returns false.
template <class Visit>
void for_each_hash(const ImportedGame& game, const Visit& visit) {
  HashChain chain;
  Hash hash = HashChain::origin;
  Version version = 0;
  for (const NewCommit& commit : game.commits) {
    hash = chain.next(hash, game.game, time_text(commit.time), commit.command, commit.events);
    if (!visit(++version, hash, commit)) return;
  }
}

/// Whether the game once had this head.
bool has_head(const ImportedGame& game, const Head& head) {
  if (head.version >= game.head.version) return head == game.head;
  bool has = false;
  for_each_hash(game, [&](Version version, const Hash& hash, const NewCommit&) {
    has = version == head.version && hash == head.hash;
    return version < head.version;
  });
  return has;
}

std::string narrated(std::string_view events, const ImportedGame& game) {
  const auto decoded = decode_events(events);
  if (!decoded || decoded->empty()) return "an event that can't be read";
  return narrate(decoded->front(), game.state.setup->players, Glyphs::ascii);
}

/// Names the first commit in which the log in the store and the one in the file differ.
std::string first_difference(EventReader& store, const ImportedGame& game) {
  std::string why;
  for_each_hash(game, [&](Version version, const Hash& hash, const NewCommit& commit) {
    const auto there = store.commit(game.game, version);
    if (there && there->hash == hash) return true;
    if (version == 1) {
      why = "the store already has another game with this ID";
    } else if (there && there->events == commit.events) {
      why = fmt::format(
          "version {} was recorded at another time, or by another command, than "
          "the one in the store",
          version);
    } else {
      why = fmt::format("version {} is \"{}\", and in the store \"{}\"", version,
                        narrated(commit.events, game), narrated(there ? there->events : "", game));
    }
    return false;
  });
  return why;
}

/// The games of a file; an error if one ID stands for two of them. If a game is there twice, the
/// longer log counts.
std::expected<GamesById, NotRecorded> by_id(std::span<const ImportedGame> games) {
  GamesById found;
  for (const ImportedGame& game : games) {
    const ImportedGame*& known = found.try_emplace(game.game, &game).first->second;
    if (has_head(*known, game.head)) continue;
    if (!has_head(game, known->head))
      return std::unexpected(conflict(game.game, "the file holds two games of that ID"));
    known = &game;
  }
  return found;
}

/// The version up to which a store has each game of a file.
class KnownParts {
 public:
  explicit KnownParts(const GamesById& games) : games_(games) {}

  /// False if the store has another game under one of the IDs: see conflict(). Comparisons aren't
  /// repeated, so a second call costs little.
  bool look_up(EventReader& store) {
    conflict_.reset();
    for (const auto& [id, game] : games_) {
      const Head head = store.head(id).value_or(Head{});
      if (const auto known = heads_.find(id); known != heads_.end() && known->second == head)
        continue;
      if (!go_together(store, *game, head)) {
        conflict_ = snl::conflict(id, first_difference(store, *game));
        return false;
      }
      heads_.insert_or_assign(id, head);
    }
    return true;
  }

  const std::optional<NotRecorded>& conflict() const { return conflict_; }
  const Head& head(const std::string& game) const { return heads_.at(game); }

  /// The games of which the store has no more than the file.
  GamesById newest_in_file() const {
    GamesById newest;
    for (const auto& [id, game] : games_)
      if (const auto known = heads_.find(id);
          known == heads_.end() || known->second.version <= game->head.version)
        newest.emplace(id, game);
    return newest;
  }

 private:
  static bool go_together(EventReader& store, const ImportedGame& game, const Head& head) {
    if (head.version == 0) return true;
    if (head.version <= game.head.version) return has_head(game, head);
    const auto commit = store.commit(game.game, game.head.version);
    return commit && commit->hash == game.head.hash;
  }

  const GamesById& games_;
  std::map<std::string, Head> heads_;
  std::optional<NotRecorded> conflict_;
};

/// Checks where the branches among a file's games begin, by the games that they left: those in the
/// file, else those in the store.
class Origins {
 public:
  explicit Origins(const GamesById& games) : games_(games) {
    for (const auto& [id, game] : games) {
      const auto& origin = game->state.setup->origin;
      if (!origin) continue;
      if (games.contains(origin->game))
        branch_points_of(origin->game).expect(id, origin->head);
      else
        proof_of(origin->game).expect(id, origin->head);
    }
    for (auto& [id, branch_points] : in_file_)
      follow(branch_points, *games.at(id));
  }

  /// Reads the store's logs of the games that the branches left; a second time only the new
  /// commits.
  void look_up(EventReader& store) {
    for (auto& [id, proof] : in_store_)
      proof.catch_up(store);
  }

  /// Empty appends to the games that unproven branches left. They check that nobody has added to
  /// these games: a new commit might prove such a branch wrong.
  std::vector<Append> expectations(EventReader& store) const {
    static const GameState unused;
    std::vector<Append> expected;
    for (const auto& [id, proof] : in_store_)
      if (!proof.branch_points().all_seen())
        expected.push_back({.game = id,
                            .expected = store.head(id).value_or(Head{}),
                            .commits = {},
                            .after = &unused});
    return expected;
  }

  std::optional<NotRecorded> fault() const {
    for (const auto& [id, branch_points] : in_file_)
      if (auto found = fault_in(branch_points)) return found;
    for (const auto& [id, proof] : in_store_)
      if (auto found = fault_in(proof.branch_points())) return found;
    return std::nullopt;
  }

 private:
  BranchPointCheck::SetupOf setups() const {
    return [this](const std::string& branch) { return games_.at(branch)->state.setup; };
  }
  BranchPointCheck& branch_points_of(const std::string& game) {
    return in_file_.try_emplace(game, setups()).first->second;
  }
  OriginProof& proof_of(const std::string& game) {
    return in_store_.try_emplace(game, game, setups()).first->second;
  }

  /// The game was proven when it was read.
  static void follow(BranchPointCheck& branch_points, const ImportedGame& game) {
    for_each_hash(game, [&](Version, const Hash& hash, const NewCommit& commit) {
      branch_points.follow(hash, decode_events(commit.events).value());
      return !branch_points.all_seen();
    });
  }

  static std::optional<NotRecorded> fault_in(const BranchPointCheck& branch_points) {
    if (branch_points.faults().empty()) return std::nullopt;
    const auto& [branch, why] = *branch_points.faults().begin();
    return NotRecorded{.cause = NotRecorded::Cause::unsound, .game = branch, .why = why};
  }

  const GamesById& games_;
  std::map<std::string, BranchPointCheck> in_file_;  // by the game that the branches left
  std::map<std::string, OriginProof> in_store_;
};

/// The result for each game of the file, in its order.
std::vector<TakenGame> taken(std::span<const ImportedGame> games, const GamesById& known,
                             const std::function<Version(const std::string&)>& before) {
  std::vector<TakenGame> all;
  for (const ImportedGame& game : games)
    if (known.at(game.game) == &game)
      all.push_back({.game = game.game, .version = game.head.version, .before = before(game.game)});
  return all;
}

class JointRecording {
 public:
  JointRecording(EventStore& store, std::span<const ImportedGame> games, const GamesById& known)
      : store_(store), games_(games), known_(known), parts_(known) {}

  /// None if somebody was faster: then call it again.
  std::optional<std::expected<std::vector<TakenGame>, NotRecorded>> run() {
    if (!in_read_transaction(store_, [&](EventReader& now) { return parts_.look_up(now); }))
      return std::unexpected(*parts_.conflict());
    // If the store has gone on from a game, its branches are looked up in the store.
    newest_ = parts_.newest_in_file();
    Origins origins(newest_);
    auto found = in_read_transaction(store_, [&](EventReader& now) {
      origins.look_up(now);
      return origins.fault();
    });
    if (found) return std::unexpected(*std::move(found));
    std::optional<std::expected<std::vector<TakenGame>, NotRecorded>> outcome;
    store_.locked(contested_, [&](EventStore& now) {
      outcome.reset();
      std::vector<Append> appends;
      const bool is_ready = in_read_transaction(now, [&](EventReader& moment) {
        return is_still_right(moment, origins, outcome, appends);
      });
      if (!is_ready) return;
      const auto appended = now.append(appends);
      if (appended)
        outcome =
            taken(games_, known_, [&](const std::string& id) { return parts_.head(id).version; });
      else if (std::holds_alternative<CommandIdUsed>(appended.error().why))
        outcome = std::unexpected(
            conflict(appended.error().game, "one of its command IDs is used already"));
      else
        contested_ = appended.error().game;
    });
    return outcome;
  }

 private:
  /// Reads, under the lock, the commits that others recorded meanwhile. False if nothing is to be
  /// appended now: there is a fault, which is then the result, or all of it has to be done again.
  bool is_still_right(EventReader& moment, Origins& origins,
                      std::optional<std::expected<std::vector<TakenGame>, NotRecorded>>& outcome,
                      std::vector<Append>& appends) {
    if (!parts_.look_up(moment)) {
      outcome = std::unexpected(*parts_.conflict());
      return false;
    }
    if (parts_.newest_in_file() != newest_) return false;
    appends = origins.expectations(moment);
    for (const ImportedGame& game : games_)
      if (known_.at(game.game) == &game)
        if (auto append = game.append_after(parts_.head(game.game))) appends.push_back(*append);
    origins.look_up(moment);
    if (auto fault = origins.fault()) outcome = std::unexpected(*std::move(fault));
    return !outcome;
  }

  EventStore& store_;
  std::span<const ImportedGame> games_;
  const GamesById& known_;
  KnownParts parts_;
  GamesById newest_;
  // The game to lock: after a conflict, the one in which somebody was faster.
  std::string contested_ = games_.empty() ? "" : games_.front().game;
};

}  // namespace

std::expected<std::vector<TakenGame>, NotRecorded> record_together(
    EventStore& store, std::span<const ImportedGame> games) {
  const auto known = by_id(games);
  if (!known) return std::unexpected(known.error());
  JointRecording recording(store, games, *known);
  while (true)
    if (auto outcome = recording.run()) return *std::move(outcome);
}

std::expected<std::vector<TakenGame>, NotRecorded> rehearse_together(
    StoreReader* store, std::span<const ImportedGame> games) {
  const auto known = by_id(games);
  if (!known) return std::unexpected(known.error());
  KnownParts parts(*known);
  const auto fault_in = [&](EventReader* now) -> std::optional<NotRecorded> {
    if (now != nullptr && !parts.look_up(*now)) return parts.conflict();
    const GamesById newest = parts.newest_in_file();
    Origins origins(newest);
    if (now != nullptr) origins.look_up(*now);
    return origins.fault();
  };
  auto fault = store == nullptr
                   ? fault_in(nullptr)
                   : in_read_transaction(*store, [&](EventReader& now) { return fault_in(&now); });
  if (fault) return std::unexpected(*std::move(fault));
  return taken(games, *known, [&](const std::string& id) {
    return store == nullptr ? Version{0} : parts.head(id).version;
  });
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
  commits_.push_back({.time = time_to_record(clock_),
                      .command = encode(command, command_id),
                      .events = encode(std::span(&event, 1)),
                      .command_id = command_id});
  state_ = evolve(std::move(state_), event).value();
}

}  // namespace snl
