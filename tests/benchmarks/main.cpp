// snl_benchmarks [--json] [--rounds N] [--only TEXT] [--scale X] [--snl PROGRAM]: measures every
// row and prints them. It passes no judgement: the exit code says only that it ran.
#include "rows.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <utility>
#include <vector>

namespace {

using namespace snl::benchmarks;

std::vector<Row> all_rows(const Options& options) {
  std::vector<Row> all;
  for (const auto rows : {
           store_rows,
           process_rows,
           many_games_rows,
           exchange_rows,
           log_rows,
           engine_rows,
           simulation_rows,
           odds_rows,
           solve_rows,
           player_rows,
           serve_rows,
#ifdef SNL_POSTGRESQL_PROGRAMS
           postgres_rows,
#endif
       })
    for (Row& row : rows(options))
      all.push_back(std::move(row));
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const auto options = options_from(argc, argv);
  if (!options) return 2;
  try {
    run(*options, all_rows(*options));
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", argv[0], error.what());
    return 1;
  }
}
