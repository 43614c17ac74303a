// db info, migrate, backup, restore, copy, check, compact

#include "cli/drawing/terminal_text.hpp"
#include "cli/reports/json_output.hpp"
#include "cli/session/next_step.hpp"
#include "cli/session/output_file.hpp"
#include "cli/session/rejection.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "domain/wording.hpp"
#include "storage/exchange/copying.hpp"
#include "storage/open_store.hpp"
#include "storage/transparency/log_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace snl::cli {
namespace {

void show_facts(const Session& session, OutputForm form) {
  const std::string path = session.shown_db();
  const StoreFacts facts = session.present_admin()->facts();
  if (form == OutputForm::json) {
    boost::json::object object{{"path", path},
                               {"schema_version", facts.schema_version},
                               {"latest_schema_version", facts.latest_schema_version},
                               {"games", facts.games},
                               {"commits", facts.commits},
                               {"bytes", facts.bytes}};
    if (!facts.notes.empty())
      object["notes"] = boost::json::array(facts.notes.begin(), facts.notes.end());
    return print_json(object);
  }
  print_line(fmt::format("store:   {}", printable(path)));
  print_line(fmt::format("schema:  version {} (this snl: {})", facts.schema_version,
                         facts.latest_schema_version));
  if (facts.games >= 0) {
    print_line(fmt::format("games:   {}", facts.games));
    print_line(fmt::format("commits: {}", facts.commits));
  }
  print_line(fmt::format("size:    {} bytes", facts.bytes));
  for (const std::string& note : facts.notes)
    print_line(fmt::format("note:    {}", printable(note)));
}

void migrate_store(const Session& session, OutputForm form) {
  const auto [before, after] = session.present_admin()->migrate();
  if (before != after) note_done("it is upgraded", snl_command({"db", "info"}));
  if (form == OutputForm::json) return print_json({{"from", before}, {"to", after}});
  print_line(before == after ? fmt::format("schema version {}: nothing to do", after)
                             : fmt::format("upgraded from schema version {} to {}", before, after));
}

void check_store(const Session& session, OutputForm form) {
  const auto problems = session.present_admin()->check();
  if (form == OutputForm::json)
    print_json({{"ok", problems.empty()}, {"problems", problems_json(problems)}});
  else if (problems.empty())
    print_line(fmt::format("ok: {}; {} proves the games in it",
                           is_file_location(session.db_path()) ? "the file is a sound database"
                                                               : "its tables agree with each other",
                           printable(snl_command({"audit"}))));
  for (const Problem& problem : problems)
    if (form == OutputForm::words)
      print_line(printable(fmt::format("{}: {}", problem.kind, problem.detail)));
  if (!problems.empty()) throw Failure(Exit::unsound, "");
}

// ---- Copies

/// Runs `work`. If it fails because of the store at `location`, the error advises commands on that
/// store, not on the one of --db.
template <class Work>
auto advising_on(const std::string& location, const Work& work) {
  try {
    return work();
  } catch (const StoreError& error) {
    const std::string shown = shown_location(location);
    if (std::string_view(error.what()).starts_with(fmt::format("store {}:", shown)))
      advise_store(shown);
    throw;
  }
}

/// The failure for a copy that isn't sound and was not put in place, with the first reason that
/// snl db copy doesn't put right, if there is one.
Failure not_copied(const std::string& from, const AuditReport& report) {
  const auto& problems = report.problems;
  const auto not_derived =
      std::ranges::find_if(problems, [](const Problem& one) { return one.kind != "derived"; });
  const Problem& first = not_derived == problems.end() ? problems.front() : *not_derived;
  const std::string where = first.game ? fmt::format("game {}: ", *first.game) : "";
  return {Exit::unsound,
          fmt::format("{}: it isn't sound, so nothing was written ({}{}); {}", from, where,
                      first.detail,
                      first.kind == "derived" ? "snl db copy makes a store in which that is right"
                                              : snl_command({"audit"}) + " tells more")};
}

std::string summary_of(const AuditReport& report) {
  return fmt::format("{}, {} in force", counted(report.games, "game"),
                     counted(report.turns, "turn"));
}

/// A store's logs, before a copy takes the store's place. Anybody who could write to the store
/// could forge all of them.
struct LogBefore {
  std::vector<transparency::StoredLog> logs;  // with checkpoints that their keys signed
  transparency::TreeSize copied = 0;  // how many of the commits that the last one signed the copy
                                      // can hold
  std::optional<Hash> root;           // over these, if the store's commits were the signed ones
};

/// Drops the checkpoints of a log that its key didn't sign.
void drop_forged(transparency::StoredLog& log) {
  const auto key = transparency::VerifierKey::parse(log.vkey);
  for (auto* one : {&log.last_signed, &log.published}) {
    if (!*one || (key && key->name == log.origin && (*one)->checkpoint.origin == log.origin &&
                  signed_by((*one)->note, *key) == transparency::Signed::yes))
      continue;
    warn(fmt::format(
        "the log {} gets no checkpoint of {} from the store as it was: its key didn't sign that",
        log.origin, counted(static_cast<std::int64_t>((*one)->checkpoint.size), "commit")));
    one->reset();
  }
}

/// The root of the first `copied` commits. None unless the store holds those that were signed,
/// which a store with damaged commits doesn't.
std::optional<Hash> root_of_copied(transparency::LogReader& store,
                                   const transparency::Checkpoint& last,
                                   transparency::TreeSize copied) {
  try {
    if (store.count_commits() < last.size || root_by_commits(store, last.size) != last.root)
      return std::nullopt;
    return root_by_commits(store, copied);
  } catch (const StoreError&) {
    return std::nullopt;
  }
}

/// None if the store has no log that signed something, or can't be read.
std::optional<LogBefore> log_before(const Session& session, const std::string& copy) {
  std::optional<LogBefore> before;
  try {
    if (!session.admin()->exists()) return before;
    const auto copied = static_cast<transparency::TreeSize>(
        std::max<std::int64_t>(admin_of_store(copy)->facts().commits, 0));
    session.admin()->read_log([&](transparency::LogReader& store) {
      before = {.logs = store.logs(), .copied = 0, .root = {}};
      std::ranges::for_each(before->logs, drop_forged);
      if (before->logs.empty() || !before->logs.back().last_signed) return before.reset();
      const auto& last = before->logs.back().last_signed->checkpoint;
      before->copied = std::min(copied, last.size);
      before->root = root_of_copied(store, last, before->copied);
    });
  } catch (const StoreError&) {
    before.reset();
  }
  return before;
}

transparency::TreeSize size_of(const std::optional<transparency::SignedCheckpoint>& checkpoint) {
  return checkpoint ? checkpoint->checkpoint.size : 0;
}

/// Puts logs, in their order, with their newer checkpoints into a copy that was made before them,
/// with the tree's nodes that they need. Logs that have ended stay so.
void put_newer_checkpoints(transparency::LogStore& store,
                           const std::vector<transparency::StoredLog>& before) {
  const auto logs = store.logs();
  const auto known = logs.empty() ? 0 : size_of(logs.back().last_signed);
  for (const transparency::StoredLog& newer : before) {
    const auto copied = std::ranges::find(logs, newer.origin, &transparency::StoredLog::origin);
    transparency::StoredLog log = copied == logs.end() ? newer : *copied;
    if (log.vkey != newer.vkey) continue;
    if (size_of(log.last_signed) < size_of(newer.last_signed)) log.last_signed = newer.last_signed;
    if (size_of(log.published) < size_of(newer.published)) log.published = newer.published;
    store.put_log(log);
  }
  extend_tree(store, known, store.size());
}

/// If the copy holds all that was signed, its log goes on from the newest checkpoints: people who
/// have seen those must not be shown older ones. Otherwise says where the log ends.
void go_on_or_warn(const Session& session, const LogBefore& before) {
  const transparency::StoredLog& log = before.logs.back();
  const transparency::Checkpoint& last = log.last_signed->checkpoint;
  const bool is_whole = before.copied == last.size;
  std::string held =
      fmt::format("only {}", counted(static_cast<std::int64_t>(before.copied), "commit"));
  bool goes_on = false;
  std::string of_copy;
  session.present_admin()->write_log([&](transparency::LogStore& store) {
    const Hash root = root_by_commits(store, before.copied);
    if (is_whole && root == last.root) {
      if (const auto copied = store.logs(); !copied.empty()) of_copy = copied.back().origin;
      put_newer_checkpoints(store, before.logs);
      const transparency::StoredLog now = store.logs().back();
      goes_on = now.origin == log.origin && now.vkey == log.vkey;
      held = fmt::format("another log after it, {}", now.origin);
    } else if (!is_whole && root == before.root) {
      held = fmt::format("the first {}, unchanged", before.copied);
    } else if (is_whole || before.root) {
      held = "others in their place";
    }
  });
  if (goes_on && !of_copy.empty() && of_copy != log.origin)
    warn(fmt::format(
        "the log is {}, as in the store before; that of the copy, {}, signs no more; if {} isn't "
        "yours, move the store away and restore the copy again",
        log.origin, of_copy, log.origin));
  if (goes_on) return;
  warn(fmt::format(
      "the log {} had signed {}; the copy holds {}: this key can sign no more; make a new key "
      "with another name (snl key new) to sign what there is",
      log.origin, counted(static_cast<std::int64_t>(last.size), "commit"), held));
}

struct Copying {
  std::string file;
  Occupied occupied = Occupied::refuse;
  OutputForm form = OutputForm::words;

  void back_up_store(const Session& session) const {
    const auto admin = session.present_admin();
    require_name();
    session.check_no_part_of_store(file);
    std::error_code error;
    if (occupied == Occupied::refuse && std::filesystem::is_regular_file(file, error))
      throw Failure(Exit::usage,
                    fmt::format("{}: it is there already; --force overwrites it", file));
    const BackupOptions options{.occupied = occupied, .unfinished = remove_when_interrupted};
    const AuditReport report =
        with_damage_as_unsound([&] { return admin->back_up(file, options); });
    if (!report.ok()) throw not_copied(session.shown_db(), report);
    const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(file));
    note_done(fmt::format("the copy {} is whole and in its place", file),
              snl_command_on(file, {"audit"}));
    if (form == OutputForm::json)
      return print_json({{"file", file},
                         {"games", report.games},
                         {"turns", report.turns},
                         {"bytes", bytes},
                         {"head", to_hex(report.head.value())}});
    if (const auto why = admin->doubt())
      warn(fmt::format("store {}: {}", session.shown_db(), *why));
    print_line(
        fmt::format("{}: a sound copy, {}, {} bytes", printable(file), summary_of(report), bytes));
    print_line(fmt::format("head: {}", to_hex(report.head.value())));
  }

  void restore_store(const Session& session) const {
    require_name();
    const std::string store = session.shown_db();
    const auto before = log_before(session, file);
    const AuditReport report = restored(session);
    if (!report.ok()) {
      advise_store(file);
      throw not_copied(file, report);
    }
    note_done("the store is restored", snl_command({"db", "info"}));
    if (before) go_on_or_warn(session, *before);
    if (form == OutputForm::json)
      return print_json({{"store", store},
                         {"games", report.games},
                         {"turns", report.turns},
                         {"head", to_hex(report.head.value())}});
    print_line(fmt::format("{}: restored, {}", printable(store), summary_of(report)));
    print_line(fmt::format("head: {}", to_hex(report.head.value())));
  }

 private:
  AuditReport restored(const Session& session) const {
    try {
      return with_damage_as_unsound([&] {
        return advising_on(file, [&] {
          return admin_of_store(session.db_path_to_create())->restore(file, occupied);
        });
      });
    } catch (const NotEmpty& error) {
      throw Failure(Exit::usage,
                    fmt::format("{}; --force replaces all that is in it", error.what()));
    }
  }

  void require_name() const {
    if (file.empty()) throw Failure(Exit::usage, "an empty value isn't a file; give its path");
    if (file == "-") throw Failure(Exit::usage, "-: a copy of a store is a file; give its path");
  }
};

struct StoreCopying {
  std::string from;
  std::string to;
  OutputForm form = OutputForm::words;

  void run(Session& /*session*/) const {
    advising_on(from, [&] { advising_on(to, [&] { copy(); }); });
  }

 private:
  void copy() const {
    for (const std::string& location : {from, to})
      if (location.empty())
        throw Failure(Exit::usage, "an empty value isn't a store; give its file or its database");
    const auto admin = admin_of_store(from);
    if (!admin->exists())
      throw Failure(Exit::failed, fmt::format("store {}: there is no such store; name another one",
                                              shown_location(from)));
    if (from == to || admin->owns(to) != StoreAdmin::Ownership::none)
      throw Failure(Exit::usage, fmt::format("{}: it is the store itself; name another one",
                                             shown_location(to)));
    const auto source = open_store(from, for_reading);
    const auto copied = copied_games(*source);
    std::int64_t hosted_games = 0;
    if (admin->facts().hosted_games > 0)
      hosted_games = successful(
          copy_hosted_games(*open_hosted_games(from, for_reading), *open_hosted_games(to)));
    note_done(fmt::format("every game is copied to {}", shown_location(to)),
              snl_command_on(to, {"audit"}));
    print(copied, hosted_games);
  }

  CopiedGames copied_games(StoreReader& source) const {
    const auto target = open_store(to, for_writing);
    try {
      return successful(copy_games(source, *target));
    } catch (const StoreError& error) {
      throw StoreError(error.cause(), fmt::format("{}; the games copied before stay, and the same "
                                                  "command goes on from there",
                                                  error.what()));
    }
  }

  template <class Copied>
  Copied successful(std::expected<Copied, NotCopied> copied) const {
    if (!copied) throw failure_from(copied.error());
    return *std::move(copied);
  }

  Failure failure_from(const NotCopied& why) const {
    if (why.cause == NotCopied::Cause::conflict)
      return {Exit::conflict,
              fmt::format("{}: it has another game {}, or one that has gone on (earlier games "
                          "were copied); copy to another store",
                          shown_location(to), why.game)};
    return {Exit::unsound,
            fmt::format("{}: game {} isn't sound ({}; what was copied before that stays); see {}",
                        shown_location(from), why.game, why.why,
                        snl_command_on(from, {"audit", why.game}))};
  }

  void print(const CopiedGames& copied, std::int64_t hosted_games) const {
    if (form == OutputForm::json)
      return print_json({{"from", shown_location(from)},
                         {"to", shown_location(to)},
                         {"games", copied.games},
                         {"commits", copied.commits},
                         {"rooms", hosted_games},
                         {"head", to_hex(copied.head)}});
    print_line(fmt::format("{}: it has {} of {} now, {} copied", printable(shown_location(to)),
                           counted(copied.games, "game"), printable(shown_location(from)),
                           counted(copied.commits, "command")));
    print_line(fmt::format("head of {}: {}", printable(shown_location(to)), to_hex(copied.head)));
  }
};

void add_store_copying(CLI::App& db, Session& session) {
  auto [command, copying] = add_command<StoreCopying>(
      db, session, "copy", "Copy every game of one store to another, heads unchanged");
  add_value(command, "FROM", copying.from, "FILE|DATABASE",
            "The store to copy: a file or a database")
      ->required();
  add_value(command, "TO", copying.to, "FILE|DATABASE",
            "The store to copy to; it is made if it isn't there")
      ->required();
  add_json_flag(command, copying.form);
}

void compact_store(const Session& session, OutputForm form) {
  const std::string path = session.shown_db();
  const auto admin = session.present_admin();
  const auto compacted = with_damage_as_unsound([&] { return admin->compact(); });
  if (!compacted)
    throw Failure(
        Exit::unsound,
        fmt::format("store {}: it isn't sound, so nothing was changed ({}); restore a copy", path,
                    compacted.error().front().detail));
  note_done("the store is compacted", snl_command({"db", "info"}));
  if (form == OutputForm::json)
    return print_json({{"path", path},
                       {"bytes_before", compacted->bytes_before},
                       {"bytes_after", compacted->bytes_after}});
  print_line(fmt::format("{} bytes before, {} bytes after", compacted->bytes_before,
                         compacted->bytes_after));
}

/// Adds `db backup` and `db restore`.
void add_copying(CLI::App& db, Session& session) {
  const auto add = [&](const char* name, const char* about, const char* forced, auto run) {
    auto* command = db.add_subcommand(name, about);
    auto copying = std::make_shared<Copying>();
    command->add_option("FILE", copying->file, "The copy")->required();
    add_force_flag(*command, copying->occupied, forced);
    add_json_flag(*command, copying->form);
    command->callback([copying, run, &session] { (*copying.*run)(session); });
  };
  add("backup", "Copy the store, audited, to a file; games can go on meanwhile",
      "Overwrite a file that exists", &Copying::back_up_store);
  add("restore", "Replace all that the store holds with an audited copy",
      "Replace a store that isn't empty", &Copying::restore_store);
}

}  // namespace

void add_db(CLI::App& app, Session& session) {
  auto* db = app.add_subcommand("db", "Look after the store");
  db->require_subcommand(1);
  auto form = std::make_shared<OutputForm>();
  const auto add = [&](const char* name, const char* about, auto run) {
    auto* command = db->add_subcommand(name, about);
    add_json_flag(*command, *form);
    command->callback([form, run, &session] { run(session, *form); });
  };
  add("info", "Say where the store is and what it holds", show_facts);
  add("migrate", "Upgrade the store to this program's schema", migrate_store);
  add_copying(*db, session);
  add_store_copying(*db, session);
  add("check", "Check the file as a database", check_store);
  add("compact", "Give unused space back to the disk", compact_store);
}

}  // namespace snl::cli
