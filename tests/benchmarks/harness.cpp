#include "harness.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <thread>

namespace snl::benchmarks {
namespace {

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

/// Units of work a second.
double rate_of(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  const double done = work();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  return done / std::max(elapsed.count(), 1e-9);
}

struct Measured {
  std::vector<double> ratios;  // ascending
  double subject_rate;         // median
  double baseline_rate;        // median
};

double median(const std::vector<double>& ascending) {
  return ascending[ascending.size() / 2];
}

/// Subject and baseline take turns at being first.
Measured measure(const Options& options, const Row& row) {
  std::vector<double> subject_rates;
  std::vector<double> baseline_rates;
  Measured measured{};
  for (int round = 0; round < options.rounds; ++round) {
    double baseline = 0;
    if (round % 2 == 0) baseline = rate_of(row.baseline);
    const double subject = rate_of(row.subject);
    if (round % 2 == 1) baseline = rate_of(row.baseline);
    subject_rates.push_back(subject);
    baseline_rates.push_back(baseline);
    measured.ratios.push_back(subject / baseline);
  }
  for (auto* numbers : {&subject_rates, &baseline_rates, &measured.ratios})
    std::ranges::sort(*numbers);
  measured.subject_rate = median(subject_rates);
  measured.baseline_rate = median(baseline_rates);
  return measured;
}

std::string in_millions(double rate) {
  return fmt::format("{:.3g} M", rate / 1e6);
}

void print_table_head(const Options& options, const Machine& machine) {
  fmt::print("{}, {} core{}; {}\n{}; snl {}; {} paired round{}{}\n\n", machine.processor,
             machine.cores, machine.cores == 1 ? "" : "s", machine.system, machine.compiler,
             SNL_VERSION, options.rounds, options.rounds == 1 ? "" : "s",
             options.scale == 1 ? "" : fmt::format(", at scale {}", options.scale));
  fmt::print("{:<36} {:<34} {:>8} {:>17} {:>6} {:>20}\n", "what", "as a multiple of", "median",
             "range", "bar", "a second");
}

void print_row(const Row& row, const Measured& measured) {
  fmt::print("{:<36} {:<34} {:>8.3g} {:>17} {:>6} {:>20}\n", row.name, row.baseline_name,
             median(measured.ratios),
             fmt::format("{:.3g} to {:.3g}", measured.ratios.front(), measured.ratios.back()),
             row.bar ? fmt::format("{:.3g}", *row.bar) : "",
             fmt::format("{} {}", in_millions(measured.subject_rate), row.unit));
  (void)std::fflush(stdout);
}

/// A JSON string of a text without control characters.
std::string quoted(std::string_view text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') json += '\\';
    json += c;
  }
  return json + '"';
}

std::string json_of(const Row& row, const Measured& measured) {
  return fmt::format(
      "{{\"name\":{},\"baseline\":{},\"unit\":{},\"ratio\":{{\"median\":{},\"min\":{},\"max\":{}}},"
      "\"bar\":{},\"rate\":{},\"baseline_rate\":{}}}",
      quoted(row.name), quoted(row.baseline_name), quoted(row.unit), median(measured.ratios),
      measured.ratios.front(), measured.ratios.back(),
      row.bar ? fmt::format("{}", *row.bar) : "null", measured.subject_rate,
      measured.baseline_rate);
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
        (word == "--rounds" && read_number(value, options.rounds) && options.rounds >= 1) ||
        (word == "--scale" && read_number(value, options.scale) && options.scale > 0);
  }
  if (!understood) {
    fmt::print(stderr, "usage: {} [--json] [--rounds N] [--scale X]\n", argv[0]);
    return std::nullopt;
  }
  return options;
}

void run(const Options& options, const std::vector<Row>& rows) {
  const Machine machine = this_machine();
  if (!options.json) print_table_head(options, machine);
  std::vector<std::string> json;
  for (const Row& row : rows) {
    const Measured measured = measure(options, row);
    if (options.json)
      json.push_back(json_of(row, measured));
    else
      print_row(row, measured);
  }
  if (options.json)
    fmt::print(
        "{{\"processor\":{},\"cores\":{},\"system\":{},\"compiler\":{},\"snl\":{},\"rounds\":{},"
        "\"scale\":{},\"rows\":[{}]}}\n",
        quoted(machine.processor), machine.cores, quoted(machine.system), quoted(machine.compiler),
        quoted(SNL_VERSION), options.rounds, options.scale, fmt::join(json, ","));
}

}  // namespace snl::benchmarks
