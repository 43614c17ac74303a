// play, roll, undo, redo

#include "cli/drawing/terminal_text.hpp"
#include "cli/playback/on_screen.hpp"
#include "cli/reports/json_output.hpp"
#include "cli/session/files.hpp"
#include "commands.hpp"
#include "number_options.hpp"
#include "storage/exchange/byte_order_mark.hpp"
#include "storage/exchange/text_form.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

namespace snl::cli {
namespace {

constexpr std::size_t longest_turn_line = std::size_t{64} << 10U;
constexpr std::size_t largest_atomic_input = std::size_t{16} << 20U;

/// --expect-version and --command-id.
struct RequestOptions {
  std::optional<Version> expected_version;
  std::optional<std::string> command_id;

  void add_to(CLI::App& command) {
    add_number(command, "--expect-version", expected_version,
               "Do it only if the game is at this version (else exit 5)")
        ->type_name("N");
    command
        .add_option("--command-id", command_id,
                    "An ID of your choice: the same one again records nothing new")
        ->type_name("TEXT");
  }

  Request request() const { return {expected_version, command_id}; }
};

/// What a play or a roll answers.
std::optional<std::string_view> refusal_result(const Rejection& rejection) {
  const auto* refusal = std::get_if<Refusal>(&rejection);
  if (refusal == nullptr) return std::nullopt;
  if (std::holds_alternative<InvalidMove>(*refusal)) return invalid_move_result;
  if (std::holds_alternative<GameCompleted>(*refusal)) return game_completed_result;
  return std::nullopt;
}

/// Prints the results of turns, one line each.
class TurnPrinter {
 public:
  enum class Style : std::uint8_t { played, rolled };

  TurnPrinter(const Match& match, Style style, bool json)
      : setup_(match.state().setup), style_(style), json_(json) {}

  void print_turn(const Recorded& recorded) const {
    const auto& turn = std::get<TurnPlayed>(recorded.events.front());
    const auto& players = setup_->players;
    const std::string result = result_of(turn, players);
    if (json_) {
      auto object = turn_json(turn, players);
      object["result"] = result;
      object["version"] = recorded.head.version;
      object["head"] = to_hex(recorded.head.hash);
      print_json(object);
    } else if (style_ == Style::rolled) {
      print_names(fmt::format("{} {}", players[turn.seat], to_string(turn.dice)));
      print("\t");
      print_names(result + '\n');
    } else {
      print_names(result + '\n');
    }
  }

  void print_refusal(std::string_view result) const {
    if (json_)
      print_json({{"result", result}});
    else
      print_line(result);
  }

 private:
  std::shared_ptr<const GameSetup> setup_;  // a match may load its own anew
  Style style_;
  bool json_;
};

/// Why a turn was not recorded, in words that name the player and the dice as they were given.
Failure turn_failure(const Rejection& rejection, const Match& match, std::string_view player,
                     std::string_view dice) {
  const GameSetup& setup = *match.state().setup;
  const Position& position = match.state().position;
  if (const auto* refusal = std::get_if<Refusal>(&rejection)) {
    if (std::holds_alternative<UnknownPlayer>(*refusal))
      return {Exit::no_such, fmt::format("no player \"{}\"; the players are {}", player,
                                         fmt::join(setup.players, ", "))};
    if (const auto* impossible = std::get_if<ImpossibleDice>(refusal))
      return {Exit::usage,
              fmt::format("dice {} are impossible: {}", dice, possible_dice(impossible->rules))};
    if (std::holds_alternative<InvalidMove>(*refusal))
      return {Exit::refused, fmt::format("{} is to move", setup.players[position.next])};
    if (std::holds_alternative<GameCompleted>(*refusal) && position.winner)
      return {Exit::refused, fmt::format("{} has won already", setup.players[*position.winner])};
  }
  return failure_from(rejection, setup, match.id());
}

/// Ends the command for a turn that was not recorded, its result printed if it has one.
[[noreturn]] void refuse_turn(const TurnPrinter& printer, const Rejection& rejection,
                              const Failure& failure) {
  if (const auto result = refusal_result(rejection)) printer.print_refusal(*result);
  throw failure;
}

// ---- play

struct Play {
  GameArgument game;
  std::optional<std::string> player;
  std::vector<std::string> dice;
  bool atomic = false;
  RequestOptions request;

  void run(Session& session) const {
    if (!player) {
      if (atomic || request.command_id || request.expected_version)
        throw Failure(Exit::usage,
                      "a turn is missing: give PLAYER DICE, or - to read turns from stdin");
      return play_at_table(session, game.game);
    }
    if (*player == "-" && dice.empty()) return play_stream(session);
    if (atomic) throw Failure(Exit::usage, "--atomic goes with turns from stdin: snl play GAME -");
    play_one(session);
  }

 private:
  std::vector<std::int32_t> all_dice() const {
    std::vector<std::int32_t> all;
    for (const std::string& word : dice) {
      const auto some = parse_dice(word);
      if (!some)
        throw Failure(Exit::usage,
                      fmt::format("\"{}\" isn't a list of dice, such as 6 3 or 6-3", word));
      all.insert(all.end(), some->begin(), some->end());
    }
    if (all.empty())
      throw Failure(Exit::usage,
                    fmt::format("the dice are missing: snl play {} {} 6-3", game.game, *player));
    return all;
  }

  void play_one(Session& session) const {
    const auto values = all_dice();
    const Request asked = request.request();
    Match match = session.match(game.game);
    const TurnPrinter printer(match, TurnPrinter::Style::played, game.json);
    const Seat seat = seat_of(*match.state().setup, *player);
    const auto recorded = match.execute(PlayTurn{seat, Dice(std::span(values))}, asked);
    if (!recorded)
      refuse_turn(
          printer, recorded.error(),
          turn_failure(recorded.error(), match, *player, fmt::format("{}", fmt::join(dice, "-"))));
    if (!std::holds_alternative<TurnPlayed>(recorded->events.front()))
      throw Failure(Exit::failed, "the recorded command is no turn; see snl audit");
    printer.print_turn(*recorded);
  }

  void play_stream(Session& session) const {
    if (request.command_id)
      throw Failure(
          Exit::usage,
          "--command-id is for one turn; in a stream, a JSON line carries its own \"id\"");
    if (atomic) return play_atomically(session);
    LineReader input("-", longest_turn_line);
    Match match = session.match(game.game);
    Stream stream(match, game.json, request.expected_version);
    while (const auto line = input.next()) {
      if (const auto turn = stream.read(*line)) stream.play(*turn);
    }
  }

  /// A stream of turn lines that are played one after another.
  class Stream {
   public:
    Stream(Match& match, bool json, std::optional<Version> expected)
        : match_(match), expected_(expected), printer_(match, TurnPrinter::Style::played, json) {}

    /// The turn on a line, if there is one.
    std::optional<TurnLine> read(std::string_view line) {
      ++line_;
      auto turn = parse_turn_line(line_ == 1 ? without_byte_order_mark(line) : line);
      if (!turn) throw Failure(Exit::usage, fmt::format("line {}: {}", line_, turn.error()));
      return *std::move(turn);
    }

    std::expected<Recorded, Rejection> execute(const TurnLine& turn) {
      const Seat seat = seat_of(*match_.state().setup, turn.player);
      auto recorded =
          match_.execute(PlayTurn{seat, Dice(std::span(turn.dice))},
                         {.expected_version = expected_, .command_id = turn.command_id});
      // Nobody may move in between from here on either.
      if (recorded && expected_ && !recorded->again) expected_ = recorded->head.version;
      return recorded;
    }

    void play(const TurnLine& turn) {
      const auto recorded = execute(turn);
      if (recorded)
        printer_.print_turn(*recorded);
      else if (const auto result = refusal_result(recorded.error()))
        printer_.print_refusal(*result);
      else
        throw failure(recorded.error(), turn);
      flush();
    }

    Failure failure(const Rejection& rejection, const TurnLine& turn) const {
      const Failure cause = turn_failure(rejection, match_, turn.player, turn.dice_text);
      return {cause.code(), fmt::format("line {}: {}", line_, cause.what())};
    }

   private:
    Match& match_;
    std::optional<Version> expected_;
    TurnPrinter printer_;
    std::size_t line_ = 0;
  };

  /// What is on stdin, every line with its end.
  static std::string all_lines() {
    LineReader input("-", longest_turn_line);
    std::string lines;
    while (const auto line = input.next()) {
      lines += *line;
      lines += '\n';
      if (lines.size() > largest_atomic_input)
        throw Failure(Exit::usage,
                      fmt::format("stdin: it is larger than {} bytes, too much for one --atomic; "
                                  "play it in parts",
                                  largest_atomic_input));
    }
    return lines;
  }

  /// All of the input is read before the store is locked, and results come after the one commit.
  void play_atomically(Session& session) const {
    const std::string input = all_lines();
    EventStore& store = session.store_to_write(game.game);
    const std::string id = session.resolve(store, game.game);
    std::vector<Recorded> results;
    std::optional<Match> match;
    store.atomically([&] {
      match = Match::load(store, id);
      Stream stream(*match, game.json, request.expected_version);
      for (std::string_view lines = input; !lines.empty();) {
        const std::size_t end = lines.find('\n');
        const auto turn = stream.read(lines.substr(0, end));
        lines.remove_prefix(end + 1);
        if (!turn) continue;
        auto recorded = stream.execute(*turn);
        if (!recorded) throw stream.failure(recorded.error(), *turn);
        results.push_back(*std::move(recorded));
      }
    });
    const TurnPrinter printer(*match, TurnPrinter::Style::played, game.json);
    for (const Recorded& recorded : results)
      printer.print_turn(recorded);
  }
};

void add_play(CLI::App& app, Session& session) {
  auto* command =
      app.add_subcommand("play", "Play turns with dice you threw: one, many (-), or at a table");
  auto options = std::make_shared<Play>();
  options->game.add_to(*command);
  command->add_option("PLAYER", options->player,
                      "Who moves; - reads turns from stdin, a line each");
  command->add_option("DICE", options->dice, "All dice of the turn, as 6 3 or 6-3");
  command->add_flag("--atomic", options->atomic, "With -: record all turns, or none");
  options->request.add_to(*command);
  command->callback([options, &session] { options->run(session); });
}

// ---- roll

struct Roll {
  GameArgument game;
  std::optional<Turn> count;
  bool all = false;
  std::optional<Turn> max_turns;
  RequestOptions request;

  void run(Session& session) const {
    if (count && *count < 1)
      throw Failure(Exit::usage, fmt::format("-n {}: at least 1 turn", *count));
    if (max_turns && *max_turns < 1)
      throw Failure(Exit::usage, fmt::format("--max-turns {}: at least 1 turn", *max_turns));
    if (request.command_id && (all || count.value_or(1) > 1))
      throw Failure(Exit::usage, "--command-id is for one turn: it doesn't go with --all or -n");
    Match match = session.match(game.game);
    const Turn usual_max = 1000 * static_cast<Turn>(match.state().players());
    const Turn most = all ? max_turns.value_or(usual_max) : count.value_or(1);
    const TurnPrinter printer(match, TurnPrinter::Style::rolled, game.json);
    Request asked = request.request();
    for (Turn turn = 0; turn < most; ++turn) {
      const auto recorded = match.execute(RollTurn{}, asked);
      if (!recorded) {
        if (turn > 0 && refusal_result(recorded.error())) return;  // another process won meanwhile
        refuse_turn(printer, recorded.error(), turn_failure(recorded.error(), match, "", ""));
      }
      printer.print_turn(*recorded);
      flush();
      if (match.state().completed()) return;
      if (asked.expected_version) asked.expected_version = recorded->head.version;
    }
    if (all) warn(fmt::format("nobody has won after {} turns; --max-turns allows more", most));
  }
};

void add_roll(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand(
      "roll", "Roll the game's own seeded dice for the player to move, and play");
  auto options = std::make_shared<Roll>();
  options->game.add_to(*command);
  auto* count =
      add_number(*command, "-n", options->count, "N turns; stops at a win")->type_name("N");
  auto* all = command->add_flag("--all", options->all, "To the end of the game")->excludes(count);
  add_number(*command, "--max-turns", options->max_turns,
             "With --all: at most N turns (default: 1000 a player)")
      ->needs(all);
  options->request.add_to(*command);
  command->callback([options, &session] { options->run(session); });
}

// ---- undo, redo

/// Why nothing was undone or redone, in the words of the command.
Failure undo_failure(const Rejection& rejection, const Match& match, const Command& command) {
  const auto* refusal = std::get_if<Refusal>(&rejection);
  const auto* few = refusal == nullptr ? nullptr : std::get_if<NotEnoughTurns>(refusal);
  if (few == nullptr) return failure_from(rejection, *match.state().setup, match.id());
  const std::string_view verb = std::holds_alternative<RedoTurns>(command) ? "redo" : "undo";
  if (few->possible == 0 || few->asked == 0)
    return {Exit::refused, fmt::format("nothing to {}: game {} is at turn {}", verb, match.id(),
                                       match.state().position.turn)};
  return {Exit::refused, fmt::format("{} turns are too many to {}: {} is the most", few->asked,
                                     verb, few->possible)};
}

void take_back_or_put_back(Session& session, const GameArgument& game, const Command& command,
                           const Request& request) {
  Match match = session.match(game.game);
  const auto recorded = match.execute(command, request);
  if (!recorded) throw undo_failure(recorded.error(), match, command);
  if (game.json) {
    const GameSummary summary =
        recorded->again ? match.summary_at(recorded->head.version) : match.summary();
    print_json(position_json(summary, summary.position));
    return;
  }
  for (const Event& event : recorded->events)
    print_line(printable(narrate(event, match.state().setup->players, session.glyphs())));
}

struct Undo {
  GameArgument game;
  std::optional<Turn> count;
  std::optional<Turn> to;
  RequestOptions request;

  void run(Session& session) const {
    if (count && *count < 1)
      throw Failure(Exit::usage, fmt::format("-n {}: at least 1 turn", *count));
    if (to && *to < 0) throw Failure(Exit::usage, fmt::format("--to {}: a turn is 0 or more", *to));
    const Command command = to ? Command{UndoToTurn{*to}} : Command{UndoTurns{count.value_or(1)}};
    take_back_or_put_back(session, game, command, request.request());
  }
};

struct Redo {
  GameArgument game;
  Turn count = 1;
  RequestOptions request;

  void run(Session& session) const {
    if (count < 1) throw Failure(Exit::usage, fmt::format("-n {}: at least 1 turn", count));
    take_back_or_put_back(session, game, RedoTurns{count}, request.request());
  }
};

void add_undo_and_redo(CLI::App& app, Session& session) {
  auto* undo = app.add_subcommand("undo", "Take back the last turns; the log keeps them");
  auto undo_options = std::make_shared<Undo>();
  undo_options->game.add_to(*undo);
  auto* count =
      add_number(*undo, "-n", undo_options->count, "N turns (default: 1)")->type_name("N");
  add_number(*undo, "--to", undo_options->to, "Leave this turn the last in force")
      ->type_name("TURN")
      ->excludes(count);
  undo_options->request.add_to(*undo);
  undo->callback([undo_options, &session] { undo_options->run(session); });

  auto* redo = app.add_subcommand("redo", "Put back turns that were taken back");
  auto redo_options = std::make_shared<Redo>();
  redo_options->game.add_to(*redo);
  add_number(*redo, "-n", redo_options->count, "N turns (default: 1)")->type_name("N");
  redo_options->request.add_to(*redo);
  redo->callback([redo_options, &session] { redo_options->run(session); });
}

}  // namespace

void add_play_commands(CLI::App& app, Session& session) {
  add_play(app, session);
  add_roll(app, session);
  add_undo_and_redo(app, session);
}

}  // namespace snl::cli
