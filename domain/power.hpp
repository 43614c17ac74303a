// Powers: effects of a cell on a piece that ends its move there, besides snakes and ladders.
#pragma once

#include "seats.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace [[gnu::visibility("default")]] snl {

/// A cell's number, 1 to cells; 0 is off the board.
using Cell = std::int32_t;

enum class PowerKind : std::uint8_t {
  again,    // the same player moves next
  skip,     // the player misses the next n turns
  restart,  // the piece goes to the cell where pieces start
  shield,   // the player's shields become n, unless there are more
  swap,     // the piece changes places with the nearest one on a higher cell
};
inline constexpr std::array power_kinds{PowerKind::again, PowerKind::skip, PowerKind::restart,
                                        PowerKind::shield, PowerKind::swap};

/// Whether a power of this kind has a number n, from 1 to 3 (max_seat_count).
constexpr bool has_number(PowerKind kind) {
  return kind == PowerKind::skip || kind == PowerKind::shield;
}

/// "again", "skip", "restart", "shield", "swap".
std::string_view to_string(PowerKind kind);
std::optional<PowerKind> power_named(std::string_view name);

struct Power {
  PowerKind kind;
  std::uint8_t n = 0;  // 0 where the kind has no number
  friend auto operator<=>(const Power&, const Power&) = default;
};

/// "skip,2", "again".
std::string to_string(const Power& power);

/// A cell with a power.
struct PowerCell {
  Cell cell;
  Power power;
  friend auto operator<=>(const PowerCell&, const PowerCell&) = default;
};

/// A power as a caller describes it, before any check.
struct DescribedPower {
  std::int64_t cell;
  PowerKind kind;
  std::optional<std::int64_t> n = std::nullopt;
};

DescribedPower described(Cell cell, const Power& power);

/// "30,skip,2".
std::string to_string(const DescribedPower& power);

/// The power that a text means, such as "12,again" or "30, skip, 2"; none for any other text.
std::optional<DescribedPower> power_from_text(std::string_view text);

}  // namespace snl
