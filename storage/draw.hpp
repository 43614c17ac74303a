// Seeds that nobody chose: what a draw promises, what it makes, and whether it was kept
// (storage/format.md, "Games with a draw").
#pragma once

#include "domain/game.hpp"
#include "hash.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace [[gnu::visibility("default")]] snl {

/// What is shown of a secret, or of a player's entropy, before it is told: its SHA-256.
Hash commitment_of(std::span<const std::uint8_t, 32> secret);

/// The seed that a secret and the players' entropy make, by seat; none where a seat had no say.
std::uint64_t seed_of(std::span<const std::uint8_t, 32> secret,
                      std::span<const std::optional<Draw::Bytes>> entropy);

/// What is wrong with a setup's draw, a sentence: the commitment isn't the secret's hash, the seed
/// isn't what secret and entropy make, or there isn't one entropy (or none) for each player. None
/// for a setup without a draw.
std::optional<std::string> fault_of_draw(const GameSetup& setup);

}  // namespace snl
