#include "event_store.hpp"

#include <utility>

namespace snl {
namespace {

/// Reads pages until the last one, or until the visitor ends it. `read_page` fills a page from a
/// number on; `number` is a commit's own.
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

}  // namespace

ReadTransactionLost::ReadTransactionLost(const std::string& store)
    : StoreError(Cause::busy,
                 "store " + store +
                     ": it couldn't be read to its end as it was at one moment; try again") {}

std::expected<Head, AppendRefusal> EventStore::append(const std::string& game,
                                                      const ExpectedHead& expected,
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

void for_each_game(EventReader& store, const std::function<void(const std::string&)>& visit) {
  std::vector<std::string> page;
  do {
    page = store.games_after(page.empty() ? "" : page.back(), page_size);
    for (const std::string& game : page)
      visit(game);
  } while (!page.empty());
}

}  // namespace snl
