#include "subscription.hpp"

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
  const CommitVisitor lend = [&](const CommitView& commit) {
    const std::int64_t number = game_ ? commit.version : commit.position;
    next_ = next_number(number);
    wanted = visit(commit);
    return wanted;
  };
  if (game_)
    for_each_commit(*store_, *game_, next_, lend);
  else
    for_each_commit(*store_, next_, lend);
  return wanted;
}

void Subscription::run(const CommitVisitor& visit, const std::stop_token& stop) {
  constexpr std::chrono::milliseconds patience{200};  // how late a stop may be noticed
  while (!stop.stop_requested()) {
    // Looked up before the poll, so that what comes in between ends the wait at once.
    const StorePosition seen = store_->wait_for_append(0, std::chrono::milliseconds{0});
    if (!poll(visit)) return;
    if (!stop.stop_requested()) store_->wait_for_append(seen, patience);
  }
}

}  // namespace snl
