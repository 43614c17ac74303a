// For tools of the build that write files into C++ sources.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace snl {

/// All of a file. Throws std::runtime_error if it can't be read.
inline std::string contents_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error(path.string() + ": it can't be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A C++ string literal of `text`, as it is.
inline std::string literal_of(const std::string& text) {
  if (text.find(")embedded\"") != std::string::npos)
    throw std::runtime_error("a text has )embedded\" in it");
  return "R\"embedded(" + text + ")embedded\"";
}

}  // namespace snl
