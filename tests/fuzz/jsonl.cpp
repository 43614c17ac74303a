// Exports of whole logs, as `snl import` reads them.
#include "storage/audit.hpp"
#include "storage/exchange/recording.hpp"
#include "storage/memory/memory_store.hpp"
#include "target.hpp"

namespace snl::test {
namespace {

void check_recorded(MemoryStore& store, const ImportedGame& game) {
  JsonlReader again;
  export_jsonl(store, game.game, game.head, [&](std::string_view line) { again.add(line); });
  require(again.finish(), "a game that was imported and exported can be imported");
  require(again.games().size() == 1 && again.games()[0].head == game.head, "its head is the same");
}

void check(std::string_view text) {
  JsonlReader reader;
  while (!text.empty())
    if (!reader.add(take_line(text))) break;
  if (!reader.finish()) {
    require(reader.fault() && !reader.fault()->why.empty(),
            "what is refused is refused for a reason");
    return;
  }
  MemoryStore store;
  for (const ImportedGame& game : reader.games()) {
    const auto taken = record_together(store, std::span(&game, 1));
    if (taken && taken->front().before <= game.head.version) check_recorded(store, game);
  }
  require(audit_store(store).ok(), "what was imported is sound");
}

}  // namespace
}  // namespace snl::test

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  snl::test::check(snl::test::text_of(data, size));
  return 0;
}
