// A tool of the build: writes a C++ header that holds the description of the server's interface.
//
//   snl_embed_openapi OUTPUT OPENAPI.json

#include "storage/embedding.hpp"

#include <cstdio>
#include <exception>
#include <fstream>
#include <span>
#include <stdexcept>

int main(int argc, char** argv) {
  try {
    const std::span words(argv, static_cast<std::size_t>(argc));
    if (words.size() != 3) throw std::runtime_error("usage: snl_embed_openapi OUTPUT OPENAPI.json");
    std::ofstream(words[1], std::ios::binary)
        << "#pragma once\n\n#include <string_view>\n\nnamespace snl::cli {\n\n"
           "inline constexpr std::string_view openapi_json = "
        << snl::literal_of(snl::contents_of(words[2])) << ";\n\n}  // namespace snl::cli\n";
    return 0;
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "snl_embed_openapi: %s\n", error.what());
    return 1;
  }
}
