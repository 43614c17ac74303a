#include "start_game.hpp"

#include "game_id.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <variant>

namespace snl {
namespace {

constexpr std::size_t usual_length = 6;
constexpr std::size_t longest = 12;

std::uint64_t random_bits() {
  std::random_device device;
  return std::uint64_t{device()} << 32U | device();
}

}  // namespace

std::uint64_t random_seed() {
  return random_bits() >> 11U;
}

std::string new_id_prefix(EventReader& store) {
  for (std::size_t length = usual_length;; length = std::min(length + 1, longest)) {
    std::string prefix = game_id_from(random_bits(), length);
    if (store.games_with_prefix(prefix, 1).empty()) return prefix;
  }
}

std::string numbered_id(const std::string& prefix, std::uint64_t number, std::uint64_t count) {
  return fmt::format("{}.{:0{}}", prefix, number, fmt::formatted_size("{}", count));
}

std::expected<Match, Rejection> start_game(EventStore& store, const std::string& id,
                                           const StartGame& command) {
  if (!id.empty()) return Match::start(store, id, command);
  for (std::size_t length = usual_length;; length = std::min(length + 1, longest)) {
    auto match = Match::start(store, game_id_from(random_bits(), length), command);
    if (match || !std::holds_alternative<GameIdTaken>(match.error())) return match;
  }
}

}  // namespace snl
