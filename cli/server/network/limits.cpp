#include "limits.hpp"

#include "domain/whole_number.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace snl::cli {
namespace {

std::string names_of_limits() {
  std::string names;
  for (const NamedLimit& limit : named_limits)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", limit.name);
  return names;
}

}  // namespace

std::expected<void, std::string> set_limit(Limits& limits, std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    return std::unexpected(fmt::format("{} isn't NAME=N", text));
  const std::string_view name = text.substr(0, equals);
  const auto* const named = std::ranges::find(named_limits, name, &NamedLimit::name);
  if (named == named_limits.end())
    return std::unexpected(
        fmt::format("{}: no limit has this name; there are {}", name, names_of_limits()));
  const std::string_view number = text.substr(equals + 1);
  const auto value = whole_number<std::uint32_t>(number);
  if (!value)
    return std::unexpected(
        fmt::format("{}: {} isn't a whole number from 0 (no limit) to 4294967295", name, number));
  limits.*named->value = *value;
  return {};
}

}  // namespace snl::cli
