// export, import

#include "cli/chances.hpp"
#include "cli/drawing/board_svg.hpp"
#include "cli/drawing/position_svg.hpp"
#include "cli/page/game_page.hpp"
#include "cli/playback/cast.hpp"
#include "cli/playback/reel.hpp"
#include "cli/playback/view.hpp"
#include "cli/reports/csv.hpp"
#include "cli/session/files.hpp"
#include "cli/session/start_game.hpp"
#include "commands.hpp"
#include "number_options.hpp"
#include "storage/exchange/byte_order_mark.hpp"
#include "storage/exchange/jsonl.hpp"
#include "storage/exchange/recording.hpp"
#include "storage/exchange/text_form.hpp"

#include <fmt/format.h>

namespace snl::cli {
namespace {

using Sink = std::function<void(std::string_view)>;

// ---- export

struct Export {
  std::string game;
  std::string format = "jsonl";
  std::string output = "-";
  std::optional<Turn> at;
  std::optional<int> width;
  std::optional<int> height;
  std::optional<double> speed;
  bool force = false;

  void run(Session& session) const {
    check_options();
    EventStore& store = session.store_to_read(game);
    const std::string id = session.resolve(store, game);
    if (format == "text") return write_text(session, store, id);
    if (format == "cast") return write_cast(session, store, id);
    if (format == "csv") return write_csv(session, store, id);
    if (format == "svg") return write_svg(session, store, id);
    if (format == "html") return write_page(session, store, id);
    const Head head = store.head(id).value_or(Head{});
    if (head.version == 0)
      throw Failure(Exit::unsound, fmt::format("game {} has no commits; see snl audit {}", id, id));
    write_file(session, output, force, [&](const Sink& sink) {
      told_as_unsound([&] {
        export_jsonl(store, id, head, [&](std::string_view line) {
          sink(line);
          sink("\n");
        });
      });
    });
  }

 private:
  /// An option that the format has no use for is a mistake.
  void check_options() const {
    constexpr double slowest = 0.01;
    constexpr double fastest = 100;
    if (at && format != "svg")
      throw Failure(
          Exit::usage,
          fmt::format("--at {}: a {} file holds every turn; -f svg draws one", *at, format));
    if ((width || height || speed) && format != "cast")
      throw Failure(Exit::usage,
                    fmt::format("--width, --height and --speed are of a recording: a {} "
                                "file has none; see -f cast",
                                format));
    const auto in_range = [](double x) { return x >= slowest && x <= fastest; };
    if (speed && !in_range(*speed))
      throw Failure(Exit::usage,
                    fmt::format("--speed {}: it is {} to {}", *speed, slowest, fastest));
  }

  void write_text(const Session& session, EventStore& store, const std::string& id) const {
    const auto text = format_game_text(id, history_of(store, id).timeline);
    if (!text)
      throw Failure(Exit::usage,
                    fmt::format("game {} is a branch: text has no way to say where it began; "
                                "use -f jsonl",
                                id));
    write(session, *text);
  }

  void write_cast(const Session& session, EventStore& store, const std::string& id) const {
    const Timeline timeline = history_of(store, id).timeline;
    const CastSettings settings{
        .size = {.columns = width.value_or(Size{}.columns), .rows = height.value_or(Size{}.rows)},
        .speed = speed.value_or(1),
        .title = id};
    write_file(session, output, force,
               [&](const Sink& sink) { record_cast(Reel::in_force(timeline), settings, sink); });
  }

  void write_csv(const Session& session, EventStore& store, const std::string& id) const {
    const Timeline timeline = history_of(store, id).timeline;
    write_file(session, output, force, [&](const Sink& sink) {
      sink(csv_header());
      for (const Timeline::Entry& entry : timeline.recorded())
        if (!entry.undone) sink(csv_line(entry.turn, timeline.state().setup->players));
    });
  }

  void write_svg(const Session& session, EventStore& store, const std::string& id) const {
    const Timeline timeline = history_of(store, id).timeline;
    const GameSetup& setup = *timeline.state().setup;
    const Turn turn = at.value_or(timeline.last_turn());
    if (turn < timeline.first_turn() || turn > timeline.last_turn())
      throw failure_from(TurnOutOfRange{turn, timeline.first_turn(), timeline.last_turn()}, setup);
    check_drawable(id, setup.board);
    DrawnPosition drawn{.game = id, .setup = setup, .position = timeline.position_after(turn)};
    if (turn > timeline.first_turn()) drawn.last_move = timeline.turn(turn);
    write(session, position_svg(drawn));
  }

  void write_page(const Session& session, EventStore& store, const std::string& id) const {
    const History history = history_of(store, id);
    const GameSetup& setup = *history.timeline.state().setup;
    check_drawable(id, setup.board);
    const Reel reel = Reel::in_force(history.timeline);
    std::vector<Position> positions;
    for (std::size_t shot = 0; shot <= reel.shots(); ++shot)
      positions.push_back(reel.position(shot));
    const auto first = store.commit(id, 1);
    write(session, game_page({.id = id,
                              .created = first ? first->time : 0,
                              .head = history.head,
                              .timeline = history.timeline,
                              .reel = reel,
                              .chances = chances_at(setup, positions, most_work)}));
  }

  /// How long a page may wait for its chances, in the terms of max_work: some seconds.
  static constexpr double most_work = max_work / 20;

  static void check_drawable(const std::string& id, const Board& board) {
    if (board.cells() > most_svg_cells)
      throw Failure(
          Exit::usage,
          fmt::format("the board of game {} has {} cells: boards of at most {} are drawn; -f "
                      "jsonl, text, csv and cast export it all the same",
                      id, board.cells(), most_svg_cells));
  }

  void write(const Session& session, const std::string& text) const {
    write_file(session, output, force, [&](const Sink& sink) { sink(text); });
  }
};

void add_export(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("export", "Write a game as a file");
  auto options = std::make_shared<Export>();
  command->add_option("GAME", options->game, "An ID, a unique prefix, @ or @-N")->required();
  command->add_option("-f,--format", options->format, "What is written (default: jsonl); see below")
      ->check(CLI::IsMember({"jsonl", "text", "csv", "svg", "html", "cast"}))
      ->type_name("FORMAT");
  add_number(*command, "--at", options->at, "The turn that the picture shows (default: the last)")
      ->type_name("TURN");
  command->add_option("--width", options->width, "Columns of a recording (default: 80)")
      ->check(whole_number(smallest_screen.columns, 500))
      ->type_name("N");
  command->add_option("--height", options->height, "Rows of a recording (default: 24)")
      ->check(whole_number(smallest_screen.rows, 200))
      ->type_name("N");
  command->add_option("--speed", options->speed, "Times the normal speed, of a recording")
      ->type_name("X");
  command->add_option("-o,--output", options->output, "The file (default: stdout)")
      ->type_name("FILE");
  command->add_flag("--force", options->force, "Overwrite a file that exists");
  command->footer(
      "jsonl is the whole log, which import proves. text is the turns in force as a person\n"
      "would write them. svg is a picture of the position after a turn. html is a page that\n"
      "plays the game. cast is a recording of the replay, for asciinema play FILE.\n"
      "csv is for spreadsheets: a header, then turn, player, dice, rolled, from, landed, to,\n"
      "jump, outcome and next of each turn in force (RFC 4180, UTF-8). A name that begins as a\n"
      "formula does has an apostrophe in front. Where a spreadsheet makes a date of dice such\n"
      "as 6-3, import that column as text.");
  command->callback([options, &session] { options->run(session); });
}

// ---- import

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

void add_import(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand(
      "import", "Record the games of a file that snl export wrote, proven first");
  auto options = std::make_shared<Import>();
  command->add_option("FILE", options->file, "A jsonl or text file; - is stdin")->required();
  command->add_flag("--dry-run", options->dry_run, "Prove it, record nothing");
  command->callback([options, &session] { options->run(session); });
}

}  // namespace

void add_exchange_commands(CLI::App& app, Session& session) {
  add_export(app, session);
  add_import(app, session);
}

}  // namespace snl::cli
