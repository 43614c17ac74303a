// The first page: where games are started, joined and found.
#pragma once

#include "pages.hpp"

#include <string>

namespace snl::cli {

/// With the public games that `ask` lists.
std::string home_page(const Pages::Ask& ask, const Pages::Settings& settings);

}  // namespace snl::cli
