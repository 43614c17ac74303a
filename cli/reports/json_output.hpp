// The JSON that commands print. The names of fields and their order are a contract.
#pragma once

#include "domain/timeline.hpp"
#include "storage/audit.hpp"
#include "storage/recorded_game.hpp"

#include <boost/json.hpp>

#include <span>
#include <string>

namespace snl::cli {

/// A turn as `replay --json` prints it.
boost::json::object turn_json(const TurnPlayed& turn, std::span<const std::string> players);

/// In a game that has_effects, adds everything else that a turn did; otherwise nothing.
void add_effects(boost::json::object& turn, const TurnPlayed& played,
                 std::span<const std::string> players);

/// A recorded turn as `play --json` prints it: as above, with its effects, "result", "version" and
/// "head". `head` is the game's head right after the turn.
boost::json::object played_json(const TurnPlayed& turn, std::span<const std::string> players,
                                const Head& head);

/// A position of a game as `show --json` prints it. The game had it right after `head`.
boost::json::object position_json(const std::string& id, const Head& head, const Position& position,
                                  const GameSetup& setup);

/// Adds "board_name", null for a board that isn't one of named_boards(), and "rules".
void add_board_and_rules(boost::json::object& game, const GameSetup& setup);

boost::json::object rules_json(const Rules& rules);

/// A game as `list --json` prints it.
boost::json::object list_json(const RecordedGame& game);

boost::json::object log_json(const transparency::LogAudit& log);
boost::json::object audit_json(const AuditReport& report);
boost::json::array problems_json(std::span<const Problem> problems);

}  // namespace snl::cli
