#include "export_formats.hpp"

#include "cli/drawing/board_svg.hpp"
#include "cli/drawing/position_svg.hpp"
#include "cli/page/game_page.hpp"
#include "cli/playback/cast.hpp"
#include "cli/playback/recording.hpp"
#include "cli/reports/csv.hpp"
#include "domain/analysis/game_chances.hpp"
#include "domain/narration.hpp"
#include "storage/ascii.hpp"
#include "storage/exchange/jsonl.hpp"
#include "storage/exchange/text_form.hpp"
#include "storage/recorded_game.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace snl::cli {
namespace {

/// The most work for a page's chances, in multiplications like max_work: some seconds.
constexpr double most_work_for_a_page = max_work / 20;

Timeline timeline_of(const ExportedGame& game) {
  return history_of(game.store, game.id).timeline;
}

void check_turn(Turn turn, Turn first, Turn last) {
  if (turn < first || turn > last)
    throw NotExportable(
        fmt::format("turn {} is out of range: give one from {} to {}", turn, first, last));
}

void check_drawable(const std::string& id, const Board& board) {
  if (board.cells() > most_svg_cells)
    throw NotExportable(
        fmt::format("the board of game {} has {} cells: boards of at most {} are drawn; -f "
                    "jsonl, text, csv and cast export it all the same",
                    id, board.cells(), most_svg_cells));
}

void write_jsonl(const ExportedGame& game, const Sink& sink) {
  const Head head = game.store.head(game.id).value_or(Head{});
  if (head.version == 0)
    throw StoreError(StoreError::Cause::damaged,
                     fmt::format("game {} has no commits; see snl audit {}", game.id, game.id));
  export_jsonl(game.store, game.id, head, [&](std::string_view line) {
    sink(line);
    sink("\n");
  });
}

void write_text(const ExportedGame& game, const Sink& sink) {
  const auto text = format_game_text(game.id, timeline_of(game));
  if (!text)
    throw NotExportable(fmt::format(
        "game {} is a branch: text has no way to say where it began; use -f jsonl", game.id));
  sink(*text);
}

/// A table of turns, of one game or of several, one after another. The chances of games with the
/// same board, rules and number of players are worked out together.
class TurnTable {
 public:
  TurnTable(bool of_many_games, bool with_chances, const Sink& sink)
      : columns_(turn_columns()), with_chances_(with_chances), sink_(sink) {
    if (of_many_games) {
      columns_.insert(columns_.begin(), "game");
      columns_.emplace_back("happened");
    }
    if (with_chances) columns_.insert(columns_.end(), {"chance_before", "chance_after"});
    sink_(csv_header(columns_));
  }

  void add(const std::string& id, Timeline timeline) {
    if (!waiting_.empty() && (positions_.size() > most_positions || !is_alike(timeline))) flush();
    if (with_chances_)
      for (Turn turn = timeline.first_turn(); turn <= timeline.last_turn(); ++turn)
        positions_.push_back(timeline.position_after(turn));
    waiting_.emplace_back(id, std::move(timeline));
    if (!with_chances_) flush();
  }

  void flush() {
    if (waiting_.empty()) return;
    std::vector<RaceOdds> chances;
    if (with_chances_) {
      auto found = chances_at(setup_of(waiting_.front().second), positions_);
      if (found) chances = *std::move(found);
    }
    std::size_t first = 0;
    for (const auto& [id, timeline] : waiting_) {
      write(id, timeline,
            chances.empty() ? std::span<const RaceOdds>()
                            : std::span<const RaceOdds>(chances).subspan(first));
      first += static_cast<std::size_t>(timeline.last_turn() - timeline.first_turn()) + 1;
    }
    waiting_.clear();
    positions_.clear();
  }

 private:
  static constexpr std::size_t most_positions = 1000;

  static const GameSetup& setup_of(const Timeline& timeline) { return *timeline.state().setup; }

  bool is_alike(const Timeline& timeline) const {
    const GameSetup& one = setup_of(waiting_.front().second);
    const GameSetup& other = setup_of(timeline);
    return one.players.size() == other.players.size() && one.rules == other.rules &&
           one.board == other.board;
  }

  /// `chances` are those before the first turn, after it and so on; or none.
  void write(const std::string& id, const Timeline& timeline,
             std::span<const RaceOdds> chances) const {
    const std::vector<std::string>& players = setup_of(timeline).players;
    for (Turn number = timeline.first_turn() + 1; number <= timeline.last_turn(); ++number) {
      const TurnPlayed& turn = timeline.turn(number);
      auto row = turn_values(turn, players);
      row["game"] = id;
      row["happened"] = what_happened(turn, players, Glyphs::unicode);
      if (!chances.empty()) {
        const auto after = static_cast<std::size_t>(number - timeline.first_turn());
        row["chance_before"] = chances[after - 1].win[turn.seat];
        row["chance_after"] = chances[after].win[turn.seat];
      }
      sink_(csv_row(columns_, row));
    }
  }

  CsvColumns columns_;
  bool with_chances_;
  const Sink& sink_;
  std::vector<std::pair<std::string, Timeline>> waiting_;
  std::vector<Position> positions_;  // of all games
};

void write_csv(const ExportedGame& game, const Sink& sink) {
  Timeline timeline = timeline_of(game);
  TurnTable table(false, game.options.chances, sink);
  table.add(game.id, std::move(timeline));
  table.flush();
}

void write_all_csv(StoreReader& store, const ExportOptions& options, const Sink& sink) {
  TurnTable table(true, options.chances, sink);
  for_each_game(store,
                [&](const std::string& id) { table.add(id, history_of(store, id).timeline); });
  table.flush();
}

void write_svg(const ExportedGame& game, const Sink& sink) {
  const Timeline timeline = timeline_of(game);
  const GameSetup& setup = *timeline.state().setup;
  const Turn turn = game.options.at.value_or(timeline.last_turn());
  check_turn(turn, timeline.first_turn(), timeline.last_turn());
  check_drawable(game.id, setup.board);
  DrawnPosition drawn{.game = game.id, .setup = setup, .position = timeline.position_after(turn)};
  if (turn > timeline.first_turn()) drawn.last_move = timeline.turn(turn);
  sink(position_svg(drawn));
}

void write_html(const ExportedGame& game, const Sink& sink) {
  const History history = history_of(game.store, game.id);
  const GameSetup& setup = *history.timeline.state().setup;
  check_drawable(game.id, setup.board);
  const Recording recording = Recording::in_force(history.timeline);
  std::vector<Position> positions;
  for (std::size_t shot = 0; shot <= recording.shots(); ++shot)
    positions.push_back(recording.position(shot));
  const auto first = game.store.commit(game.id, 1);
  const auto last = game.store.commit(game.id, history.head.version);
  std::vector<std::string> log;
  export_jsonl(game.store, game.id, history.head,
               [&](std::string_view line) { log.emplace_back(line); });
  sink(game_page({.id = game.id,
                  .created = first ? first->time : 0,
                  .head = history.head,
                  .timeline = history.timeline,
                  .recording = recording,
                  .log = log,
                  .chances = chances_at(setup, positions, most_work_for_a_page),
                  .proof = last ? game.prove(*last) : std::nullopt}));
}

void write_cast(const ExportedGame& game, const Sink& sink) {
  const ExportOptions& options = game.options;
  const auto seconds = [](double count) { return Milliseconds(1000 * count); };
  const CastSettings settings{.size = {.columns = options.width.value_or(Size{}.columns),
                                       .rows = options.height.value_or(Size{}.rows)},
                              .speed = options.speed.value_or(1),
                              .length = options.length.transform(seconds),
                              .idle = options.idle.transform(seconds),
                              .title = game.id};
  record_cast(Recording::in_force(timeline_of(game)), settings, sink);
}

using enum ExportFormat::Takes;
using enum ExportFormat::Holds;

constexpr std::array formats{
    ExportFormat{"jsonl", "jsonl", "the whole log, proven; import proves it again", nothing,
                 whole_log, "application/jsonl", write_jsonl},
    ExportFormat{"text", "txt", "the turns in force as a person would write them", nothing, turns,
                 "text/plain; charset=utf-8", write_text},
    ExportFormat{"csv", "csv", "a row for each turn in force, for spreadsheets", chances, turns,
                 "text/csv; charset=utf-8", write_csv, write_all_csv},
    ExportFormat{"svg", "svg", "a picture of the position after a turn", turn, turns,
                 "image/svg+xml", write_svg},
    ExportFormat{"html", "html", "a page that plays the game, with the whole log, proven", nothing,
                 whole_log, "text/html; charset=utf-8", write_html},
    ExportFormat{"cast", "cast", "a recording of the replay, for asciinema play FILE", recording,
                 turns, "application/x-asciicast", write_cast},
};

}  // namespace

std::span<const ExportFormat> export_formats() {
  return formats;
}

const ExportFormat* find_export_format(std::string_view name) {
  const auto* const found = std::ranges::find(formats, name, &ExportFormat::name);
  return found == formats.end() ? nullptr : found;
}

const ExportFormat* export_format_of_file(std::string_view file) {
  file.remove_prefix(file.rfind('/') + 1);
  const std::size_t dot = file.rfind('.');
  if (dot == std::string_view::npos) return nullptr;
  const std::string_view ending = file.substr(dot + 1);
  const auto* const found = std::ranges::find_if(formats, [&](const ExportFormat& format) {
    return same_but_for_case(ending, format.ending) || same_but_for_case(ending, format.name);
  });
  return found == formats.end() ? nullptr : found;
}

}  // namespace snl::cli
