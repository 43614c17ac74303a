#include "appending.hpp"

#include "summary_interval.hpp"

#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace snl {
namespace {

/// No two texts may be the same: they are `what`.
class Distinct {
 public:
  explicit Distinct(std::string_view what) : what_(what) {}

  void add(std::string_view text) {
    if (!seen_.insert(text).second)
      throw std::invalid_argument(std::string(what_) + " \"" + std::string(text) +
                                  "\" is there twice");
  }

 private:
  std::string_view what_;
  std::set<std::string_view> seen_;
};

/// The first of these commits' command IDs that the game has used already.
std::optional<CommandIdUsed> used_command_id(AppendPrimitives& store, const Append& append) {
  Distinct ids("command ID");
  for (const NewCommit& commit : append.commits) {
    if (!commit.command_id) continue;
    ids.add(*commit.command_id);
    if (auto used = store.used_id(append.game, *commit.command_id)) {
      const bool same = used->command == commit.command;
      return CommandIdUsed{.commit = *std::move(used), .same_command = same};
    }
  }
  return std::nullopt;
}

/// Where the game is, if an append to it is admitted.
std::expected<LogEnd, AppendRefusal> admitted(AppendPrimitives& store, const Append& append) {
  if (append.expected_revision && store.revision(append) != append.expected_revision)
    return std::unexpected(RevisionConflict{});
  if (auto used = used_command_id(store, append)) return std::unexpected(*std::move(used));
  LogEnd end = store.end_of(append);
  if (!append.expected.admits(end.head)) return std::unexpected(VersionConflict{end.head.version});
  return end;
}

Head write(AppendPrimitives& store, const Append& append, const LogEnd& before) {
  if (append.commits.empty()) return before.head;
  static thread_local HashChain chain;
  LogEnd after{.head = before.head, .completed = append.after->completed(), .key = 0};
  std::vector<Hash> hashes;
  hashes.reserve(append.commits.size());
  UnixMilliseconds time = append.commits.front().time;
  TimeText text = time_text(time);
  for (const NewCommit& commit : append.commits) {
    if (commit.time != time) {  // many are of one moment
      time = commit.time;
      text = time_text(time);
    }
    after.head = {after.head.version + 1,
                  chain.next(after.head.hash, append.game, text, commit.command, commit.events)};
    hashes.push_back(after.head.hash);
  }
  std::optional<GameSummary> summary;
  if (is_summary_due(before, after, hashes.size())) {
    const bool is_first = before.head.version == 0;
    summary =
        summarise(append.game, is_first ? append.commits.front().time : store.created(append.game),
                  after.head, *append.after);
  }
  store.write(append, before, after, hashes, summary ? &*summary : nullptr);
  return after.head;
}

/// Only when all are admitted is anything written.
std::expected<std::vector<Head>, RefusedAppend> append_to_several(AppendPrimitives& store,
                                                                  std::span<const Append> appends) {
  std::vector<LogEnd> ends;
  ends.reserve(appends.size());
  Distinct games("game");
  for (const Append& append : appends) {
    games.add(append.game);
    auto end = admitted(store, append);
    if (!end)
      return std::unexpected(RefusedAppend{.game = append.game, .why = std::move(end).error()});
    ends.push_back(*end);
  }
  std::vector<Head> heads;
  heads.reserve(appends.size());
  for (std::size_t i = 0; i < appends.size(); ++i)
    heads.push_back(write(store, appends[i], ends[i]));
  return heads;
}

}  // namespace

bool is_summary_due(const LogEnd& before, const LogEnd& after, std::size_t commits) {
  return commits > 1 || after.head.version % summary_interval == 0 || before.head.version == 0 ||
         before.completed != after.completed;
}

std::expected<std::vector<Head>, RefusedAppend> append_by(AppendPrimitives& store,
                                                          std::span<const Append> appends) {
  if (appends.size() != 1) return append_to_several(store, appends);
  const Append& append = appends.front();
  auto end = admitted(store, append);
  if (!end)
    return std::unexpected(RefusedAppend{.game = append.game, .why = std::move(end).error()});
  return std::vector{write(store, append, *end)};
}

}  // namespace snl
