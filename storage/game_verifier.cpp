#include "game_verifier.hpp"

#include "codec.hpp"
#include "domain/engine.hpp"
#include "draw.hpp"
#include "game_id.hpp"

#include <fmt/format.h>

#include <utility>

namespace snl {

GameVerifier::GameVerifier(std::string game, CommitLookup lookup)
    : game_(std::move(game)), lookup_(std::move(lookup)) {}

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

/// The checks of a commit that don't need its meaning.
std::optional<Problem> GameVerifier::check_record(const CommitView& commit) {
  const Version next = head_.version + 1;
  if (commit.version != next)
    return problem(next, "gap",
                   fmt::format("version {} is missing; {} follows version {}", next, commit.version,
                               head_.version));
  if (commit.position != 0 && commit.position <= position_)
    return problem(next, "order",
                   fmt::format("its position {} isn't after the position of version {}",
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
  // They equal the recorded events to the byte, so these are the recorded ones.
  events_ = *std::move(decided);
  auto folded = fold(std::move(state_), events_);
  if (!folded) return problem(version, "decision", folded.error().what);
  state_ = *std::move(folded);
  return std::nullopt;
}

/// The fault in the game's beginning.
std::optional<Problem> GameVerifier::check_start() const {
  if (!is_game_id(game_))
    return problem(1, "id", "its ID isn't up to 64 of A-Z a-z 0-9 . _ -, a letter or digit first");
  const auto& origin = state_.setup->origin;
  if (origin && origin->game == game_)
    return problem(1, "origin", "it is a branch of a game of its own ID");
  if (auto fault = fault_of_draw(*state_.setup)) return problem(1, "draw", *std::move(fault));
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

}  // namespace snl
