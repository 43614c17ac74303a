// Goal: when a system call fails, the command reports it or succeeds all the same, the store stays
// whole, and the next attempt works.
//
// Method: two sessions with a store run on the layer of faulty_vfs.hpp. It fails the first call of
// a kind, then the second, and so on, until a session ends before the failure. The call fails once,
// or from then on, with each error that SQLite's Unix VFS can return there.
#include "faulty_vfs.hpp"
#include "session.hpp"
#include "testbed.hpp"
#include "torture.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace snl::test {
namespace {

struct Failure {
  Call call;
  int code;
  std::string_view name;
};

/// A full disk fails the calls that create, write or extend a file.
constexpr std::array failures{
    Failure{Call::open, SQLITE_CANTOPEN, "can't open"},
    Failure{Call::read, SQLITE_IOERR_READ, "I/O error"},
    Failure{Call::read, SQLITE_IOERR_CORRUPTFS, "EIO"},
    Failure{Call::write, SQLITE_IOERR_WRITE, "I/O error"},
    Failure{Call::write, SQLITE_FULL, "disk full"},
    Failure{Call::sync, SQLITE_IOERR_FSYNC, "I/O error"},
    Failure{Call::truncate, SQLITE_IOERR_TRUNCATE, "I/O error"},
    Failure{Call::remove, SQLITE_IOERR_DELETE, "I/O error"},
    Failure{Call::size, SQLITE_IOERR_FSTAT, "I/O error"},
    Failure{Call::access, SQLITE_IOERR_ACCESS, "I/O error"},
    Failure{Call::lock, SQLITE_BUSY, "busy"},
    Failure{Call::lock, SQLITE_IOERR_LOCK, "I/O error"},
    Failure{Call::unlock, SQLITE_IOERR_UNLOCK, "I/O error"},
    Failure{Call::map, SQLITE_IOERR_SHMMAP, "I/O error"},
    Failure{Call::map, SQLITE_IOERR_SHMSIZE, "disk full"},
    Failure{Call::map, SQLITE_CANTOPEN, "can't open"},
    Failure{Call::map_lock, SQLITE_BUSY, "busy"},
    Failure{Call::map_lock, SQLITE_IOERR_SHMLOCK, "I/O error"},
};

/// No store can be safe on a disk that reports a write that it didn't do.
bool is_unreported(const Failure& failure) {
  return failure.code == SQLITE_OK;
}

/// Fails the first call, then the one `stride` after it, and so on until a session ends without a
/// failure.
void try_each_call(const Script& script, const Failure& failure, bool lasting, std::size_t stride,
                   Tally& tally) {
  for (std::int64_t nth = 1;; nth += static_cast<std::int64_t>(stride)) {
    std::int64_t strikes = 0;
    const Trouble trouble{
        .begin = [&] { faulty_vfs::fail({failure.call, nth, lasting, failure.code}); },
        .end = [&] { strikes += faulty_vfs::heal(); },
        .attempts = attempts_at(nth, lasting)};
    const Trial trial = run(script, trouble);
    if (strikes == 0) return;
    tally.add(trial);
    if (trial.wrong.empty() || is_unreported(failure)) continue;
    BOOST_ERROR(fmt::format("{} {} fails {} ({}): {}", name_of(failure.call), nth,
                            lasting ? "from then on" : "once", failure.name, trial.wrong));
  }
}

void try_all(const Script& script, std::size_t stride_of_reads) {
  Tally all;
  for (const Failure& failure : failures) {
    Tally tally;
    for (const bool lasting : {false, true})
      try_each_call(script, failure, lasting,
                    failure.call == Call::read ? stride_of_reads : torture_stride(1), tally);
    fmt::print("{:8} {:10}: {:4} sessions, {:4} with a command that failed, {} wrong\n",
               name_of(failure.call), failure.name, tally.figures.tried, tally.failed, tally.wrong);
    BOOST_TEST(tally.figures.tried > 0, name_of(failure.call) << " is never called");
    all.add(tally);
  }
  print_torture("failing calls", all.figures, place_for_folders());
  BOOST_TEST(all.wrong == 0);
}

struct Layer {
  Layer() { faulty_vfs::install(); }
};

}  // namespace

BOOST_TEST_GLOBAL_FIXTURE(Layer);

BOOST_AUTO_TEST_SUITE(a_call_that_fails)

BOOST_AUTO_TEST_CASE(leaves_a_store_whole_that_is_made_and_used) {
  try_all(script_of_everything(), torture_stride(1));
}

BOOST_AUTO_TEST_CASE(is_tried_where_a_log_is_checkpointed_and_begun_anew) {
  const auto& changes = faulty_vfs::recorded();
  const Trouble none{.begin = [] { faulty_vfs::record(""); }, .end = [] {}};
  BOOST_TEST(run(script_of_a_checkpoint(), none).wrong == "");
  const auto file_sync = std::ranges::find_if(changes, [](const DiskChange& change) {
    return change.kind == DiskChange::Kind::sync && change.file.ends_with(".db");
  });
  const auto log_begun = std::find_if(file_sync, changes.end(), [](const DiskChange& change) {
    return change.kind == DiskChange::Kind::write && change.file.ends_with("-wal") &&
           change.offset == 0;
  });
  BOOST_TEST((log_begun != changes.end()));
  faulty_vfs::stop_recording();
}

BOOST_AUTO_TEST_CASE(leaves_a_store_whole_that_is_checkpointed) {
  // Each frame of the log is read when the store is opened.
  try_all(script_of_a_checkpoint(), torture_stride(37));
}

BOOST_AUTO_TEST_CASE(is_seen_to_lose_turns_where_nobody_is_told_of_it) {
  constexpr std::size_t stride = 5;
  Tally tally;
  try_each_call(script_of_everything(), {Call::write, SQLITE_OK, "unreported"}, true, stride,
                tally);
  print_torture("control: failing calls that nobody is told of", tally.figures,
                place_for_folders());
  BOOST_TEST(*tally.figures.lost > 0);
  BOOST_TEST(tally.wrong * 2 > tally.figures.tried);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace snl::test
