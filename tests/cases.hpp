// The cases of tests/cases, for any test.
#pragma once

#include <boost/json.hpp>

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace snl::test {

/// A file of tests/cases. Throws std::runtime_error if it can't be read.
inline boost::json::value read_cases(const std::string& name) {
  std::ifstream file(SNL_TESTS "/cases/" + name);
  if (!file) throw std::runtime_error("can't read tests/cases/" + name);
  return boost::json::parse(std::string(std::istreambuf_iterator<char>(file), {}));
}

}  // namespace snl::test
