// What `play` and `roll` answer: a line a turn.
#pragma once

#include "cli/session/failure.hpp"
#include "cli/session/output.hpp"
#include "storage/match.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace snl::cli {

/// INVALID MOVE or GAME COMPLETED, which are answers; none for any other rejection.
std::optional<std::string_view> refusal_result(const Rejection& rejection);

/// Prints the results of turns, one line each.
class TurnPrinter {
 public:
  /// Rolled turns are told with their player and dice, which nobody gave.
  enum class Style : std::uint8_t { played, rolled };

  TurnPrinter(const Match& match, Style style, OutputForm form)
      : setup_(match.state().setup), style_(style), form_(form) {}

  void print_turn(const Recorded& recorded) const;
  void print_refusal(std::string_view result) const;

 private:
  void print_words(const TurnPlayed& turn) const;

  std::shared_ptr<const GameSetup> setup_;  // a match may load its own anew
  Style style_;
  OutputForm form_;
};

/// Why a turn was not recorded, in words that name the player and the dice as they were given.
Failure turn_failure(const Rejection& rejection, const Match& match, std::string_view player,
                     std::string_view dice);

/// Ends the command for a turn that was not recorded, its answer printed if it has one.
[[noreturn]] void refuse_turn(const TurnPrinter& printer, const Rejection& rejection,
                              const Failure& failure);

}  // namespace snl::cli
