// import

#include "cli/drawing/seen_names.hpp"
#include "cli/session/input_file.hpp"
#include "cli/session/next_step.hpp"
#include "cli/session/output.hpp"
#include "cli/session/rejection.hpp"
#include "commands.hpp"
#include "domain/wording.hpp"
#include "storage/exchange/blanks.hpp"
#include "storage/exchange/byte_order_mark.hpp"
#include "storage/exchange/jsonl.hpp"
#include "storage/exchange/recording.hpp"
#include "storage/exchange/text_form.hpp"
#include "storage/start_game.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <expected>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace snl::cli {
namespace {

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
      if (!without_outer_blanks(first).empty()) break;
      ++blank_lines;
    }
    const std::string_view beginning = without_outer_blanks(first);
    if (beginning.starts_with('[') || beginning.starts_with('#'))
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
      throw Failure(
          reader.fault()->malformed ? Exit::usage : Exit::unsound,
          fmt::format("{}: {}; nothing was imported{}", name_of_input(file), reader.fault()->why,
                      reader.fault()->malformed ? "" : "; ask for the file again"));
    const auto recorded = dry_run
                              ? rehearse_together(session.store_to_read_if_any(), reader.games())
                              : record_together(session.store_to_create(), reader.games());
    if (!recorded) throw failure_from(recorded.error());
    if (!dry_run) note_all_recorded();
    for (const TakenGame& game : *recorded) {
      print_line(game.game);
      if (game.before > 0) print_what_was_new(game);
    }
  }

  static void note_all_recorded() {
    note_done("the games of the file are recorded", snl_command({"list"}));
  }

  /// Says how much was new of a game that the store had already.
  void print_what_was_new(const TakenGame& game) const {
    flush();  // the ID comes first
    if (game.added() > 0)
      warn(fmt::format("game {}: {} {}new, after version {}", game.game,
                       counted(game.added(), "command"), dry_run ? "would be " : "", game.before));
    else if (game.before == game.version)
      warn(fmt::format("game {}: nothing new; it is there already", game.game));
    else
      warn(fmt::format("game {}: nothing new; it has gone on from version {} to {}", game.game,
                       game.version, game.before));
  }

  static Failure conflict(const std::string& game, const std::string& why) {
    return {
        Exit::conflict,
        fmt::format("game {}: {}; nothing was imported; give another store with --db", game, why)};
  }

  static Failure failure_from(const NotRecorded& refusal) {
    if (refusal.cause == NotRecorded::Cause::conflict) return conflict(refusal.game, refusal.why);
    return {Exit::unsound, fmt::format("game {}: {}; nothing was imported; ask for the file again",
                                       refusal.game, refusal.why)};
  }

  static constexpr const char* id_is_taken = "the store already has another game with this ID";
  struct GameOfText {
    std::optional<std::string> wanted_id;
    GameFromText game;
  };

  void import_text(Session& session, LineReader& lines, std::size_t blank_lines,
                   const std::string& first) const {
    const std::vector<GameOfText> games = read_games(lines, blank_lines, first);
    if (dry_run) return rehearse(session, games);
    EventStore& store = session.store_to_create();
    for (;;) {
      std::set<std::string> ids;
      for (const GameOfText& one : games)
        if (one.wanted_id) ids.insert(*one.wanted_id);
      std::vector<Append> appends;
      appends.reserve(games.size());
      for (const auto& [wanted_id, game] : games)
        appends.push_back({.game = wanted_id ? *wanted_id : new_id_beside(ids, store),
                           .expected = Version{0},
                           .commits = game.commits(),
                           .after = &game.state()});
      const auto recorded = store.append(appends);
      if (recorded) {
        note_all_recorded();
        for (const Append& append : appends)
          print_line(append.game);
        return;
      }
      // A made-up ID may have been taken meanwhile.
      const auto is_wanted = [&](const GameOfText& game) {
        return game.wanted_id == recorded.error().game;
      };
      if (std::ranges::any_of(games, is_wanted)) throw conflict(recorded.error().game, id_is_taken);
    }
  }

  /// Makes up an ID that is neither in the store nor among these, and adds it to them.
  static std::string new_id_beside(std::set<std::string>& ids, EventStore& store) {
    for (;;)
      if (const auto [id, is_new] = ids.insert(new_id_prefix(store)); is_new) return *id;
  }

  /// Reads the games of a text, and the IDs that it asks for. Plays each turn once it is read.
  std::vector<GameOfText> read_games(LineReader& lines, std::size_t blank_lines,
                                     const std::string& first) const {
    std::vector<GameOfText> games;
    std::set<std::string> ids;
    auto line = std::optional(first);
    for (std::size_t before = blank_lines; line;) {
      GameOfText game = read_game(lines, line, before);
      if (game.wanted_id && !ids.insert(*game.wanted_id).second)
        throw Failure(Exit::usage, fmt::format("{}: two games have the Id {}; nothing was imported",
                                               name_of_input(file), *game.wanted_id));
      games.push_back(std::move(game));
    }
    return games;
  }

  /// Reads the game that begins with `line`, after `lines_before` lines of the text. Afterwards
  /// both are those of the next game; without one, `line` is none.
  GameOfText read_game(LineReader& lines, std::optional<std::string>& line,
                       std::size_t& lines_before) const {
    GameTextReader reader(lines_before);
    std::optional<GameFromText> game;
    for (; line && !reader.ends_before(*line); line = lines.next()) {
      const auto turn = readable(reader.add(*line));
      if (!turn) continue;
      if (!game) game.emplace(*readable(reader.game()).setup, random_seed());
      if (const auto played = game->play(turn->turn); !played)
        throw refused(*turn, played.error(), *game->state().setup);
    }
    lines_before = reader.lines();
    const GameText headers = readable(reader.game());
    if (!game) game.emplace(*headers.setup, random_seed());
    for (const std::string& header : reader.unknown_headers())
      warn(fmt::format("{}: {}; it is left out", name_of_input(file), header));
    // `new` refuses such players, but older versions have exported games with them. So this only
    // warns.
    for (const std::string& fault : faults_of_looks(headers.setup->players))
      warn(fmt::format("{}: {}", name_of_input(file), fault));
    return {headers.id, *std::move(game)};
  }

  template <typename Value>
  Value readable(std::expected<Value, std::string> read) const {
    if (!read)
      throw Failure(Exit::usage,
                    fmt::format("{}: {}; nothing was imported", name_of_input(file), read.error()));
    return *std::move(read);
  }

  Failure refused(const GameText::Turn& turn, const Refusal& refusal,
                  const GameSetup& setup) const {
    const auto failure_with = [&](Exit code, const std::string& why) {
      return Failure(code, fmt::format("{}: line {}: {}; nothing was imported; correct the line",
                                       name_of_input(file), turn.line, why));
    };
    if (std::holds_alternative<UnknownPlayer>(refusal))
      return failure_with(Exit::usage, fmt::format("no player \"{}\"", turn.turn.player));
    const Failure cause = cli::failure_from(refusal, setup);
    return failure_with(cause.code() == Exit::refused ? Exit::unsound : Exit::usage, cause.what());
  }

  static void rehearse(Session& session, const std::vector<GameOfText>& games) {
    StoreReader* store = session.store_to_read_if_any();
    for (const auto& [wanted_id, game] : games)
      if (wanted_id && store != nullptr && store->head(*wanted_id))
        throw conflict(*wanted_id, id_is_taken);
    for (const auto& [wanted_id, game] : games)
      print_line(wanted_id.value_or("(an ID is made up)"));
  }
};

}  // namespace

void add_import(CLI::App& app, Session& session) {
  auto [command, options] = add_command<Import>(
      app, session, "import", "Record the games of a file that snl export wrote, proven first");
  command.add_option("FILE", options.file, "A jsonl or text file; - is stdin")->required();
  command.add_flag("--dry-run", options.dry_run, "Prove it, record nothing");
  command.footer(
      R"(If a game is there already, the commands that the file has beyond it are recorded; stderr says how
many were new. A log that doesn't go on from the one in the store is refused (5), with the version
at which they part.)");
}

}  // namespace snl::cli
