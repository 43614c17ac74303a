// Whole store files, opened, checked, audited and read, and played on.
//
// An input that begins like a database is the file itself. Any other input is a list of patches to
// a sound store with small pages. A patch has an offset (three bytes, little-endian, of 2^24), a
// length (one byte) and the bytes. The sound store is made anew each time, so that the corpus
// outlives its schema.
#include "../storage/testbed.hpp"
#include "storage/audit.hpp"
#include "storage/exchange/jsonl.hpp"
#include "storage/match.hpp"
#include "storage/sqlite/sqlite_store.hpp"
#include "target.hpp"

#include <algorithm>
#include <filesystem>
#include <string>

namespace snl::test {
namespace {

/// A folder with a sound store, and the store that is to be opened.
class Place {
 public:
  Place() {
    {
      const auto store = SqliteStore::open(path(), SqliteStore::Access::write);
      record_orchard(*store);
    }
    PlainDatabase(path()).execute("PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM");
    sound_ = bytes_of(path());
  }

  std::string path() const { return folder_.file("store.db"); }
  const std::string& sound() const { return sound_; }

  void write(std::string_view bytes) const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      std::filesystem::remove(entry.path());
    write_file(path(), bytes);
  }

 private:
  Folder folder_;
  std::string sound_;
};

std::string patched(std::string bytes, std::string_view patches) {
  const auto byte_at = [&](std::size_t i) {
    return std::size_t{static_cast<unsigned char>(patches[i])};
  };
  while (patches.size() > 4) {
    const std::size_t at = (byte_at(0) | byte_at(1) << 8U | byte_at(2) << 16U) % bytes.size();
    const std::size_t most = std::min(patches.size() - 4, bytes.size() - at);
    const std::size_t count = std::min(byte_at(3), most);
    bytes.replace(at, count, patches.substr(4, count));
    patches.remove_prefix(4 + count);
  }
  return bytes;
}

/// Runs a function that may find the file damaged. Every error must have a message.
void guard(const auto& work) {
  try {
    work();
  } catch (const StoreError& error) {
    require(*error.what() != '\0', "what is refused is refused for a reason");
  }
}

void read_games(SqliteStore& store) {
  std::vector<std::string> games;
  guard([&] { games = store.list({}, 100); });
  guard([&] { (void)store.check(); });
  guard([&] { (void)audit_store(store); });
  guard([&] {
    for_each_commit(store, 1, [](const CommitView& commit) {
      (void)log_line(commit);
      return true;
    });
  });
  for (const std::string& game : games) {
    guard([&] { (void)Match::load(store, game); });
    guard([&] { (void)history_of(store, game); });
    guard([&] { (void)audit_game(store, game); });
  }
}

void play_on(EventStore& store) {
  const auto game = store.newest_game(0);
  if (!game) return;
  auto match = Match::load(store, *game);
  if (!match) return;
  (void)match->execute(RollTurn{});
  (void)match->execute(UndoTurns{1});
  (void)match->execute(RedoTurns{1});
}

void check(std::string_view input) {
  static const Place place;
  place.write(input.starts_with("SQLite format 3") ? std::string(input)
                                                   : patched(place.sound(), input));
  guard([&] { (void)SqliteStore::facts(place.path()); });
  guard([&] { read_games(*SqliteStore::open(place.path(), SqliteStore::Access::read)); });
  guard([&] {
    const auto store =
        SqliteStore::open(place.path(), SqliteStore::Access::write, {std::chrono::milliseconds{0}});
    guard([&] { play_on(*store); });
  });
}

}  // namespace
}  // namespace snl::test

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  snl::test::check(snl::test::text_of(data, size));
  return 0;
}
