// A game in words for people: one line for each event, and the reason that a command was refused.
#pragma once

#include "engine.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

enum class Glyphs : std::uint8_t { ascii, unicode };  // "->" or "→"

/// One line without its end, e.g. "7. Ann rolls 6-3: 94 → 100, wins". It needs only the event and
/// the players' names. Names appear as they are: a caller that prints to a terminal must make them
/// harmless first.
std::string narrate(const Event& event, std::span<const std::string> players, Glyphs glyphs);
std::string narrate(const TurnPlayed& event, std::span<const std::string> players, Glyphs glyphs);

/// The part of a turn's line after the cells, e.g. "up the ladder 3 → 22, wins"; empty if a piece
/// only moved.
std::string what_happened(const TurnPlayed& turn, std::span<const std::string> players,
                          Glyphs glyphs);
/// The reason that somebody else rolled a player's turn, e.g. "rolled by pace"; empty if the player
/// did.
std::string narrate(const RollTurn& roll);

/// The player who asked for a takeback and the others who agreed, e.g. "Bob asked, Ann and Cyd
/// agreed".
std::string narrate(const Takeback& takeback, std::span<const std::string> players);

/// The answer of the class SnakeAndLadderGame to a turn: "PLAYER,CELL,NEXT,CONTINUE" or "WIN".
std::string result_of(const TurnPlayed& event, std::span<const std::string> players);

/// "10 snakes, 9 ladders", and the powers if there are any.
std::string contents_of(const Board& board);

/// A clause for each rule: "pieces start on cell 1".
std::vector<std::string> rules_in_words(const Rules& rules);

/// The reason that the engine refused a command, e.g. "dice 7 are impossible: a turn is one die of
/// 1 to 6".
std::string explain(const Refusal& refusal);

inline constexpr const char* invalid_move_result = "INVALID MOVE";
inline constexpr const char* game_completed_result = "GAME COMPLETED";

}  // namespace snl
