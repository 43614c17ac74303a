// audit

#include "cli/drawing/terminal_text.hpp"
#include "cli/reports/json_output.hpp"
#include "cli/reports/log_report.hpp"
#include "cli/reports/referee_page.hpp"
#include "cli/session/failure.hpp"
#include "cli/session/next_step.hpp"
#include "cli/witness/cosigning.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "domain/wording.hpp"
#include "log_files.hpp"
#include "storage/ascii.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace snl::cli {
namespace {

std::string place_of(const Problem& problem) {
  std::string place = problem.game ? fmt::format("game {}", *problem.game) : "the store";
  if (problem.version) place += fmt::format(", version {}", *problem.version);
  return place;
}

void print_falls(std::string_view what, const DiceFalls& falls) {
  const auto p = falls.p_value();
  print_line(fmt::format("{}: {} thrown. {}", what, falls.dice(),
                         p ? verdict_on_dice(*p) : "Too few to say whether they are fair"));
}

/// Dice from seeds and dice that players typed in are tested apart, since either could hide the
/// other.
void print_fairness(const Fairness& fairness) {
  if (fairness.rolled.dice() == 0 || fairness.typed.dice() == 0)
    return print_falls("dice", fairness.all());
  print_falls("dice of seeds", fairness.rolled);
  print_falls("dice typed in", fairness.typed);
}

void print_report(const AuditReport& report, const std::string& what, bool is_whole_store) {
  if (report.ok())
    print_line(fmt::format("{} is sound: {}, {} in force.", what, counted(report.games, "game"),
                           counted(report.turns, "turn")));
  else
    print_line(fmt::format("{} is NOT SOUND: {}.", what,
                           counted(static_cast<std::int64_t>(report.problems.size()), "problem")));
  for (const Problem& problem : report.problems)
    print_line(
        printable(fmt::format("{}: {}: {}", place_of(problem), problem.kind, problem.detail)));
  if (!report.ok()) return;
  if (report.unproven_origins > 0)
    print_line(
        fmt::format("note: {} from a game that the store doesn't hold as it was then; only the "
                    "branch itself says where it begins",
                    counted(report.unproven_origins, "branch")));
  print_fairness(report.fairness);
  if (report.head) print_line(fmt::format("head: {}", to_hex(*report.head)));
  if (is_whole_store)
    for (const auto& [label, words] : lines_on_log(report.log))
      print_line(printable(fmt::format("{}: {}", lower_case(label), words)));
}

struct Audit {
  std::optional<std::string> game;
  bool all = false;
  std::string expect;
  std::vector<std::string> checkpoints;
  std::string policy;
  OutputForm form = OutputForm::words;

  void run(Session& session) const {
    std::optional<Hash> expected;
    if (!expect.empty()) {
      expected = hash_from_hex(lower_case(expect));
      if (!expected)
        throw Failure(
            Exit::usage,
            fmt::format("--expect {}: a head is 64 hex digits, as snl audit prints it", expect));
    }
    if (all && game) throw Failure(Exit::usage, "give a game, or --all, not both");
    if (game && (!checkpoints.empty() || !policy.empty()))
      throw Failure(Exit::usage,
                    fmt::format("{}: --checkpoint and --policy are for the whole store; leave out "
                                "the game",
                                *game));
    std::string what = game.value_or("");
    AuditReport report = audited(session, what);
    if (const auto why = session.admin()->doubt())
      warn(fmt::format("store {}: {}", session.shown_db(), *why));
    if (expected) expect_head(report, *expected, game ? std::optional(what) : std::nullopt);
    if (form == OutputForm::json) {
      boost::json::object object = audit_json(report);
      if (game && expected)
        object["kept_head_version"] =
            boost::json::value_from(kept_head(report, session, what, *expected).version);
      print_json(object);
    } else if (session.stdout_is_terminal()) {
      print(page_of(report, session, what, expected));
    } else {
      print_report(report, printable(game ? "Game " + what : "The store"), !game);
      if (game && expected && !report.ok())
        print_line(kept_head(report, session, what, *expected).words);
    }
    if (!report.ok()) throw Failure(Exit::unsound, "");
  }

 private:
  transparency::LogExpectations expectations() const {
    transparency::LogExpectations expected{.kept = {}, .policy = {}, .now = seconds_now()};
    for (const std::string& file : checkpoints)
      expected.kept.push_back(read_checkpoint(file));
    if (!policy.empty()) expected.policy = read_policy(policy);
    return expected;
  }

  /// It isn't looked for in a game that can't be read to the end.
  static KeptHead kept_head(const AuditReport& report, Session& session, const std::string& what,
                            const Hash& expected) {
    if (std::ranges::find(report.problems, "file", &Problem::kind) != report.problems.end())
      return {.version = {}, .words = "The head that you kept can't be looked for in it."};
    return find_kept_head(report, session.store_to_read(what), what, expected);
  }

  std::string page_of(const AuditReport& report, Session& session, const std::string& what,
                      const std::optional<Hash>& expected) const {
    const PageStyle style{.colour = session.use_color(),
                          .columns = std::clamp(session.columns(), 40, 80),
                          .snl = snl_command({})};
    const bool is_readable = report.problems.empty() || report.problems.front().kind != "file";
    if (!is_readable) return unsound_store_page(report, session.shown_db(), style);
    StoreReader& store = session.store_to_read(what);
    if (game) return game_referee_page(report, store, what, expected, style);
    return store_referee_page(report, store, session.shown_db(), expected, style);
  }

  AuditReport audited(Session& session, std::string& id) const {
    try {
      if (game) {
        StoreReader& store = session.store_to_read(*game);
        return in_read_transaction(store, [&](ReadTransaction& now) {
          id = session.resolve(now, *game);
          return audit_game(now, id).value();
        });
      }
      return session.present_admin()->audit(expectations());
    } catch (const StoreError& error) {
      if (!error.is_damage()) throw;
      AuditReport report;
      report.problems.push_back(
          {std::nullopt, std::nullopt, "file", on_advised_store(error.what())});
      return report;
    }
  }
};

}  // namespace

void add_audit(CLI::App& app, Session& session) {
  auto [command, options] = add_command<Audit>(
      app, session, "audit", "Prove that the log is whole: every command is decided again");
  command.add_option("GAME", options.game, "One game (default: --all)");
  command.add_flag("--all", options.all, "The whole store");
  add_value(command, "--expect", options.expect, "HEAD",
            "A head kept elsewhere: of the game, or with --all of the store");
  add_value(command, "--checkpoint", options.checkpoints, "FILE",
            "A checkpoint kept elsewhere: the store must go on from it");
  add_value(command, "--policy", options.policy, "FILE",
            "Keys that you trust: the log's, and witnesses that must have seen it");
  add_json_flag(command, options.form);
}

}  // namespace snl::cli
