#include "draw.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace snl {
namespace {

/// Adds bytes after their length: 4 bytes, big-endian.
void add_field(Sha256& sha256, std::span<const std::uint8_t> bytes) {
  const std::array<std::uint8_t, 4> length{0, 0, 0, static_cast<std::uint8_t>(bytes.size())};
  sha256.update(as_text(length));
  sha256.update(as_text(bytes));
}

}  // namespace

Hash commitment_of(std::span<const std::uint8_t, 32> secret) {
  return hash_of(as_text(secret));
}

std::uint64_t seed_of(std::span<const std::uint8_t, 32> secret,
                      std::span<const std::optional<Draw::Bytes>> entropy) {
  Sha256 sha256;
  add_field(sha256, secret);
  for (const auto& bytes : entropy)
    add_field(sha256,
              bytes ? std::span<const std::uint8_t>(*bytes) : std::span<const std::uint8_t>());
  const Hash hash = sha256.finish();
  std::uint64_t seed = 0;
  for (const std::uint8_t byte : std::span(hash).first<8>())
    seed = seed << 8U | byte;
  return seed;
}

std::optional<std::string> fault_of_draw(const GameSetup& setup) {
  if (!setup.draw) return std::nullopt;
  const Draw& draw = *setup.draw;
  if (draw.entropy.size() != setup.players.size())
    return fmt::format("the draw has entropy of {} seats, not of {}", draw.entropy.size(),
                       setup.players.size());
  if (commitment_of(draw.secret) != draw.commitment)
    return fmt::format("the draw's commitment {} isn't the SHA-256 of its secret, {}",
                       to_hex(draw.commitment), to_hex(commitment_of(draw.secret)));
  if (const std::uint64_t drawn = seed_of(draw.secret, draw.entropy); drawn != setup.seed)
    return fmt::format("the seed is {}, where the draw's secret and entropy make {}", setup.seed,
                       drawn);
  return std::nullopt;
}

}  // namespace snl
