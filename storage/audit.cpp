#include "audit.hpp"

#include "branch_point_check.hpp"
#include "game_verifier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <variant>

namespace snl {
namespace {

/// The dice of seeds that more than one game was started with: branches have their origin's.
class SharedSeeds {
 public:
  void add(std::uint64_t seed) {
    // One bit stands for many seeds, so that most games need no memory of their own. If another
    // seed has set the bit, this one is taken for shared, which costs memory and changes no result.
    const auto place = static_cast<std::size_t>(seed % seen_.size());
    if (seen_[place]) shared_.insert(seed);
    seen_[place] = true;
  }

  /// The dice of this seed that were counted in any game; null if only one game has it.
  CountedDice* find(std::uint64_t seed, std::int32_t faces) {
    return shared_.contains(seed) ? &counted_[{seed, faces}] : nullptr;
  }

 private:
  static constexpr std::size_t places = std::size_t{1} << 23U;  // 1 MB

  std::vector<bool> seen_ = std::vector<bool>(places);
  std::unordered_set<std::uint64_t> shared_;
  std::map<std::pair<std::uint64_t, std::int32_t>, CountedDice> counted_;
};

/// The parts of the whole store's audit that the audit of one game needs.
struct Surroundings {
  SharedSeeds* seeds = nullptr;
  BranchPointCheck* branch_points = nullptr;  // the game's branches, if it has any
};

/// Compares a game's snapshot with the log as it goes by.
class SnapshotCheck {
 public:
  SnapshotCheck(EventReader& store, const std::string& game) : read_(store.snapshot(game)) {}

  /// Takes the game's state after its next commit.
  void follow(const GameVerifier& at) {
    if (read_ && read_->head.version == at.head().version)
      agrees_ = *read_ == snapshot_of(at.state(), at.head());
  }
  /// Whether the snapshot is right, once the whole log has gone by.
  bool is_right() const { return !read_ || agrees_; }

 private:
  std::optional<Snapshot> read_;
  bool agrees_ = false;
};

ListEntry entry_of(const std::string& game, const GameVerifier& end) {
  return {.id = game,
          .created = end.created(),
          .players = end.state().setup->players,
          .completed = end.state().completed()};
}

/// Adds one game to a report; returns its head if its log is sound.
std::optional<Head> audit_into(AuditReport& report, EventReader& store, const std::string& game,
                               const Surroundings& around) {
  GameVerifier verifier(game, [&](Version version) { return store.commit(game, version); });
  const auto is_found_by_id = [&](const CommitView& commit) {
    const auto same = store.commit_with_id(game, std::string(*commit.command_id));
    return same && same->version == commit.version;
  };
  SnapshotCheck snapshot(store, game);
  CountedDice own;
  CountedDice* counted = nullptr;
  std::optional<Problem> found;
  for_each_commit(store, game, 1, [&](const CommitView& commit) {
    found = verifier.add(commit);
    if (!found && commit.command_id && !is_found_by_id(commit))
      found = Problem{game, commit.version, "command-id", "it isn't found by its command ID"};
    if (found) return false;
    snapshot.follow(verifier);
    const GameSetup& setup = *verifier.state().setup;
    if (commit.version == 1 && around.seeds != nullptr)
      counted = around.seeds->find(setup.seed, setup.rules.faces);
    for (const Event& event : verifier.events())
      if (const auto* turn = std::get_if<TurnPlayed>(&event))
        report.fairness.add(*turn, setup.rules.faces, counted != nullptr ? *counted : own);
    if (around.branch_points != nullptr)
      around.branch_points->follow(commit.hash, verifier.events());
    return true;
  });
  if (!found && verifier.head().version == 0)
    found = Problem{game, 1, "gap", "version 1 is missing: the game has no commits"};
  if (found) {
    report.problems.push_back(*std::move(found));
    return std::nullopt;
  }
  report.turns += verifier.state().position.turn - first_position(*verifier.state().setup).turn;
  const auto add_derived = [&](std::string what) {
    report.problems.push_back({game, verifier.head().version, "derived", std::move(what)});
  };
  if (store.list_entry(game) != entry_of(game, verifier))
    add_derived("its row in games or players isn't what its log folds to");
  if (!snapshot.is_right()) add_derived("its snapshot isn't what its log folds to");
  return verifier.head();
}

Problem origin_problem(const std::string& branch, const std::string& fault) {
  return {branch, 1, "origin", fault};
}

/// Reports on the origin of a game that is sound by itself.
void audit_origin(AuditReport& report, EventReader& store, const std::string& game) {
  std::shared_ptr<const GameSetup> setup = setup_of(store, game);
  if (!setup || !setup->origin) return;
  OriginProof proof(setup->origin->game, [&](const std::string& /*branch*/) { return setup; });
  proof.expect(game, setup->origin->head);
  proof.catch_up(store);
  if (!proof.branch_points().all_seen()) ++report.unproven_origins;
  for (const auto& [branch, fault] : proof.branch_points().faults())
    report.problems.push_back(origin_problem(branch, fault));
}

/// Runs an audit over a file that may fail at any read; returns the damage, if any.
template <class Work>
std::optional<std::string> damage_in(const Work& work) {
  try {
    work();
    return std::nullopt;
  } catch (const StoreError& error) {
    if (!error.is_damage()) throw;
    return error.what();
  }
}

/// The same, and adds the damage to a report.
template <class Work>
void guard(AuditReport& report, const std::optional<std::string>& game, const Work& work) {
  if (auto damage = damage_in(work))
    report.problems.push_back({game, std::nullopt, "file", *std::move(damage)});
}

class StoreAudit {
 public:
  explicit StoreAudit(ReadTransaction& store) : store_(store) {}

  AuditReport run() {
    guard(report_, std::nullopt, [&] {
      // The audit of the game itself reports a game that can't be read.
      std::ignore =
          damage_in([&] { for_each_game(store_, [&](const auto& game) { note_ties(game); }); });
      for_each_game(store_, [&](const auto& game) { audit(game); });
    });
    conclude_origins();
    if (report_.ok()) report_.head = head_.finish();
    return std::move(report_);
  }

 private:
  /// Notes a game's ties to other games.
  void note_ties(const std::string& game) {
    const auto setup = readable_setup(game);
    if (!setup) return;
    seeds_.add(setup->seed);
    if (!setup->origin || setup->origin->game == game) return;
    const auto [left, is_new] = branch_points_.try_emplace(
        setup->origin->game, [this](const std::string& branch) { return readable_setup(branch); });
    left->second.expect(game, setup->origin->head);
  }

  std::shared_ptr<const GameSetup> readable_setup(const std::string& game) {
    std::shared_ptr<const GameSetup> setup;
    std::ignore = damage_in([&] { setup = setup_of(store_, game); });
    return setup;
  }

  void audit(const std::string& game) {
    ++report_.games;
    const auto left = branch_points_.find(game);
    const Surroundings around{
        .seeds = &seeds_, .branch_points = left != branch_points_.end() ? &left->second : nullptr};
    std::optional<Head> head;
    guard(report_, game, [&] { head = audit_into(report_, store_, game, around); });
    if (head)
      head_.add(game, head->hash);
    else
      unsound_.insert(game);
  }

  /// Adds the faults that the logs of origins show in branches that are sound by themselves.
  void conclude_origins() {
    std::map<std::string, std::string> faults;
    for (const auto& [origin, branch_points] : branch_points_) {
      for (const auto& [branch, fault] : branch_points.faults())
        if (!unsound_.contains(branch)) faults.emplace(branch, fault);
      for (const std::string& branch : branch_points.unseen())
        if (!unsound_.contains(branch)) ++report_.unproven_origins;
    }
    std::vector<Problem> origin_problems;
    origin_problems.reserve(faults.size());
    for (const auto& [branch, fault] : faults)
      origin_problems.push_back(origin_problem(branch, fault));
    // In the order of their games; problems without a game come last.
    const auto place = [](const Problem& problem) {
      return std::pair(!problem.game.has_value(), problem.game);
    };
    std::vector<Problem> all;
    std::ranges::merge(report_.problems, origin_problems, std::back_inserter(all), {}, place,
                       place);
    report_.problems = std::move(all);
  }

  ReadTransaction& store_;
  AuditReport report_;
  StoreHead head_;
  std::set<std::string> unsound_;
  SharedSeeds seeds_;
  std::map<std::string, BranchPointCheck> branch_points_;  // by the game that the branches left
};

}  // namespace

std::optional<AuditReport> audit_game(ReadTransaction& store, const std::string& game) {
  AuditReport report;
  bool there = true;
  guard(report, game, [&] {
    there = store.head(game).has_value();
    if (!there) return;
    report.games = 1;
    const auto head = audit_into(report, store, game, {});
    if (!head) return;
    report.head = head->hash;
    audit_origin(report, store, game);
  });
  if (!there) return std::nullopt;
  return report;
}

std::optional<AuditReport> audit_game(StoreReader& store, const std::string& game) {
  return in_read_transaction(store, [&](ReadTransaction& now) { return audit_game(now, game); });
}

AuditReport audit_store(ReadTransaction& store) {
  return StoreAudit(store).run();
}

AuditReport audit_store(StoreReader& store) {
  return in_read_transaction(store, [](ReadTransaction& now) { return audit_store(now); });
}

void expect_head(AuditReport& report, const Hash& expected, std::optional<std::string> game) {
  if (report.head == expected) return;
  report.problems.push_back(
      {std::move(game), std::nullopt, "head",
       report.head
           ? fmt::format("the head is {}, {} was expected", to_hex(*report.head), to_hex(expected))
           : fmt::format("a log that isn't sound has no head; {} was expected", to_hex(expected))});
}

}  // namespace snl
