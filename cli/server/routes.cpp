#include "routes.hpp"

#include "domain/names.hpp"
#include "domain/whole_number.hpp"
#include "storage/game_id.hpp"

#include <array>
#include <vector>

namespace snl::cli {
namespace {

using enum Route::Resource;

constexpr std::string_view root = "/api/games";

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    path.remove_prefix(1);  // a slash
    parts.push_back(path.substr(0, path.find('/')));
    path.remove_prefix(parts.back().size());
  }
  return parts;
}

/// A number as it is written in a path: 0, or digits that don't begin with 0.
std::optional<std::int64_t> number_of(std::string_view text) {
  const auto number = whole_number(text);
  return number && *number >= 0 && std::to_string(*number) == text ? number : std::nullopt;
}

constexpr std::array below_a_game{
    NamedValue{"seats", seats},     NamedValue{"start", start},
    NamedValue{"abandon", abandon}, NamedValue{"entropy", entropy},
    NamedValue{"turns", turns},     NamedValue{"takebacks", takebacks},
    NamedValue{"events", events},   NamedValue{"export", export_file},
    NamedValue{"rematch", rematch}, NamedValue{"host", host},
    NamedValue{"proof", proof},
};

constexpr std::array below_a_seat{NamedValue{"token", seat_token}, NamedValue{"auto", seat_auto}};

std::optional<Route> below(Route::Resource parent, const std::string& game,
                           std::string_view number_text) {
  const auto number = number_of(number_text);
  if (!number) return std::nullopt;
  if (parent == seats) return Route{seat, game, *number};
  if (parent == takebacks) return Route{takeback, game, *number};
  return std::nullopt;
}

}  // namespace

std::optional<Route> route_of(std::string_view path) {
  if (!path.starts_with(root)) return std::nullopt;
  path.remove_prefix(root.size());
  if (path.empty()) return Route{games};
  if (path.front() != '/') return std::nullopt;
  const auto parts = parts_of(path);
  if (!is_game_id(parts.front())) return std::nullopt;
  const std::string id(parts.front());
  if (parts.size() == 1) return Route{game, id};
  const auto found = value_named(below_a_game, parts[1]);
  if (!found) return std::nullopt;
  if (parts.size() == 2) return Route{*found, id};
  auto deeper = below(*found, id, parts[2]);
  if (parts.size() == 3 || !deeper) return deeper;
  if (parts.size() > 4 || deeper->resource != seat) return std::nullopt;
  const auto part = value_named(below_a_seat, parts[3]);
  if (!part) return std::nullopt;
  deeper->resource = *part;
  return deeper;
}

std::string_view allowed_methods(Route::Resource resource) {
  switch (resource) {
    case games:
      return "GET, HEAD, OPTIONS, POST";
    case game:
    case events:
    case export_file:
    case proof:
      return "GET, HEAD, OPTIONS";
    case seat:
      return "DELETE, OPTIONS";
    case seat_auto:
      return "OPTIONS, PUT";
    default:
      return "OPTIONS, POST";
  }
}

bool allows(Route::Resource resource, std::string_view method) {
  std::string_view left = allowed_methods(resource);
  while (!left.empty()) {
    const std::string_view one = left.substr(0, left.find(','));
    if (one == method) return true;
    left.remove_prefix(std::min(one.size() + 2, left.size()));
  }
  return false;
}

}  // namespace snl::cli
