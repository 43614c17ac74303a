#include "appending.hpp"

#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace snl {
namespace {

/// Refuses a text that comes twice; `what` names the texts in the error.
class Distinct {
 public:
  explicit Distinct(std::string_view what) : what_(what) {}

  void add(std::string_view text) {
    if (!seen_.insert(text).second)
      throw std::invalid_argument(std::string(what_) + " \"" + std::string(text) +
                                  "\" appears twice");
  }

 private:
  std::string_view what_;
  std::set<std::string_view> seen_;
};

/// The first of these commits' command IDs that the game has already used.
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

/// The game's end, if an append to it is admitted.
std::expected<LogEnd, AppendRefusal> admitted(AppendPrimitives& store, const Append& append) {
  if (append.expected_revision && store.revision(append) != append.expected_revision)
    return std::unexpected(RevisionConflict{});
  if (auto used = used_command_id(store, append)) return std::unexpected(*std::move(used));
  LogEnd end = store.end_of(append);
  if (!append.expected.matches(end.head)) return std::unexpected(VersionConflict{end.head.version});
  return end;
}

Head write(AppendPrimitives& store, const Append& append, const LogEnd& before) {
  if (append.commits.empty()) return before.head;
  static thread_local HashChain chain;
  Head after = before.head;
  std::vector<Hash> hashes;
  hashes.reserve(append.commits.size());
  UnixMilliseconds time = append.commits.front().time;
  TimeText text = time_text(time);
  for (const NewCommit& commit : append.commits) {
    if (commit.time != time) {  // many commits have the same time
      time = commit.time;
      text = time_text(time);
    }
    after = {after.version + 1,
             chain.next(after.hash, append.game, text, commit.command, commit.events)};
    hashes.push_back(after.hash);
  }
  store.write(append, before, after, hashes);
  return after;
}

/// Nothing is written unless all are admitted.
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

ListEntry first_entry(const Append& append) {
  return {.id = append.game,
          .created = append.commits.front().time,
          .players = append.after->setup->players,
          .completed = append.after->completed()};
}

/// A single commit can lead away from a game's end only if it takes turns back.
bool may_change_status(const Append& append) {
  const GameState& after = *append.after;
  return append.commits.size() > 1 || after.completed() || after.redo.version == after.version;
}

bool is_snapshot_due(Version before, Version after) {
  return before / snapshot_interval != after / snapshot_interval;
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
