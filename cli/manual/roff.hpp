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

/// Text that means itself, to the letter: nothing in it is a request, a dash is the dash that is
/// typed.
std::string roff(std::string_view text);
std::string bold(std::string_view text);
std::string italic(std::string_view text);

/// Lines that stay as they are, in the paragraph that was begun.
std::string verbatim_block(std::string_view lines);

/// Lines of prose, which are filled anew; those that begin with a blank stay as they are.
std::string paragraphs(std::string_view lines);

/// Markdown as the READMEs here have it: headings from `##` on, paragraphs, lists, tables, fenced
/// blocks, and within them `code`, **bold**, *emphasis* and links, of which the words stay. It is
/// to follow a heading.
std::string roff_of_markdown(std::string_view markdown);

}  // namespace snl::cli
