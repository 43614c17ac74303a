#include "hosted_game_check.hpp"

#include "codec.hpp"
#include "draw.hpp"
#include "hosted_game_codec.hpp"

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

/// The fault of a seat's promise or entropy, compared with the entropy in the log.
std::optional<std::string_view> fault_of_seat(const HostedGameSeat& kept,
                                              const std::optional<Hash>& logged) {
  if (kept.entropy != logged) return "sent other entropy than the log has";
  if (!logged)
    return kept.entropy_hash ? std::optional("promised entropy that isn't in the log")
                             : std::nullopt;
  if (kept.entropy_hash != commitment_of(*logged)) return "promised other entropy than it sent";
  return std::nullopt;
}

std::optional<std::string> fault_of_seats(const HostedGame& game, const Draw& draw) {
  for (std::size_t seat = 0; seat < game.seats.size(); ++seat) {
    if (!game.seats[seat]) continue;
    if (seat >= draw.entropy.size()) return fmt::format("seat {} isn't in the log", seat);
    if (const auto fault = fault_of_seat(*game.seats[seat], draw.entropy[seat]))
      return fmt::format("seat {} {}", seat, *fault);
  }
  if (game.taken() != draw.entropy.size()) return "a seat of the log isn't taken";
  return std::nullopt;
}

std::optional<std::string> fault_of_draw(const HostedGame& game, const GameSetup& setup) {
  if (!setup.draw) return "the log has no draw";
  if (!game.secret || game.secret->to_draw_with() != setup.draw->secret)
    return "its secret isn't the one in the log";
  return fault_of_seats(game, *setup.draw);
}

}  // namespace

std::optional<Problem> fault_of_hosted_game(const std::string& id, std::int64_t revision,
                                            std::string_view document,
                                            std::optional<std::string_view> events) {
  try {
    const HostedGame game = decode_hosted_game(id, revision, document);
    if (game.stage != HostedGameStage::open && game.taken() < min_players)
      return Problem{id, std::nullopt, "room",
                     fmt::format("its stage isn't open, but fewer than {} of its seats are taken",
                                 min_players)};
    if (game.stage != HostedGameStage::started) return std::nullopt;
    if (!events) return Problem{id, std::nullopt, "room", "the log doesn't have the game"};
    const auto setup = setup_in(*events);
    if (game.dice != HostedGame::Dice::seeded || !setup) return std::nullopt;
    const auto fault = fault_of_draw(game, *setup);
    if (!fault) return std::nullopt;
    return Problem{id, 1, "promise", fmt::format("what its server kept of the draw: {}", *fault)};
  } catch (const StoreError& error) {
    return Problem{id, std::nullopt, "room", error.what()};
  }
}

}  // namespace snl
