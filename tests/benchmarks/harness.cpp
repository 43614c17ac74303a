#include "harness.hpp"

#include "folder.hpp"

#include <boost/version.hpp>
#include <fmt/format.h>
#include <malloc.h>
#include <openssl/opensslv.h>
#include <sqlite3.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

namespace snl::benchmarks {
namespace {

/// "1_81"
constexpr const char* boost_version = BOOST_LIB_VERSION;

struct Machine {
  std::string processor;
  unsigned cores;
  std::string system;
  std::string compiler;
};

Machine this_machine() {
  Machine machine{.processor = "unknown processor",
                  .cores = std::max(1U, std::thread::hardware_concurrency()),
                  .system = "unknown system",
                  .compiler = COMPILER};
  std::ifstream facts("/proc/cpuinfo");
  for (std::string line; std::getline(facts, line);) {
    if (!line.starts_with("model name")) continue;
    machine.processor = line.substr(std::min(line.find(": "), line.size() - 2) + 2);
    break;
  }
  utsname name{};
  if (uname(&name) == 0)
    machine.system = fmt::format("{} {} {}", name.sysname, name.release, name.machine);
  return machine;
}

// ---- Memory

/// Has the kernel reset the peak memory of this process; false where it doesn't. Data that was
/// prepared for a row counts for both sides. A child process has its own peak.
bool forget_peak() {
  malloc_trim(0);
  std::ofstream forget("/proc/self/clear_refs");
  return static_cast<bool>(forget << "5" << std::flush);
}

/// The peak memory of this process since then, or 0 where that isn't known.
std::int64_t peak_bytes() {
  std::ifstream facts("/proc/self/status");
  for (std::string line; std::getline(facts, line);)
    if (line.starts_with("VmHWM:")) return std::stoll(line.substr(6)) * 1024;
  return 0;
}

// ---- Measuring

/// One piece of work, once.
struct Sample {
  double figure;  // units a second, seconds a unit, or bytes a unit
  std::int64_t peak;
};

Sample sample(Measure measure, const Work& work) {
  const bool peak_is_known = forget_peak();
  const auto begin = std::chrono::steady_clock::now();
  const Done done = work();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  const double seconds = std::max(elapsed.count(), 1e-9);
  const std::int64_t peak = done.peak_bytes ? *done.peak_bytes : peak_is_known ? peak_bytes() : 0;
  if (done.figure) return {*done.figure, peak};
  switch (measure) {
    case Measure::rate:
      return {done.amount / seconds, peak};
    case Measure::time:
      return {seconds / done.amount, peak};
    case Measure::bytes:
      return {done.amount, peak};
  }
  return {};
}

/// The samples of one side, and their statistics.
struct Side {
  std::vector<double> figures;
  std::int64_t peak = 0;

  void add(const Sample& sample) {
    figures.push_back(sample.figure);
    peak = std::max(peak, sample.peak);
  }
};

double median(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  return numbers[numbers.size() / 2];
}

struct Measured {
  std::vector<double> ratios;  // ascending
  Side subject;
  Side baseline;
};

/// Subject and baseline alternate in which of them runs first.
Measured measure(const Options& options, const Row& row) {
  const Contest contest = row.prepare();
  Measured measured{};
  for (int round = 0; round < std::min(options.rounds, row.at_most_rounds); ++round) {
    if (round % 2 == 0) measured.baseline.add(sample(row.measure, contest.baseline));
    measured.subject.add(sample(row.measure, contest.subject));
    if (round % 2 == 1) measured.baseline.add(sample(row.measure, contest.baseline));
    measured.ratios.push_back(measured.subject.figures.back() / measured.baseline.figures.back());
  }
  std::ranges::sort(measured.ratios);
  return measured;
}

// ---- Printing

std::string in_words(Measure measure, double figure, std::string_view unit) {
  switch (measure) {
    case Measure::rate:
      return figure >= 1e6 ? fmt::format("{:.3g} M {}/s", figure / 1e6, unit)
                           : fmt::format("{:.0f} {}/s", figure, unit);
    case Measure::time:
      return figure >= 1e-3 ? fmt::format("{:.3g} ms", figure * 1e3)
                            : fmt::format("{:.3g} us", figure * 1e6);
    case Measure::bytes:
      return fmt::format("{:.4g} bytes", figure);
  }
  return {};
}

std::string in_words(const Row& row) {
  if (!row.bar) return "";
  const char* const bound = row.measure == Measure::rate ? ">=" : "<=";
  if (row.bar->of == Bar::Of::ratio) return fmt::format("{} {:.3g}", bound, row.bar->value);
  return fmt::format("{} {}", bound, in_words(row.measure, row.bar->value, row.unit));
}

std::string_view name_of(Measure measure) {
  constexpr std::array names{"rate", "time", "bytes"};
  return names.at(static_cast<std::size_t>(measure));
}

std::string megabytes(std::int64_t bytes) {
  if (bytes == 0) return "unknown";
  return fmt::format("{:.3g}", static_cast<double>(bytes) / 1e6);
}

void print_table_head(const Options& options, const Machine& machine) {
  fmt::print(
      "{}, {} core{}; {}; files on {}\n{}; SQLite {}; OpenSSL {}; Boost {}; snl {}; {} paired "
      "round{}{}\n\n",
      machine.processor, machine.cores, machine.cores == 1 ? "" : "s", machine.system,
      file_system_of_folders(), machine.compiler, sqlite3_libversion(), OPENSSL_FULL_VERSION_STR,
      boost_version, SNL_VERSION, options.rounds, options.rounds == 1 ? "" : "s",
      options.scale == 1 ? "" : fmt::format(", at scale {}", options.scale));
  fmt::print("{:<48} {:>7}  {:<17} {:<18} {:<18} {:>9}\n", "what, and next to what", "ratio",
             "range", "bar", "figure", "peak, MB");
}

void print_row(const Options& options, const Row& row, const Measured& measured) {
  const int rounds = static_cast<int>(measured.ratios.size());
  fmt::print("{:<48} {:>7.3g}  {:<17} {:<18} {:<18} {:>9}\n", row.name, median(measured.ratios),
             fmt::format("{:.3g} to {:.3g}", measured.ratios.front(), measured.ratios.back()),
             in_words(row), in_words(row.measure, median(measured.subject.figures), row.unit),
             megabytes(measured.subject.peak));
  fmt::print("  {:<92} {:<18} {:>9}\n",
             fmt::format("{} of {}{}", name_of(row.measure), row.baseline_name,
                         rounds < options.rounds
                             ? fmt::format(" ({} round{})", rounds, rounds == 1 ? "" : "s")
                             : ""),
             "", megabytes(measured.baseline.peak));
  (void)std::fflush(stdout);
}

/// A JSON string of a text without control characters.
std::string json_string(std::string_view text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') json += '\\';
    json += c;
  }
  return json + '"';
}

std::string json_of(const Side& side) {
  return fmt::format("{{\"median\":{},\"peak_bytes\":{}}}", median(side.figures), side.peak);
}

std::string json_of(const Row& row) {
  if (!row.bar) return "null";
  return fmt::format("{{\"of\":\"{}\",\"{}\":{}}}",
                     row.bar->of == Bar::Of::ratio ? "ratio" : "figure",
                     row.measure == Measure::rate ? "at_least" : "at_most", row.bar->value);
}

std::string json_of(const Row& row, const Measured& measured) {
  return fmt::format(
      "{{\"name\":{},\"baseline_name\":{},\"unit\":{},\"measure\":\"{}\","
      "\"ratio\":{{\"median\":{},\"min\":{},\"max\":{},\"rounds\":{}}},\"bar\":{},\"subject\":{},"
      "\"baseline\":{}}}",
      json_string(row.name), json_string(row.baseline_name), json_string(row.unit),
      name_of(row.measure), median(measured.ratios), measured.ratios.front(),
      measured.ratios.back(), measured.ratios.size(), json_of(row), json_of(measured.subject),
      json_of(measured.baseline));
}

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

double scaled(const Options& options, double work) {
  return std::max(1.0, work * options.scale);
}

std::string with_commas(std::int64_t number) {
  std::string text = std::to_string(number);
  for (auto place = std::ssize(text) - 3; place > 0; place -= 3)
    text.insert(static_cast<std::size_t>(place), ",");
  return text;
}

std::optional<Options> options_from(int argc, const char* const* argv) {
  Options options;
  bool understood = true;
  for (int i = 1; i < argc && understood; ++i) {
    const std::string_view word = argv[i];
    if (word == "--json") {
      options.json = true;
      continue;
    }
    const std::string_view value = ++i < argc ? argv[i] : "";
    understood =
        (word == "--only" && !value.empty() && !(options.only = value).empty()) ||
        (word == "--snl" && !value.empty() && !(options.snl = value).empty()) ||
        (word == "--rounds" && read_number(value, options.rounds) && options.rounds >= 1) ||
        (word == "--scale" && read_number(value, options.scale) && options.scale > 0);
  }
  if (!understood) {
    fmt::print(stderr,
               "usage: {} [--json] [--rounds N] [--only TEXT] [--scale X] [--snl PROGRAM]\n",
               argv[0]);
    return std::nullopt;
  }
  return options;
}

void run(const Options& options, const std::vector<Row>& rows) {
  const Machine machine = this_machine();
  if (!options.json) print_table_head(options, machine);
  std::vector<std::string> json;
  for (const Row& row : rows) {
    if (!row.name.contains(options.only)) continue;
    const Measured measured = measure(options, row);
    if (options.json)
      json.push_back(json_of(row, measured));
    else
      print_row(options, row, measured);
  }
  if (options.json)
    fmt::print(
        "{{\"processor\":{},\"cores\":{},\"system\":{},\"files_on\":{},\"compiler\":{},\"sqlite\":{"
        "}"
        ",\"openssl\":{},\"boost\":{},\"snl\":{},\"rounds\":{},\"scale\":{},\"rows\":[{}]}}\n",
        json_string(machine.processor), machine.cores, json_string(machine.system),
        json_string(file_system_of_folders()), json_string(machine.compiler),
        json_string(sqlite3_libversion()), json_string(OPENSSL_FULL_VERSION_STR),
        json_string(boost_version), json_string(SNL_VERSION), options.rounds, options.scale,
        fmt::join(json, ","));
}

}  // namespace snl::benchmarks
