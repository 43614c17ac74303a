// A tool of the build: writes a C++ source that holds what every exported page has in it.
//
//   snl_embed_page OUTPUT PAGE.html STYLE.css SCRIPT.js…
//
// Scripts become one, in this order. Indentation, empty lines and lines of comment are left out: no
// string of a script goes over several lines.

#include "storage/embedding.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

/// Throws unless `text` can stand within an element that ends with `end_tag` as it is.
void check(std::string_view text, std::string_view end_tag) {
  if (text.find(end_tag) != std::string_view::npos || text.find("<!--") != std::string_view::npos)
    throw std::runtime_error(fmt::format("{} or <!-- within what is to stand before it", end_tag));
}

/// Without what only people who write it need.
std::string lean(const std::string& source) {
  std::string text;
  bool in_comment = false;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, line.find_first_not_of(' '));
    const bool begins = line.starts_with("/*");
    const bool left_out = in_comment || begins || line.empty() || line.starts_with("//");
    if (in_comment || begins) in_comment = !line.ends_with("*/");
    if (!left_out) text += line + '\n';
  }
  return text;
}

std::string generate(std::span<char*> files) {
  const std::string html = snl::contents_of(files[0]);
  const std::string style = lean(snl::contents_of(files[1]));
  std::string script;
  for (const char* file : files.subspan(2))
    script += lean(snl::contents_of(file));
  check(style, "</style");
  check(script, "</script");
  return fmt::format(
      "#include \"cli/page/page_source.hpp\"\n\nnamespace snl::cli {{\n\n"
      "const PageSource& page_source() {{\n"
      "  static constexpr PageSource source{{.html = {}, .style = {}, .script = {}}};\n"
      "  return source;\n}}\n\n}}  // namespace snl::cli\n",
      snl::literal_of(html), snl::literal_of(style), snl::literal_of(script));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::span words(argv, static_cast<std::size_t>(argc));
    if (words.size() < 5)
      throw std::runtime_error("usage: snl_embed_page OUTPUT PAGE.html STYLE.css SCRIPT.js…");
    std::ofstream(words[1], std::ios::binary) << generate(words.subspan(2));
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "snl_embed_page: {}\n", error.what());
    return 1;
  }
}
