// The results of `play` and `roll`: one line per turn.
#pragma once

#include "cli/session/failure.hpp"
#include "cli/session/output.hpp"
#include "storage/match.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace snl::cli {

/// INVALID MOVE or GAME COMPLETED, which count as results; none for any other rejection.
std::optional<std::string_view> refusal_result(const Rejection& rejection);

/// Prints the results of turns, one line each.
class TurnPrinter {
 public:
  /// A rolled turn is printed with its player and dice, since the user gave neither.
  enum class Style : std::uint8_t { played, rolled };

  TurnPrinter(const Match& match, Style style, OutputForm form)
      : setup_(match.state().setup), style_(style), form_(form) {}

  void print_turn(const Recorded& recorded) const;
  void print_refusal(std::string_view result) const;

 private:
  std::shared_ptr<const GameSetup> setup_;  // shared: a match may load its setup again
  Style style_;
  OutputForm form_;
};

/// Why a turn was not recorded, with the player and the dice in the user's words.
Failure turn_failure(const Rejection& rejection, const Match& match, std::string_view player,
                     std::string_view dice);

/// Ends the command because a turn was not recorded. Prints the turn's result, if it has one.
[[noreturn]] void refuse_turn(const TurnPrinter& printer, const Rejection& rejection,
                              const Failure& failure);

}  // namespace snl::cli
