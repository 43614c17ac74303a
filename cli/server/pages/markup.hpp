// Parts that the pages of a server share: their shell, and markup for the API's responses.
#pragma once

#include "pages.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace snl::cli {

/// The content of the shell that every page has.
struct PageContent {
  std::string title;  // as text
  std::string head;   // HTML: the rest of <head>
  std::string main;   // HTML
};

std::string whole_page(const PageContent& content, const Pages::Settings& settings);

/// A page that says why there is nothing to see.
std::string missing_page(std::string_view heading, std::string_view words,
                         const Pages::Settings& settings);

/// A name as an element.
std::string name_html(std::string_view name);
/// "Ann, Bob and Cyd", each as an element.
std::string names_html(const std::vector<std::string>& names);

}  // namespace snl::cli
