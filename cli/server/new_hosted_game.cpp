#include "new_hosted_game.hpp"

#include "cli/drawing/seen_names.hpp"
#include "domain/named_boards.hpp"
#include "problem.hpp"
#include "storage/draw.hpp"
#include "storage/exchange/board_json.hpp"
#include "tokens.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <utility>

namespace snl::cli {

namespace json = boost::json;

namespace {

constexpr std::int64_t least_pace = 5;
constexpr std::int64_t most_pace = 86'400;

[[noreturn]] void refuse(const std::string& why) {
  throw HttpProblem(422, "invalid-value", why);
}
[[noreturn]] void refuse(const std::string& why, json::value value) {
  throw HttpProblem(422, "invalid-value", why).with_value(std::move(value));
}

void refuse_faults(std::span<const std::string> faults) {
  if (!faults.empty()) refuse(in_a_line(faults));
}

/// `what` begins the sentence that refuses: "finish is".
template <class Table>
auto value_asked(const Table& table, std::string_view what, const std::string& name) {
  const auto value = value_named(table, name);
  if (!value) refuse(fmt::format("{} {}", what, alternatives(table)), json::string(name));
  return *value;
}

struct AskedBoard {
  Board board;
  std::string_view rules;  // a preset
};

AskedBoard board_from(const json::value* asked) {
  const json::string* name = asked == nullptr ? nullptr : asked->if_string();
  if (asked == nullptr || name != nullptr) {
    const NamedBoard* named = find_named_board(name == nullptr ? usual_board : *name);
    if (named == nullptr) {
      std::vector<std::string_view> names;
      for (const NamedBoard& known : named_boards())
        names.push_back(known.name);
      refuse(fmt::format("no board has this name; there are {}", fmt::join(names, ", ")), *name);
    }
    return {named->board(), named->rules};
  }
  auto read = parse_board(json::serialize(*asked));
  if (!read) {
    constexpr std::size_t published = 20;
    const auto& faults = read.error();
    refuse(fmt::format("{}{}",
                       fmt::join(std::span(faults).first(std::min(published, faults.size())), "; "),
                       faults.size() > published ? "; and more" : ""));
  }
  return {std::move(read->board), "standard"};
}

std::int32_t small_number(std::string_view name, std::int64_t number) {
  if (!std::in_range<std::int32_t>(number))
    refuse(fmt::format("{} can't be so large", name), number);
  return static_cast<std::int32_t>(number);
}

/// Ascending, as rules have them.
std::vector<std::int32_t> small_numbers(std::string_view name,
                                        const std::vector<std::int64_t>& numbers) {
  std::vector<std::int32_t> sorted;
  sorted.reserve(numbers.size());
  for (const std::int64_t number : numbers)
    sorted.push_back(small_number(name, number));
  std::ranges::sort(sorted);
  return sorted;
}

}  // namespace

NewGameRequest::NewGameRequest(const HttpRequest& request)
    : body_(request,
            {"players", "open", "board", "rules", "dice", "takebacks", "private", "pace", "token"}),
      players_(body_.texts("players")),
      open_(body_.number("open")),
      rules_(asked_rules(body_)),
      dice_(body_.text("dice")),
      takebacks_(body_.text("takebacks")),
      is_private_(body_.boolean("private").value_or(false)),
      pace_(body_.number("pace")),
      token_(body_.text("token")) {
  if (players_.has_value() == open_.has_value())
    RequestBody::refuse("send either players, a list of names, or open, the number of seats");
  if (const json::value* board = body_.find("board");
      board != nullptr && !board->is_string() && !board->is_object() && !board->is_array())
    RequestBody::refuse("board is a name, or a board as a JSON object or list");
}

NewGameRequest::AskedRules NewGameRequest::asked_rules(const RequestBody& body) {
  const json::value* asked = body.find("rules");
  if (asked == nullptr) return {};
  if (asked->is_string()) return {.preset = body.text("rules")};
  if (!asked->is_object()) RequestBody::refuse("rules are a preset's name, or an object");
  const RequestBody rules(asked->as_object(), {"preset", "start", "finish", "dice", "faces",
                                               "sixes", "enter", "meet", "safe"});
  return {.preset = rules.text("preset"),
          .start = rules.number("start"),
          .finish = rules.text("finish"),
          .dice = rules.number("dice"),
          .faces = rules.number("faces"),
          .sixes = rules.text("sixes"),
          .enter = rules.numbers("enter"),
          .meet = rules.text("meet"),
          .safe = rules.numbers("safe")};
}

/// As by the options of snl new: each part replaces the preset's, or else the board's own.
Rules NewGameRequest::chosen_rules(std::string_view rules_of_board) const {
  Rules rules =
      value_asked(preset_names, "rules are", rules_.preset.value_or(std::string(rules_of_board)));
  if (rules_.start) rules.start = small_number("start", *rules_.start);
  if (rules_.dice) rules.dice = small_number("dice", *rules_.dice);
  if (rules_.faces) rules.faces = small_number("faces", *rules_.faces);
  if (rules_.finish) rules.finish = value_asked(finish_names, "finish is", *rules_.finish);
  if (rules_.sixes)
    rules.sixes = value_asked(sixes_names, "sixes is", *rules_.sixes);
  else if (!can_roll_again(rules))
    rules.sixes = Sixes::plain;
  if (rules_.enter) rules.enter = small_numbers("enter", *rules_.enter);
  if (rules_.meet) rules.meet = value_asked(meet_names, "meet is", *rules_.meet);
  if (rules_.safe) rules.safe = small_numbers("safe", *rules_.safe);
  refuse_faults(faults_of(rules));
  return rules;
}

HostedGame NewGameRequest::hosted_game(const GameSettings& settings) const {
  HostedGame hosted;
  if (players_) {
    refuse_faults(faults_of_players(*players_, fault_of_name));
    refuse_faults(faults_of_looks(*players_));
    std::ranges::for_each(*players_, check_name);
    hosted.seats.resize(players_->size());
  } else {
    if (*open_ < static_cast<std::int64_t>(min_players) ||
        *open_ > static_cast<std::int64_t>(max_players))
      refuse("a game is open to 2 to 10 players", *open_);
    hosted.seats.resize(static_cast<std::size_t>(*open_));
  }
  const AskedBoard asked = board_from(body_.find("board"));
  if (settings.most_cells > 0 && asked.board.cells() > settings.most_cells)
    refuse(fmt::format("a board has at most {} cells here", settings.most_cells),
           asked.board.cells());
  hosted.board = board_to_json(asked.board);
  hosted.rules = chosen_rules(asked.rules);
  refuse_faults(faults_of_safe_cells(hosted.rules, asked.board.cells()));
  if (dice_) hosted.dice = value_asked(hosted_dice_names, "dice are", *dice_);
  if (takebacks_) hosted.takebacks = value_asked(takebacks_names, "takebacks are", *takebacks_);
  if (pace_ && (*pace_ < least_pace || *pace_ > most_pace))
    refuse(fmt::format("a pace is {} to {} seconds", least_pace, most_pace), *pace_);
  if (pace_ && hosted.dice == HostedGame::Dice::own)
    refuse("players throw the dice of this game: it can have no pace", *pace_);
  hosted.pace = pace_;
  if (is_private_) hosted.visibility = HostedGame::Visibility::by_its_id;
  if (token_) check_token(*token_);
  return hosted;
}

void check_name(const std::string& name) {
  if (const auto fault = fault_of_name(name))
    refuse(fmt::format("the name {}", *fault), json::string(name));
  if (as_seen(name).empty()) refuse("the name can't be seen", json::string(name));
}

void check_token(const std::string& token) {
  // The refusal doesn't repeat the text.
  if (!is_token(token)) refuse("a token is 32 random bytes as base64url: 43 characters");
}

std::shared_ptr<const GameSetup> setup_of(const HostedGame& hosted) {
  auto read = parse_board(hosted.board);
  if (!read || !hosted.secret)
    throw StoreError(
        StoreError::Cause::damaged,
        fmt::format("what the server keeps of game {} is damaged: its board, or the secret of its "
                    "dice; restore a copy",
                    hosted.id));
  GameSetup setup{.players = {}, .board = std::move(read->board), .rules = hosted.rules};
  Draw draw{.commitment = commitment_of(hosted.secret->to_draw_with()),
            .secret = hosted.secret->to_draw_with(),
            .entropy = {}};
  for (const auto& seat : hosted.seats) {
    if (!seat) continue;
    setup.players.push_back(seat->name);
    draw.entropy.push_back(seat->entropy);
  }
  setup.seed = seed_of(draw.secret, draw.entropy);
  // Dice that players throw have a seed too, but nobody relies on it.
  if (hosted.dice == HostedGame::Dice::seeded) setup.draw = std::move(draw);
  return std::make_shared<const GameSetup>(std::move(setup));
}

}  // namespace snl::cli
