// A tool of the build: writes a C++ source that holds the scripts of the shells.
//
//   snl_embed_scripts OUTPUT FILE…
//
// The ending of a file's name says whose script it is.

#include "storage/embedding.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>

namespace {

std::string generate(std::span<char*> files) {
  std::string scripts;
  for (const std::filesystem::path path : files)
    scripts +=
        fmt::format("      CompletionScript{{\"{}\", {}}},\n", path.extension().string().substr(1),
                    snl::literal_of(snl::contents_of(path)));
  return fmt::format(
      "#include \"cli/completion/completion.hpp\"\n\n#include <array>\n\nnamespace snl::cli {{\n\n"
      "std::span<const CompletionScript> completion_scripts() {{\n"
      "  static constexpr std::array scripts{{\n{}  }};\n  return scripts;\n}}\n\n"
      "}}  // namespace snl::cli\n",
      scripts);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::span words(argv, static_cast<std::size_t>(argc));
    if (words.size() < 3) throw std::runtime_error("usage: snl_embed_scripts OUTPUT FILE…");
    std::ofstream(words[1], std::ios::binary) << generate(words.subspan(2));
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "snl_embed_scripts: {}\n", error.what());
    return 1;
  }
}
