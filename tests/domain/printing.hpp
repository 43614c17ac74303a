// Prints the domain's values when a test fails.
#pragma once

#include "domain/engine.hpp"

#include <ostream>

namespace snl {

std::ostream& operator<<(std::ostream& out, Outcome outcome);
std::ostream& operator<<(std::ostream& out, JumpKind kind);
std::ostream& operator<<(std::ostream& out, const Jump& jump);
std::ostream& operator<<(std::ostream& out, const Place& place);
std::ostream& operator<<(std::ostream& out, const Dice& dice);
std::ostream& operator<<(std::ostream& out, const Rules& rules);
std::ostream& operator<<(std::ostream& out, const Board& board);
std::ostream& operator<<(std::ostream& out, const BoardDescription& board);
std::ostream& operator<<(std::ostream& out, const EventRef& ref);
std::ostream& operator<<(std::ostream& out, const Position& position);
std::ostream& operator<<(std::ostream& out, const Draw& draw);
std::ostream& operator<<(std::ostream& out, const GameSetup& setup);
std::ostream& operator<<(std::ostream& out, const GameState& state);
std::ostream& operator<<(std::ostream& out, const Command& command);
std::ostream& operator<<(std::ostream& out, const TurnPlayed& event);
std::ostream& operator<<(std::ostream& out, const Event& event);
std::ostream& operator<<(std::ostream& out, const Refusal& refusal);

}  // namespace snl
