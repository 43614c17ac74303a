#include "text_form.hpp"

#include "blanks.hpp"
#include "byte_order_mark.hpp"
#include "domain/whole_number.hpp"
#include "json_members.hpp"
#include "json_numbers.hpp"
#include "storage/codec.hpp"
#include "storage/game_id.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <utility>

namespace snl {
namespace {

namespace json = boost::json;

std::unexpected<std::string> error(std::string why) {
  return std::unexpected(std::move(why));
}

/// The value of a die in JSON; the largest int32 for a larger number, as in parse_dice.
std::optional<std::int32_t> whole_die(const json::value& die) {
  constexpr auto largest = std::numeric_limits<std::int32_t>::max();
  if (die.is_uint64()) return largest;
  const auto whole = whole_number(die);
  if (!whole) return std::nullopt;
  return std::in_range<std::int32_t>(*whole) ? static_cast<std::int32_t>(*whole) : largest;
}

constexpr const char* dice_in_json = "\"dice\" is a list of whole numbers";

/// The dice of a JSON list.
std::expected<std::vector<std::int32_t>, std::string> dice_from_json(const std::string& list) {
  std::vector<std::int32_t> dice;
  const json::value value = json::parse(list);
  for (const json::value& die : value.get_array()) {
    const auto whole = whole_die(die);
    if (!whole) return error(dice_in_json);
    dice.push_back(*whole);
  }
  return dice;
}

std::expected<std::optional<TurnLine>, std::string> parse_json_turn(std::string_view line) {
  const auto members = read_json_members(line);
  if (!members) return error(members.error());
  TurnLine turn;
  for (const auto& [key, member] : *members) {
    if (key == "player" || key == "id") {
      if (!member.is_string) return error(fmt::format("\"{}\" is a text in quotes", key));
      if (key == "player")
        turn.player = member.text;
      else
        turn.command_id = member.text;
    } else if (key == "dice") {
      if (member.is_string || !member.text.starts_with('[')) return error(dice_in_json);
      auto dice = dice_from_json(member.text);
      if (!dice) return error(std::move(dice).error());
      turn.dice = *std::move(dice);
      turn.dice_text = member.text;
    } else {
      return error(
          fmt::format("\"{}\" isn't expected here; a turn is "
                      "{{\"player\":\"Ann Lee\",\"dice\":[6,3]}}, perhaps with \"id\"",
                      key));
    }
  }
  if (!members->contains("player") || !members->contains("dice"))
    return error("\"player\" and \"dice\" are both needed");
  return turn;
}

bool has(std::span<const std::string> players, std::string_view name) {
  return std::ranges::find(players, name) != players.end();
}

/// The last word of a text without outer blanks, and the text before it.
struct LastWord {
  std::string_view before;
  std::string_view word;
};

LastWord last_word(std::string_view text) {
  const std::size_t begin = text.find_last_of(blanks_in_a_line) + 1;
  return {.before = without_outer_blanks(text.substr(0, begin)), .word = text.substr(begin)};
}

/// If the player's name ends in numbers, and one of the players has the name without them, moves
/// the numbers to the dice; otherwise returns the turn unchanged.
TurnLine with_dice_apart(TurnLine turn, std::span<const std::string> players) {
  TurnLine longer = turn;
  while (!has(players, longer.player)) {
    const auto [before, word] = last_word(longer.player);
    const auto dice = before.empty() ? std::nullopt : parse_dice(word);
    if (!dice) return turn;
    longer.dice.insert(longer.dice.begin(), dice->begin(), dice->end());
    longer.dice_text = fmt::format("{}-{}", word, longer.dice_text);
    longer.player = std::string(before);
  }
  return longer;
}

/// A player's name that stands before the line's last space, with all its blanks.
std::optional<std::string_view> name_to_the_letter(std::string_view line,
                                                   std::span<const std::string> players) {
  const std::string_view turn = line.substr(0, line.find_last_not_of(blanks_in_a_line) + 1);
  const std::size_t space = turn.rfind(' ');
  if (space == std::string_view::npos || !has(players, turn.substr(0, space))) return std::nullopt;
  return turn.substr(0, space);
}

}  // namespace

std::expected<std::optional<TurnLine>, std::string> parse_turn_line(
    std::string_view line, std::span<const std::string> players) {
  const std::string_view trimmed = without_outer_blanks(line);
  const auto name = name_to_the_letter(line, players);
  const std::string_view beginning = name ? line : trimmed;
  if (beginning.empty() || beginning.starts_with('#')) return std::nullopt;
  if (beginning.starts_with("{\"")) return parse_json_turn(trimmed);
  const auto [before, word] = last_word(trimmed);
  const std::string_view player = name.value_or(before);
  if (player.empty())
    return error(fmt::format("\"{}\" isn't a turn, such as \"Ann 6-3\"", trimmed));
  const auto dice = parse_dice(word);
  if (!dice) return error(fmt::format("\"{}\" isn't a list of dice, such as 6-3", word));
  return with_dice_apart({.player = std::string(player),
                          .dice = *dice,
                          .dice_text = std::string(word),
                          .command_id = std::nullopt},
                         players);
}

std::string format_turn_line(std::string_view player, const Dice& dice) {
  std::string plain = fmt::format("{} {}", player, to_string(dice));
  const auto read = parse_turn_line(without_byte_order_mark(plain));  // as in a first line
  const bool survives = read && *read && (*read)->player == player;
  if (survives && !plain.starts_with('[')) return plain;
  std::string line = "{\"player\":";
  append_json_string(line, player);
  return line + fmt::format(",\"dice\":[{}]}}", fmt::join(dice.values(), ","));
}

// ---- Whole games

namespace {

struct Header {
  std::string name;
  std::string value;
};

/// `[Name "value"]` with \" and \\ in the value, and blanks between its parts.
std::expected<Header, std::string> parse_header(std::string_view line) {
  const auto malformed = [&] {
    return error(fmt::format("{} isn't a header, such as [Player \"Ann\"]", line));
  };
  if (!line.starts_with('[')) return malformed();
  std::string_view rest = without_outer_blanks(line.substr(1));
  const std::size_t blank = std::min(rest.find_first_of(blanks_in_a_line), rest.size());
  Header header{.name = std::string(rest.substr(0, blank)), .value = {}};
  rest = without_outer_blanks(rest.substr(blank));
  if (header.name.contains('"') || !rest.starts_with('"')) return malformed();
  rest.remove_prefix(1);
  while (!rest.empty() && rest.front() != '"') {
    if (rest.front() == '\\') rest.remove_prefix(1);
    if (rest.empty()) return malformed();
    header.value += rest.front();
    rest.remove_prefix(1);
  }
  if (rest.empty() || without_outer_blanks(rest.substr(1)) != "]") return malformed();
  return header;
}

void append_header(std::string& text, std::string_view name, std::string_view value) {
  text += fmt::format("[{} \"", name);
  for (const char byte : value) {
    if (byte == '"' || byte == '\\') text += '\\';
    text += byte;
  }
  text += "\"]\n";
}

}  // namespace

class GameTextReader::Headers {
 public:
  /// Other headers, which other programs may use, mean nothing here.
  static bool knows(std::string_view name) {
    constexpr std::array<std::string_view, 15> known{"Id",     "Player", "Cells", "Width",  "Snake",
                                                     "Ladder", "Power",  "Start", "Finish", "Dice",
                                                     "Faces",  "Sixes",  "Enter", "Meet",   "Safe"};
    return std::ranges::find(known, name) != known.end();
  }

  /// An error for a repeated header or an impossible value.
  std::expected<void, std::string> add(const Header& header) {
    const auto& [name, value] = header;
    const bool is_repeated =
        name == "Player" || name == "Snake" || name == "Ladder" || name == "Power";
    if (!names_.insert(name).second && !is_repeated)
      return error(fmt::format("the game has two {} headers; leave one of them out", name));
    if (name == "Id") {
      if (!is_game_id(value))
        return error(fmt::format("Id \"{}\": an ID is up to 64 of A-Z a-z 0-9 . _ -", value));
      id_ = value;
    } else if (name == "Player") {
      players_.push_back(value);
    } else if (name == "Snake" || name == "Ladder") {
      const auto jump = jump_from_text(value);
      if (!jump)
        return error(
            fmt::format("{} \"{}\": two cells are expected, such as \"17,7\"", name, value));
      (name == "Snake" ? board_.snakes : board_.ladders).push_back(*jump);
    } else if (name == "Power") {
      const auto power = power_from_text(value);
      if (!power)
        return error(fmt::format(
            "Power \"{}\": a cell, a power and its number are expected, such as \"30,skip,2\"",
            value));
      board_.powers.push_back(*power);
    } else if (name == "Enter" || name == "Safe") {
      const bool is_any_face = name == "Enter" && value == "any";
      auto numbers = is_any_face ? std::vector<std::int32_t>() : whole_numbers(value);
      if (!numbers)
        return error(fmt::format(
            "{} \"{}\": numbers joined by commas are expected, such as \"2,6\"", name, value));
      std::ranges::sort(*numbers);
      (name == "Enter" ? rules_.enter : rules_.safe) = *std::move(numbers);
    } else if (name == "Meet") {
      return take_named(meet_names, name, value, rules_.meet);
    } else if (name == "Finish") {
      return take_named(finish_names, name, value, rules_.finish);
    } else if (name == "Sixes") {
      return take_named(sixes_names, name, value, rules_.sixes);
    } else {
      return add_number(name, value);
    }
    return {};
  }

  const std::optional<std::string>& id() const { return id_; }
  const std::vector<std::string>& players() const { return players_; }

  /// Whether every number that was given, such as that of cells, could be read.
  bool has_its_numbers() const { return has_its_numbers_; }

  std::expected<std::shared_ptr<const GameSetup>, std::string> setup() const {
    auto board = Board::make(board_);
    Rules rules = rules_;
    if (!names_.contains("Sixes") && !can_roll_again(rules)) rules.sixes = Sixes::plain;
    if (!board) {
      Faults faults = messages_of(board.error());
      std::ranges::move(faults_besides_board(players_, rules), std::back_inserter(faults));
      return error(in_a_line(faults));
    }
    GameSetup setup{.players = players_, .board = *std::move(board), .rules = rules};
    if (const auto faults = faults_of(setup); !faults.empty()) return error(in_a_line(faults));
    return std::make_shared<const GameSetup>(std::move(setup));
  }

 private:
  template <class Table, class Value>
  std::expected<void, std::string> take_named(const Table& table, const std::string& name,
                                              const std::string& value, Value& rule) {
    const auto known = value_named(table, value);
    if (!known)
      return error(fmt::format("{} \"{}\": it must be {}", name, value, alternatives(table)));
    rule = *known;
    return {};
  }

  std::expected<void, std::string> add_number(const std::string& name, const std::string& value) {
    const auto number = whole_number(value);
    const bool fits = number && std::in_range<std::int32_t>(*number);
    if (!number || (!fits && name != "Cells" && name != "Width")) {
      has_its_numbers_ = false;
      return error(fmt::format("{} \"{}\": a number is expected", name, value));
    }
    if (name == "Cells") board_.cells = *number;
    if (name == "Width") board_.width = number;
    if (name == "Start") rules_.start = static_cast<Cell>(*number);
    if (name == "Dice") rules_.dice = static_cast<std::int32_t>(*number);
    if (name == "Faces") rules_.faces = static_cast<std::int32_t>(*number);
    return {};
  }

  std::optional<std::string> id_;
  std::vector<std::string> players_;
  BoardDescription board_;
  Rules rules_;
  std::set<std::string> names_;  // of the headers so far
  bool has_its_numbers_ = true;
};

/// The most faults that are reported.
constexpr std::size_t very_many_faults = 50;

GameTextReader::GameTextReader(std::size_t lines_before)
    : first_line_(lines_before + 1), line_(lines_before), headers_(std::make_unique<Headers>()) {}
GameTextReader::~GameTextReader() = default;

std::expected<std::optional<GameText::Turn>, std::string> GameTextReader::add(
    std::string_view line) {
  ++line_;
  const auto fault = [this](const std::string& why) {
    return error(fmt::format("line {}: {}", line_, why));
  };
  const std::string_view trimmed = without_outer_blanks(line);
  after_blank_ = trimmed.empty();
  if (in_headers_ && trimmed.starts_with('[')) {
    if (const auto added = add_header(trimmed); !added)
      unreadable_.push_back(fault(added.error()).error());
    if (unreadable_.size() >= very_many_faults) return error(faults_of_headers());
    return std::nullopt;
  }
  auto turn = read_turn(line);
  if (turn && !*turn) return std::nullopt;
  if (!unreadable_.empty()) return error(faults_of_headers());
  if (!turn) return fault(turn.error());
  in_headers_ = false;
  return GameText::Turn{.line = line_, .turn = **std::move(turn)};
}

bool GameTextReader::ends_before(std::string_view line) const {
  const auto header = parse_header(without_outer_blanks(line));
  if (!header) return false;
  return !in_headers_ || (after_blank_ && header->name == "Id" && headers_->id());
}

std::expected<void, std::string> GameTextReader::add_header(std::string_view line) {
  const auto header = parse_header(line);
  if (!header) return error(header.error());
  if (Headers::knows(header->name)) return headers_->add(*header);
  if (unknown_.size() < very_many_faults)
    unknown_.push_back(fmt::format("line {}: the header {} isn't known", line_, header->name));
  return {};
}

std::string GameTextReader::headers_in_words() const {
  return first_line_ == 1 ? "the headers: "
                          : fmt::format("the headers from line {} on: ", first_line_);
}

/// The unreadable headers, and the faults of the others as far as they can be judged without these.
std::string GameTextReader::faults_of_headers() const {
  Faults faults = unreadable_;
  const auto setup = headers_->setup();
  if (!setup && headers_->has_its_numbers()) faults.push_back(headers_in_words() + setup.error());
  return in_a_line(faults);
}

std::expected<std::optional<TurnLine>, std::string> GameTextReader::read_turn(
    std::string_view line) {
  auto parsed = parse_turn_line(line, headers_->players());
  if (!parsed || !*parsed || !(*parsed)->command_id) return parsed;
  const std::string& id = *(*parsed)->command_id;
  if (const auto fault = fault_of_name(id))
    return error(fmt::format("command ID \"{}\" {}", id, *fault));
  if (!command_ids_.insert(id).second)
    return error(fmt::format("command ID \"{}\" appears twice", id));
  return parsed;
}

std::expected<GameText, std::string> GameTextReader::game() const {
  if (!unreadable_.empty()) return error(faults_of_headers());
  auto setup = headers_->setup();
  if (!setup) return error(headers_in_words() + setup.error());
  return GameText{.id = headers_->id(), .setup = *std::move(setup)};
}

std::optional<std::string> format_game_text(const std::string& id, const Timeline& timeline) {
  const GameSetup& setup = *timeline.state().setup;
  if (setup.origin) return std::nullopt;
  std::string text;
  append_header(text, "Id", id);
  for (const std::string& player : setup.players)
    append_header(text, "Player", player);
  append_header(text, "Cells", std::to_string(setup.board.cells()));
  append_header(text, "Width", std::to_string(setup.board.width()));
  const auto append_jumps = [&](std::string_view name, std::span<const Jump> jumps) {
    for (const Jump jump : jumps)
      append_header(text, name, fmt::format("{},{}", jump.from, jump.to));
  };
  append_jumps("Snake", setup.board.snakes());
  append_jumps("Ladder", setup.board.ladders());
  for (const auto& [cell, power] : setup.board.powers())
    append_header(text, "Power", fmt::format("{},{}", cell, to_string(power)));
  append_header(text, "Start", std::to_string(setup.rules.start));
  append_header(text, "Finish", to_string(setup.rules.finish));
  append_header(text, "Dice", std::to_string(setup.rules.dice));
  append_header(text, "Faces", std::to_string(setup.rules.faces));
  append_header(text, "Sixes", to_string(setup.rules.sixes));
  if (!setup.rules.enter.empty())
    append_header(text, "Enter", fmt::format("{}", fmt::join(setup.rules.enter, ",")));
  if (setup.rules.meet != Meet::share) append_header(text, "Meet", to_string(setup.rules.meet));
  if (!setup.rules.safe.empty())
    append_header(text, "Safe", fmt::format("{}", fmt::join(setup.rules.safe, ",")));
  text += '\n';
  for (Turn number = timeline.first_turn() + 1; number <= timeline.last_turn(); ++number) {
    const TurnPlayed& turn = timeline.turn(number);
    text += format_turn_line(setup.players[turn.seat], turn.dice) + '\n';
  }
  return text;
}

}  // namespace snl
