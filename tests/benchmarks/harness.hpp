// Benchmarks as ratios. A subject and a baseline do the same kind of work, turn by turn: if
// something slows the machine down for a while, it slows down both. Times alone mean nothing on
// another machine; ratios mean something on most.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snl::benchmarks {

/// The result of a piece of work.
struct Done {
  double amount;                                // in the row's unit
  std::optional<std::int64_t> peak_bytes = {};  // of a child process; else ours counts
  std::optional<double> figure = {};            // of work that measures itself; else it is timed
  Done(double done) : amount(done) {}           // NOLINT(google-explicit-constructor)
  Done(double done, std::int64_t peak) : amount(done), peak_bytes(peak) {}
};

/// Does some work once.
using Work = std::function<Done()>;

struct Contest {
  Work subject;
  Work baseline;
};

/// The measure by which subject and baseline are compared.
enum class Measure : std::uint8_t {
  rate,   // units a second: more is better
  time,   // seconds a unit: less is better
  bytes,  // a unit, which the work answers instead of an amount: less is better
};

/// The bar of a row.
struct Bar {
  enum class Of : std::uint8_t {
    ratio,   // at least this for rates, else at most this
    figure,  // the subject's own: at least so many units a second, at most so many seconds or bytes
  };
  Of of;
  double value;
};

/// One comparison.
struct Row {
  std::string name;  // of the subject
  std::string baseline_name;
  std::string unit;  // of work, in the plural
  Measure measure = Measure::rate;
  std::optional<Bar> bar = {};
  std::function<Contest()> prepare;  // not timed
  int at_most_rounds = 1000;         // for work that takes long
};

struct Options {
  int rounds = 15;   // ≥ 1
  double scale = 1;  // of the work of a round; much less than 1 only shows that the rows run
  bool json = false;
  std::string only;  // rows whose name contains this
  std::string snl;   // the program, for rows that run processes; none are run without it
};

/// An amount of work, scaled; at least 1.
double scaled(const Options& options, double work);

/// "1,000,000"
std::string with_commas(std::int64_t number);

/// The options on a command line; or none, with a message about the fault on stderr.
std::optional<Options> options_from(int argc, const char* const* argv);

/// Measures the rows one after another and prints a table of them, or JSON.
void run(const Options& options, const std::vector<Row>& rows);

}  // namespace snl::benchmarks
