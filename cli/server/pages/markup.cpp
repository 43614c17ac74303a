#include "markup.hpp"

#include "assets.hpp"
#include "cli/drawing/svg.hpp"
#include "cli/page/page_template.hpp"
#include "domain/wording.hpp"
#include "embedded_pages.hpp"  // written by the build

#include <array>

namespace snl::cli {

std::string whole_page(const PageContent& content, const Pages::Settings& settings) {
  static constexpr std::array<std::string_view, 10> names{
      "title", "style", "icon", "manifest", "head", "url", "others", "codes", "signatures", "main"};
  static_assert(unmatched_place(pages_source.shell, names).empty());
  return filled(pages_source.shell, [&](std::string_view name) {
    if (name == "title") return escaped(content.title);
    if (name == "style") return asset_paths().style;
    if (name == "icon") return asset_paths().icon;
    if (name == "manifest") return asset_paths().manifest;
    if (name == "head") return content.head;
    if (name == "url") return escaped(settings.url);
    if (name == "others") return escaped(settings.others);
    if (name == "codes") return asset_paths().codes;
    if (name == "signatures") return asset_paths().signatures;
    return content.main;
  });
}

std::string missing_page(std::string_view heading, std::string_view words,
                         const Pages::Settings& settings) {
  static constexpr std::array<std::string_view, 2> names{"heading", "words"};
  static_assert(unmatched_place(pages_source.missing, names).empty());
  const std::string main = filled(pages_source.missing, [&](std::string_view name) {
    return escaped(name == "heading" ? heading : words);
  });
  return whole_page({.title = std::string(heading), .head = {}, .main = main}, settings);
}

std::string name_html(std::string_view name) {
  return "<bdi>" + escaped(name) + "</bdi>";
}

std::string names_html(const std::vector<std::string>& names) {
  std::vector<std::string> elements;
  elements.reserve(names.size());
  for (const std::string& name : names)
    elements.push_back(name_html(name));
  return said_together(elements);
}

}  // namespace snl::cli
