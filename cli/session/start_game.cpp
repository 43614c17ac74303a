#include "start_game.hpp"

#include "storage/game_id.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace snl::cli {
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

void check_new_id(const std::string& id) {
  if (!id.empty() && !is_game_id(id))
    throw Failure(Exit::usage, fmt::format("ID \"{}\": {}", id, game_id_rule));
}

std::string new_id_prefix(EventStore& store) {
  for (std::size_t length = usual_length;; length = std::min(length + 1, longest)) {
    std::string prefix = game_id_from(random_bits(), length);
    if (store.games_with_prefix(prefix, 1).empty()) return prefix;
  }
}

std::string numbered_id(const std::string& prefix, std::uint64_t number, std::uint64_t count) {
  return fmt::format("{}.{:0{}}", prefix, number, fmt::formatted_size("{}", count));
}

Match start_game(EventStore& store, const std::string& id, const StartGame& command) {
  for (std::size_t length = usual_length;; length = std::min(length + 1, longest)) {
    const std::string chosen = id.empty() ? game_id_from(random_bits(), length) : id;
    auto match = Match::start(store, chosen, command);
    if (match) return *std::move(match);
    if (id.empty() && std::holds_alternative<GameIdTaken>(match.error())) continue;
    throw failure_from(match.error(), *command.setup, chosen);
  }
}

}  // namespace snl::cli
