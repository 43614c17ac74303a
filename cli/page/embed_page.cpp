// A tool of the build: writes a C++ header that holds what every exported page has in it.
//
//   snl_embed_page OUTPUT PAGE.html STYLE.css SCRIPT.js…
//
// Scripts become one, in this order. Indentation, empty lines, comments and ends of lines that
// nothing needs are left out: no string of a script goes over several lines. Private names (#name)
// become short.

#include "storage/embedding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <map>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
constexpr Signs signs_of_javascript{.alone = "{}()[];,:?=<>&|*", .leading = "!"};

/// Without the spaces that nothing needs. A line with a regular expression stays as it is.
std::string tight(const std::string& line, const Signs& signs) {
  if (line.contains("/^")) return line;
  const std::vector<bool> code = is_code(line);
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool between = line[i] == ' ' && code[i] && i > 0 && i + 1 < line.size();
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

bool is_letter(char character) {
  return std::isalnum(static_cast<unsigned char>(character)) != 0;
}

/// The name that begins at the '#' of a private member; empty if there is none.
std::string_view private_name_at(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && is_letter(text[end]))
    ++end;
  return text.substr(at, end - at);
}

/// Private members are declared at the beginning of a statement. Which names are, and how often
/// each stands there.
std::map<std::string, int, std::less<>> private_names(std::string_view script) {
  std::map<std::string, int, std::less<>> names;
  for (std::size_t at = script.find('#'); at != std::string_view::npos;
       at = script.find('#', at + 1))
    if (at > 0 && std::string_view("\n;{} ").contains(script[at - 1]))
      names.emplace(private_name_at(script, at), 0);
  for (std::size_t at = script.find('#'); at != std::string_view::npos;
       at = script.find('#', at + 1))
    if (const auto name = names.find(private_name_at(script, at)); name != names.end())
      ++name->second;
  return names;
}

/// "#a", …, "#z", "#A", …, then of two letters.
std::string short_name(std::size_t number) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string name = "#";
  if (number >= letters.size()) name += letters[number / letters.size() - 1];
  return name + letters[number % letters.size()];
}

/// With short private names, the more often they stand there the shorter. Nothing else can be meant
/// by
/// .#name, or by #name where a statement begins.
std::string with_short_private_names(std::string_view script) {
  const auto names = private_names(script);
  std::vector<std::pair<std::string, int>> ranked(names.begin(), names.end());
  std::ranges::stable_sort(ranked, std::greater{}, &std::pair<std::string, int>::second);
  std::map<std::string, std::string, std::less<>> shortened;
  for (std::size_t i = 0; i < ranked.size(); ++i)
    shortened.emplace(ranked[i].first, short_name(i));
  std::string text;
  for (std::size_t at = 0; at < script.size();) {
    const bool may_be =
        script[at] == '#' && at > 0 && std::string_view(".\n;{} ").contains(script[at - 1]);
    const std::string_view name = may_be ? private_name_at(script, at) : script.substr(at, 1);
    const auto known = shortened.find(name);
    text += known == shortened.end() ? name : std::string_view(known->second);
    at += name.size();
  }
  return text;
}

std::string generate(std::span<char*> files) {
  const std::string html = snl::contents_of(files[0]);
  const std::string style = lean(snl::contents_of(files[1]), signs_of_css);
  std::string script;
  for (const char* file : files.subspan(2))
    script += lean(snl::contents_of(file), signs_of_javascript);
  script = with_short_private_names(script);
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
