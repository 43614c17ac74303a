// Goal: for a change of any byte of a store's files, an audit reports it, or the store still means
// the same. Nothing crashes, hangs or takes much memory.
//
// Method: each byte of a small store is flipped, one at a time, and restored. The test takes the
// steps of `snl audit --all` each time: open, check, audit. Where the result is ok, everything that
// can be read of the store is compared with the original. Otherwise, each game that passes an audit
// of its own is compared. This runs in a separate process under supervision.
//
// The file is tried with pages of 512 bytes, where little is empty and everything spans pages, and
// with snl's own pages of 2048. SQLite keeps the part of a write-ahead log before the first
// incomplete frame. So a flipped byte there may cut off the last turns, as a power loss before
// their sync would. The rest must be the log up to some turn, and a head that was kept elsewhere
// must show the loss.
//
// At the stated size, each byte of the small pages and every sixteenth byte of the other files is
// flipped in one of nine ways: all bits, or one of the eight. Its position selects the way.
// SNL_TORTURE=n in the environment tries n times as many bytes, and n of the ways; 9 tries
// everything.
#include "storage/audit.hpp"
#include "storage/exchange/jsonl.hpp"
#include "storage/sqlite/sqlite_store.hpp"
#include "testbed.hpp"
#include "torture.hpp"

#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace snl::test {
namespace {

using Access = SqliteStore::Access;

constexpr std::array<unsigned, 9> ways{0xFF, 0x01, 0x80, 0x10, 0x02, 0x40, 0x04, 0x20, 0x08};

// ---- The meaning of a store

/// Everything that can be read through the port.
struct Meaning {
  std::vector<Commit> log;
  std::string games;  // exports, heads, summaries and lists
  friend bool operator==(const Meaning&, const Meaning&) = default;
};

std::string lines_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines)
    text += line + '\n';
  return text + '\n';
}

Meaning meaning_of(EventStore& store) {
  Meaning meaning{.log = all_commits(store), .games = ""};
  ListFilter all;
  for (auto page = store.list(all, 2); !page.empty(); page = store.list(all, 2)) {
    meaning.games += lines_of(page);
    all.before = page.back();
  }
  meaning.games += lines_of(store.list({.completed = true}, page_size));
  meaning.games += lines_of(store.list({.completed = false}, page_size));
  meaning.games += lines_of(store.list({.player = "Ann"}, page_size));
  meaning.games += lines_of(store.games_with_prefix("b", page_size));
  meaning.games += store.newest_game(1).value_or("none") + '\n';
  for (const std::string& game : store.games_after("", page_size)) {
    const auto head = store.head(game);
    const auto entry = store.list_entry(game).value_or(ListEntry{});
    meaning.games += fmt::format("{} {} {} {} {} {}\n", game, head->version, to_hex(head->hash),
                                 entry.created, entry.completed, fmt::join(entry.players, ","));
    export_jsonl(store, game, *head, [&](std::string_view line) { meaning.games += line; });
    for (const Commit& commit : commits_of(store, game))
      if (commit.command_id && store.commit_with_id(game, *commit.command_id) != commit)
        meaning.games += "a commit isn't found by its command ID\n";
  }
  return meaning;
}

/// Reads a damaged store. A read may report the damage at any point, and must end.
void read_as_far_as_it_goes(EventStore& store) {
  try {
    meaning_of(store);
  } catch (const StoreError& error) {
    if (!error.is_damage()) throw;
  }
}

/// A closed store: the bytes of its files by name, its meaning, and its head.
struct SoundStore {
  std::map<std::string, std::string> files;
  Meaning meaning;
  std::map<std::string, std::vector<Commit>> games;
  Hash head{};
};

/// True if it is the original log, or that log without its last commits. If the index of a game
/// doesn't lead to them, an audit of that game alone can't notice. An audit of all games does.
bool is_or_begins(std::span<const Commit> found, std::span<const Commit> log) {
  return !found.empty() && found.size() <= log.size() &&
         std::ranges::equal(found, log.first(found.size()));
}

/// A game that passes an audit of its own, though it has changed; empty if there is none.
std::string game_wrongly_called_sound(EventStore& store, const SoundStore& sound) {
  for (const auto& [game, commits] : sound.games) {
    try {
      const auto report = audit_game(store, game);
      if (report && report->ok() && !is_or_begins(commits_of(store, game), commits)) return game;
    } catch (const StoreError& error) {
      if (!error.is_damage()) throw;
    }
  }
  return "";
}

// ---- The result of an audit

enum class Verdict : std::uint8_t {
  told,       // it isn't sound or can't be opened, because of damage or another version
  unchanged,  // it is sound, and its meaning is unchanged
  shorter,    // it is sound without the last turns, and its head is another one
  wrong,      // anything else
};

struct Answer {
  Verdict verdict;
  std::string why;  // of a wrong one
};

/// The steps of `snl audit --all`, and a comparison with the sound store where the result is ok.
Answer answer_for(const std::string& path, const SoundStore& sound) {
  try {
    const auto store = SqliteStore::open(path, Access::read);
    const bool is_sound_file = store->check().empty();
    const AuditReport report = audit_store(*store);
    if (!is_sound_file || !report.ok()) {
      read_as_far_as_it_goes(*store);
      const std::string game = game_wrongly_called_sound(*store, sound);
      return {game.empty() ? Verdict::told : Verdict::wrong, "game " + game + " is called sound"};
    }
    const Meaning meaning = meaning_of(*store);
    if (meaning == sound.meaning && report.head == sound.head) return {Verdict::unchanged, ""};
    const bool is_shorter =
        meaning.log.size() < sound.meaning.log.size() &&
        std::ranges::equal(meaning.log, std::span(sound.meaning.log).first(meaning.log.size()));
    if (is_shorter && report.head != sound.head) return {Verdict::shorter, ""};
    return {Verdict::wrong, "it is called sound, and means something else"};
  } catch (const StoreError& error) {
    const bool is_told = error.is_damage() || error.cause() == StoreError::Cause::other_version;
    return {is_told ? Verdict::told : Verdict::wrong, error.what()};
  } catch (const std::exception& error) {
    return {Verdict::wrong, error.what()};
  }
}

/// Like answer_for, for a reader of the store who doesn't audit it.
Answer answer_without_audit(const std::string& path, const SoundStore& sound) {
  try {
    const bool is_as_it_was = meaning_of(*SqliteStore::open(path, Access::read)) == sound.meaning;
    return {is_as_it_was ? Verdict::unchanged : Verdict::wrong, "nobody says a word"};
  } catch (const std::exception& error) {
    return {Verdict::told, error.what()};
  }
}

// ---- Flipping, in a supervised process

/// The progress of a process, in memory that it shares with its supervisor.
struct Progress {
  std::atomic<std::size_t> next{0};  // the current flip
  std::atomic<std::int64_t> told{0};
  std::atomic<std::int64_t> unchanged{0};
  std::atomic<std::int64_t> shorter{0};
  std::atomic<std::int64_t> wrong{0};
  std::int64_t tried() const { return told + unchanged + shorter + wrong; }
};

class SharedProgress {
 public:
  SharedProgress()
      : memory_(mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                     -1, 0)) {
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    progress_ = new (memory_) Progress;
  }
  ~SharedProgress() { munmap(memory_, sizeof(Progress)); }
  SharedProgress(const SharedProgress&) = delete;
  SharedProgress& operator=(const SharedProgress&) = delete;
  SharedProgress(SharedProgress&&) = delete;
  SharedProgress& operator=(SharedProgress&&) = delete;
  Progress& operator*() const { return *progress_; }
  Progress* operator->() const { return progress_; }

 private:
  void* memory_;
  Progress* progress_;
};

using Answering = Answer (*)(const std::string& path, const SoundStore& sound);

/// The bytes of one file of a store, each flipped in the ways that this run tries.
class Flips {
 public:
  Flips(const SoundStore& store, std::string file, std::size_t stride, Answering answer)
      : answer_(answer),
        store_(store),
        file_(std::move(file)),
        stride_(torture_stride(stride)),
        ways_(std::min(torture_factor(), ways.size())) {}

  /// Tries all of them. A wrong result, a crash or a hang of an audit is an error.
  const Progress& run() {
    while (progress_->next < count()) {
      const std::size_t begun_at = progress_->next;
      const int status = watch(begin_child([&] { return try_from(begun_at); }));
      if (status == 0) break;
      ++progress_->wrong;
      BOOST_ERROR(fmt::format("{}: {}", name(progress_->next),
                              status == 128 + SIGKILL
                                  ? "an audit hangs"
                                  : fmt::format("an audit ends with {}", status)));
      ++progress_->next;
    }
    return *progress_;
  }

  std::size_t count() const {
    return (store_.files.at(file_).size() + stride_ - 1) / stride_ * ways_;
  }

 private:
  std::string name(std::size_t flip) const {
    return fmt::format("{}, byte {} ^ {:#04x}", file_, place(flip), way(flip));
  }
  std::size_t place(std::size_t flip) const { return flip / ways_ * stride_; }
  unsigned way(std::size_t flip) const { return ways[(place(flip) + flip % ways_) % ways.size()]; }

  int try_from(std::size_t flip) {
    const Folder folder;
    for (; flip < count(); ++flip) {
      progress_->next = flip;
      for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        std::filesystem::remove(entry.path());
      for (const auto& [name, bytes] : store_.files)
        write_file(folder.file(name), bytes);
      std::string flipped = store_.files.at(file_);
      char& byte = flipped[place(flip)];
      byte = static_cast<char>(static_cast<unsigned char>(byte) ^ way(flip));
      write_file(folder.file(file_), flipped);
      const Answer answer = answer_(folder.file("store.db"), store_);
      switch (answer.verdict) {
        case Verdict::told:
          ++progress_->told;
          break;
        case Verdict::unchanged:
          ++progress_->unchanged;
          break;
        case Verdict::shorter:
          ++progress_->shorter;
          break;
        case Verdict::wrong:
          ++progress_->wrong;
          std::cerr << name(flip) << ": " << answer.why << std::endl;
      }
    }
    progress_->next = count();
    return 0;
  }

  /// Returns the exit status of the process; kills it if it takes too long for one flip.
  int watch(pid_t child) const {
    using Time = std::chrono::steady_clock;
    std::size_t at = progress_->next;
    Time::time_point since = Time::now();
    while (true) {
      siginfo_t ended{};
      waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT);
      if (ended.si_pid == child) return end_of_child(child);
      if (const std::size_t now = progress_->next; now != at) {
        at = now;
        since = Time::now();
      }
      if (Time::now() - since > timeout) kill(child, SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds{20});
    }
  }

  Answering answer_;
  const SoundStore& store_;
  std::string file_;
  std::size_t stride_;  // the distance between bytes that are tried
  std::size_t ways_;    // in which each byte is flipped
  SharedProgress progress_;
};

/// Prints and checks the results for a file; returns how many flips cut off turns.
std::int64_t check_flips(const SoundStore& store, const std::string& file, std::size_t stride,
                         std::string_view fault) {
  Flips flips(store, file, stride, answer_for);
  const Progress& done = flips.run();
  fmt::print("{}: {} of {} bytes: {} told, {} without a meaning, {} that cut off turns\n", fault,
             done.tried(), store.files.at(file).size(), done.told.load(), done.unchanged.load(),
             done.shorter.load());
  print_torture(fault, {.tried = done.tried(), .undetected = done.wrong}, place_for_folders());
  BOOST_TEST(static_cast<std::size_t>(done.tried()) == flips.count());
  BOOST_TEST(done.wrong == 0);
  return done.shorter;
}

// ---- Stores

SoundStore sound_store(std::map<std::string, std::string> files) {
  const Folder folder;
  for (const auto& [name, bytes] : files)
    write_file(folder.file(name), bytes);
  const auto store = SqliteStore::open(folder.file("store.db"), Access::read);
  SoundStore sound{.files = std::move(files),
                   .meaning = meaning_of(*store),
                   .games = {},
                   .head = audit_store(*store).head.value()};
  for (const Commit& commit : sound.meaning.log)
    sound.games[commit.game].push_back(commit);
  return sound;
}

/// A closed store of three games. snl closes it first; then this SQL runs on it.
SoundStore closed_store(const std::string& sql) {
  const Folder folder;
  record_orchard(*SqliteStore::open(folder.file("store.db"), Access::write));
  PlainDatabase(folder.file("store.db")).execute(sql);
  return sound_store(folder.contents());
}

/// With its last turns in a write-ahead log, as a killed process leaves it.
SoundStore store_with_a_log() {
  const Folder folder;
  record_orchard(*SqliteStore::open(folder.file("store.db"), Access::write));
  const auto store = SqliteStore::open(folder.file("store.db"), Access::write);
  Match match = Match::load(*store, "berry", ticking_clock()).value();
  for (int turn = 0; turn < 2; ++turn)
    perform(match, RollTurn{});
  auto files = folder.contents();
  files.erase("store.db-shm");
  return sound_store(std::move(files));
}

std::int64_t peak_memory_of_children_kib() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return usage.ru_maxrss;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(a_flipped_byte)

BOOST_AUTO_TEST_CASE(of_a_store_of_small_pages_is_told_or_means_nothing) {
  const auto store = closed_store("PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM");
  BOOST_TEST(check_flips(store, "store.db", 1, "a byte flipped") == 0);
}

BOOST_AUTO_TEST_CASE(of_a_store_is_told_or_means_nothing) {
  BOOST_TEST(check_flips(closed_store(""), "store.db", 16, "a byte flipped") == 0);
}

BOOST_AUTO_TEST_CASE(of_a_write_ahead_log_cuts_off_turns_which_a_kept_head_shows) {
  BOOST_TEST(check_flips(store_with_a_log(), "store.db-wal", 16,
                         "a byte of the write-ahead log flipped") > 0);
}

BOOST_AUTO_TEST_CASE(is_seen_to_go_unnoticed_by_who_only_reads) {
  const auto store = closed_store("PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM");
  Flips flips(store, "store.db", 8, answer_without_audit);
  const Progress& done = flips.run();
  print_torture("control: a byte flipped, and no audit",
                {.tried = done.tried(), .undetected = done.wrong}, place_for_folders());
  BOOST_TEST(done.wrong > 0);
}

BOOST_AUTO_TEST_CASE(takes_no_memory_that_a_length_in_the_file_asks_for) {
  constexpr std::int64_t bound_kib = 1024 * 1024;  // the sanitizers need much memory themselves
  BOOST_TEST(peak_memory_of_children_kib() < bound_kib);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace snl::test
