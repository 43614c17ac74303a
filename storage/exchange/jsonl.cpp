#include "jsonl.hpp"

#include "blanks.hpp"
#include "domain/whole_number.hpp"
#include "json_members.hpp"
#include "storage/codec.hpp"
#include "storage/game_id.hpp"
#include "storage/game_verifier.hpp"
#include "storage/recorded_game.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace snl {
namespace {

std::string json_string(std::string_view text) {
  std::string json;
  append_json_string(json, text);
  return json;
}

/// Throws StoreError if a commit's texts aren't the JSON that they should be.
void require_json(const CommitView& commit) {
  const auto require = [&](const auto& decoded) {
    if (!decoded) throw_damaged(commit.game, commit.version, decoded.error().why);
  };
  require(decode_command(commit.command));
  require(decode_events(commit.events));
}

/// The members that an exported commit and a log line share.
std::string commit_members(const CommitView& commit) {
  require_json(commit);
  return fmt::format(
      "\"game\":{},\"version\":{},\"time\":\"{}\",\"command\":{},\"events\":{},\"hash\":\"{}\"}}",
      json_string(commit.game), commit.version, format_time(commit.time), commit.command,
      commit.events, to_hex(commit.hash));
}

/// The contents of a string member; empty if there is none of this name.
std::string_view text_member(const JsonMembers& members, std::string_view name) {
  const auto member = members.find(name);
  return member != members.end() && member->second.is_string ? std::string_view(member->second.text)
                                                             : std::string_view();
}

std::optional<std::int64_t> number_member(const JsonMembers& members, std::string_view name) {
  const auto member = members.find(name);
  if (member == members.end() || member->second.is_string) return std::nullopt;
  return whole_number(member->second.text);
}

/// Takes the JSON of a command or of events out of the members; none if it isn't there.
std::optional<std::string> take_json(JsonMembers& members, std::string_view name) {
  const auto member = members.find(name);
  if (member == members.end() || member->second.is_string) return std::nullopt;
  return std::move(member->second.text);
}

constexpr std::int64_t export_format = 1;

}  // namespace

std::string log_line(const CommitView& commit) {
  return fmt::format("{{\"position\":{},{}", commit.position, commit_members(commit));
}

std::string export_line(const CommitView& commit) {
  return "{" + commit_members(commit);
}

namespace {

/// Throws StoreError unless the log is sound up to this head.
void prove(EventReader& store, const std::string& game, const Head& head) {
  GameVerifier proof(game, [&](Version version) { return store.commit(game, version); });
  for_each_commit(store, game, 1, [&](const CommitView& commit) {
    if (const auto problem = proof.add(commit))
      throw_damaged(game, problem->version.value_or(commit.version), problem->detail);
    return commit.version < head.version;
  });
  if (proof.head() != head) throw_damaged(game, head.version, "its log has another head");
}

}  // namespace

void export_jsonl(EventReader& store, const std::string& game, const Head& head,
                  const std::function<void(std::string_view)>& line) {
  prove(store, game, head);
  line(fmt::format("{{\"snl\":\"game\",\"format\":{},\"game\":{},\"version\":{},\"head\":\"{}\"}}",
                   export_format, json_string(game), head.version, to_hex(head.hash)));
  for_each_commit(store, game, 1, [&](const CommitView& commit) {
    // A store that was restored meanwhile has another history.
    if (commit.version == head.version && commit.hash != head.hash)
      throw_damaged(game, head.version, "it changed while it was exported");
    line(export_line(commit));
    return commit.version < head.version;
  });
}

// ---- Reading

struct JsonlReader::Open {
  ImportedGame game;
  std::vector<Commit> commits;  // by version, for the verifier's lookups
  std::set<std::string> command_ids;
  GameVerifier verifier;

  Open(std::string id, const Head& head)
      : game{.game = id, .head = head, .commits = {}, .state = {}},
        verifier(std::move(id), [this](Version version) -> std::optional<Commit> {
          if (version < 1 || version > static_cast<Version>(commits.size())) return std::nullopt;
          return commits[static_cast<std::size_t>(version) - 1];
        }) {}
};

bool JsonlReader::malformed(std::string why) {
  fault_ = ImportFault{true, fmt::format("line {}: {}", line_, why)};
  return false;
}

bool JsonlReader::unsound(std::string why) {
  fault_ = ImportFault{false, fmt::format("line {}: {}", line_, why)};
  return false;
}

bool JsonlReader::add(std::string_view line) {
  ++line_;
  if (fault_) return false;
  if (without_outer_blanks(line).empty()) return true;
  if (!open_) return add_header(line);
  return add_commit(line) && (open_->verifier.head().version < open_->game.head.version || close());
}

bool JsonlReader::finish() {
  if (fault_) return false;
  if (open_)
    return unsound(fmt::format("game {} ends at version {}, but its header names version {}",
                               open_->game.game, open_->verifier.head().version,
                               open_->game.head.version));
  if (games_.empty()) return malformed("there is no game in it");
  return true;
}

bool JsonlReader::add_header(std::string_view line) {
  const auto object = read_json_members(line);
  if (!object || text_member(*object, "snl") != "game")
    return malformed("an export begins with {\"snl\":\"game\",…}; this doesn't");
  if (const auto format = number_member(*object, "format"); format != export_format)
    return malformed(fmt::format("export format {} isn't known; this snl reads format {}",
                                 format.value_or(0), export_format));
  const auto version = number_member(*object, "version");
  const auto head = hash_from_hex(text_member(*object, "head"));
  const std::string_view game = text_member(*object, "game");
  if (!version || *version < 1 || !head || !is_game_id(game))
    return malformed("a header names a game by a valid ID, its version and its head");
  open_ = std::make_shared<Open>(std::string(game), Head{*version, *head});
  return true;
}

bool JsonlReader::add_commit(std::string_view line) {
  auto object = read_json_members(line);
  if (!object) return malformed(std::move(object).error());
  const auto version = number_member(*object, "version");
  const auto time = parse_time(text_member(*object, "time"));
  const auto hash = hash_from_hex(text_member(*object, "hash"));
  auto command = take_json(*object, "command");
  auto events = take_json(*object, "events");
  if (!version || !time || !hash || !command || !events)
    return malformed("a commit has a game, version, time, command, events and hash");
  if (text_member(*object, "game") != open_->game.game)
    return unsound(fmt::format("game {} ends at version {}, but its header names version {}",
                               open_->game.game, open_->verifier.head().version,
                               open_->game.head.version));
  Commit commit;
  commit.game = open_->game.game;
  commit.version = *version;
  commit.time = *time;
  commit.command = *std::move(command);
  commit.events = *std::move(events);
  if (const auto decoded = decode_command(commit.command)) commit.command_id = decoded->id;
  if (commit.command_id && !open_->command_ids.insert(*commit.command_id).second)
    return unsound("command ID \"" + *commit.command_id + "\" appears twice");
  commit.hash = *hash;
  open_->commits.push_back(std::move(commit));
  if (const auto problem = open_->verifier.add(open_->commits.back().view()))
    return unsound(fmt::format("game {}, version {}: {}", open_->game.game,
                               problem->version.value_or(0), problem->detail));
  return true;
}

bool JsonlReader::close() {
  ImportedGame& game = open_->game;
  if (open_->verifier.head() != game.head)
    return unsound(fmt::format("game {}: its head isn't the one that its header names", game.game));
  for (Commit& commit : open_->commits)
    game.commits.push_back({.time = commit.time,
                            .command = std::move(commit.command),
                            .events = std::move(commit.events),
                            .command_id = std::move(commit.command_id)});
  game.state = open_->verifier.state();
  games_.push_back(std::move(game));
  open_.reset();
  return true;
}

}  // namespace snl
