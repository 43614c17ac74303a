// Text as the pages of a manual have it, in the language of man(7).
#pragma once

#include <string>
#include <string_view>

namespace snl::cli {

/// Where a page stands in the manual.
struct PageTitle {
  std::string_view name;     // snl-new
  std::string_view section;  // 1
  std::string_view volume;   // what its head says: "User Commands"
  std::string_view version;  // of snl
  std::string_view date;     // of that version
};

/// The first lines of a page, up to and with `NAME`: `about` is a line without a full stop.
std::string page_head(const PageTitle& title, std::string_view about);

/// Markdown as the READMEs here have it: headings from `##` on, paragraphs, lists, tables, fenced
/// blocks, lines that begin with a blank and stay as they are, and within them `code`, **bold**,
/// *emphasis* and links, of which the words stay. It is to follow a heading.
std::string roff_of_markdown(std::string_view markdown);

}  // namespace snl::cli
