// A tool of the build: writes a C++ header that holds what every exported page has in it.
//
//   snl_embed_page OUTPUT PAGE.html STYLE.css SCRIPT.js…
//
// Scripts become one, in this order. Indentation, empty lines, comments and ends of lines that
// nothing needs are left out: no string of a script goes over several lines. Names become short
// (short_names.hpp).

#include "short_names.hpp"
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
#include <vector>

using snl::cli::with_short_names;

namespace {

/// Throws unless `text` can stand within an element that ends with `end_tag` as it is.
void check(std::string_view text, std::string_view end_tag) {
  if (text.find(end_tag) != std::string_view::npos || text.find("<!--") != std::string_view::npos)
    throw std::runtime_error(fmt::format("{} or <!-- within what is to stand before it", end_tag));
}

/// Which places of a line stand outside of its strings.
std::vector<bool> is_code(std::string_view line) {
  std::vector<bool> code(line.size());
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool ends = quote != 0 && line[i] == quote;
    code[i] = quote == 0 && line[i] != '"' && line[i] != '`';
    if (ends)
      quote = 0;
    else if (quote == 0 && !code[i])
      quote = line[i];
  }
  return code;
}

/// Without a comment that ends it.
std::string without_comment(const std::string& line) {
  const std::vector<bool> code = is_code(line);
  for (const std::string_view begin : {" // ", " /* "})
    if (const std::size_t at = line.find(begin); at != std::string::npos && code[at])
      if (begin == " // " || line.ends_with("*/")) return line.substr(0, at);
  return line;
}

/// Signs of a language that no space needs to stand beside, or behind.
struct Signs {
  std::string_view alone;
  std::string_view leading;
};
constexpr Signs signs_of_css{.alone = "{};,", .leading = ":"};
constexpr Signs signs_of_javascript{.alone = "{}()[];,:?=<>&|*+-/", .leading = "!"};

/// Without the spaces that nothing needs. A line with a regular expression stays as it is.
std::string tight(const std::string& line, const Signs& signs) {
  if (line.contains("/^")) return line;
  const std::vector<bool> code = is_code(line);
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool between = line[i] == ' ' && code[i] && i > 0 && i + 1 < line.size() &&
                         line[i - 1] != line[i + 1];  // not of "- -"
    const bool behind = between && code[i - 1] &&
                        (signs.alone.contains(line[i - 1]) || signs.leading.contains(line[i - 1]));
    const bool before = between && code[i + 1] && signs.alone.contains(line[i + 1]);
    if (!behind && !before) text += line[i];
  }
  return text;
}

/// Whether nothing needs the end of this line: what ends with a brace is a block or goes on, since
/// statements end with semicolons.
bool runs_on(std::string_view line) {
  return std::string_view("{};,([").contains(line.back());
}

/// Without what only people who write it need.
std::string lean(const std::string& source, const Signs& signs) {
  std::string text;
  bool in_comment = false;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, line.find_first_not_of(' '));
    const bool begins = line.starts_with("/*");
    const bool left_out = in_comment || begins || line.empty() || line.starts_with("//");
    if (in_comment || begins) in_comment = !line.ends_with("*/");
    if (left_out) continue;
    text += tight(without_comment(line), signs);
    if (!runs_on(text)) text += '\n';
  }
  return text;
}

std::string generate(std::span<char*> files) {
  const std::string html = snl::contents_of(files[0]);
  const std::string style = lean(snl::contents_of(files[1]), signs_of_css);
  std::string script;
  for (const char* file : files.subspan(2))
    script += lean(snl::contents_of(file), signs_of_javascript);
  script = with_short_names(script);
  check(style, "</style");
  check(script, "</script");
  return fmt::format(
      "#pragma once\n\n#include \"cli/page/page_source.hpp\"\n\nnamespace snl::cli {{\n\n"
      "inline constexpr PageSource page_source{{\n"
      "    .html = {},\n    .style = {},\n    .script = {}}};\n\n}}  // namespace snl::cli\n",
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
