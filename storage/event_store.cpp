#include "event_store.hpp"

#include "codec.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace snl {
namespace {

/// Reads pages until the last one, or until a visitor has had enough. `read_page` fills a page with
/// what follows a number, which a commit has as its `number`.
template <class ReadPage>
void page_through(std::int64_t from, std::int64_t CommitView::* number, const CommitVisitor& visit,
                  const ReadPage& read_page) {
  CommitPage page;
  do {
    read_page(from, page);
    for (const CommitView& commit : page) {
      from = next_number(commit.*number);
      if (!visit(commit)) return;
    }
  } while (!page.is_last());
}

/// A space and the number.
void append_number(std::string& text, std::int64_t number) {
  std::array<char, 21> digits{};
  digits[0] = ' ';
  const auto end = std::to_chars(digits.data() + 1, digits.data() + digits.size(), number).ptr;
  text.append(digits.data(), end);
}

}  // namespace

SnapshotLost::SnapshotLost(const std::string& store)
    : StoreError(Cause::busy,
                 "store " + store + ": it was written to while it was read; try again") {}

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

std::expected<Head, AppendRefusal> EventStore::append(const std::string& game,
                                                      const Expectation& expected,
                                                      std::span<const NewCommit> commits,
                                                      const GameState& after) {
  const Append one{.game = game, .expected = expected, .commits = commits, .after = &after};
  auto heads = append(std::span(&one, 1));
  if (!heads) return std::unexpected(std::move(heads).error().why);
  return heads->front();
}

void for_each_commit(EventReader& store, const std::string& game, Version from,
                     const CommitVisitor& visit) {
  page_through(from, &CommitView::version, visit,
               [&](Version first, CommitPage& page) { store.read(game, first, page_size, page); });
}

void for_each_commit(EventReader& store, StorePosition from, const CommitVisitor& visit) {
  page_through(from, &CommitView::position, visit, [&](StorePosition first, CommitPage& page) {
    store.read_all(first, page_size, page);
  });
}

}  // namespace snl
