// Seats, and small data for all of them in a few bytes: a set of seats, and a small count for each
// seat.
#pragma once

#include "language.hpp"

#include <cstddef>
#include <cstdint>

namespace [[gnu::visibility("default")]] snl {

/// A player's place in the order of play, from 0.
using Seat = std::uint8_t;

inline constexpr std::size_t min_players = 2;
inline constexpr std::size_t max_players = 10;

/// The seat of nobody, for a name that isn't in the game.
inline constexpr Seat unknown_seat = 255;

/// The seat whose turn follows that of `seat`, if nobody misses a turn.
constexpr Seat seat_after(Seat seat, std::size_t players) {
  return seat + 1U == players ? Seat{0} : static_cast<Seat>(seat + 1U);
}

/// Some of the seats below max_players.
class SeatSet {
 public:
  constexpr bool has(Seat seat) const { return (bits_ >> seat & 1U) != 0; }
  constexpr void insert(Seat seat) { bits_ = static_cast<std::uint16_t>(bits_ | 1U << seat); }
  constexpr bool empty() const { return bits_ == 0; }

  friend bool operator==(const SeatSet&, const SeatSet&) = default;

 private:
  std::uint16_t bits_ = 0;
};

/// The largest count of a seat: shields, or turns to miss.
inline constexpr std::int32_t max_seat_count = 3;

/// A count from 0 to max_seat_count for each seat below max_players.
class SeatCounts {
 public:
  constexpr std::int32_t of(Seat seat) const {
    return static_cast<std::int32_t>(bits_ >> shift(seat) & mask);
  }
  constexpr void set(Seat seat, std::int32_t count) {
    bits_ = (bits_ & ~(mask << shift(seat))) | static_cast<std::uint32_t>(count) << shift(seat);
  }

  friend bool operator==(const SeatCounts&, const SeatCounts&) = default;

 private:
  static constexpr std::uint32_t mask = 3;
  static constexpr unsigned shift(Seat seat) { return 2U * seat; }

  std::uint32_t bits_ = 0;
};

}  // namespace snl
