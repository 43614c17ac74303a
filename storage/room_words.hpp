// The words that stand for what a room has, in the tables of every engine. For stores' own use.
#pragma once

#include "rooms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace snl::room_words {

// Each with its value.

template <class Value>
struct Word {
  std::string_view text;
  Value value;
};

inline constexpr std::array stages{
    Word{"open", RoomStage::open}, Word{"drawing", RoomStage::drawing},
    Word{"settled", RoomStage::settled}, Word{"started", RoomStage::started}};
inline constexpr std::array dice_words{Word{"seeded", Room::Dice::seeded},
                                       Word{"own", Room::Dice::own}};
inline constexpr std::array takeback_words{Word{"ask", Room::Takebacks::ask},
                                           Word{"none", Room::Takebacks::none}};
inline constexpr std::array given_up_words{Word{"host", Room::GivenUp::by_host},
                                           Word{"idle", Room::GivenUp::when_idle}};
inline constexpr std::array outcomes{Word{"refused", RoomQuestion::Outcome::refused},
                                     Word{"withdrawn", RoomQuestion::Outcome::withdrawn}};

template <class Words, class Value>
std::string_view word_for(const Words& words, const Value& value) {
  return std::ranges::find(words, value, [](const auto& word) { return word.value; })->text;
}

[[noreturn]] inline void refuse_room(std::string_view room, std::string_view what) {
  throw StoreError(StoreError::Cause::damaged,
                   fmt::format("the room of game {} is damaged: {}; restore a copy", room, what));
}

template <class Words>
auto value_of(const Words& words, std::string_view text, std::string_view room) {
  const auto found = std::ranges::find(words, text, [](const auto& word) { return word.text; });
  if (found == words.end()) refuse_room(room, fmt::format("\"{}\" isn't known", text));
  return found->value;
}

inline std::int64_t bits_of(const SeatSet& seats) {
  std::int64_t bits = 0;
  for (Seat seat = 0; seat < max_players; ++seat)
    if (seats.has(seat)) bits |= std::int64_t{1} << seat;
  return bits;
}

inline SeatSet seats_of(std::int64_t bits) {
  SeatSet seats;
  for (Seat seat = 0; seat < max_players; ++seat)
    if ((bits >> seat & 1) != 0) seats.insert(seat);
  return seats;
}

}  // namespace snl::room_words
