// The {{places}} of page.html and player.html, and filling them. The compiler knows the places, so
// one that nothing fills breaks the build rather than a page.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// The next {{place}} of a template.
struct PlaceInTemplate {
  std::string_view before;  // the text up to it; if there is none, all the text left
  std::string_view name;    // empty if there is none
  std::string_view after;
};

constexpr PlaceInTemplate next_place(std::string_view source) {
  const std::size_t open = source.find("{{");
  if (open == std::string_view::npos) return {source, {}, {}};
  const std::size_t close = source.find("}}", open);
  if (close == std::string_view::npos) return {source.substr(0, open), "unclosed", {}};
  return {source.substr(0, open), source.substr(open + 2, close - open - 2),
          source.substr(close + 2)};
}

/// The name of a place that the template has and `names` lacks, or the other way round; empty if
/// they agree.
template <typename Names>
constexpr std::string_view unmatched_place(std::string_view source, const Names& names) {
  const auto stands_in = [](std::string_view text, std::string_view name) {
    for (PlaceInTemplate place = next_place(text); !place.name.empty();
         place = next_place(place.after))
      if (place.name == name) return true;
    return false;
  };
  for (PlaceInTemplate place = next_place(source); !place.name.empty();
       place = next_place(place.after))
    if (std::ranges::find(names, place.name) == std::ranges::end(names)) return place.name;
  for (const std::string_view name : names)
    if (!stands_in(source, name)) return name;
  return {};
}

/// The template with `text_of(name)` in each place.
template <typename TextOf>
std::string filled(std::string_view source, const TextOf& text_of) {
  std::string page;
  for (PlaceInTemplate place = next_place(source);; place = next_place(place.after)) {
    page += place.before;
    if (place.name.empty()) return page;
    page += text_of(place.name);
  }
}

}  // namespace cli
}  // namespace snl
