#include "referee_page.hpp"

#include "domain/timeline.hpp"
#include "storage/codec.hpp"
#include "storage/match.hpp"
#include "storage/time.hpp"
#include "terminal_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace snl::cli {
namespace {

constexpr int page_columns = 80;
constexpr int label_columns = 14;

/// Lines of text, a label before the first line of each paragraph's group.
class Page {
 public:
  explicit Page(const PageStyle& style) : style_(style) {}

  void verdict(bool sound, std::string_view words) {
    add_lines(fmt::format("{}{}", sound ? "SOUND: " : "NOT SOUND: ", words), 0,
              sound ? "1;32" : "1;31");
  }
  void blank() { text_ += '\n'; }

  /// A paragraph; an empty label goes on under the one before.
  void say(std::string_view label, const std::string& words) {
    const std::string start = fmt::format("{:<{}}", label, label_columns);
    const auto lines = wrapped(printable(words), page_columns - label_columns, 0);
    for (std::size_t i = 0; i < lines.size(); ++i)
      text_ += (i == 0 && !label.empty() ? styled(start, "1") : std::string(label_columns, ' ')) +
               lines[i] + '\n';
  }

  std::string text() && { return std::move(text_); }

 private:
  std::string styled(std::string_view words, std::string_view sgr) const {
    return style_.colour ? fmt::format("\x1b[{}m{}\x1b[0m", sgr, words) : std::string(words);
  }
  void add_lines(const std::string& words, int indent, std::string_view sgr) {
    for (const std::string& line : wrapped(printable(words), page_columns, indent))
      text_ += styled(line, sgr) + '\n';
  }

  PageStyle style_;
  std::string text_;
};

std::string count(std::int64_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

/// "2026-01-31 17:05:59 UTC"
std::string moment(UnixMilliseconds time) {
  const std::string text = format_time(time);
  return fmt::format("{} {} UTC", text.substr(0, 10), text.substr(11, 8));
}

// ---- What the log tells

/// A turn that was taken back or put back, and by what.
struct Change {
  std::string what;
  std::string how;
  Version version;
  UnixMilliseconds time;
};

struct GameRecord {
  Timeline timeline;
  UnixMilliseconds begun = 0;
  UnixMilliseconds ended = 0;
  std::int64_t rolled = 0;  // turns by seeded dice, undone ones too
  std::int64_t thrown = 0;  // turns by dice that were thrown elsewhere
  std::int64_t taken_back = 0;
  std::vector<Change> changes;        // the first of them
  std::int64_t more_changes = 0;      // that aren't in the list
  std::optional<Version> version_of;  // of the head that was expected
};

/// As a person would have typed the command.
std::string typed(const Command& command) {
  if (const auto* undo = std::get_if<UndoTurns>(&command))
    return undo->count == 1 ? "undo" : fmt::format("undo -n {}", undo->count);
  if (const auto* undo = std::get_if<UndoToTurn>(&command))
    return fmt::format("undo --to {}", undo->turn);
  if (const auto* redo = std::get_if<RedoTurns>(&command))
    return redo->count == 1 ? "redo" : fmt::format("redo -n {}", redo->count);
  return "";
}

void add_change(GameRecord& record, const Event& event, const CommitView& commit, Glyphs glyphs) {
  constexpr std::size_t most_changes = 20;
  if (record.changes.size() == most_changes) {
    ++record.more_changes;
    return;
  }
  const auto command = decode_command(commit.command);
  record.changes.push_back({.what = narrate(event, record.timeline.state().setup->players, glyphs),
                            .how = command ? typed(command->command) : "",
                            .version = commit.version,
                            .time = commit.time});
}

void add_to(GameRecord& record, const CommitView& commit, Glyphs glyphs) {
  if (commit.version == 1) record.begun = commit.time;
  record.ended = commit.time;
  for (const Event& event : events_of(commit)) {
    if (!record.timeline.add(event)) return;  // an audit has told of it
    if (const auto* turn = std::get_if<TurnPlayed>(&event))
      ++(turn->rolled ? record.rolled : record.thrown);
    if (std::holds_alternative<TurnUndone>(event)) ++record.taken_back;
    if (std::holds_alternative<TurnUndone>(event) || std::holds_alternative<TurnRedone>(event))
      add_change(record, event, commit, glyphs);
  }
}

/// Of the commits that were proven.
GameRecord record_of(EventStore& store, const std::string& game, Version end,
                     const std::optional<Hash>& expected, Glyphs glyphs) {
  GameRecord record;
  for_each_commit(store, game, 1, [&](const CommitView& commit) {
    if (commit.version >= end) return false;
    if (expected == commit.hash) record.version_of = commit.version;
    add_to(record, commit, glyphs);
    return true;
  });
  return record;
}

/// The first version of a game that wasn't proven.
Version end_of_proof(const AuditReport& report) {
  Version end = std::numeric_limits<Version>::max();
  for (const Problem& problem : report.problems)
    if (problem.version && problem.kind != "derived" && problem.kind != "origin")
      end = std::min(end, *problem.version);
  return end;
}

// ---- Paragraphs

void say_players(Page& page, const GameRecord& record, bool is_proven) {
  const GameState& state = record.timeline.state();
  const auto& players = state.setup->players;
  const Position& position = state.position;
  std::string outcome =
      fmt::format("{} is to move after turn {}.", players[position.next], position.turn);
  if (position.winner)
    outcome = fmt::format("{} won on turn {}.", players[*position.winner], position.turn);
  page.say("Players", fmt::format("{}. {}", fmt::join(players, ", "), outcome));
  page.say("Recorded", fmt::format("{} to {}, by the writer's clock; {}.", moment(record.begun),
                                   moment(record.ended), count(state.version, "command")));
  if (state.setup->origin)
    page.say("Branch", fmt::format("It begins where game {} stood after turn {}{}",
                                   state.setup->origin->game, state.setup->origin->position.turn,
                                   is_proven ? "; that game is in the store, and says so too."
                                             : ", as it says itself: the store has no such game."));
}

void say_dice(Page& page, const GameRecord& record) {
  std::string_view label = "Dice";
  if (record.rolled > 0)
    page.say(
        std::exchange(label, ""),
        fmt::format("{} rolled from seed {}, and the seed gives the same dice again. Whoever "
                    "could read the store could foresee them.",
                    record.rolled == 1 ? "1 turn was" : fmt::format("{} turns were", record.rolled),
                    record.timeline.state().setup->seed));
  if (record.thrown > 0)
    page.say(std::exchange(label, ""),
             fmt::format(
                 "{} thrown elsewhere and typed in: no seed explains them, and nothing here "
                 "shows how they fell.",
                 record.thrown == 1 ? "1 turn was" : fmt::format("{} turns were", record.thrown)));
  if (label == "Dice") page.say(label, "None were thrown yet.");
}

/// What a p-value means to somebody who has to decide.
std::string meaning_of(double p) {
  constexpr double rare = 0.01;
  constexpr double unusual = 0.05;
  const auto in = [&](double of) { return fmt::format("about {:.0f} of {:.0f}", p * of, of); };
  if (p >= unusual)
    return fmt::format("Fair dice fall at least as unevenly {} times. Nothing is odd about these.",
                       in(100));
  if (p >= rare)
    return fmt::format(
        "Fair dice fall as unevenly {} times: unusual, but it happens. By itself it "
        "shows nothing.",
        in(100));
  const std::string how_often = p >= 0.0005 ? in(1000) : "fewer than 1 of 1000";
  return fmt::format(
      "Fair dice fall as unevenly {} times: a reason to look at the dice, or at who "
      "typed them in. It is no proof.",
      how_often);
}

void say_fairness(Page& page, const Fairness& fairness) {
  if (fairness.dice() == 0) return;
  std::string_view label = "Fairness";
  for (const auto& [faces, falls] : fairness.counts) {
    constexpr std::int32_t most_faces = 12;
    std::vector<std::string> each;
    for (std::size_t face = 0; face < falls.size() && faces <= most_faces; ++face)
      each.push_back(fmt::format("{}: {}", face + 1, falls[face]));
    const auto fell = std::accumulate(falls.begin(), falls.end(), std::int64_t{0});
    page.say(
        std::exchange(label, ""),
        fmt::format("{} of {} faces fell{}{}.", fell == 1 ? "1 die" : fmt::format("{} dice", fell),
                    faces, each.empty() ? "" : ", by face ", fmt::join(each, ", ")));
  }
  const auto p = fairness.p_value();
  if (!p) return page.say("", "These are too few to say whether the dice are fair.");
  page.say("", fmt::format("p = {:.3f}. {}", *p, meaning_of(*p)));
}

void say_changes(Page& page, const GameRecord& record) {
  std::string_view label = "Taken back";
  if (record.taken_back == 0) return page.say(label, "No turn was.");
  for (const Change& change : record.changes)
    page.say(std::exchange(label, ""),
             fmt::format("{}, by \"{}\", version {}, {}", change.what, change.how, change.version,
                         moment(change.time)));
  if (record.more_changes > 0)
    page.say("",
             fmt::format("and {} more: see snl replay --undone and snl log", record.more_changes));
}

void say_head(Page& page, const AuditReport& report, const std::string& command) {
  if (!report.head) return;
  page.say("Head", to_hex(*report.head));
  if (!report.ok()) return;
  page.say("",
           "Keep it where nobody who can write the store can. It alone shows later that nothing "
           "was forged whole or cut off:");
  page.say("", fmt::format("snl audit {} --expect HEAD", command));
}

void say_problems(Page& page, const AuditReport& report, bool names_games) {
  constexpr std::size_t most_problems = 50;
  for (std::size_t i = 0; i < std::min(most_problems, report.problems.size()); ++i) {
    const Problem& problem = report.problems[i];
    std::string place;
    if (names_games) place = problem.game ? fmt::format("game {}: ", *problem.game) : "the store: ";
    if (problem.version) place += fmt::format("version {}: ", *problem.version);
    page.say(i == 0 ? "Problem" : "", place + problem.detail);
  }
  if (report.problems.size() > most_problems)
    page.say("", fmt::format("and {} more: see snl audit --json",
                             report.problems.size() - most_problems));
}

/// What a bad record leaves standing.
void say_consequence(Page& page, const AuditReport& report, const GameRecord& record) {
  const Version end = end_of_proof(report);
  if (end != std::numeric_limits<Version>::max())
    page.say("", end <= 1
                     ? "Nothing of the game is proven."
                     : fmt::format("Up to version {} the game is proven; nothing from version {} "
                                   "on is evidence.",
                                   end - 1, end));
  if (record.version_of)
    page.say("",
             fmt::format("The head that you kept is the one of version {}: up to there the game "
                         "is the one that you saw. Recorded since: {}.",
                         *record.version_of,
                         count(record.timeline.state().version - *record.version_of, "command")));
}

}  // namespace

std::string referee_page(const AuditReport& report, EventStore& store, const std::string& game,
                         const std::optional<Hash>& expected, const PageStyle& style) {
  const GameRecord record = record_of(store, game, end_of_proof(report), expected, style.glyphs);
  Page page(style);
  page.verdict(report.ok(),
               report.ok() ? fmt::format("game {} is whole, and was played by its rules.", game)
                           : fmt::format("game {} isn't what it should be.", game));
  page.blank();
  if (!report.ok()) {
    say_problems(page, report, false);
    say_consequence(page, report, record);
  }
  if (!record.timeline.state().started()) return std::move(page).text();
  const bool has_origin_problem = std::ranges::any_of(
      report.problems, [](const Problem& problem) { return problem.kind == "origin"; });
  say_players(page, record, report.unproven_origins == 0 && !has_origin_problem);
  say_dice(page, record);
  if (report.ok()) say_fairness(page, report.fairness);
  say_changes(page, record);
  if (expected && report.ok())
    page.say("Kept head", "The same: not one byte was changed since it was kept.");
  say_head(page, report, game);
  return std::move(page).text();
}

std::string referee_page(const AuditReport& report, const std::string& path,
                         const PageStyle& style) {
  Page page(style);
  page.verdict(report.ok(),
               report.ok() ? fmt::format("store {} is whole, and so is every game in it.", path)
                           : fmt::format("store {} isn't what it should be.", path));
  page.blank();
  if (!report.ok()) say_problems(page, report, true);
  page.say("Games", fmt::format("{}, {} in force.", report.games, count(report.turns, "turn")));
  if (report.ok()) say_fairness(page, report.fairness);
  say_head(page, report, "--all");
  return std::move(page).text();
}

}  // namespace snl::cli
