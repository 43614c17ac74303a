// Seeds that nobody chose: the commitment of a draw, the seed that it makes, and the check of both
// (storage/format.md, "Games with a draw").
#pragma once

#include "domain/game.hpp"
#include "hash.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace [[gnu::visibility("default")]] snl {

/// The commitment to a secret or to a player's entropy, its SHA-256. It is shown before the bytes
/// are.
Hash commitment_of(std::span<const std::uint8_t, 32> secret);

/// The seed made from a secret and the players' entropy, by seat; none for a seat that had no say.
std::uint64_t seed_of(std::span<const std::uint8_t, 32> secret,
                      std::span<const std::optional<Draw::Bytes>> entropy);

/// The fault of a setup's draw, a sentence: the commitment isn't the secret's hash, the seed isn't
/// made from secret and entropy, or there isn't one entropy (or none) for each player. None for a
/// setup without a draw.
std::optional<std::string> fault_of_draw(const GameSetup& setup);

}  // namespace snl
