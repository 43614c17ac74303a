#include "golden.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <fstream>

namespace snl::test {
namespace {

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  BOOST_REQUIRE_MESSAGE(file.is_open(), "can't read " << path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    lines.push_back(line);
  return lines;
}

std::string marked(char mark, const std::vector<std::string>& lines, std::size_t index) {
  return index < lines.size() ? mark + (" " + lines[index]) + "\n" : "";
}

std::string difference(const std::vector<std::string>& approved,
                       const std::vector<std::string>& produced) {
  std::string text;
  for (std::size_t i = 0; i < std::max(approved.size(), produced.size()); ++i) {
    const std::string was = marked('-', approved, i);
    const std::string is = marked('+', produced, i);
    const bool same = !was.empty() && !is.empty() && was.substr(1) == is.substr(1);
    text += same ? marked(' ', approved, i) : was + is;
  }
  return text;
}

}  // namespace

void check_golden(const std::string& name, const std::vector<std::string>& lines) {
  const auto approved = lines_of(SNL_TESTS "/domain/golden/" + name);
  BOOST_TEST((approved == lines), name << " differs:\n" << difference(approved, lines));
}

}  // namespace snl::test
