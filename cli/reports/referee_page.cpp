#include "referee_page.hpp"

#include "cli/drawing/terminal_text.hpp"
#include "domain/timeline.hpp"
#include "domain/wording.hpp"
#include "log_report.hpp"
#include "storage/ascii.hpp"
#include "storage/codec.hpp"
#include "storage/match.hpp"
#include "storage/time.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <expected>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace snl::cli {
namespace {

constexpr int label_columns = 14;
constexpr int name_columns = 4;  // a player's number, and a blank

/// Lines of text. Each group of paragraphs has a label before its first line.
class Page {
 public:
  explicit Page(PageStyle style) : style_(std::move(style)) {}

  void say_sound(std::string_view words) { add_lines(fmt::format("SOUND: {}", words), "1;32"); }
  void say_not_sound(std::string_view words) {
    add_lines(fmt::format("NOT SOUND: {}", words), "1;31");
  }
  /// The beginning of a command to advise.
  const std::string& snl() const { return style_.snl; }

  void blank() { text_ += '\n'; }

  /// Adds a paragraph. With an empty label it continues the group before.
  void say(std::string_view label, const std::string& words) {
    add_paragraph(label, wrapped(printable(words), style_.columns - label_columns, 0));
  }
  /// Adds a word that the reader will keep elsewhere. It is never cut or broken: if it is too long
  /// for the label's line, it gets a line of its own.
  void say_whole(std::string_view label, const std::string& word) {
    if (label_columns + display_width(word) <= style_.columns)
      add_paragraph(label, {word});
    else
      text_ += styled(label, "1") + '\n' + word + '\n';
  }
  /// Adds a paragraph with a name in it, to the letter. Where a name continues in the next line, it
  /// is indented further than anything that isn't a name.
  void say_name(std::string_view label, const std::string& words) {
    add_paragraph(label, folded(printable(words), style_.columns - label_columns, name_columns));
  }

  std::string text() && { return std::move(text_); }

 private:
  std::string styled(std::string_view words, std::string_view sgr) const {
    return style_.colour ? fmt::format("\x1b[{}m{}\x1b[0m", sgr, words) : std::string(words);
  }
  void add_paragraph(std::string_view label, const std::vector<std::string>& lines) {
    const std::string start = fmt::format("{:<{}}", label, label_columns);
    for (std::size_t i = 0; i < lines.size(); ++i)
      text_ += (i == 0 && !label.empty() ? styled(start, "1") : std::string(label_columns, ' ')) +
               lines[i] + '\n';
  }
  void add_lines(const std::string& words, std::string_view sgr) {
    for (const std::string& line : wrapped(printable(words), style_.columns, 0))
      text_ += styled(line, sgr) + '\n';
  }

  PageStyle style_;
  std::string text_;
};

/// "2026-01-31 17:05:59 UTC"
std::string moment(UnixMilliseconds time) {
  const std::string text = format_time(time);
  return fmt::format("{} {} UTC", text.substr(0, 10), text.substr(11, 8));
}

// ---- The log's facts

struct Change {
  std::string how;
  bool back = false;  // taken back
  Turn first = 0;     // of the turns, in the order in which they were taken or put back
  Turn last = 0;
  Version version = 0;
  UnixMilliseconds time = 0;
  std::optional<std::string> command_id;
  std::optional<Takeback> takeback;
};

/// How the turns of a game came about.
struct GameTally {
  std::int64_t rolled = 0;  // turns by seeded dice, undone ones too
  std::int64_t thrown = 0;  // turns by dice thrown elsewhere
  std::int64_t taken_back = 0;
  std::int64_t put_back = 0;

  void add(const Event& event) {
    if (const auto* turn = std::get_if<TurnPlayed>(&event)) ++(turn->rolled ? rolled : thrown);
    if (std::holds_alternative<TurnUndone>(event)) ++taken_back;
    if (std::holds_alternative<TurnRedone>(event)) ++put_back;
  }
};

struct GameRecord {
  Timeline timeline;
  std::optional<Version> proven;  // the last proven version; none if all are
  UnixMilliseconds begun = 0;
  UnixMilliseconds ended = 0;
  GameTally tally;
  std::vector<Change> changes;        // the first ones
  std::int64_t more_changes = 0;      // those that aren't in the list
  std::optional<Version> version_of;  // the version with the expected head
};

/// The command as a user would type it.
std::string typed(const Command& command) {
  if (const auto* undo = std::get_if<UndoTurns>(&command))
    return undo->count == 1 ? "undo" : fmt::format("undo -n {}", undo->count);
  if (const auto* undo = std::get_if<UndoToTurn>(&command))
    return fmt::format("undo --to {}", undo->turn);
  if (const auto* redo = std::get_if<RedoTurns>(&command))
    return redo->count == 1 ? "redo" : fmt::format("redo -n {}", redo->count);
  return "";
}

/// The players' agreement to a command that takes turns back, if they were asked.
std::optional<Takeback> takeback_in(const std::expected<RecordedCommand, Unreadable>& command) {
  const auto* undo = command ? std::get_if<UndoToTurn>(&command->command) : nullptr;
  return undo != nullptr ? undo->takeback : std::nullopt;
}

std::optional<Turn> changed_turn(const Event& event) {
  if (const auto* undone = std::get_if<TurnUndone>(&event)) return undone->turn;
  if (const auto* redone = std::get_if<TurnRedone>(&event)) return redone->turn;
  return std::nullopt;
}

void add_change(GameRecord& record, const std::vector<Event>& events, const CommitView& commit) {
  constexpr std::size_t most_changes = 20;
  const auto first = changed_turn(events.front());
  if (!first) return;
  if (record.changes.size() == most_changes) {
    ++record.more_changes;
    return;
  }
  const auto command = decode_command(commit.command);
  record.changes.push_back({.how = command ? typed(command->command) : "",
                            .back = std::holds_alternative<TurnUndone>(events.front()),
                            .first = *first,
                            .last = changed_turn(events.back()).value_or(*first),
                            .version = commit.version,
                            .time = commit.time,
                            .command_id = command ? command->id : std::nullopt,
                            .takeback = takeback_in(command)});
}

void add_to(GameRecord& record, const CommitView& commit) {
  if (commit.version == 1) record.begun = commit.time;
  record.ended = commit.time;
  const std::vector<Event> events = events_of(commit);
  for (const Event& event : events) {
    if (!record.timeline.add(event)) return;  // the audit reports this
    record.tally.add(event);
  }
  add_change(record, events, commit);
}

/// The first version of a game that isn't proven.
Version end_of_proof(const AuditReport& report) {
  Version end = std::numeric_limits<Version>::max();
  for (const Problem& problem : report.problems)
    if (problem.version && problem.kind != "derived" && problem.kind != "origin")
      end = std::min(end, *problem.version);
  return end;
}

/// The log's facts about a game, from its proven commits up to the head that the audit saw.
GameRecord record_of(StoreReader& store, const std::string& game, const AuditReport& report,
                     const std::optional<Hash>& expected) {
  const Version end = end_of_proof(report);
  GameRecord record;
  if (end != std::numeric_limits<Version>::max()) record.proven = end - 1;
  for_each_commit(store, game, 1, [&](const CommitView& commit) {
    if (commit.version >= end) return false;
    if (expected == commit.hash) record.version_of = commit.version;
    add_to(record, commit);
    return report.head != commit.hash;
  });
  return record;
}

/// A game with enough dice of one kind to test those alone.
struct TestedDice {
  std::string game;
  std::string_view kind;
  std::int64_t dice = 0;
  double p = 0;
};

/// The chance that a store with fair dice alone has a game named as unlikely.
constexpr double unlikely_in_a_store = 0.01;

struct StoreRecord {
  std::int64_t finished = 0;
  std::int64_t taken_back = 0;
  std::int64_t put_back = 0;
  std::int64_t changed = 0;  // games with turns taken back
  // Games by the source of their dice.
  std::int64_t rolled = 0;
  std::int64_t thrown = 0;
  std::int64_t both = 0;
  std::int64_t without = 0;
  std::int64_t tests = 0;
  std::vector<TestedDice> unlikely;
};

void add_dice(StoreRecord& record, const std::string& game, std::string_view kind,
              const DiceFalls& falls) {
  const auto p = falls.p_value();
  if (!p) return;
  ++record.tests;
  if (*p < unlikely_in_a_store) record.unlikely.push_back({game, kind, falls.dice(), *p});
}

void add_game(StoreRecord& record, StoreReader& store, const std::string& game) {
  Timeline timeline;
  GameTally tally;
  Fairness fairness;
  CountedDice counted;
  for_each_commit(store, game, 1, [&](const CommitView& commit) {
    for (const Event& event : events_of(commit)) {
      if (!timeline.add(event)) return false;
      tally.add(event);
      if (const auto* turn = std::get_if<TurnPlayed>(&event))
        fairness.add(*turn, timeline.state().setup->rules.faces, counted);
    }
    return true;
  });
  if (timeline.state().position.winner) ++record.finished;
  record.taken_back += tally.taken_back;
  record.put_back += tally.put_back;
  if (tally.taken_back > 0) ++record.changed;
  if (tally.rolled > 0)
    ++(tally.thrown > 0 ? record.both : record.rolled);
  else
    ++(tally.thrown > 0 ? record.thrown : record.without);
  add_dice(record, game, "rolled", fairness.rolled);
  add_dice(record, game, "typed in", fairness.typed);
}

/// The log's facts about a sound store.
StoreRecord record_of(StoreReader& store) {
  StoreRecord record;
  for_each_game(store, [&](const std::string& game) { add_game(record, store, game); });
  std::erase_if(record.unlikely, [&](const TestedDice& dice) {
    return dice.p >= unlikely_in_a_store / static_cast<double>(record.tests);
  });
  std::ranges::sort(record.unlikely, {}, &TestedDice::p);
  return record;
}

// ---- Paragraphs

/// A sentence, with its limit if not all of the log is proven.
std::string limited(const GameRecord& record, std::string sentence) {
  if (!record.proven) return sentence;
  sentence.front() = lower_case(sentence.front());
  return fmt::format("Up to version {}: {}", *record.proven, sentence);
}

/// The words on where a branch begins, as far as that is known.
std::string_view words_of_origin(const AuditReport& report) {
  const bool has_problem = std::ranges::any_of(
      report.problems, [](const Problem& problem) { return problem.kind == "origin"; });
  return report.unproven_origins == 0 && !has_problem
             ? "; that game is in the store, and says so too."
             : ", as it says itself: the store has no such game.";
}

void say_players(Page& page, const GameRecord& record, const AuditReport& report) {
  const GameState& state = record.timeline.state();
  const auto& players = state.setup->players;
  const Position& position = state.position;
  // One name per line: a name may look like several, or like other words of the page.
  for (std::size_t seat = 0; seat < players.size(); ++seat)
    page.say_name(seat == 0 ? "Players" : "", fmt::format("{:<{}}{}", fmt::format("{}.", seat + 1),
                                                          name_columns, players[seat]));
  const Seat seat = position.winner.value_or(position.next);
  page.say_name("Outcome",
                limited(record, fmt::format("Player {} {} turn {}: {}", seat + 1,
                                            position.winner ? "won on" : "is to move after",
                                            position.turn, players[seat])));
  page.say("Recorded",
           limited(record, fmt::format("{} to {}, by the writer's clock; {}.", moment(record.begun),
                                       moment(record.ended), counted(state.version, "command"))));
  if (state.setup->origin)
    page.say("Branch",
             fmt::format("It begins where game {} stood after turn {}{}", state.setup->origin->game,
                         state.setup->origin->position.turn, words_of_origin(report)));
}

/// "player 2", "players 1 and 3", by the page's numbers: a name may look like several.
std::string numbers_of(const std::vector<std::size_t>& seats) {
  std::vector<std::string> numbers;
  numbers.reserve(seats.size());
  for (const std::size_t seat : seats)
    numbers.push_back(std::to_string(seat + 1));
  return fmt::format("player{} {}", seats.size() == 1 ? "" : "s", said_together(numbers));
}

std::string words_of(const Takeback& takeback) {
  std::vector<std::size_t> others;
  for (Seat seat = 0; seat < max_players; ++seat)
    if (takeback.agreed.has(seat) && seat != takeback.asked) others.push_back(seat);
  return fmt::format("{} asked, {} agreed", numbers_of({takeback.asked}),
                     others.empty() ? "nobody else" : numbers_of(others));
}

/// The words on a seed, from the draw that was kept.
std::string words_of(const Draw& draw) {
  std::vector<std::size_t> seats;
  for (std::size_t seat = 0; seat < draw.entropy.size(); ++seat)
    if (draw.entropy[seat]) seats.push_back(seat);
  const std::string commitment = to_hex(draw.commitment);
  if (seats.empty())
    return fmt::format(
        "The seed was drawn from a secret alone, promised as {}: no player had a "
        "say, so the maker of the secret could choose it.",
        commitment);
  return fmt::format(
      "The seed was drawn from a secret, promised as {}, and from what {} gave: none of them could "
      "choose it, if the promise was seen first.",
      commitment, numbers_of(seats));
}

constexpr std::string_view limits_of_a_seed =
    "The starter of a game may choose its seed, and anybody who can read the store can foresee the "
    "dice.";
constexpr std::string_view limits_of_typing =
    "no seed explains them, and nothing here shows how they fell.";

/// Says who may have chosen a seed, and who knows it.
std::string words_of_seed(const GameSetup& setup) {
  if (!setup.draw) return std::string(limits_of_a_seed);
  return words_of(*setup.draw) + " Anybody who can read the store can foresee the dice.";
}

void say_dice(Page& page, const GameRecord& record) {
  std::string_view label = "Dice";
  const auto turns = [](std::int64_t number) {
    return number == 1 ? "1 turn was" : fmt::format("{} turns were", number);
  };
  const GameSetup& setup = *record.timeline.state().setup;
  if (record.tally.rolled > 0)
    page.say(
        std::exchange(label, ""),
        limited(record, fmt::format("{} rolled from seed {}, and the seed gives the same dice "
                                    "again. {}",
                                    turns(record.tally.rolled), setup.seed, words_of_seed(setup))));
  if (record.tally.thrown > 0)
    page.say(std::exchange(label, ""),
             limited(record, fmt::format("{} thrown elsewhere and typed in: {}",
                                         turns(record.tally.thrown), limits_of_typing)));
  if (!label.empty()) page.say(label, limited(record, "None were thrown yet."));
}

/// Tells how the dice of all games were thrown.
void say_dice(Page& page, const StoreRecord& record) {
  std::string_view label = "Dice";
  const auto say = [&](std::int64_t games, const std::string& words) {
    if (games > 0)
      page.say(std::exchange(label, ""), fmt::format("{}: {}", counted(games, "game"), words));
  };
  say(record.rolled, "rolled from seeds, which give the same dice again.");
  say(record.thrown, fmt::format("thrown elsewhere and typed in: {}", limits_of_typing));
  say(record.both, "some rolled from a seed, some typed in.");
  say(record.without, "none were thrown yet.");
  if (record.rolled + record.both > 0) page.say("", std::string(limits_of_a_seed));
}

/// A p above 0 never reads as 0.
std::string p_words(double p) {
  constexpr double least_shown = 0.001;
  return p < least_shown ? "p < 0.001" : fmt::format("p = {:.3f}", p);
}

/// Tells how dice fell, and what their p-value means. The words `before` stand before "dice", those
/// `after` after the number of faces.
void say_falls(Page& page, std::string_view label, std::string_view before, std::string_view after,
               const DiceFalls& dice) {
  for (const auto& [faces, falls] : dice.counts) {
    constexpr std::int32_t most_faces = 12;
    std::vector<std::string> each;
    for (std::size_t face = 0; face < falls.size() && faces <= most_faces; ++face)
      each.push_back(fmt::format("{}: {}", face + 1, falls[face]));
    const auto fell = std::accumulate(falls.begin(), falls.end(), std::int64_t{0});
    page.say(
        std::exchange(label, ""),
        fmt::format("{} {}{} of {} faces{} fell{}{}.", fell, before, fell == 1 ? "die" : "dice",
                    faces, after, each.empty() ? "" : ", by face ", fmt::join(each, ", ")));
  }
  const auto p = dice.p_value();
  if (!p) return page.say("", "These are too few to say whether the dice are fair.");
  page.say("", verdict_on_dice(*p) + ".");
}

/// Dice from seeds and dice that players typed in are tested apart, since either could hide the
/// other.
void say_fairness(Page& page, const Fairness& fairness) {
  constexpr std::string_view label = "Fairness";
  const bool has_both = fairness.rolled.dice() > 0 && fairness.typed.dice() > 0;
  if (has_both) {
    say_falls(page, label, "rolled ", "", fairness.rolled);
    say_falls(page, "", "", " that were typed in", fairness.typed);
  } else if (const DiceFalls all = fairness.all(); all.dice() > 0) {
    say_falls(page, label, "", "", all);
  }
}

/// Names games whose own dice are enough to test, and too unlikely for so many tests.
void say_unlikely(Page& page, const StoreRecord& record) {
  constexpr std::size_t most_games = 20;
  if (record.tests == 0) return;
  page.say("Least likely",
           fmt::format("Games that threw enough dice were tested alone, rolled dice and typed ones "
                       "apart: {}. A game is named here if a p of its own is below {} divided by "
                       "the number of tests, so that of 100 stores with fair dice about one names "
                       "any. {}",
                       counted(record.tests, "test"), unlikely_in_a_store,
                       record.unlikely.empty() ? "None is named." : "Look at these:"));
  for (std::size_t i = 0; i < std::min(most_games, record.unlikely.size()); ++i) {
    const TestedDice& dice = record.unlikely[i];
    page.say("", fmt::format("game {}: {} dice {}, p = {:.2g}", dice.game, dice.dice, dice.kind,
                             dice.p));
  }
  if (record.unlikely.size() > most_games)
    page.say("", fmt::format("and {} more, likelier ones", record.unlikely.size() - most_games));
}

void say_changes(Page& page, const GameRecord& record, const std::string& game) {
  const auto& [rolled, thrown, taken_back, put_back] = record.tally;
  if (taken_back == 0) return page.say("Taken back", limited(record, "No turn was."));
  const auto turns = [](std::int64_t number) { return counted(number, "turn"); };
  const auto commands = static_cast<std::int64_t>(record.changes.size()) + record.more_changes;
  page.say("Taken back",
           limited(record, fmt::format("{}, and {} put back, by {}.", turns(taken_back), put_back,
                                       counted(commands, "command"))));
  for (const Change& change : record.changes) {
    const std::string which = change.first == change.last
                                  ? fmt::format("turn {}", change.first)
                                  : fmt::format("turns {} to {}", change.first, change.last);
    page.say("", fmt::format("{}: {} {} back; version {}, {}", change.how, which,
                             change.back ? "taken" : "put", change.version, moment(change.time)));
    if (change.takeback) page.say("", "    " + words_of(*change.takeback));
    if (change.command_id) page.say_name("", fmt::format("    command ID: {}", *change.command_id));
  }
  if (record.more_changes > 0)
    page.say("", fmt::format("and {} more: see {} log {}", counted(record.more_changes, "command"),
                             page.snl(), game));
}

/// Tells how many turns of all games were taken back.
void say_changes(Page& page, const StoreRecord& record) {
  if (record.taken_back == 0) return page.say("Taken back", "No turn was.");
  page.say("Taken back",
           fmt::format("{} in {}, and {} put back; {} audit GAME says by which command.",
                       counted(record.taken_back, "turn"), counted(record.changed, "game"),
                       record.put_back, page.snl()));
}

void say_head(Page& page, const AuditReport& report, const std::string& command) {
  if (!report.head) return;
  page.say_whole("Head", to_hex(*report.head));
  if (!report.ok()) return;
  page.say("",
           "Keep it where nobody who can write the store can. It shows later that nothing "
           "was forged whole or cut off:");
  page.say("", fmt::format("{} audit {} --expect HEAD", page.snl(), command));
}

void say_log(Page& page, const AuditReport& report) {
  for (const auto& [label, words] : lines_on_log(report.log))
    page.say(label, words);
}

std::string place_in_game(const Problem& problem) {
  return problem.version ? fmt::format("version {}: ", *problem.version) : "";
}

std::string place_in_store(const Problem& problem) {
  return (problem.game ? fmt::format("game {}: ", *problem.game) : "the store: ") +
         place_in_game(problem);
}

/// `place_of` says where a problem is; it stands before the problem.
void say_problems(Page& page, const AuditReport& report,
                  std::string (*place_of)(const Problem& problem)) {
  constexpr std::size_t most_problems = 50;
  for (std::size_t i = 0; i < std::min(most_problems, report.problems.size()); ++i) {
    const Problem& problem = report.problems[i];
    page.say(i == 0 ? "Problem" : "", place_of(problem) + problem.detail);
  }
  if (report.problems.size() > most_problems)
    page.say("", fmt::format("and {} more: see {} audit --json",
                             report.problems.size() - most_problems, page.snl()));
}

std::string words_on_kept_head(const GameRecord& record) {
  if (record.version_of)
    return fmt::format(
        "The head that you kept is the one of version {}: up to there the game is the one that you "
        "saw. Recorded since: {}.",
        *record.version_of,
        counted(record.timeline.state().version - *record.version_of, "command"));
  return fmt::format(
      "No version of it{} has the head that you kept: it isn't the game that you saw, or that was "
      "cut off or changed.",
      record.proven ? " that is proven" : "");
}

/// Says how much of a game a bad record leaves proven. `expected` is the kept head, if the game has
/// another one.
void say_consequence(Page& page, const GameRecord& record, const std::optional<Hash>& expected) {
  if (record.proven)
    page.say("", *record.proven == 0
                     ? "Nothing of the game is proven."
                     : fmt::format("Up to version {} the game is proven; nothing from version {} "
                                   "on is evidence.",
                                   *record.proven, *record.proven + 1));
  if (record.version_of || expected) page.say("", words_on_kept_head(record));
}

constexpr std::string_view same_game =
    "The same: every command, its events, its time and their order are what they were when the "
    "head was kept.";
constexpr std::string_view same_store =
    "The same: no game was added, taken away or changed since the head was kept. The order in "
    "which games were recorded among each other isn't part of it, and so neither is which one is "
    "called @.";

}  // namespace

std::string verdict_on_dice(double p) {
  constexpr double unusual = 0.05;
  constexpr double rare = 0.01;
  std::string_view verdict = "Nothing is odd about them";
  if (p < unusual) verdict = "Unusual, but it happens";
  if (p < rare) verdict = "A reason to look at the dice, or at who typed them in, but no proof";
  const double of = p < rare ? 1000 : 100;
  const std::string often =
      p < 0.0005 ? "fewer than 1 of 1000" : fmt::format("about {:.0f} of {:.0f}", p * of, of);
  return fmt::format("{}: fair dice look at least this uneven in {} matches ({})", verdict, often,
                     p_words(p));
}

KeptHead find_kept_head(const AuditReport& report, StoreReader& store, const std::string& game,
                        const Hash& expected) {
  const GameRecord record = record_of(store, game, report, expected);
  return {.version = record.version_of, .words = words_on_kept_head(record)};
}

std::string game_referee_page(const AuditReport& report, StoreReader& store,
                              const std::string& game, const std::optional<Hash>& expected,
                              const PageStyle& style) {
  const GameRecord record = record_of(store, game, report, expected);
  Page page(style);
  if (report.ok())
    page.say_sound(fmt::format("game {} is whole, and was played by its rules.", game));
  else
    page.say_not_sound(fmt::format("game {} isn't what it should be.", game));
  page.blank();
  if (!report.ok()) {
    say_problems(page, report, place_in_game);
    say_consequence(page, record, report.head == expected ? std::nullopt : expected);
  }
  if (!record.timeline.state().started()) return std::move(page).text();
  say_players(page, record, report);
  say_dice(page, record);
  if (report.ok()) say_fairness(page, report.fairness);
  say_changes(page, record, game);
  if (expected && report.ok()) page.say("Kept head", std::string(same_game));
  say_head(page, report, game);
  return std::move(page).text();
}

std::string store_referee_page(const AuditReport& report, StoreReader& store,
                               const std::string& path, const std::optional<Hash>& expected,
                               const PageStyle& style) {
  if (!report.ok()) return unsound_store_page(report, path, style);
  const StoreRecord record = record_of(store);
  Page page(style);
  page.say_sound(fmt::format("store {} is whole, and so is every game in it.", path));
  page.blank();
  page.say("Games",
           fmt::format("{}, {} finished; {} in force. {} audit GAME names a game's players.",
                       report.games, record.finished, counted(report.turns, "turn"), page.snl()));
  say_dice(page, record);
  say_fairness(page, report.fairness);
  say_unlikely(page, record);
  say_changes(page, record);
  if (expected) page.say("Kept head", std::string(same_store));
  say_head(page, report, "--all");
  say_log(page, report);
  return std::move(page).text();
}

std::string unsound_store_page(const AuditReport& report, const std::string& path,
                               const PageStyle& style) {
  Page page(style);
  page.say_not_sound(fmt::format("store {} isn't what it should be.", path));
  page.blank();
  say_problems(page, report, place_in_store);
  if (report.games > 0)
    page.say(
        "Games",
        fmt::format("{} {} looked at. For one with a problem, {} audit GAME says how far it is "
                    "proven.",
                    report.games, report.games == 1 ? "was" : "were", page.snl()));
  return std::move(page).text();
}

}  // namespace snl::cli
