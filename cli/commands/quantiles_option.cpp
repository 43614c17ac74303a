#include "quantiles_option.hpp"

#include "cli/session/failure.hpp"
#include "common_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace snl::cli {

void QuantilesOption::add_to(CLI::App& command) {
  add_value(command, "--quantiles", list, "Q,Q,...",
            "The turn by which each share of all games is over, as 0.1,0.5,0.9");
}

std::vector<double> QuantilesOption::values() const {
  std::vector<double> values;
  if (list.empty()) return values;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string_view word = std::string_view(list).substr(begin, end - begin);
    double value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool is_share = value > 0 && value < 1;
    if (error != std::errc() || stop != word.data() + word.size() || !is_share)
      throw Failure(Exit::usage,
                    fmt::format("--quantiles {}: \"{}\" isn't a number between 0 and 1, "
                                "such as 0.9",
                                list, word));
    values.push_back(value);
    begin = end + 1;
  }
  return values;
}

}  // namespace snl::cli
