// Benchmarks as ratios: a subject and a baseline do the same kind of work in the same process, turn
// by turn, so that what slows the machine down for a while slows down both. Times alone mean
// nothing on another machine; ratios mean something on most.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snl::benchmarks {

/// Does some work once and answers how much it was, in the row's unit.
using Work = std::function<double()>;

/// One comparison: how many times the baseline's rate the subject reaches.
struct Row {
  std::string name;  // of the subject
  std::string baseline_name;
  std::string unit;  // of work, in the plural
  Work subject;
  Work baseline;
  std::optional<double> bar;  // what the ratio should at least be
};

struct Options {
  int rounds = 15;   // ≥ 1
  double scale = 1;  // of the work of a round: much less than 1 only shows that it runs
  bool json = false;
};

/// An amount of work, scaled; at least 1.
double scaled(const Options& options, double work);

/// The options on a command line, or none and a word on stderr about what is wrong with it.
std::optional<Options> options_from(int argc, const char* const* argv);

/// Measures the rows one after another and prints a table of them, or JSON.
void run(const Options& options, const std::vector<Row>& rows);

}  // namespace snl::benchmarks
