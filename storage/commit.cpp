#include "commit.hpp"

#include <algorithm>
#include <limits>

namespace snl {

Commit::Commit(const CommitView& view)
    : position(view.position),
      game(view.game),
      version(view.version),
      time(view.time),
      command(view.command),
      events(view.events),
      command_id(view.command_id),
      hash(view.hash) {}

CommitView Commit::view() const {
  return {.position = position,
          .game = game,
          .version = version,
          .time = time,
          .command = command,
          .events = events,
          .command_id = command_id,
          .hash = hash};
}

void CommitPage::clear() {
  commits_.clear();
  arena_.release();
  bytes_ = 0;
  is_last_ = false;
}

void CommitPage::add(const CommitView& commit) {
  CommitView copy = commit;
  const bool is_of_same_game = !commits_.empty() && commits_.back().game == commit.game;
  copy.game = is_of_same_game ? commits_.back().game : kept(commit.game);
  copy.command = kept(commit.command);
  copy.events = kept(commit.events);
  if (commit.command_id) copy.command_id = kept(*commit.command_id);
  commits_.push_back(copy);
}

std::string_view CommitPage::kept(std::string_view text) {
  if (text.empty()) return {};
  char* const copy = static_cast<char*>(arena_.allocate(text.size(), 1));
  std::ranges::copy(text, copy);
  bytes_ += text.size();
  return {copy, text.size()};
}

std::int64_t next_number(std::int64_t number) {
  return number < std::numeric_limits<std::int64_t>::max() ? number + 1 : number;
}

}  // namespace snl
