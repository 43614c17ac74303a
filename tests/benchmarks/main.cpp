// snl_benchmarks [--json] [--rounds N] [--scale X]: measures every row and prints them. It passes
// no judgement: the exit code says only that it ran.
#include "rows.hpp"

int main(int argc, char** argv) {
  using namespace snl::benchmarks;
  const auto options = options_from(argc, argv);
  if (!options) return 2;
  run(*options, simulation_rows(*options));
  return 0;
}
