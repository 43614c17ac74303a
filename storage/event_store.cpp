#include "event_store.hpp"

#include "codec.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>

namespace snl {
namespace {

/// Reads pages until one comes back short or a visitor has had enough. `read_page` answers how many
/// commits it read and is given a visitor that remembers where to go on.
template <class ReadPage>
void page_through(const CommitVisitor& visit, ReadPage read_page) {
  bool wanted = true;
  const CommitVisitor remember = [&](const CommitView& commit) {
    wanted = visit(commit);
    return wanted;
  };
  while (wanted && read_page(remember) == page_size)
    continue;
}

/// Copies a page, then lends it; until a page comes back short or the visitor has had enough.
template <class ReadPage>
void page_through_copies(const CommitVisitor& visit, ReadPage read_page) {
  constexpr std::size_t most_bytes = 1 << 20;
  std::vector<Commit> page;
  bool is_full = true;
  while (is_full) {
    page.clear();
    is_full = false;
    std::size_t bytes = 0;
    read_page([&](const CommitView& commit) {
      page.emplace_back(commit);
      bytes += commit.command.size() + commit.events.size();
      is_full = page.size() == page_size || bytes >= most_bytes;
      return !is_full;
    });
    for (const Commit& commit : page)
      if (!visit(commit.view())) return;
  }
}

/// Reads at most a page of a game from a version on, which it moves on.
auto pages_of(EventStore& store, const std::string& game, Version from) {
  return [&store, &game, from](const CommitVisitor& visit) mutable {
    return store.read(game, from, page_size, [&](const CommitView& commit) {
      from = next_number(commit.version);
      return visit(commit);
    });
  };
}

/// The same of a whole store.
auto pages_of(EventStore& store, StorePosition from) {
  return [&store, from](const CommitVisitor& visit) mutable {
    return store.read_all(from, page_size, [&](const CommitView& commit) {
      from = next_number(commit.position);
      return visit(commit);
    });
  };
}

/// A space and the number.
void append_number(std::string& text, std::int64_t number) {
  std::array<char, 21> digits{};
  digits[0] = ' ';
  const auto end = std::to_chars(digits.data() + 1, digits.data() + digits.size(), number).ptr;
  text.append(digits.data(), end);
}

}  // namespace

std::int64_t next_number(std::int64_t number) {
  return number < std::numeric_limits<std::int64_t>::max() ? number + 1 : number;
}

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

GameSummary summarise(std::string id, UnixMilliseconds created, const Head& head,
                      const GameState& state) {
  Position position = state.position;
  position.tallies = {};
  return {.id = std::move(id),
          .created = created,
          .head = head,
          .players = state.setup->players,
          .position = position,
          .index = state.index,
          .last_turn = state.last_turn,
          .redo = state.redo,
          .redoable = state.redoable};
}

Hash seal_of(const GameSummary& summary) {
  const auto winner = summary.position.winner;
  static thread_local std::string text;
  text.clear();
  append_json_string(text, summary.id);
  for (const std::string& player : summary.players)
    append_json_string(text, player);
  for (const std::int64_t number :
       {summary.created, summary.head.version, summary.position.turn,
        std::int64_t{summary.position.next}, winner ? std::int64_t{*winner} : -1,
        std::int64_t{summary.index}, summary.last_turn, summary.redo.version,
        std::int64_t{summary.redo.index}, summary.redoable})
    append_number(text, number);
  text += encode_cells(
      std::span(summary.position.cells).first(std::min(summary.players.size(), max_players)));
  text += to_hex(summary.head.hash);
  static thread_local Sha256 sha256;
  sha256.begin();
  sha256.update(text);
  return sha256.finish();
}

std::optional<CommandIdUsed> used_command_id(EventStore& store, const std::string& game,
                                             std::span<const NewCommit> commits) {
  std::set<std::string_view> ids;
  for (const NewCommit& commit : commits) {
    if (!commit.command_id) continue;
    if (!ids.insert(*commit.command_id).second)
      throw std::invalid_argument("command ID \"" + *commit.command_id + "\" is there twice");
    if (auto used = store.commit_with_id(game, *commit.command_id)) {
      const bool same = used->command == commit.command;
      return CommandIdUsed{.commit = *std::move(used), .same_command = same};
    }
  }
  return std::nullopt;
}

void for_each_commit(EventStore& store, const std::string& game, Version from,
                     const CommitVisitor& visit) {
  page_through(visit, pages_of(store, game, from));
}

void for_each_commit(EventStore& store, StorePosition from, const CommitVisitor& visit) {
  page_through(visit, pages_of(store, from));
}

void for_each_copy(EventStore& store, const std::string& game, Version from,
                   const CommitVisitor& visit) {
  page_through_copies(visit, pages_of(store, game, from));
}

void for_each_copy(EventStore& store, StorePosition from, const CommitVisitor& visit) {
  page_through_copies(visit, pages_of(store, from));
}

}  // namespace snl
