// The page of a game: a lobby before it begins, then its board, live.
#pragma once

#include "pages.hpp"

#include <boost/json.hpp>

#include <string>

namespace snl::cli {

/// `state` is what the API tells anybody of the game. What is secret while a game is on comes from
/// the API alone too: its export, once there is one.
std::string room_page(const boost::json::object& state, StoreReader& store, const Pages::Ask& ask,
                      const Pages::Settings& settings);

}  // namespace snl::cli
