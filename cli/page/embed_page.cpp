// A tool of the build: writes a C++ header that holds what pages are made of, as a value of a type
// whose fields are texts.
//
//   snl_embed_page OUTPUT HEADER TYPE NAME (.FIELD FILE)…
//
// HEADER defines TYPE.

#include "storage/embedding.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

/// Throws unless `text` can stand within an element that ends with `end_tag` as it is.
void check(std::string_view text, std::string_view end_tag) {
  if (text.find(end_tag) != std::string_view::npos || text.find("<!--") != std::string_view::npos)
    throw std::runtime_error(fmt::format("{} or <!-- within what is to stand before it", end_tag));
}

/// Each field as C++ initialises it.
std::string fields(std::span<char* const> words) {
  std::string text;
  for (; words.size() >= 2; words = words.subspan(2)) {
    const std::string_view file = words[1];
    const std::string content = snl::contents_of(file);
    if (!file.ends_with(".html")) {
      check(content, "</style");
      check(content, "</script");
    }
    text += fmt::format("    {} = {},\n", words[0], snl::literal_of(content));
  }
  return text;
}

/// As a header of the system's, in which compilers don't warn: they take a literal of any length,
/// but must take only 65536 characters.
std::string generate(std::string_view header, std::string_view type, std::string_view name,
                     std::span<char* const> words) {
  return fmt::format(
      "#pragma once\n#pragma GCC system_header\n\n#include \"{}\"\n\nnamespace snl::cli {{\n\n"
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
