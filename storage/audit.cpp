#include "audit.hpp"

#include "codec.hpp"
#include "domain/engine.hpp"
#include "domain/timeline.hpp"
#include "game_id.hpp"

#include <boost/math/distributions/chi_squared.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>
#include <variant>

namespace snl {

GameVerifier::GameVerifier(std::string game, CommitLookup lookup)
    : game_(std::move(game)), lookup_(std::move(lookup)) {}

GameVerifier::~GameVerifier() = default;

std::optional<Problem> GameVerifier::add(const CommitView& commit) {
  if (auto found = check_record(commit)) return found;
  if (auto found = check_decision(commit)) return found;
  if (commit.version == 1) {
    if (auto found = check_start()) return found;
    created_ = commit.time;
  }
  head_ = {commit.version, commit.hash};
  position_ = commit.position;
  return std::nullopt;
}

std::optional<Problem> GameVerifier::problem(Version version, std::string kind,
                                             std::string detail) const {
  return Problem{game_, version, std::move(kind), std::move(detail)};
}

/// What can be said of a commit without knowing what it means.
std::optional<Problem> GameVerifier::check_record(const CommitView& commit) {
  const Version next = head_.version + 1;
  if (commit.version != next)
    return problem(next, "gap",
                   fmt::format("version {} is missing; {} follows version {}", next, commit.version,
                               head_.version));
  if (commit.position != 0 && commit.position <= position_)
    return problem(next, "order",
                   fmt::format("its position {} comes before the one of version {}",
                               commit.position, head_.version));
  if (commit.time < 0 || commit.time > max_time)
    return problem(next, "time", fmt::format("its time {} is out of range", commit.time));
  if (chain_.next(head_.hash, game_, time_text(commit.time), commit.command, commit.events) !=
      commit.hash)
    return problem(next, "hash",
                   "its hash isn't the hash of what it holds and of what came before");
  return std::nullopt;
}

std::optional<Problem> GameVerifier::check_decision(const CommitView& commit) {
  const Version version = commit.version;
  const auto recorded = decode_command(commit.command);
  if (!recorded) return problem(version, "format", recorded.error().why);
  if (recorded->id != commit.command_id)
    return problem(version, "command-id", "its command ID isn't the one in its command");

  auto decided = decide(state_, recorded->command, [this](EventRef ref) { return recall(ref); });
  json_.clear();
  if (decided) encode_to(json_, *decided);
  if (!decided || json_ != commit.events) {
    if (const auto decoded = decode_events(commit.events); !decoded)
      return problem(version, "format", decoded.error().why);
    return problem(version, "decision",
                   decided ? "its command, decided again, causes other events"
                           : "its command would have been refused at this point");
  }
  // Equal to the byte, so these are the events that were recorded.
  events_ = *std::move(decided);
  auto folded = fold(std::move(state_), events_);
  if (!folded) return problem(version, "decision", folded.error().what);
  state_ = *std::move(folded);
  return std::nullopt;
}

/// What is wrong with how a game begins.
std::optional<Problem> GameVerifier::check_start() const {
  if (!is_game_id(game_))
    return problem(1, "id", "its ID isn't up to 64 of A-Z a-z 0-9 . _ -, a letter or digit first");
  const auto& origin = state_.setup->origin;
  if (origin && origin->game == game_)
    return problem(1, "origin", "it is a branch of a game of its own ID");
  return std::nullopt;
}

const Event* GameVerifier::recall(EventRef ref) {
  return recollection_.find(ref, [&](Version version) -> std::optional<std::vector<Event>> {
    const auto commit = lookup_(version);
    auto events = commit ? decode_events(commit->events) : std::unexpected(Unreadable{});
    if (!events) return std::nullopt;
    return *std::move(events);
  });
}

// ---- Fairness

void Fairness::add(const TurnPlayed& turn, std::int32_t faces) {
  auto& falls = counts[faces];
  falls.resize(static_cast<std::size_t>(faces));
  for (const std::int32_t die : turn.dice.values())
    if (die >= 1 && die <= faces) ++falls[static_cast<std::size_t>(die) - 1];
}

std::int64_t Fairness::dice() const {
  std::int64_t total = 0;
  for (const auto& [faces, falls] : counts)
    total += std::accumulate(falls.begin(), falls.end(), std::int64_t{0});
  return total;
}

double Fairness::chi_squared() const {
  double sum = 0;
  for (const auto& [faces, falls] : counts) {
    const auto total = std::accumulate(falls.begin(), falls.end(), std::int64_t{0});
    if (total == 0) continue;
    const double expected = static_cast<double>(total) / faces;
    for (const std::int64_t fell : falls) {
      const double off = static_cast<double>(fell) - expected;
      sum += off * off / expected;
    }
  }
  return sum;
}

std::int32_t Fairness::degrees_of_freedom() const {
  std::int32_t degrees = 0;
  for (const auto& [faces, falls] : counts)
    degrees += faces - 1;
  return degrees;
}

std::optional<double> Fairness::p_value() const {
  constexpr std::int64_t least_expected = 5;
  if (counts.empty()) return std::nullopt;
  for (const auto& [faces, falls] : counts)
    if (std::accumulate(falls.begin(), falls.end(), std::int64_t{0}) < least_expected * faces)
      return std::nullopt;
  const boost::math::chi_squared distribution(degrees_of_freedom());
  return boost::math::cdf(boost::math::complement(distribution, chi_squared()));
}

// ---- Whole games and stores

namespace {

/// What the store holds of the game that a branch was taken from.
struct OriginRecord {
  bool is_there = false;             // it once had the head that the branch names
  std::optional<std::string> fault;  // what the branch says otherwise
  std::set<Turn> rolled;             // its turns that were ever rolled
};

/// What a branch says of its beginning otherwise than the game that it left, as that was then.
std::optional<std::string> fault_of_origin(const GameSetup& branch, const Timeline& then) {
  const GameSetup& left = *then.state().setup;
  const Position& position = branch.origin->position;
  const auto differs = [&](std::string_view what) {
    return fmt::format("{} aren't those of game {} at the head that it names", what,
                       branch.origin->game);
  };
  if (branch.players != left.players) return differs("its players");
  if (branch.board != left.board || branch.rules != left.rules)
    return differs("its board and rules");
  if (branch.seed != left.seed) return differs("its seed and dice");
  const bool is_in_force = position.turn >= then.first_turn() && position.turn <= then.last_turn();
  if (!is_in_force || then.position_after(position.turn) != position)
    return differs(fmt::format("its turn {} and the pieces on it", position.turn));
  return std::nullopt;
}

OriginRecord record_of_origin(EventStore& store, const GameSetup& branch) {
  const std::string& game = branch.origin->game;
  OriginRecord record;
  Timeline timeline;
  GameVerifier verifier(game, [&](Version version) { return store.commit(game, version); });
  for_each_commit(store, game, 1, [&](const CommitView& commit) {
    if (verifier.add(commit)) return false;  // an audit of that game tells
    for (const Event& event : verifier.events()) {
      if (!timeline.add(event)) return false;
      const auto* turn = std::get_if<TurnPlayed>(&event);
      if (turn != nullptr && turn->rolled) record.rolled.insert(turn->turn);
    }
    if (to_hex(commit.hash) == branch.origin->head) {
      record.is_there = true;
      record.fault = fault_of_origin(branch, timeline);
    }
    return true;
  });
  if (!record.is_there || record.fault) record.rolled.clear();
  return record;
}

/// The setup of a game, as it says itself, if it is a branch.
std::shared_ptr<const GameSetup> setup_of_branch(EventStore& store, const std::string& game) {
  const auto first = store.commit(game, 1);
  const auto events = first ? decode_events(first->events) : std::unexpected(Unreadable{});
  const auto* started = events ? std::get_if<GameStarted>(&events->front()) : nullptr;
  return started != nullptr && started->setup->origin ? started->setup : nullptr;
}

/// What else is audited beside a game.
enum class Scope : std::uint8_t { game, store };

/// Adds one game to a report; its head if its log is sound.
std::optional<Head> audit_into(AuditReport& report, EventStore& store, const std::string& game,
                               Scope scope) {
  const auto branch = setup_of_branch(store, game);
  const OriginRecord origin =
      branch && branch->origin->game != game ? record_of_origin(store, *branch) : OriginRecord{};
  GameVerifier verifier(game, [&](Version version) { return store.commit(game, version); });
  const auto is_found_by_id = [&](const CommitView& commit) {
    const auto same = store.commit_with_id(game, std::string(*commit.command_id));
    return same && same->version == commit.version;
  };
  std::optional<Problem> found;
  Turn rolled_up_to = 0;
  const CommitVisitor verify = [&](const CommitView& commit) {
    found = verifier.add(commit);
    if (!found && commit.command_id && !is_found_by_id(commit))
      found = Problem{game, commit.version, "command-id", "it isn't found by its command ID"};
    if (found) return false;
    for (const Event& event : verifier.events())
      if (const auto* turn = std::get_if<TurnPlayed>(&event)) {
        const GameSetup& setup = *verifier.state().setup;
        // Seeded dice fall once: a turn that is rolled again is no new evidence.
        const bool elsewhere = scope == Scope::store && origin.rolled.contains(turn->turn);
        const bool again = turn->rolled && (turn->turn <= rolled_up_to || elsewhere);
        if (!again) report.fairness.add(*turn, setup.rules.faces);
        if (turn->rolled) rolled_up_to = std::max(rolled_up_to, turn->turn);
      }
    return true;
  };
  for_each_commit(store, game, 1, verify);
  if (!found && verifier.head().version == 0)
    found = Problem{game, 1, "gap", "version 1 is missing: the game has no commits"};
  if (found) {
    report.problems.push_back(*std::move(found));
    return std::nullopt;
  }
  if (branch && origin.fault) report.problems.push_back({game, 1, "origin", *origin.fault});
  if (branch && !origin.is_there) ++report.unproven_origins;
  report.turns += verifier.state().position.turn - first_position(*verifier.state().setup).turn;
  if (store.summary(game) != summarise(game, verifier.created(), verifier.head(), verifier.state()))
    report.problems.push_back({game, verifier.head().version, "derived",
                               "its row in games or players isn't what its log folds to"});
  return verifier.head();
}

/// Runs an audit over a file that may fail to be read anywhere.
template <class Work>
void guard(AuditReport& report, const std::optional<std::string>& game, const Work& work) {
  try {
    work();
  } catch (const StoreError& error) {
    if (!error.is_damage()) throw;
    report.problems.push_back({game, std::nullopt, "file", error.what()});
  }
}

}  // namespace

std::optional<AuditReport> audit_game(EventStore& store, const std::string& game) {
  AuditReport report;
  bool there = true;
  guard(report, game, [&] {
    store.at_one_moment([&] {
      report = {};
      there = store.head(game).has_value();
      if (!there) return;
      report.games = 1;
      if (const auto head = audit_into(report, store, game, Scope::game)) report.head = head->hash;
    });
  });
  if (!there) return std::nullopt;
  return report;
}

std::optional<std::string> fault_of_origin(EventStore& store, const GameSetup& branch) {
  return record_of_origin(store, branch).fault;
}

AuditReport audit_store(EventStore& store) {
  AuditReport report;
  StoreHead store_head;
  bool whole = true;
  const auto audit_one = [&](const std::string& game) {
    ++report.games;
    std::optional<Head> head;
    guard(report, game, [&] { head = audit_into(report, store, game, Scope::store); });
    whole = whole && head;
    if (head) store_head.add(game, head->hash);
  };
  const auto audit_all = [&] {
    report = {};
    store_head = {};
    whole = true;
    std::string last;
    std::vector<std::string> page;
    do {
      page = store.games_after(last, page_size);
      std::ranges::for_each(page, audit_one);
      if (!page.empty()) last = page.back();
    } while (!page.empty());
  };
  guard(report, std::nullopt, [&] { store.at_one_moment(audit_all); });
  if (whole && report.ok()) report.head = store_head.finish();
  return report;
}

AuditReport audit_file(SqliteStore& store) {
  AuditReport report;
  store.at_one_moment([&] {
    const auto problems = store.check();
    report = audit_store(store);
    report.problems.insert(report.problems.begin(), problems.begin(), problems.end());
  });
  if (!report.ok()) report.head.reset();
  return report;
}

void expect_head(AuditReport& report, const Hash& expected, std::optional<std::string> game) {
  if (report.head == expected) return;
  const std::string actual = report.head ? to_hex(*report.head) : "none, since the log isn't sound";
  report.problems.push_back(
      {std::move(game), std::nullopt, "head",
       fmt::format("the head is {}, {} was expected", actual, to_hex(expected))});
}

}  // namespace snl
