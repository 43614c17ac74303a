// The faults of an input, all of them at once.
#pragma once

#include "language.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// Sentences that name the place of each fault. If there would be more than max_faults, the last
/// one says how many more there are.
using Faults = std::vector<std::string>;
inline constexpr std::size_t max_faults = 1'000'000;

/// The first `most` of them, joined by "; ", and the number of the others. `way_out` follows that
/// number: "", or ": " and the place that names them all.
inline std::string in_a_line(std::span<const std::string> faults, std::size_t most = 50,
                             std::string_view way_out = "") {
  std::string line;
  for (const std::string& fault : faults.first(std::min(most, faults.size()))) {
    if (!line.empty()) line += "; ";
    line += fault;
  }
  if (faults.size() > most)
    line.append("; and " + std::to_string(faults.size() - most) + " more").append(way_out);
  return line;
}

/// Collects faults in bounded memory, however many there are.
class FaultList {
 public:
  /// Adds the answer of `sentence()`, which isn't called once there are too many.
  template <class Sentence>
  void add(const Sentence& sentence) {
    if (faults_.size() < max_faults)
      faults_.push_back(sentence());
    else
      ++more_;
  }

  bool empty() const { return faults_.empty(); }

  /// All of them, in the order in which they were added.
  Faults take() && {
    if (more_ > 0) faults_.push_back("and " + std::to_string(more_) + " more faults");
    return std::move(faults_);
  }

 private:
  Faults faults_;
  std::size_t more_ = 0;
};

}  // namespace snl
