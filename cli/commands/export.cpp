// export

#include "cli/exports/export_formats.hpp"
#include "cli/exports/proof_in_log.hpp"
#include "cli/playback/playback_view.hpp"
#include "cli/session/failure.hpp"
#include "cli/session/output.hpp"
#include "cli/session/output_file.hpp"
#include "cli/session/rejection.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "log_files.hpp"
#include "number_options.hpp"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>

namespace snl::cli {
namespace {

using transparency::LogProof;
using transparency::LogReader;

struct Export {
  std::optional<std::string> game;
  bool all = false;
  std::string format;
  std::string output = "-";
  ExportOptions options;
  std::string policy_file;
  Occupied occupied = Occupied::refuse;

  void run(Session& session) const {
    const ExportFormat& chosen = wanted();
    check_options(chosen);
    if (all) return write_all(session, chosen);
    StoreReader& store = session.store_to_read(*game);
    const std::string id = session.resolve(store, *game);
    OutputFile file(session, output, occupied);
    const auto write = [&] {
      chosen.write({.store = store,
                    .id = id,
                    .options = options,
                    .prove = [&](const Commit& head) { return prove(session, head); }},
                   [&](std::string_view part) { file.write(part); });
    };
    try {
      // An export of the whole log reports a damaged store as unsound.
      if (chosen.holds == ExportFormat::Holds::whole_log)
        with_damage_as_unsound(write);
      else
        write();
    } catch (const NotExportable& error) {
      throw Failure(Exit::usage, error.what());
    }
    file.commit();
  }

 private:
  /// The proof for a page, if there is one. With --policy there must be one that satisfies it.
  std::optional<ProofInLog> prove(Session& session, const Commit& head) const {
    const auto store = session.present_admin();
    if (policy_file.empty()) return proof_if_any(*store, head);
    const auto policy = read_policy(policy_file);
    auto proof = proof_in_log(*store, head, policy);
    if (!proof) store->read_log([&](LogReader& log) { throw not_published_yet(log, head); });
    std::ignore = require_policy(LogProof::parse(proof->proof).value().signed_checkpoint, policy);
    return proof;
  }

  static std::optional<ProofInLog> proof_if_any(StoreAdmin& store, const Commit& head) {
    try {
      return proof_in_log(store, head, std::nullopt);
    } catch (const std::runtime_error& error) {
      warn(fmt::format("warning: the page has no proof that it is in a log: {}", error.what()));
      return std::nullopt;
    }
  }

  /// The form that was named, else the one of the file's ending, else the usual one.
  const ExportFormat& wanted() const {
    if (!format.empty()) return *find_export_format(format);
    const ExportFormat* of_file = export_format_of_file(output);
    return of_file == nullptr ? export_formats().front() : *of_file;
  }

  void write_all(Session& session, const ExportFormat& chosen) const {
    StoreReader* store = session.store_to_read_if_any();
    if (store == nullptr) throw Failure(Exit::failed, session.no_store_yet());
    OutputFile file(session, output, occupied);
    chosen.write_all(*store, options, [&](std::string_view part) { file.write(part); });
    file.commit();
  }

  /// Refuses an option that the form has no use for.
  void check_options(const ExportFormat& chosen) const {
    if (!all && !game) throw Failure(Exit::usage, "give a game, or --all");
    if (all && game) throw Failure(Exit::usage, "give a game, or --all, not both");
    if (all && chosen.write_all == nullptr)
      throw Failure(Exit::usage, fmt::format("--all: the form {} holds one game; use -f csv for a "
                                             "table of all turns of all games",
                                             chosen.name));
    if (options.chances && chosen.takes != ExportFormat::Takes::chances)
      throw Failure(
          Exit::usage,
          fmt::format("--chances: the form {} has no column for them; use -f csv", chosen.name));
    if (!policy_file.empty() && chosen.name != "html")
      throw Failure(Exit::usage, fmt::format("--policy {}: the form {} carries no proof; use -f "
                                             "html, or snl prove",
                                             policy_file, chosen.name));
    if (options.at && chosen.takes != ExportFormat::Takes::turn)
      throw Failure(Exit::usage,
                    fmt::format("--at {}: the form {} holds every turn; -f svg draws one",
                                *options.at, chosen.name));
    if (options.of_a_recording() && chosen.takes != ExportFormat::Takes::recording)
      throw Failure(
          Exit::usage,
          fmt::format("--width, --height, --speed, --idle and --length are for recordings, and "
                      "the form {} isn't one; use -f cast",
                      chosen.name));
    check_not_read(output, {policy_file});
    check_range("--speed", options.speed, 0.01, 100);
    check_range("--idle", options.idle, 0.01, 3600);
    check_range("--length", options.length, 1, 86400);
    if (options.length && options.speed)
      throw Failure(Exit::usage, fmt::format("--length {} and --speed {} both say how fast it is; "
                                             "give one of them",
                                             *options.length, *options.speed));
  }

  /// A NaN is in no range.
  static void check_range(std::string_view name, std::optional<double> value, double low,
                          double high) {
    const bool is_in = !value || (*value >= low && *value <= high);
    if (!is_in)
      throw Failure(Exit::usage,
                    fmt::format("{} {}: it must be from {} to {}", name, *value, low, high));
  }
};

std::string footer() {
  std::string text;
  for (const ExportFormat& format : export_formats())
    text += fmt::format("  {:<7}{}\n", format.name, format.about);
  return text +
         R"(jsonl and html hold the whole log, and are written only if it is sound (4 if not). The
others show the turns as they are recorded: snl audit GAME proves these.
A csv file has a header, then turn, player, dice, rolled, from, landed, to, jump,
outcome and next of each turn (RFC 4180, UTF-8). With --all it has the turns of all games,
by ID: game comes first, and happened, in words, last. With --chances it has chance_before
and chance_after too, the mover's exact chance to win, or nothing where there is none. A
name that begins like a formula gets an apostrophe in front. If a spreadsheet turns dice
such as 6-3 into a date, import that column as text.)";
}

void add_recording_options(CLI::App& command, ExportOptions& options) {
  add_number(command, "--width", options.width, "Columns of a recording (default: 80)",
             smallest_screen.columns, 500);
  add_number(command, "--height", options.height, "Rows of a recording (default: 24)",
             smallest_screen.rows, 200);
  add_value(command, "--speed", options.speed, "X",
            "A recording's speed, as a multiple of the normal one (0.01 to 100)");
  add_value(command, "--idle", options.idle, "SECONDS",
            "The longest time that a recording stands still (0.01 to 3600)");
  add_value(command, "--length", options.length, "SECONDS",
            "How long a recording is, instead of --speed (1 to 86400)");
}

}  // namespace

void add_export(CLI::App& app, Session& session) {
  auto [command, options] = add_command<Export>(app, session, "export", "Write a game as a file");
  command.add_option("GAME", options.game, "An ID, a unique prefix, @ or @-N");
  command.add_flag("--all", options.all, "Every game of the store in one table; only as csv");
  add_word(command, "-f,--format", options.format, names_in(export_formats()), "FORMAT",
           "The form (default: by the ending of the file's name, else jsonl)");
  add_number(command, "--at", options.options.at,
             "The turn that the picture shows (default: the last)")
      ->type_name("TURN");
  command.add_flag("--chances", options.options.chances,
                   "In a table, the mover's chance to win before and after each turn, too");
  add_value(command, "--policy", options.policy_file, "FILE",
            "For a page: the policy that its proof must satisfy");
  add_recording_options(command, options.options);
  add_value(command, "-o,--output", options.output, "FILE", "The file (default: stdout)");
  add_force_flag(command, options.occupied);
  command.footer(footer());
}

}  // namespace snl::cli
