// import

#include "cli/session/input_file.hpp"
#include "cli/session/output.hpp"
#include "cli/session/rejection.hpp"
#include "commands.hpp"
#include "storage/audit.hpp"
#include "storage/exchange/jsonl.hpp"
#include "storage/exchange/text_form.hpp"
#include "storage/memory/memory_store.hpp"
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

// Far more than a game needs: a commit on a board of a million cells that are all jumps is 40 MB
// long, a text of a hundred thousand turns 1 MB.
constexpr std::size_t longest_line = std::size_t{64} << 20U;
constexpr std::size_t largest_text = std::size_t{16} << 20U;

/// Some editors put it before a text.
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

struct Import {
  std::string file;
  bool dry_run = false;

  void run(Session& session) const {
    LineReader reader(file, longest_line);
    std::string first;
    std::size_t blank_lines = 0;
    while (auto line = reader.next()) {
      first = *std::move(line);
      if (blank_lines == 0 && first.starts_with(byte_order_mark))
        first.erase(0, byte_order_mark.size());
      if (first.find_first_not_of(" \t\r") != std::string::npos) break;
      ++blank_lines;
    }
    if (first.starts_with('['))
      import_text(session, reader, std::string(blank_lines, '\n') + first);
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
    if (!dry_run) {
      EventStore& store = session.store_to_create();
      store.atomically([&] {
        for (const ImportedGame& game : reader.games())
          record_or_fail(store, game);
        for (const ImportedGame& game : reader.games())
          require_origin(store, game);
      });
    } else {
      rehearse(session, reader.games());
    }
    for (const ImportedGame& game : reader.games())
      print_line(game.game);
  }

  /// What recording them would say, without recording them.
  static void rehearse(Session& session, const std::vector<ImportedGame>& games) {
    SqliteStore* store = session.store_to_read_if_any();
    MemoryStore rehearsal;
    for (const ImportedGame& game : games) {
      const auto head = store == nullptr ? std::nullopt : store->head(game.game);
      if (head && *head != game.head) throw conflict(game.game);
      record_or_fail(rehearsal, game);
    }
    for (const ImportedGame& game : games) {
      require_origin(rehearsal, game);
      if (store != nullptr) require_origin(*store, game);
    }
  }

  static Failure conflict(const std::string& game) {
    return {Exit::conflict,
            fmt::format("another game {} is there already; nothing was imported", game)};
  }

  static void record_or_fail(EventStore& store, const ImportedGame& game) {
    if (record(store, game) == ImportOutcome::conflict) throw conflict(game.game);
  }

  /// Of a branch, once all that the file holds is there.
  static void require_origin(EventStore& store, const ImportedGame& game) {
    const GameSetup& setup = *game.state.setup;
    if (const auto fault = setup.origin ? fault_of_origin(store, setup) : std::nullopt)
      throw Failure(Exit::unsound,
                    fmt::format("game {}: {}; nothing was imported", game.game, *fault));
  }

  void import_text(Session& session, LineReader& lines, std::string text) const {
    while (const auto line = lines.next()) {
      text += '\n';
      text += *line;
      if (text.size() > largest_text)
        throw Failure(Exit::usage,
                      fmt::format("{}: it is larger than {} bytes", file, largest_text));
    }
    const auto game = parse_game_text(text);
    if (!game)
      throw Failure(Exit::usage, fmt::format("{}: {}; nothing was imported", file, game.error()));
    MemoryStore rehearsal;
    play(rehearsal, *game, "rehearsal");
    if (dry_run) return rehearse(session, *game);
    EventStore& store = session.store_to_create();
    std::string id;
    store.atomically([&] { id = play(store, *game, game->id.value_or("")); });
    print_line(id);
  }

  void rehearse(Session& session, const GameText& game) const {
    SqliteStore* store = session.store_to_read_if_any();
    if (game.id && store != nullptr && store->head(*game.id)) throw conflict(*game.id);
    print_line(game.id.value_or("(an ID is made up)"));
  }

  /// Plays a text's game into a store; answers its ID.
  std::string play(EventStore& store, const GameText& game, const std::string& id) const {
    GameSetup setup = *game.setup;
    setup.seed = random_seed();
    auto started = start_game(store, id, StartGame{std::make_shared<GameSetup>(std::move(setup))});
    if (!started) throw failure_from(started.error(), *game.setup, id);
    Match& match = *started;
    for (const auto& [line, turn] : game.turns) {
      const Seat seat = seat_of(*match.state().setup, turn.player);
      const auto played =
          match.execute(PlayTurn{seat, Dice(std::span(turn.dice))},
                        {.expected_version = std::nullopt, .command_id = turn.command_id});
      if (played) continue;
      if (seat == unknown_seat)
        throw Failure(Exit::usage,
                      fmt::format("{}: line {}: no player \"{}\"; nothing was imported", file, line,
                                  turn.player));
      const Failure cause = failure_from(played.error(), *match.state().setup, match.id());
      const Exit code = cause.code() == Exit::refused ? Exit::unsound : Exit::usage;
      throw Failure(code,
                    fmt::format("{}: line {}: {}; nothing was imported", file, line, cause.what()));
    }
    return match.id();
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
