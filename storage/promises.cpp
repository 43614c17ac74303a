#include "promises.hpp"

#include "codec.hpp"
#include "draw.hpp"

#include <fmt/format.h>

#include <memory>
#include <variant>

namespace snl {
namespace {

std::shared_ptr<const GameSetup> setup_in(std::string_view events) {
  const auto decoded = decode_events(events);
  const auto* started = decoded ? std::get_if<GameStarted>(&decoded->front()) : nullptr;
  return started != nullptr ? started->setup : nullptr;
}

/// What is wrong with what a seat promised and gave, of which the log has this entropy.
std::optional<std::string_view> fault_of_seat(const KeptDraw::Seat& kept,
                                              const std::optional<Draw::Bytes>& logged) {
  if (kept.given != logged) return "gave something else than the log says";
  if (!logged)
    return kept.promised ? std::optional("promised what the log doesn't have") : std::nullopt;
  if (kept.promised != commitment_of(*logged)) return "promised something else than it gave";
  return std::nullopt;
}

std::optional<std::string> fault_of_seats(const KeptDraw& kept, const Draw& draw) {
  for (const KeptDraw::Seat& one : kept.seats) {
    const auto seat = static_cast<std::size_t>(one.seat);
    if (seat >= draw.entropy.size()) return fmt::format("seat {} isn't in the log", seat);
    if (const auto fault = fault_of_seat(one, draw.entropy[seat]))
      return fmt::format("seat {} {}", seat, *fault);
  }
  if (kept.seats.size() != draw.entropy.size()) return "a seat of the log isn't taken";
  return std::nullopt;
}

}  // namespace

std::optional<Problem> broken_promise(const KeptDraw& kept, std::string_view events) {
  const auto setup = setup_in(events);
  if (!setup) return std::nullopt;
  std::optional<std::string> fault;
  if (!setup->draw)
    fault = "the log has no draw";
  else if (kept.secret != setup->draw->secret)
    fault = "its secret isn't the one in the log";
  else
    fault = fault_of_seats(kept, *setup->draw);
  if (!fault) return std::nullopt;
  return Problem{kept.game, 1, "promise",
                 fmt::format("what its server kept of the draw: {}", *fault)};
}

}  // namespace snl
