#include "power.hpp"

#include "names.hpp"
#include "whole_number.hpp"

#include <algorithm>

namespace snl {
namespace {

/// Takes the part before the first comma. `text` keeps the part after it, or nothing.
std::string_view next_part(std::string_view& text) {
  const std::size_t comma = std::min(text.find(','), text.size());
  const std::string_view part = without_spaces_around(text.substr(0, comma));
  text.remove_prefix(std::min(comma + 1, text.size()));
  return part;
}

constexpr std::array power_names{
    NamedValue{"again", PowerKind::again}, NamedValue{"skip", PowerKind::skip},
    NamedValue{"restart", PowerKind::restart}, NamedValue{"shield", PowerKind::shield},
    NamedValue{"swap", PowerKind::swap}};

}  // namespace

std::string_view to_string(PowerKind kind) {
  return name_of(power_names, kind);
}

std::optional<PowerKind> power_named(std::string_view name) {
  return value_named(power_names, name);
}

std::string to_string(const Power& power) {
  std::string text(to_string(power.kind));
  if (has_number(power.kind)) text += "," + std::to_string(power.n);
  return text;
}

DescribedPower described(Cell cell, const Power& power) {
  DescribedPower described{.cell = cell, .kind = power.kind};
  if (has_number(power.kind)) described.n = power.n;
  return described;
}

std::string to_string(const DescribedPower& power) {
  std::string text = std::to_string(power.cell) + "," + std::string(to_string(power.kind));
  if (power.n) text += "," + std::to_string(*power.n);
  return text;
}

std::optional<DescribedPower> power_from_text(std::string_view text) {
  if (without_spaces_around(text).ends_with(',')) return std::nullopt;
  const auto cell = whole_number(next_part(text));
  const auto kind = power_named(next_part(text));
  if (!cell || !kind) return std::nullopt;
  DescribedPower power{.cell = *cell, .kind = *kind};
  if (!text.empty()) {
    power.n = whole_number(next_part(text));
    if (!power.n || !text.empty()) return std::nullopt;
  }
  return power;
}

}  // namespace snl
