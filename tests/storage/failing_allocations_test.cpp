// Goal: when SQLite can't get memory, the command reports it or succeeds all the same. It returns
// no wrong answer and leaks nothing, the store stays whole, and the next attempt works.
//
// Method: SQLite's allocator fails the first allocation of a session, then the second, and so on,
// until a session ends before the failure. It fails either once, or from then on. SQLite's own
// pools (lookaside) are off, so that every allocation counts. At the stated size, the longer
// session tries every seventh (once) and every 29th (from then on). SNL_TORTURE=n in the
// environment tries n times as many; 29 tries all of them.
#include "session.hpp"
#include "testbed.hpp"
#include "torture.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace snl::test {
namespace {

/// SQLite's own allocator, with a fault.
struct Allocator {
  sqlite3_mem_methods below{};
  std::int64_t count = 0;  // allocations since the start of the fault
  std::int64_t nth = 0;    // the one that fails; 0: none
  bool lasting = false;    // every one after it fails too
  std::int64_t strikes = 0;
  std::int64_t outstanding = 0;  // allocations that weren't freed

  bool fails() {
    ++count;
    if (nth == 0 || count < nth || (count > nth && !lasting)) return false;
    ++strikes;
    return true;
  }
};

Allocator& allocator() {
  static Allocator allocator;
  return allocator;
}

void* allocate(int size) {
  if (allocator().fails()) return nullptr;
  void* memory = allocator().below.xMalloc(size);
  if (memory != nullptr) ++allocator().outstanding;
  return memory;
}

void release(void* memory) {
  if (memory != nullptr) --allocator().outstanding;
  allocator().below.xFree(memory);
}

void* reallocate(void* memory, int size) {
  return allocator().fails() ? nullptr : allocator().below.xRealloc(memory, size);
}

/// To be called before anything else uses SQLite.
struct Hooks {
  Hooks() {
    Allocator& here = allocator();
    bool done = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &here.below) == SQLITE_OK;
    sqlite3_mem_methods methods = here.below;
    methods.xMalloc = allocate;
    methods.xFree = release;
    methods.xRealloc = reallocate;
    done = done && sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) == SQLITE_OK;
    done = done && sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0) == SQLITE_OK;
    if (!done) throw std::logic_error("SQLite doesn't take another allocator");
  }
};

Tally try_allocations(const Script& script, bool lasting, std::int64_t stride) {
  Allocator& here = allocator();
  Tally tally;
  for (std::int64_t nth = 1;; nth += stride) {
    std::int64_t strikes = 0;
    const Trouble trouble{.begin =
                              [&] {
                                here.count = 0;
                                here.strikes = 0;
                                here.lasting = lasting;
                                here.nth = nth;
                              },
                          .end =
                              [&] {
                                if (here.nth != 0) strikes = here.strikes;
                                here.nth = 0;
                              },
                          .attempts = attempts_at(nth, lasting)};
    const std::int64_t outstanding = here.outstanding;
    Trial trial = run(script, trouble);
    if (strikes == 0) return tally;
    const std::int64_t leaked = here.outstanding - outstanding;
    if (leaked != 0) trial.wrong += fmt::format(" ({} allocations leaked)", leaked);
    tally.add(trial);
    if (trial.wrong.empty()) continue;
    BOOST_ERROR(fmt::format("allocation {} fails {}: {}", nth, lasting ? "from then on" : "once",
                            trial.wrong));
  }
}

void try_all(const Script& script) {
  Tally all;
  for (const bool lasting : {false, true}) {
    const auto stride = static_cast<std::int64_t>(torture_stride(lasting ? 29 : 7));
    const Tally tally = try_allocations(script, lasting, stride);
    fmt::print("allocations, {}: {} sessions, {} with a command that failed, {} wrong or leaking\n",
               lasting ? "from then on" : "once", tally.figures.tried, tally.failed, tally.wrong);
    BOOST_TEST(tally.failed > 0);
    BOOST_TEST(tally.wrong == 0);
    all.add(tally);
  }
  print_torture("failing allocations", all.figures, place_for_folders());
}

}  // namespace

BOOST_TEST_GLOBAL_FIXTURE(Hooks);

BOOST_AUTO_TEST_SUITE(an_allocation_that_fails)

BOOST_AUTO_TEST_CASE(leaves_a_store_whole_that_is_made_and_used) {
  try_all(script_of_everything());
}

BOOST_AUTO_TEST_CASE(leaves_a_store_whole_that_is_checkpointed) {
  try_all(script_of_a_checkpoint());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace snl::test
