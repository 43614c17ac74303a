// The JSON that commands print. Field names and their order are a contract.
#pragma once

#include "domain/timeline.hpp"
#include "storage/audit.hpp"
#include "storage/event_store.hpp"

#include <boost/json.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace snl::cli {

/// A turn as `replay --json` prints it.
boost::json::object turn_json(const TurnPlayed& turn, std::span<const std::string> players);

/// Adds what else a turn did, in a game that has_effects; nothing in others.
void add_effects(boost::json::object& turn, const TurnPlayed& played,
                 std::span<const std::string> players);

/// A recorded turn as `play --json` prints it: as above, with its effects, "result", "version" and
/// "head", which is the one right after it.
boost::json::object played_json(const TurnPlayed& turn, std::span<const std::string> players,
                                const Head& head);

/// A position as `show --json` prints it. `summary` gives the id, the players, version and head;
/// `position` all that belongs to a turn.
boost::json::object position_json(const GameSummary& summary, const Position& position,
                                  const GameSetup& setup);

/// A game as `list --json` prints it.
boost::json::object list_json(const GameSummary& summary);

/// An audit's findings.
boost::json::object audit_json(const AuditReport& report);
boost::json::array problems_json(std::span<const Problem> problems);

}  // namespace snl::cli
