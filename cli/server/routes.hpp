// The resources that paths name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace snl::cli {

struct Route {
  enum class Resource : std::uint8_t {
    games,
    game,
    seats,
    seat,
    seat_token,
    seat_auto,
    computer,  // a seat for a computer: sent to seats
    start,
    abandon,
    entropy,
    turns,
    takebacks,
    takeback,
    rematch,
    host,
    events,
    export_file,
    proof,
  };
  Resource resource = Resource::games;
  std::string game = {};    // an ID
  std::int64_t number = 0;  // of the seat, or the takeback
};

/// None for a path that names no resource. IDs and numbers are written in one way only: nothing in
/// them is decoded.
std::optional<Route> route_of(std::string_view path);

/// The methods of a resource, as the header Allow has them.
std::string_view allowed_methods(Route::Resource resource);
bool allows(Route::Resource resource, std::string_view method);

}  // namespace snl::cli
