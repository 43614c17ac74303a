// Goal: a reader without write access sees everything that was recorded before its read, and
// reports no false damage, whatever the owner writes meanwhile and whenever.
//
// Method: a process of another user, who may only read, opens a store, reads it and audits it. The
// layer of faulty_vfs.hpp stops it before its first system call, then before the second, and so on,
// until it ends earlier. At that point the owner writes a little, or enough for a checkpoint.
// (Unless the test runs as root, both are the same user.)
#include "../faulty_vfs.hpp"
#include "../testbed.hpp"
#include "../torture.hpp"
#include "storage/audit.hpp"
#include "storage/sqlite/sqlite_store.hpp"
#include "storage/store_admin.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>

namespace snl::test {
namespace {

using Access = SqliteStore::Access;
namespace fs = std::filesystem;

/// The owner's work during the read.
using Writing = std::function<void(const std::string& path)>;

void play_a_turn(const std::string& path) {
  const auto store = SqliteStore::open(path, Access::write);
  auto berry = Match::load(*store, "berry");
  perform(*berry, RollTurn{});
}

/// More frames than the number after which a checkpoint is due, and pages beyond the end of the
/// file.
void play_until_it_is_checkpointed(const std::string& path) {
  const auto store = SqliteStore::open(path, Access::write);
  const auto bytes = fs::file_size(path);
  Match match = start(*store, "long", {.board = {.cells = 100}});
  for (int turn = 0; fs::file_size(path) <= bytes && turn < 5000; ++turn)
    perform(match, turn_of_next(match, {6, 6, 6}));
}

enum Verdict : std::uint8_t { right, accused, failed, shorter };

/// The steps of `snl audit`.
int look(const std::string& path, std::size_t recorded) {
  try {
    const auto store = SqliteStore::open(path, Access::read);
    if (!audit_all(*store).ok()) return accused;
    return all_commits(*store).size() >= recorded ? right : shorter;
  } catch (const StoreError& error) {
    std::cerr << error.what() << '\n';
    return error.is_damage() ? accused : failed;
  }
}

/// A closed store's files.
const std::map<std::string, std::string>& orchard() {
  static const auto files = [] {
    const Folder folder;
    record_orchard(*SqliteStore::open(folder.file("store.db"), Access::write));
    return folder.contents();
  }();
  return files;
}

/// The owner writes before the reader's nth call. None if the reader has ended before it.
std::optional<int> verdict_when_interrupted(std::int64_t nth, std::size_t recorded,
                                            const Writing& write) {
  const Folder folder;
  folder.fill(orchard());
  const std::string path = folder.file("store.db");
  fs::permissions(folder.path(), fs::perms(0755));
  fs::permissions(path, fs::perms(0644));
  Signal stopped;
  const Signal go_on;
  const pid_t reader = begin_child([&] {
    return without_privileges([&] {
      std::int64_t calls = 0;
      faulty_vfs::interrupt([&](Call /*call*/) {
        if (++calls != nth) return;
        stopped.give();
        go_on.wait();
      });
      return look(path, recorded);
    });
  });
  stopped.only_wait();
  const bool was_stopped = stopped.wait();
  if (was_stopped) {
    write(path);
    go_on.give();
  }
  const int verdict = end_of_child(reader);
  if (!was_stopped) return std::nullopt;
  return verdict;
}

void check_at_every_call(std::string_view fault, const Writing& write) {
  const std::size_t recorded = [] {
    const Folder folder;
    folder.fill(orchard());
    return all_commits(*SqliteStore::open(folder.file("store.db"), Access::read)).size();
  }();
  Torture figures{.lost = 0, .false_alarms = 0};
  for (std::int64_t nth = 1;; ++nth) {
    const auto verdict = verdict_when_interrupted(nth, recorded, write);
    if (!verdict) break;
    ++figures.tried;
    if (*verdict == shorter) ++*figures.lost;
    if (*verdict != right && *verdict != shorter) ++*figures.false_alarms;
    BOOST_TEST(*verdict == right, "call " << nth << ": " << *verdict);
  }
  print_torture(fault, figures, place_for_folders());
  BOOST_TEST(figures.tried > 10);
}

struct Layer {
  Layer() { faulty_vfs::install(); }
};

}  // namespace

BOOST_TEST_GLOBAL_FIXTURE(Layer);

BOOST_AUTO_TEST_SUITE(a_reader_without_write_access)

BOOST_AUTO_TEST_CASE(accuses_nobody_who_plays_a_turn_meanwhile) {
  check_at_every_call("a reader audits, a turn is played meanwhile", play_a_turn);
}

BOOST_AUTO_TEST_CASE(accuses_nobody_who_plays_until_a_checkpoint_meanwhile) {
  check_at_every_call("a reader audits, a checkpoint is made meanwhile",
                      play_until_it_is_checkpointed);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace snl::test
