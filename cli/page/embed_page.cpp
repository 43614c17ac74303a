// A tool of the build: writes a C++ header that holds what pages are made of, as a value of a type
// whose fields are texts.
//
//   snl_embed_page OUTPUT HEADER TYPE NAME (.FIELD ([--foreign] FILE)…)…
//
// HEADER defines TYPE. Files of a field become one, in their order. Indentation, empty lines,
// comments and ends of lines that nothing needs are left out of style sheets and scripts: no string
// of a script goes over several lines. Names become short (short_names.hpp). A script that somebody
// else wrote keeps its lines and names.

#include "short_names.hpp"
#include "storage/embedding.hpp"

#include <fmt/format.h>

#include <algorithm>
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

/// Of a script that somebody else wrote: its lines as they are, without indentation and comments
/// but for the first lines of all, which say whose it is and under which licence.
std::string without_comments(const std::string& source) {
  std::string text;
  bool in_comment = false;
  bool is_notice = true;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, line.find_first_not_of(' '));
    const bool is_remark = line.starts_with("//");
    const bool begins = line.starts_with("/*");
    is_notice = is_notice && is_remark;
    if (is_notice || (!in_comment && !begins && !line.empty() && !is_remark)) text += line + '\n';
    if (in_comment || begins) in_comment = !line.ends_with("*/");
  }
  return text;
}

/// The files of a field as one text.
std::string joined(std::span<char* const> files) {
  std::string text;
  std::string script;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string_view file = files[i];
    if (file == "--foreign")
      text += without_comments(snl::contents_of(files[++i]));
    else if (file.ends_with(".js"))
      script += lean(snl::contents_of(file), signs_of_javascript);
    else if (file.ends_with(".css"))
      text += lean(snl::contents_of(file), signs_of_css);
    else
      text += snl::contents_of(file);
  }
  return text + with_short_names(script);
}

/// Each field as C++ initialises it.
std::string fields(std::span<char* const> words) {
  const auto is_field = [](std::string_view word) { return word.starts_with('.'); };
  std::string text;
  while (!words.empty()) {
    const auto files = words.subspan(1);
    const auto count = std::size_t(std::ranges::find_if(files, is_field) - files.begin());
    const std::string value = joined(files.first(count));
    if (!std::string_view(files[0]).ends_with(".html")) {
      check(value, "</style");
      check(value, "</script");
    }
    text += fmt::format("    {} = {},\n", words[0], snl::literal_of(value));
    words = files.subspan(count);
  }
  return text;
}

std::string generate(std::string_view header, std::string_view type, std::string_view name,
                     std::span<char* const> words) {
  return fmt::format(
      "#pragma once\n\n#include \"{}\"\n\nnamespace snl::cli {{\n\n"
      "inline constexpr {} {}{{\n{}}};\n\n}}  // namespace snl::cli\n",
      header, type, name, fields(words));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::span words(argv, static_cast<std::size_t>(argc));
    if (words.size() < 7)
      throw std::runtime_error(
          "usage: snl_embed_page OUTPUT HEADER TYPE NAME (.FIELD ([--foreign] FILE)…)…");
    std::ofstream(words[1], std::ios::binary)
        << generate(words[2], words[3], words[4], words.subspan(5));
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "snl_embed_page: {}\n", error.what());
    return 1;
  }
}
