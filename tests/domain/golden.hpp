// Golden files: a test's output, compared line by line with a file that a person once approved.
#pragma once

#include <string>
#include <vector>

namespace snl::test {

/// Fails unless `lines` are those of tests/domain/golden/<name>. The message has the lines that
/// differ: "-" for approved, "+" for produced.
void check_golden(const std::string& name, const std::vector<std::string>& lines);

}  // namespace snl::test
