// Every comparison that the benchmark program makes.
#pragma once

#include "harness.hpp"

#include <vector>

namespace snl::benchmarks {

/// snl simulate.
std::vector<Row> simulation_rows(const Options& options);
/// snl board analyze.
std::vector<Row> odds_rows(const Options& options);
/// Recording turns, reading them back, going to any of them.
std::vector<Row> store_rows(const Options& options);
/// The signed log.
std::vector<Row> log_rows(const Options& options);
/// decide and evolve.
std::vector<Row> engine_rows(const Options& options);
/// snl board solve.
std::vector<Row> solve_rows(const Options& options);
/// snl play, roll, undo and redo.
std::vector<Row> process_rows(const Options& options);
/// Turns and lists in a store of very many games.
std::vector<Row> many_games_rows(const Options& options);
/// The screen of snl replay.
std::vector<Row> player_rows(const Options& options);
/// snl serve.
std::vector<Row> serve_rows(const Options& options);
/// The same on PostgreSQL, next to bare libpq.
std::vector<Row> postgres_rows(const Options& options);
/// snl export and import.
std::vector<Row> exchange_rows(const Options& options);

}  // namespace snl::benchmarks
