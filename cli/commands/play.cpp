// play

#include "cli/session/failure.hpp"
#include "cli/session/input_file.hpp"
#include "cli/session/near_word.hpp"
#include "cli/session/next_step.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "domain/turn_dice.hpp"
#include "game_screens.hpp"
#include "storage/exchange/byte_order_mark.hpp"
#include "storage/exchange/text_form.hpp"
#include "turn_results.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace snl::cli {
namespace {

constexpr std::size_t longest_turn_line = std::size_t{64} << 10U;
constexpr std::size_t largest_atomic_input = std::size_t{16} << 20U;

struct PlayTurns {
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
    if (atomic)
      throw Failure(Exit::usage, "--atomic works only with turns from stdin: " +
                                     snl_command({"play", game.game, "-"}));
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
    return all;
  }

  /// Says which words are missing, and a turn that could be played now.
  Failure nothing_thrown(Session& session) const {
    const Match match = session.match(game.game);
    const GameSetup& setup = *match.state().setup;
    const Position& now = match.state().position;
    const bool is_player = seat_of(setup, *player) != unknown_seat;
    const std::string missing =
        is_player             ? "the dice are missing"
        : parse_dice(*player) ? fmt::format("the player is missing before the dice {}", *player)
                              : fmt::format("no player \"{}\"{}, and no dice", *player,
                                            suggestion(*player, setup.players));
    if (now.winner)
      return {Exit::usage,
              fmt::format("{}, and {} has won already; see {}", missing, setup.players[*now.winner],
                          snl_command({"show", match.id()}))};
    const std::string& next = setup.players[now.next];
    const std::string example = is_player || !can_be_thrown(*player, setup.rules)
                                    ? an_example_of_dice(setup.rules)
                                    : *player;
    return {
        Exit::usage,
        fmt::format("{}{}: {}", missing,
                    is_player && next != *player ? fmt::format(", and {} is to move", next) : "",
                    snl_command({"play", match.id(), next, example}))};
  }

  static bool can_be_thrown(std::string_view text, const Rules& rules) {
    const auto dice = parse_dice(text);
    return dice && distance_of(Dice(std::span(*dice)), rules).has_value();
  }

  static std::string an_example_of_dice(const Rules& rules) {
    return rules.dice == 2 ? "2-1" : std::to_string(std::min(4, rules.faces));
  }

  void play_one(Session& session) const {
    if (dice.empty()) throw nothing_thrown(session);
    const auto values = all_dice();
    const Request asked = request.request();
    Match match = session.match(game.game);
    const TurnPrinter printer(match, TurnPrinter::Style::played, game.form);
    const Seat seat = seat_of(*match.state().setup, *player);
    const auto recorded = match.execute(PlayTurn{seat, Dice(std::span(values))}, asked);
    if (!recorded)
      refuse_turn(
          printer, recorded.error(),
          turn_failure(recorded.error(), match, *player, fmt::format("{}", fmt::join(dice, "-"))));
    if (!std::holds_alternative<TurnPlayed>(recorded->events.front()))
      throw Failure(Exit::failed,
                    "the recorded command isn't a turn; see " + snl_command({"audit"}));
    note_recorded(match.id(), recorded->head.version);
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
    Stream stream(match, game.form, request.expected_version);
    while (const auto line = input.next()) {
      if (const auto turn = stream.read(*line)) stream.play(*turn);
    }
    if (!stream.has_turn()) stream.require_version_of(session.match(game.game));
  }

  class Stream {
   public:
    Stream(Match& match, OutputForm form, std::optional<Version> expected)
        : match_(match), expected_(expected), printer_(match, TurnPrinter::Style::played, form) {}

    /// The turn on a line, if the line holds one.
    std::optional<TurnLine> read(std::string_view line) {
      ++line_;
      auto turn = parse_turn_line(line_ == 1 ? without_byte_order_mark(line) : line,
                                  match_.state().setup->players);
      if (!turn) throw Failure(Exit::usage, fmt::format("line {}: {}", line_, turn.error()));
      has_turn_ = has_turn_ || turn->has_value();
      return *std::move(turn);
    }

    std::expected<Recorded, Rejection> execute(const TurnLine& turn) {
      const Seat seat = seat_of(*match_.state().setup, turn.player);
      auto recorded =
          match_.execute(PlayTurn{seat, Dice(std::span(turn.dice))},
                         {.expected_version = expected_, .command_id = turn.command_id});
      // Nobody may move between the turns of the stream either, nor between those it repeats.
      if (recorded && expected_ && recorded->head.version == *expected_ + 1)
        expected_ = recorded->head.version;
      return recorded;
    }

    bool has_turn() const { return has_turn_; }

    /// For a stream without a turn, with the game as it is after the last line.
    void require_version_of(const Match& match) const {
      const Version now = match.state().version;
      if (expected_.value_or(now) != now)
        throw turn_failure(Conflict{.expected = *expected_, .actual = now}, match, "", "");
    }

    void play(const TurnLine& turn) {
      const auto recorded = execute(turn);
      if (recorded) {
        note_recorded(match_.id(), recorded->head.version);
        printer_.print_turn(*recorded);
      } else if (const auto result = refusal_result(recorded.error())) {
        printer_.print_refusal(*result);
      } else {
        throw failure(recorded.error(), turn);
      }
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
    bool has_turn_ = false;
  };

  /// Everything on stdin, each line with its end.
  static std::string all_lines() {
    LineReader input("-", longest_turn_line);
    std::string lines;
    while (const auto line = input.next()) {
      lines += *line;
      lines += '\n';
      if (lines.size() > largest_atomic_input)
        throw Failure(Exit::usage,
                      fmt::format("stdin: it is larger than {} bytes, too large for one --atomic; "
                                  "play it in parts",
                                  largest_atomic_input));
    }
    return lines;
  }

  /// Reads all input before the store is locked, and prints results after the one commit.
  void play_atomically(Session& session) const {
    const std::string input = all_lines();
    EventStore& store = session.store_to_write(game.game);
    const std::string id = session.resolve(store, game.game);
    std::vector<Recorded> results;
    std::optional<TurnPrinter> printer;
    store.locked(id, [&](EventStore& now) {
      results.clear();
      auto match = Match::load(now, id);
      printer.emplace(*match, TurnPrinter::Style::played, game.form);
      Stream stream(*match, game.form, request.expected_version);
      for (std::string_view lines = input; !lines.empty();) {
        const std::size_t end = lines.find('\n');
        const auto turn = stream.read(lines.substr(0, end));
        lines.remove_prefix(end + 1);
        if (!turn) continue;
        auto recorded = stream.execute(*turn);
        if (!recorded) throw stream.failure(recorded.error(), *turn);
        results.push_back(*std::move(recorded));
      }
      if (!stream.has_turn()) stream.require_version_of(*match);
    });
    if (!results.empty()) note_recorded(id, results.back().head.version);
    for (const Recorded& recorded : results)
      printer->print_turn(recorded);
  }
};

}  // namespace

void add_play(CLI::App& app, Session& session) {
  auto [command, options] = add_command<PlayTurns>(
      app, session, "play", "Play turns with dice you threw: one, many (-), or at a table");
  options.game.add_to(command);
  command.add_option("PLAYER", options.player,
                     "The player who moves; - reads turns from stdin, one per line");
  command.add_option("DICE", options.dice, "All dice of the turn, as 6 3, 6-3 or 6,3");
  command.add_flag("--atomic", options.atomic, "With -: record all turns, or none");
  options.request.add_to(command);
  command.footer(
      R"(A line from stdin is PLAYER DICE, as Ann 6-3, or JSON: {"player":"Ann Lee","dice":[6,3]},
perhaps with "id", a command ID. INVALID MOVE and GAME COMPLETED are answers to a line:
reading goes on, and the exit code at the end of input is 0. To have a refusal stop it, with 6
and nothing recorded, give --atomic.)");
}

}  // namespace snl::cli
