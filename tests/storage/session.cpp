#include "session.hpp"

#include "storage/audit.hpp"
#include "storage/memory/memory_store.hpp"
#include "testbed.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <span>
#include <stdexcept>
#include <utility>

namespace snl::test {

using Access = SqliteStore::Access;

namespace {

void require(bool holds, const std::string& what) {
  if (!holds) throw std::logic_error(what);
}

// ---- The check of a store

/// The number of commits of a log that a session must have left.
struct Expected {
  const std::vector<Commit>& log;
  std::size_t least;
  std::size_t most;
};

std::string fault_of(const std::vector<Commit>& there, const Expected& expected) {
  if (there.size() < expected.least || there.size() > expected.most)
    return fmt::format("{} commits are there, expected {} to {}", there.size(), expected.least,
                       expected.most);
  if (!std::ranges::equal(there, std::span(expected.log).first(there.size())))
    return "what is there isn't what was done";
  return "";
}

/// The fault that is found in a store.
std::string alarm_of(SqliteStore& store) {
  if (const auto problems = store.check(); !problems.empty())
    return "db check: " + problems.front().detail;
  if (const auto report = audit_store(store); !report.ok())
    return "audit: " + report.problems.front().detail;
  return "";
}

/// Checks the contents of the store once nothing fails any more; notes faults in the trial. False
/// if there are any.
bool look(const std::string& path, const Expected& expected, Trial& trial) {
  // If the store couldn't be made before, it is made now.
  const auto store = SqliteStore::open(path, expected.least == 0 ? Access::write : Access::read);
  const auto there = all_commits(*store);
  trial.lost += expected.least - std::min(expected.least, there.size());
  const std::string fault = fault_of(there, expected);
  const std::string alarm = alarm_of(*store);
  trial.is_undetected = !fault.empty() && alarm.empty();
  trial.is_false_alarm = fault.empty() && !alarm.empty();
  trial.wrong = fault.empty() ? alarm : fault;
  return trial.wrong.empty();
}

bool blames_the_store(const StoreError& error) {
  return error.is_damage() || std::string_view(error.what()).contains("damaged");
}

/// The fault of an error's message.
std::string fault_of(const StoreError& error, const std::string& path) {
  const std::string what = error.what();
  if (!what.starts_with("store " + path + ": ")) return "doesn't name the store: " + what;
  if (what.find('\n') != std::string::npos) return "isn't one line: " + what;
  if (what.find("it can't be used") != std::string::npos) return "isn't clear: " + what;
  return "";
}

std::size_t open_files() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

// ---- Commands

std::unique_ptr<SqliteStore> open(const std::string& path, Access access) {
  return SqliteStore::open(path, access, {.busy_timeout = std::chrono::milliseconds{2}});
}

Step opening() {
  return {"open", 0, [](Session& session) { session.store = open(session.path, Access::write); }};
}

Step closing() {
  return {"close", 0, [](Session& session) {
            session.match.reset();
            session.store.reset();
          }};
}

/// Under a command ID, so that it is recorded once however often it is tried.
Step command(std::string_view name, const std::string& id, const Command& command) {
  return {name, 1, [=](Session& session) {
            const Clock clock = [] { return new_year; };
            if (!session.match) session.match = Match::load(*session.store, "apple", clock);
            require(session.match.has_value(), "the game isn't there");
            perform(*session.match, command, {.command_id = id});
          }};
}

Step starting() {
  return {"start", 1, [](Session& session) {
            const Clock clock = [] { return new_year; };
            auto match = Match::start(*session.store, "apple", start_of(), clock);
            if (!match && std::holds_alternative<GameIdTaken>(match.error())) return;
            require(match.has_value(), "the game can't be started");
            session.match.emplace(*std::move(match));
          }};
}

constexpr int bulk_turns = 40;

Step appending_in_bulk() {
  MemoryStore memory;
  Match match = start(memory, "bulk");
  for (int turn = 0; turn < bulk_turns; ++turn)
    perform(match, turn_of_next(match, {6, 6, 6}));
  std::vector<NewCommit> commits;
  for (const Commit& commit : commits_of(memory, "bulk"))
    commits.push_back({commit.time, commit.command, commit.events, commit.command_id});
  return {"append", commits.size(), [commits, after = match.state()](Session& session) {
            const auto appended = session.store->append("bulk", 0, commits, after);
            if (appended) return;
            const auto* conflict = std::get_if<VersionConflict>(&appended.error());
            require(conflict != nullptr && conflict->actual == bulk_turns + 1, "was refused");
          }};
}

Step starting_together() {
  return {"locked", 2, [](Session& session) {
            if (session.store->head("one")) return;  // recorded, though it failed
            together(*session.store, [&] {
              start(*session.store, "one");
              start(*session.store, "two");
            });
          }};
}

Step appending_wrongly() {
  return {"refused append", 0, [](Session& session) {
            const NewCommit commit{new_year, "{}", "[]", std::nullopt};
            const auto appended =
                session.store->append("apple", 99, std::span(&commit, 1), session.match->state());
            require(!appended && std::holds_alternative<VersionConflict>(appended.error()),
                    "an append with a wrong version wasn't refused");
          }};
}

Step listing() {
  return {"list", 0, [](Session& session) {
            using Ids = std::vector<std::string>;
            SqliteStore& store = *session.store;
            const Ids all{"two", "one", "bulk", "apple"};
            require(store.list({}, 10) == all, "list");
            require(store.list({.completed = false}, 10) == all, "list of games in progress");
            require(store.list({.player = "Ann", .before = "one"}, 10) == Ids{"bulk", "apple"},
                    "list of a player's games");
            require(store.games_after("bulk", 10) == Ids{"one", "two"}, "games after");
            require(store.games_with_prefix("b", 10) == Ids{"bulk"}, "games with prefix");
            require(store.newest_game(3) == "apple", "newest game");
          }};
}

Step reading() {
  return {"read", 0, [](Session& session) {
            SqliteStore& store = *session.store;
            const auto head = session.match->head();
            require(store.head("apple") == head, "head");
            const auto entry = store.list_entry("apple");
            require(entry && entry->players == session.match->state().setup->players, "list entry");
            require(Match::load(store, "apple")->state() == session.match->state(), "load");
            require(history_of(store, "apple").head == head, "history");
            require(store.commit("apple", 2)->command_id == "first", "commit");
            require(store.commit_with_id("apple", "first")->version == 2, "commit with ID");
            const auto commits = SqliteStore::facts(session.path).commits;
            require(std::cmp_equal(all_commits(store, 2).size(), commits - 1), "log");
          }};
}

/// SQLite's integrity check doesn't fail on an unreadable page, but reports it.
Step checking() {
  return {"check", 0, [](Session& session) {
            const auto problems = session.store->check();
            if (problems.empty()) return;
            require(problems.front().detail.find("unable to get the page") != std::string::npos,
                    "check: " + problems.front().detail);
            throw StoreError(StoreError::Cause::failed,
                             fmt::format("store {}: {}", session.path, problems.front().detail));
          }};
}

Step auditing() {
  return {"audit", 0, [](Session& session) {
            const AuditReport report = audit_store(*session.store);
            require(report.ok() && report.games == 4, "audit");
          }};
}

Step reading_beside_the_writer() {
  return {"open to read", 0, [](Session& session) {
            const auto reader = open(session.path, Access::read);
            require(reader->head("apple") == session.match->head(), "the reader's head");
            require(reader->list_entry("two").has_value(), "the reader's list entry");
          }};
}

Step reading_alone() {
  return {"open to read, alone", 0, [](Session& session) {
            const auto reader = open(session.path, Access::read);
            require(reader->games_after("", 10).size() == 4, "the reader's games");
          }};
}

}  // namespace

// ---- Scripts

namespace {

/// The script, with the log that it leaves when all goes well.
Script rehearsed(Script script) {
  const Folder folder;
  Session session{folder.file("store.db")};
  folder.fill(script.files);
  std::size_t commits = script.commits;
  for (const Step& step : script.steps) {
    step.run(session);
    commits += step.commits;
  }
  script.log = all_commits(*SqliteStore::open(session.path, Access::read));
  require(script.log.size() == commits, "the steps don't say what they record");
  return script;
}

}  // namespace

Script script_of_everything() {
  return rehearsed({.files = {},
                    .commits = 0,
                    .steps = {opening(),
                              starting(),
                              appending_wrongly(),
                              command("play", "first", PlayTurn{0, {2}}),
                              command("play", "second", PlayTurn{1, {6, 6, 6}}),
                              command("roll", "third", RollTurn{}),
                              command("undo", "fourth", UndoTurns{2}),
                              command("redo", "fifth", RedoTurns{1}),
                              command("play on", "sixth", PlayTurn{0, {6, 6, 6}}),
                              appending_in_bulk(),
                              starting_together(),
                              listing(),
                              reading(),
                              checking(),
                              auditing(),
                              reading_beside_the_writer(),
                              closing(),
                              reading_alone(),
                              opening(),
                              command("play again", "seventh", PlayTurn{1, {6, 6, 6}}),
                              closing()}});
}

Script script_of_a_checkpoint() {
  constexpr std::uintmax_t frame = 2048 + 24;
  constexpr std::uintmax_t nearly = 1995 * frame;  // a checkpoint is due after 2000
  Script script;
  {
    const Folder folder;
    const std::string path = folder.file("store.db");
    const auto store = SqliteStore::open(path, Access::write);
    Match match = start(*store, "apple");
    while (std::filesystem::file_size(path + "-wal") < nearly)
      perform(match, turn_of_next(match, {6, 6, 6}));
    if (match.state().position.next == 1) perform(match, turn_of_next(match, {6, 6, 6}));
    script.commits = static_cast<std::size_t>(match.head().version);
    script.files = folder.contents();
    script.files.erase("store.db-shm");
  }
  script.steps.push_back(opening());
  for (int turn = 0; turn < 6; ++turn)
    script.steps.push_back(command("play", fmt::format("turn {}", turn),
                                   PlayTurn{static_cast<Seat>(turn % 2), {6, 6, 6}}));
  script.steps.push_back(closing());
  return rehearsed(std::move(script));
}

// ---- Running them

namespace {

/// Runs a step; returns the error with which it failed.
std::optional<StoreError> attempt(const Step& step, Session& session) {
  try {
    step.run(session);
    return std::nullopt;
  } catch (const StoreError& error) {
    return error;
  }
}

/// A session during a fault, step by step.
class Attempt {
 public:
  Attempt(const std::string& path, const Script& script, const Trouble& trouble)
      : script_(script), trouble_(trouble), session_{path}, commits_(script.commits) {}

  Trial run() {
    const Step* at = nullptr;
    trouble_.begin();
    try {
      for (const Step& step : script_.steps) {
        at = &step;
        if (!take(step)) return failed_at(step.name);
        commits_ += step.commits;
        trial_.acknowledged += step.commits;
      }
      at = nullptr;
      trouble_.end();
      look(session_.path, {script_.log, commits_, commits_}, trial_);
    } catch (const StoreError& error) {
      // The fault has ended, so there is no reason to refuse the store.
      trial_.is_false_alarm = true;
      trial_.wrong = error.what();
    } catch (const std::exception& error) {
      trial_.is_undetected = true;  // a wrong answer that no command reported
      trial_.wrong = error.what();
    }
    return failed_at(at != nullptr ? at->name : "the end");
  }

 private:
  /// False if anything is wrong.
  bool take(const Step& step) {
    const auto error = attempt(step, session_);
    if (!error) return true;
    trial_.failed = true;
    for (int again = 1; again < trouble_.attempts; ++again)
      attempt(step, session_);
    trouble_.end();
    if (!look(session_.path, {script_.log, commits_, commits_ + step.commits}, trial_))
      return false;
    trial_.is_false_alarm = blames_the_store(*error);
    trial_.wrong = trial_.is_false_alarm ? error->what() : fault_of(*error, session_.path);
    if (!trial_.wrong.empty()) return false;
    step.run(session_);
    return true;
  }

  Trial failed_at(std::string_view place) {
    trouble_.end();
    if (!trial_.wrong.empty()) trial_.wrong = fmt::format("{}: {}", place, trial_.wrong);
    return trial_;
  }

  const Script& script_;
  const Trouble& trouble_;
  Session session_;
  std::size_t commits_;
  Trial trial_;
};

}  // namespace

Trial run(const Script& script, const Trouble& trouble) {
  const Folder folder;
  folder.fill(script.files);
  const std::size_t before = open_files();
  Trial trial = Attempt(folder.file("store.db"), script, trouble).run();
  if (trial.wrong.empty() && open_files() != before) trial.wrong = "a file stayed open";
  return trial;
}

void Tally::add(const Trial& trial) {
  ++figures.tried;
  if (trial.failed) ++failed;
  *figures.acknowledged += static_cast<std::int64_t>(trial.acknowledged);
  *figures.lost += static_cast<std::int64_t>(trial.lost);
  if (!trial.wrong.empty()) ++wrong;
  if (trial.is_undetected) ++*figures.undetected;
  if (trial.is_false_alarm) ++*figures.false_alarms;
}

void Tally::add(const Tally& more) {
  failed += more.failed;
  wrong += more.wrong;
  figures.tried += more.figures.tried;
  *figures.acknowledged += *more.figures.acknowledged;
  *figures.lost += *more.figures.lost;
  *figures.undetected += *more.figures.undetected;
  *figures.false_alarms += *more.figures.false_alarms;
}

}  // namespace snl::test
