#include "json_output.hpp"

#include "domain/named_boards.hpp"
#include "domain/narration.hpp"

namespace snl::cli {
namespace {

namespace json = boost::json;

json::value name_or_null(std::span<const std::string> players, std::optional<Seat> seat) {
  if (!seat) return nullptr;
  return json::string(players[*seat]);
}

std::string_view status_of(const Position& position) {
  return position.winner ? "completed" : "in-progress";
}

json::value next_of(std::span<const std::string> players, const Position& position) {
  if (position.winner) return nullptr;
  return json::string(players[position.next]);
}

json::array players_json(std::span<const std::string> names, const Position& position) {
  json::array players;
  for (std::size_t seat = 0; seat < names.size(); ++seat)
    players.push_back(json::object{{"name", names[seat]}, {"cell", position.cells[seat]}});
  return players;
}

json::object falls_json(const DiceFalls& falls) {
  json::object counts;
  for (const auto& [faces, fell] : falls.counts)
    counts[std::to_string(faces)] = json::array(fell.begin(), fell.end());
  return {{"dice", falls.dice()},
          {"counts", std::move(counts)},
          {"chi_squared", falls.chi_squared()},
          {"degrees_of_freedom", falls.degrees_of_freedom()},
          {"p_value", json::value_from(falls.p_value())}};
}

/// Falls of all dice, then by their source.
json::object fairness_json(const Fairness& fairness) {
  json::object object = falls_json(fairness.all());
  object["rolled"] = falls_json(fairness.rolled);
  object["typed"] = falls_json(fairness.typed);
  return object;
}

}  // namespace

json::object turn_json(const TurnPlayed& turn, std::span<const std::string> players) {
  json::array dice;
  for (const std::int32_t die : turn.dice.values())
    dice.push_back(die);
  json::value jump = nullptr;
  if (const auto kind = jump_of(turn)) jump = json::string(to_string(*kind));
  return {{"turn", turn.turn},
          {"player", players[turn.seat]},
          {"dice", std::move(dice)},
          {"rolled", turn.rolled},
          {"from", turn.from},
          {"landed", turn.landed},
          {"to", turn.to},
          {"jump", std::move(jump)},
          {"outcome", to_string(turn.outcome)},
          {"next", name_or_null(players, turn.next)}};
}

void add_effects(json::object& turn, const TurnPlayed& played,
                 std::span<const std::string> players) {
  if (!played.effects) return;
  turn["power"] = nullptr;
  if (const auto& power = played.effects->power)
    turn["power"] = json::string(to_string(power->kind));
  json::array steps;
  for (const auto& [why, to] : steps_of(played))
    steps.push_back(json::object{{"why", to_string(why)}, {"to", to}});
  turn["steps"] = std::move(steps);
  json::array others;
  for (const auto& [seat, why, from, to] : displaced_by(played))
    others.push_back(json::object{
        {"player", players[seat]}, {"why", to_string(why)}, {"from", from}, {"to", to}});
  turn["others"] = std::move(others);
  json::array missed;
  for (const Seat seat : missed_after(played))
    missed.push_back(json::string(players[seat]));
  turn["missed"] = std::move(missed);
}

json::object played_json(const TurnPlayed& turn, std::span<const std::string> players,
                         const Head& head) {
  json::object object = turn_json(turn, players);
  object["result"] = result_of(turn, players);
  object["version"] = head.version;
  object["head"] = to_hex(head.hash);
  add_effects(object, turn, players);
  return object;
}

json::object position_json(const std::string& id, const Head& head, const Position& position,
                           const GameSetup& setup) {
  json::array players = players_json(setup.players, position);
  if (has_effects(setup)) {
    const auto seats = static_cast<Seat>(players.size());
    for (Seat seat = 0; seat < seats; ++seat) {
      players[seat].as_object()["shields"] = position.tallies.shields.of(seat);
      players[seat].as_object()["skips"] = position.tallies.skips.of(seat);
    }
  }
  return {{"id", id},
          {"status", status_of(position)},
          {"turn", position.turn},
          {"version", head.version},
          {"players", std::move(players)},
          {"next", next_of(setup.players, position)},
          {"winner", name_or_null(setup.players, position.winner)},
          {"head", to_hex(head.hash)}};
}

void add_board_and_rules(json::object& game, const GameSetup& setup) {
  const NamedBoard* named = find_named_board(setup.board);
  game["board_name"] = named == nullptr ? json::value(nullptr) : json::string(named->name);
  game["rules"] = rules_json(setup.rules);
}

json::object rules_json(const Rules& rules) {
  json::object object{{"start", rules.start},
                      {"finish", to_string(rules.finish)},
                      {"dice", rules.dice},
                      {"faces", rules.faces},
                      {"sixes", to_string(rules.sixes)}};
  if (!rules.enter.empty()) object["enter"] = json::array(rules.enter.begin(), rules.enter.end());
  if (rules.meet != Meet::share) object["meet"] = to_string(rules.meet);
  if (!rules.safe.empty()) object["safe"] = json::array(rules.safe.begin(), rules.safe.end());
  return object;
}

json::object list_json(const RecordedGame& game) {
  const std::vector<std::string>& players = game.state().setup->players;
  const Position& position = game.state().position;
  json::object object{{"id", game.id()},
                      {"created", format_time(game.created())},
                      {"status", status_of(position)},
                      {"turn", position.turn},
                      {"players", players_json(players, position)},
                      {"next", next_of(players, position)},
                      {"winner", name_or_null(players, position.winner)}};
  add_board_and_rules(object, *game.state().setup);
  return object;
}

json::array problems_json(std::span<const Problem> problems) {
  json::array list;
  for (const Problem& problem : problems)
    list.push_back(json::object{{"game", json::value_from(problem.game)},
                                {"version", json::value_from(problem.version)},
                                {"kind", problem.kind},
                                {"detail", problem.detail}});
  return list;
}

json::object log_json(const transparency::LogAudit& log) {
  json::array witnesses;
  for (const auto& [name, time] : log.witnesses)
    witnesses.push_back(json::object{{"name", name}, {"time", time}});
  return {{"origin", log.origin},
          {"size", log.size},
          {"root", to_hex(log.root)},
          {"held", log.held},
          {"signature", json::value_from(log.signature)},
          {"quorum", json::value_from(log.quorum)},
          {"witnesses", std::move(witnesses)}};
}

json::object audit_json(const AuditReport& report) {
  json::object object{{"ok", report.ok()},
                      {"games", report.games},
                      {"turns", report.turns},
                      {"head", nullptr},
                      {"problems", problems_json(report.problems)},
                      {"unproven_origins", report.unproven_origins},
                      {"fairness", fairness_json(report.fairness)},
                      {"log", nullptr}};
  if (report.head) object["head"] = to_hex(*report.head);
  if (report.log) object["log"] = log_json(*report.log);
  return object;
}

}  // namespace snl::cli
