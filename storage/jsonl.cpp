#include "jsonl.hpp"

#include "audit.hpp"
#include "codec.hpp"
#include "game_id.hpp"
#include "sqlite.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>
#include <sqlite3.h>

#include <optional>
#include <set>
#include <utility>

namespace snl {
namespace {

namespace json = boost::json;

std::string quoted(std::string_view text) {
  std::string json;
  append_json_string(json, text);
  return json;
}

/// Throws StoreError where a commit's texts aren't the JSON that they should be.
void require_json(const CommitView& commit) {
  const auto require = [&](const auto& decoded) {
    if (!decoded)
      throw StoreError(SQLITE_CORRUPT,
                       fmt::format("game {}, version {}: {}; see snl audit {}", commit.game,
                                   commit.version, decoded.error().why, commit.game));
  };
  require(decode_command(commit.command));
  require(decode_events(commit.events));
}

/// The members that an exported commit and a log line share.
std::string commit_members(const CommitView& commit) {
  require_json(commit);
  return fmt::format(
      "\"game\":{},\"version\":{},\"time\":\"{}\",\"command\":{},\"events\":{},\"hash\":\"{}\"}}",
      quoted(commit.game), commit.version, format_time(commit.time), commit.command, commit.events,
      to_hex(commit.hash));
}

std::string_view text_member(const json::object& object, std::string_view name) {
  const json::value* member = object.if_contains(name);
  return member != nullptr && member->is_string() ? std::string_view(member->get_string())
                                                  : std::string_view();
}

std::optional<std::int64_t> number_member(const json::object& object, std::string_view name) {
  const json::value* member = object.if_contains(name);
  if (member == nullptr || !member->is_int64()) return std::nullopt;
  return member->get_int64();
}

std::optional<json::object> parse_object(std::string_view line) {
  json::error_code error;
  json::value value = json::parse(line, error);
  if (error || !value.is_object()) return std::nullopt;
  return std::move(value.get_object());
}

constexpr std::int64_t export_format = 1;

}  // namespace

std::string log_line(const CommitView& commit) {
  return fmt::format("{{\"position\":{},{}", commit.position, commit_members(commit));
}

void export_jsonl(EventStore& store, const std::string& game, const Head& head,
                  const std::function<void(std::string_view)>& line) {
  line(fmt::format("{{\"snl\":\"game\",\"format\":{},\"game\":{},\"version\":{},\"head\":\"{}\"}}",
                   export_format, quoted(game), head.version, to_hex(head.hash)));
  for_each_copy(store, game, 1, [&](const CommitView& commit) {
    line("{" + commit_members(commit));
    return commit.version < head.version;
  });
}

// ---- Reading

struct JsonlReader::Open {
  ImportedGame game;
  std::vector<Commit> commits;  // by version, for the verifier to look back at
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
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return true;
  if (!open_) return add_header(line);
  return add_commit(line) && (open_->verifier.head().version < open_->game.head.version || close());
}

bool JsonlReader::finish() {
  if (fault_) return false;
  if (open_)
    return unsound(fmt::format("game {} ends at version {}, its header promises {}",
                               open_->game.game, open_->verifier.head().version,
                               open_->game.head.version));
  if (games_.empty()) return malformed("there is no game in it");
  return true;
}

bool JsonlReader::add_header(std::string_view line) {
  const auto object = parse_object(line);
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
  const auto object = parse_object(line);
  if (!object) return malformed("this isn't a JSON object");
  const auto version = number_member(*object, "version");
  const auto time = parse_time(text_member(*object, "time"));
  const auto hash = hash_from_hex(text_member(*object, "hash"));
  const json::value* command = object->if_contains("command");
  const json::value* events = object->if_contains("events");
  if (!version || !time || !hash || command == nullptr || events == nullptr)
    return malformed("a commit has a game, version, time, command, events and hash");
  if (text_member(*object, "game") != open_->game.game)
    return unsound(fmt::format("game {} ends at version {}, its header promises {}",
                               open_->game.game, open_->verifier.head().version,
                               open_->game.head.version));
  Commit commit;
  commit.game = open_->game.game;
  commit.version = *version;
  commit.time = *time;
  commit.command = json::serialize(*command);
  commit.events = json::serialize(*events);
  if (const auto decoded = decode_command(commit.command)) commit.command_id = decoded->id;
  if (commit.command_id && !open_->command_ids.insert(*commit.command_id).second)
    return unsound("command ID \"" + *commit.command_id + "\" is there twice");
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

ImportOutcome record(EventStore& store, const ImportedGame& game) {
  if (const auto head = store.head(game.game))
    return *head == game.head ? ImportOutcome::already_there : ImportOutcome::conflict;
  const auto appended = store.append(game.game, 0, game.commits, game.state);
  return appended ? ImportOutcome::recorded : ImportOutcome::conflict;
}

}  // namespace snl
