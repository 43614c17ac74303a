#include "live_turns.hpp"

#include "turn_data.hpp"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

namespace snl::cli {
namespace {

namespace json = boost::json;

json::object addition_of(const TurnPlayed& turn, const GameSetup& setup,
                         std::span<const std::string> names) {
  const bool won = turn.outcome == Outcome::won;
  return {{"seat", turn.seat},
          {"move", move_of(turn, setup, names)},
          {"next", value_or_null(turn.next)},
          {"winner", won ? json::value(turn.seat) : json::value(nullptr)}};
}

}  // namespace

std::string live_turns(const GameSetup& setup, std::span<const Event> events) {
  const std::vector<std::string> names = shown_names(setup);
  std::int64_t undone = 0;
  json::array turns;
  for (const Event& event : events) {
    if (std::holds_alternative<TurnUndone>(event))
      ++undone;
    else if (const auto* turn = std::get_if<TurnPlayed>(&event))
      turns.push_back(addition_of(*turn, setup, names));
    else
      return "null";
  }
  return json::serialize(json::object{{"undone", undone}, {"turns", std::move(turns)}});
}

}  // namespace snl::cli
