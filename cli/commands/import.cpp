// import

#include "cli/session/input_file.hpp"
#include "cli/session/output.hpp"
#include "cli/session/rejection.hpp"
#include "commands.hpp"
#include "storage/exchange/byte_order_mark.hpp"
#include "storage/exchange/jsonl.hpp"
#include "storage/exchange/recording.hpp"
#include "storage/exchange/text_form.hpp"
#include "storage/start_game.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace snl::cli {
namespace {

/// A file that isn't an export is mostly seen by its first line; the next ones may be as long as a
/// commit can be.
constexpr std::size_t longest_first_line = std::size_t{64} << 10U;

struct Import {
  std::string file;
  bool dry_run = false;

  void run(Session& session) const {
    LineReader reader(file, longest_first_line);
    std::string first;
    std::size_t blank_lines = 0;
    while (auto line = reader.next()) {
      first = blank_lines == 0 ? std::string(without_byte_order_mark(*line)) : *std::move(line);
      reader.allow(longest_export_line);
      if (first.find_first_not_of(" \t\r") != std::string::npos) break;
      ++blank_lines;
    }
    if (first.starts_with('['))
      import_text(session, reader, blank_lines, first);
    else
      import_jsonl(session, reader, blank_lines, first);
  }

 private:
  void import_jsonl(Session& session, LineReader& lines, std::size_t blank_lines,
                    const std::string& first) const {
    JsonlReader reader;
    for (std::size_t i = 0; i < blank_lines; ++i)
      reader.add("");
    bool good = reader.add(first);
    while (good) {
      const auto line = lines.next();
      if (!line) break;
      good = reader.add(*line);
    }
    if (!good || !reader.finish())
      throw Failure(reader.fault()->malformed ? Exit::usage : Exit::unsound,
                    fmt::format("{}: {}; nothing was imported", file, reader.fault()->why));
    const auto recorded = dry_run
                              ? rehearse_together(session.store_to_read_if_any(), reader.games())
                              : record_together(session.store_to_create(), reader.games());
    if (!recorded) throw failure_from(recorded.error());
    for (const ImportedGame& game : reader.games())
      print_line(game.game);
  }

  static Failure conflict(const std::string& game) {
    return {Exit::conflict,
            fmt::format("another game {} is there already; nothing was imported", game)};
  }

  static Failure failure_from(const NotRecorded& refusal) {
    if (refusal.cause == NotRecorded::Cause::conflict) return conflict(refusal.game);
    return {Exit::unsound,
            fmt::format("game {}: {}; nothing was imported", refusal.game, refusal.why)};
  }

  void import_text(Session& session, LineReader& lines, std::size_t blank_lines,
                   const std::string& first) const {
    const GameText game = read_text(lines, blank_lines, first);
    const auto played = play(game, random_seed());
    if (!played) throw failure_from(played.error(), *game.setup);
    if (dry_run) return rehearse(session, game);
    EventStore& store = session.store_to_create();
    std::string id;
    do {
      id = game.id ? *game.id : new_id_prefix(store);
      if (store.append(id, 0, played->commits, played->state)) return print_line(id);
    } while (!game.id);  // somebody was quicker to take the one that was made up
    throw conflict(id);
  }

  GameText read_text(LineReader& lines, std::size_t blank_lines, const std::string& first) const {
    const auto require = [&](const auto& read) {
      if (!read)
        throw Failure(Exit::usage, fmt::format("{}: {}; nothing was imported", file, read.error()));
    };
    GameTextReader reader;
    for (std::size_t i = 0; i < blank_lines; ++i)
      require(reader.add(""));
    require(reader.add(first));
    while (const auto line = lines.next())
      require(reader.add(*line));
    auto game = reader.finish();
    require(game);
    return *std::move(game);
  }

  void rehearse(Session& session, const GameText& game) const {
    SqliteStore* store = session.store_to_read_if_any();
    if (game.id && store != nullptr && store->head(*game.id)) throw conflict(*game.id);
    print_line(game.id.value_or("(an ID is made up)"));
  }

  Failure failure_from(const RefusedTurn& refused, const GameSetup& setup) const {
    const auto told = [&](Exit code, const std::string& why) {
      return Failure(
          code, fmt::format("{}: line {}: {}; nothing was imported", file, refused.turn.line, why));
    };
    if (std::holds_alternative<UnknownPlayer>(refused.refusal))
      return told(Exit::usage, fmt::format("no player \"{}\"", refused.turn.turn.player));
    const Failure cause = cli::failure_from(refused.refusal, setup);
    return told(cause.code() == Exit::refused ? Exit::unsound : Exit::usage, cause.what());
  }
};

}  // namespace

void add_import(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand(
      "import", "Record the games of a file that snl export wrote, proven first");
  auto options = std::make_shared<Import>();
  command->add_option("FILE", options->file, "A jsonl or text file; - is stdin")->required();
  command->add_flag("--dry-run", options->dry_run, "Prove it, record nothing");
  command->callback([options, &session] { options->run(session); });
}

}  // namespace snl::cli
