// What a person reads of a game: one line for each event, and why a command was refused.
#pragma once

#include "engine.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

enum class Glyphs : std::uint8_t { ascii, unicode };  // "->" or "→"

/// One line, without its end, that tells an event from the event and the players' names alone, e.g.
/// "7. Ann rolls 6-3: 94 → 100, wins". Names appear as they are: whoever prints to a terminal makes
/// them harmless first.
std::string narrate(const Event& event, std::span<const std::string> players, Glyphs glyphs);
std::string narrate(const TurnPlayed& event, std::span<const std::string> players, Glyphs glyphs);

/// What a turn's line tells after the cells, e.g. "up the ladder 3 → 22, wins"; empty where a piece
/// only moved.
std::string what_happened(const TurnPlayed& turn, std::span<const std::string> players,
                          Glyphs glyphs);
/// Why a turn wasn't rolled by its player, e.g. "rolled by pace"; empty where it was.
std::string narrate(const RollTurn& roll);

/// Who asked for a takeback and which others agreed, e.g. "Bob asked, Ann and Cyd agreed".
std::string narrate(const Takeback& takeback, std::span<const std::string> players);

/// What the class SnakeAndLadderGame answers for a turn: "PLAYER,CELL,NEXT,CONTINUE" or "WIN".
std::string result_of(const TurnPlayed& event, std::span<const std::string> players);

/// "10 snakes, 9 ladders", and its powers if it has any.
std::string contents_of(const Board& board);

/// A clause for each rule: "pieces start on cell 1".
std::vector<std::string> rules_in_words(const Rules& rules);

/// Why the engine refused a command, e.g. "dice 7 are impossible: one die has 1 to 6".
std::string explain(const Refusal& refusal);

inline constexpr const char* invalid_move_result = "INVALID MOVE";
inline constexpr const char* game_completed_result = "GAME COMPLETED";

}  // namespace snl
