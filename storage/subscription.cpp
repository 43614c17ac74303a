#include "subscription.hpp"

#include <fmt/format.h>

#include <utility>

namespace snl {

Subscription::Subscription(StoreReader& store, std::optional<std::string> game, std::int64_t next)
    : store_(&store), game_(std::move(game)), next_(next) {}

Subscription Subscription::to_store(StoreReader& store, StorePosition from) {
  return {store, std::nullopt, from};
}

Subscription Subscription::to_game(StoreReader& store, std::string game, Version from) {
  return {store, std::move(game), from};
}

bool Subscription::poll(const CommitVisitor& visit) {
  bool wanted = true;
  // The last commit is read again, to see that it is still there.
  std::optional<Hash> awaited = last_;
  const CommitVisitor lend = [&](const CommitView& commit) {
    const std::int64_t number = game_ ? commit.version : commit.position;
    if (awaited) {
      if (next_number(number) != next_ || commit.hash != awaited) refuse();
      awaited.reset();
      return true;
    }
    next_ = next_number(number);
    last_ = commit.hash;
    wanted = visit(commit);
    return wanted;
  };
  const std::int64_t from = awaited ? next_ - 1 : next_;
  if (game_)
    for_each_commit(*store_, *game_, from, lend);
  else
    for_each_commit(*store_, from, lend);
  if (awaited) refuse();
  return wanted;
}

void Subscription::refuse() const {
  throw StoreError(StoreError::Cause::damaged,
                   fmt::format("{} no longer has the commit that was read at {} {}: it has lost "
                               "commits, and later numbers may be other ones; read it from its "
                               "beginning",
                               game_ ? "game " + *game_ : "the store",
                               game_ ? "version" : "position", next_ - 1));
}

void Subscription::run(const CommitVisitor& visit, const std::stop_token& stop) {
  constexpr std::chrono::milliseconds timeout{200};  // how late a stop may be noticed
  while (!stop.stop_requested()) {
    // Read before the poll, so that a commit in between ends the wait at once.
    const StorePosition seen = store_->wait_for_append(0, std::chrono::milliseconds{0});
    if (!poll(visit)) return;
    if (!stop.stop_requested()) store_->wait_for_append(seen, timeout);
  }
}

}  // namespace snl
