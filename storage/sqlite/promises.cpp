#include "promises.hpp"

#include "storage/codec.hpp"
#include "storage/draw.hpp"
#include "store_tables.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace snl {
namespace {

using sqlite::Statement;

std::optional<Hash> bytes_at(const Statement& row, int column) {
  return row.is_null(column) ? std::nullopt : std::optional(hash_at(row, column));
}

std::shared_ptr<const GameSetup> setup_in(std::string_view events) {
  const auto decoded = decode_events(events);
  const auto* started = decoded ? std::get_if<GameStarted>(&decoded->front()) : nullptr;
  return started != nullptr ? started->setup : nullptr;
}

/// What is wrong with what a seat promised and gave, of which the log has this entropy.
std::optional<std::string_view> fault_of_promise(const std::optional<Hash>& promised,
                                                 const std::optional<Hash>& given,
                                                 const std::optional<Draw::Bytes>& logged) {
  if (given != logged) return "gave something else than the log says";
  if (!logged) return promised ? std::optional("promised what the log doesn't have") : std::nullopt;
  if (promised != commitment_of(*logged)) return "promised something else than it gave";
  return std::nullopt;
}

std::optional<std::string> fault_of_seats(Statement& seats, std::int64_t room, const Draw& draw) {
  const sqlite::ResetAtEnd reset(seats);
  std::size_t taken = 0;
  for (seats.bind(1, room); seats.step(); ++taken) {
    const auto seat = static_cast<std::size_t>(seats.integer(0));
    if (seat >= draw.entropy.size()) return fmt::format("seat {} isn't in the log", seat);
    if (const auto fault =
            fault_of_promise(bytes_at(seats, 1), bytes_at(seats, 2), draw.entropy[seat]))
      return fmt::format("seat {} {}", seat, *fault);
  }
  if (taken != draw.entropy.size()) return "a seat of the log isn't taken";
  return std::nullopt;
}

}  // namespace

std::vector<Problem> broken_promises(sqlite::Connection& connection) {
  constexpr std::size_t most = 10;
  Statement rooms(
      connection,
      "SELECT r.room, r.id, r.secret, c.events FROM rooms r JOIN games g ON g.id = r.id "
      "JOIN commits c ON c.game = g.game AND c.version = 1 "
      "WHERE r.stage = 'started' AND r.dice = 'seeded' ORDER BY r.room");
  Statement seats(connection,
                  "SELECT seat, entropy_hash, entropy FROM room_seats WHERE room = ?1 "
                  "ORDER BY seat");
  std::vector<Problem> problems;
  while (problems.size() < most && rooms.step()) {
    const auto setup = setup_in(rooms.text(3));
    if (!setup) continue;
    std::optional<std::string> fault;
    if (!setup->draw)
      fault = "the log has no draw";
    else if (bytes_at(rooms, 2) != setup->draw->secret)
      fault = "its secret isn't the one in the log";
    else
      fault = fault_of_seats(seats, rooms.integer(0), *setup->draw);
    if (fault)
      problems.push_back({std::string(rooms.text(1)), 1, "promise",
                          fmt::format("what its server kept of the draw: {}", *fault)});
  }
  return problems;
}

}  // namespace snl
