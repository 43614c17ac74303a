#include "copying.hpp"

#include "storage/game_verifier.hpp"
#include "storage/hosted_game_codec.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace snl {
namespace {

/// The part of a game that waits to be appended.
struct PartOfGame {
  std::string game;
  Head expected;
  std::vector<NewCommit> commits = {};
  GameState after = {};
};

/// The head of all games of a store, in the order of their IDs.
Hash head_of_all(EventReader& store) {
  StoreHead head;
  for_each_game(store, [&](const std::string& game) {
    head.add(game, store.head(game).value_or(Head{}).hash);
  });
  return head.finish();
}

class GameCopier {
 public:
  GameCopier(StoreReader& from, EventStore& to) : from_(from), to_(to) {}

  std::expected<CopiedGames, NotCopied> run() {
    for (const std::string& game : oldest_first()) {
      if (!copy(game)) return std::unexpected(*fault_);
      ++copied_.games;
    }
    if (!flush()) return std::unexpected(*fault_);
    copied_.head = in_read_transaction(to_, head_of_all);
    return copied_;
  }

 private:
  static constexpr std::size_t most_commits = 1000;  // a transaction

  std::vector<std::string> oldest_first() {
    std::vector<std::string> all;
    ListFilter filter;
    while (true) {
      const auto page = from_.list(filter, page_size);
      if (page.empty()) break;
      all.insert(all.end(), page.begin(), page.end());
      filter.before = page.back();
    }
    std::ranges::reverse(all);
    return all;
  }

  bool fail(NotCopied::Cause cause, const std::string& game, std::string why = {}) {
    fault_ = NotCopied{.cause = cause, .game = game, .why = std::move(why)};
    return false;
  }

  /// False if it can't be copied.
  bool copy(const std::string& game) {
    const Head there = to_.head(game).value_or(Head{});
    GameVerifier proof(game, [&](Version version) { return from_.commit(game, version); });
    PartOfGame part{.game = game, .expected = there};
    bool good = true;
    for_each_commit(from_, game, 1, [&](const CommitView& commit) {
      if (const auto problem = proof.add(commit))
        good = fail(NotCopied::Cause::unsound, game, problem->detail);
      else if (commit.version == there.version && commit.hash != there.hash)
        good = fail(NotCopied::Cause::conflict, game);
      else if (commit.version > there.version)
        good = add(part, commit, proof);
      return good;
    });
    if (!good) return false;
    if (proof.head().version == 0)
      return fail(NotCopied::Cause::unsound, game, "it has no commits");
    if (there.version > proof.head().version) return fail(NotCopied::Cause::conflict, game);
    if (!part.commits.empty()) put(part, proof);
    return waiting_ < most_commits || flush();
  }

  bool add(PartOfGame& part, const CommitView& commit, const GameVerifier& proof) {
    part.commits.push_back({.time = commit.time,
                            .command = std::string(commit.command),
                            .events = std::string(commit.events),
                            .command_id = commit.command_id
                                              ? std::optional(std::string(*commit.command_id))
                                              : std::nullopt});
    ++waiting_;
    ++copied_.commits;
    if (waiting_ < most_commits) return true;
    put(part, proof);
    return flush();
  }

  /// Adds the commits of the game that were read so far; the rest follows.
  void put(PartOfGame& part, const GameVerifier& proof) {
    part.after = proof.state();
    PartOfGame rest{.game = part.game, .expected = proof.head()};
    parts_.push_back(std::exchange(part, std::move(rest)));
  }

  bool flush() {
    std::vector<Append> appends;
    appends.reserve(parts_.size());
    for (const PartOfGame& part : parts_)
      appends.push_back({.game = part.game,
                         .expected = part.expected,
                         .commits = part.commits,
                         .after = &part.after});
    waiting_ = 0;
    if (appends.empty()) return true;
    const auto appended = to_.append(appends);
    parts_.clear();
    return appended || fail(NotCopied::Cause::conflict, appended.error().game);
  }

  StoreReader& from_;
  EventStore& to_;
  std::deque<PartOfGame> parts_;
  std::size_t waiting_ = 0;  // number of commits
  std::optional<NotCopied> fault_;
  CopiedGames copied_;
};

}  // namespace

std::expected<CopiedGames, NotCopied> copy_games(StoreReader& from, EventStore& to) {
  return GameCopier(from, to).run();
}

namespace {

/// How far it has come: each draw that begins anew opens it again.
std::pair<std::int64_t, HostedGameStage> progress_of(const HostedGame& hosted) {
  return {hosted.redraws, hosted.stage};
}

/// A player of the same name has had more tokens there.
bool has_newer_token(const HostedGame& there, const HostedGame& copied) {
  const std::size_t seats = std::min(there.seats.size(), copied.seats.size());
  for (std::size_t i = 0; i < seats; ++i)
    if (const auto &one = there.seats[i], &other = copied.seats[i];
        one && other && one->name == other->name && one->tokens > other->tokens)
      return true;
  return false;
}

bool has_gone_on(const HostedGame& there, const HostedGame& copied) {
  return there.host_token != copied.host_token || progress_of(there) > progress_of(copied) ||
         (there.given_up && !copied.given_up) || (there.rematch && !copied.rematch) ||
         (there.other_host && !copied.other_host) || has_newer_token(there, copied);
}

}  // namespace

std::expected<std::int64_t, NotCopied> copy_hosted_games(HostedGameStore& from,
                                                         HostedGameStore& to) {
  constexpr std::size_t at_once = 100;
  std::int64_t copied = 0;
  std::int64_t after = 0;
  while (true) {
    const auto changed = from.changed_after(after, at_once);
    if (changed.empty()) return copied;
    after = changed.back().revision;
    std::vector<HostedGame> hosted_games;
    for (const HostedGameStore::Entry& one : changed) {
      auto hosted = from.game(one.id);
      if (!hosted) continue;
      const auto there = to.game(one.id);
      if (there && has_gone_on(*there, *hosted))
        return std::unexpected(
            NotCopied{.cause = NotCopied::Cause::conflict, .game = one.id, .why = {}});
      if (there && encode_hosted_game(*there) == encode_hosted_game(*hosted)) continue;
      hosted->revision = there ? there->revision : 0;
      hosted_games.push_back(*std::move(hosted));
    }
    for (const auto& change : to.keep(hosted_games))
      if (change) ++copied;
  }
}

}  // namespace snl
