#include "postgres_log.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace snl {

using postgres::Rows;
using postgres::ServerStatement;
using postgres::Values;
using transparency::kept_checkpoint;
using transparency::StoredLog;
using transparency::TreeSize;

namespace {

std::int64_t number(std::uint64_t value) {
  return static_cast<std::int64_t>(value);
}

std::optional<std::string_view> text_at(const Rows& rows, int row, int column) {
  if (rows.is_null(row, column)) return std::nullopt;
  return rows.text(row, column);
}

}  // namespace

PostgresLog::PostgresLog(postgres::ServerConnection& connection, StorePosition all_below)
    : connection_(connection) {
  static constexpr ServerStatement horizon{"horizon",
                                           "SELECT greatest((SELECT snl.horizon()), $1::bigint)"};
  horizon_ = connection_.run(horizon, Values().add(all_below)).integer(0, 0);
}

std::vector<Hash> PostgresLog::require_all(const Rows& rows, std::size_t count, int column) const {
  if (static_cast<std::size_t>(rows.size()) != count)
    throw transparency::damaged_log(connection_.name(), "nodes of its log's tree are missing");
  std::vector<Hash> hashes;
  hashes.reserve(count);
  for (int row = 0; row < rows.size(); ++row)
    hashes.push_back(rows.hash(row, column));
  return hashes;
}

TreeSize PostgresLog::count(StorePosition from, StorePosition end) {
  static constexpr ServerStatement count{"count_commits",
                                         "SELECT count(*) FROM snl.commits "
                                         "WHERE position >= $1::bigint AND position < $2::bigint"};
  return static_cast<TreeSize>(connection_.run(count, Values().add(from).add(end)).integer(0, 0));
}

/// The first leaf below a node of level 1, from the row with the node's number, first position and
/// hash. A role that may write the table may have changed the row. So the commits there must make
/// the hash, and the hash, with its neighbours, the nodes above: no two commits have the same hash.
PostgresLog::Mark PostgresLog::mark_in(const Rows& tile) {
  static constexpr ServerStatement read{"tile",
                                        "SELECT hash FROM snl.commits WHERE position >= $1::bigint "
                                        "AND position < $2::bigint ORDER BY position LIMIT 256"};
  if (tile.empty()) return {};
  auto node = static_cast<std::uint64_t>(tile.integer(0, 0));
  const Mark mark{.index = node * transparency::tile_width, .position = tile.integer(0, 1)};
  const Rows rows = connection_.run(read, Values().add(mark.position).add(horizon_));
  auto below = require_all(rows, transparency::tile_width, 0);
  std::ranges::transform(below, below.begin(), transparency::leaf_hash);
  Hash hash = tile.hash(0, 2);
  for (int level = 1;; ++level) {
    if (transparency::root_of_nodes(below) != hash)
      throw StoreError(
          StoreError::Cause::damaged,
          fmt::format("store {}: a node of its log's tree isn't what is below it; DELETE FROM "
                      "snl.tree, and the next checkpoint makes all of it anew",
                      connection_.name()));
    node /= transparency::tile_width;
    if (node >= count_nodes(level + 1)) return mark;
    below = nodes(level, node * transparency::tile_width, transparency::tile_width);
    hash = nodes(level + 1, node, 1).front();
  }
}

/// A leaf at or before this one, less than a tile away as far as the tree goes.
PostgresLog::Mark PostgresLog::mark_before(std::uint64_t leaf) {
  static constexpr ServerStatement find{"tile_before",
                                        "SELECT n, first, hash FROM snl.tree WHERE level = 1 AND "
                                        "n <= $1::bigint ORDER BY n DESC LIMIT 1"};
  if (leaf == next_.index) return next_;
  if (leaf < transparency::tile_width) return {};
  return mark_in(connection_.run(find, Values().add(number(leaf / transparency::tile_width))));
}

std::vector<Hash> PostgresLog::leaves(std::uint64_t first, std::size_t count) {
  static constexpr ServerStatement read{
      "leaves",
      "SELECT position, hash FROM snl.commits WHERE position >= $1::bigint AND "
      "position < $2::bigint ORDER BY position OFFSET $3::bigint LIMIT $4::bigint"};
  const Mark mark = mark_before(first);
  const Rows rows = connection_.run(
      read,
      Values().add(mark.position).add(horizon_).add(number(first - mark.index)).add(number(count)));
  auto hashes = require_all(rows, count, 1);
  if (count > 0) {
    last_first_ = {.index = first, .position = rows.integer(0, 0)};
    next_ = {.index = first + count, .position = rows.integer(rows.size() - 1, 0) + 1};
  }
  return hashes;
}

std::vector<Hash> PostgresLog::nodes(int level, std::uint64_t first, std::size_t count) {
  static constexpr ServerStatement read{
      "nodes",
      "SELECT hash FROM snl.tree WHERE level = $1::bigint AND n >= $2::bigint AND n < $3::bigint "
      "ORDER BY n"};
  if (level > 0)
    return require_all(
        connection_.run(
            read, Values().add(std::int64_t{level}).add(number(first)).add(number(first + count))),
        count, 0);
  std::vector<Hash> nodes = leaves(first, count);
  std::ranges::transform(nodes, nodes.begin(), transparency::leaf_hash);
  return nodes;
}

TreeSize PostgresLog::size() {
  static constexpr ServerStatement find{
      "last_tile", "SELECT n, first, hash FROM snl.tree WHERE level = 1 ORDER BY n DESC LIMIT 1"};
  const Mark mark = mark_in(connection_.run(find));
  return mark.index + count(mark.position, horizon_);
}

std::uint64_t PostgresLog::index_of(StorePosition position) {
  static constexpr ServerStatement find{"tile_of",
                                        "SELECT n, first, hash FROM snl.tree WHERE level = 1 AND "
                                        "first <= $1::bigint ORDER BY first DESC LIMIT 1"};
  const Mark mark = mark_in(connection_.run(find, Values().add(position)));
  return mark.index + count(mark.position, position);
}

std::uint64_t PostgresLog::count_nodes(int level) {
  static constexpr ServerStatement count{
      "count_nodes", "SELECT coalesce(max(n) + 1, 0) FROM snl.tree WHERE level = $1::bigint"};
  return static_cast<std::uint64_t>(
      connection_.run(count, Values().add(std::int64_t{level})).integer(0, 0));
}

std::vector<StoredLog> PostgresLog::logs() {
  static constexpr ServerStatement read{
      "logs", "SELECT origin, vkey, signed, published FROM snl.checkpoints ORDER BY log"};
  std::vector<StoredLog> logs;
  const Rows rows = connection_.run(read);
  logs.reserve(static_cast<std::size_t>(rows.size()));
  for (int row = 0; row < rows.size(); ++row)
    logs.push_back({.origin = std::string(rows.text(row, 0)),
                    .vkey = std::string(rows.text(row, 1)),
                    .last_signed = kept_checkpoint(text_at(rows, row, 2), connection_.name()),
                    .published = kept_checkpoint(text_at(rows, row, 3), connection_.name())});
  return logs;
}

void PostgresLog::put_node(int level, std::uint64_t node, const Hash& hash) {
  static constexpr ServerStatement put_tile{
      "put_tile",
      "INSERT INTO snl.tree (level, n, first, hash) VALUES (1, $1::bigint, $2::bigint, $3::bytea)"};
  static constexpr ServerStatement put_above{
      "put_node",
      "INSERT INTO snl.tree (level, n, first, hash) SELECT $1::bigint, $2::bigint, t.first, "
      "$4::bytea FROM snl.tree t WHERE t.level = $1::bigint - 1 AND t.n = $3::bigint"};
  const std::uint64_t child = node * transparency::tile_width;
  if (level > 1) {
    connection_.run(
        put_above,
        Values().add(std::int64_t{level}).add(number(node)).add(number(child)).add(hash));
    return;
  }
  if (last_first_.position == 0 || last_first_.index != child) leaves(child, 1);
  connection_.run(put_tile, Values().add(number(node)).add(last_first_.position).add(hash));
}

void PostgresLog::drop_nodes(int level, std::uint64_t from) {
  static constexpr ServerStatement drop{
      "drop_nodes", "DELETE FROM snl.tree WHERE level = $1::bigint AND n >= $2::bigint"};
  connection_.run(drop, Values().add(std::int64_t{level}).add(number(from)));
}

void PostgresLog::put_log(const StoredLog& log) {
  static constexpr ServerStatement put{
      "put_log",
      "INSERT INTO snl.checkpoints (log, origin, vkey, signed, published) "
      "SELECT coalesce(max(log), 0) + 1, $1::text, $2::text, $3::text, $4::text "
      "FROM snl.checkpoints ON CONFLICT (origin) DO UPDATE "
      "SET signed = excluded.signed, published = excluded.published"};
  const auto last_signed = transparency::text_of(log.last_signed);
  const auto published = transparency::text_of(log.published);
  connection_.run(
      put,
      Values().add(log.origin).add(log.vkey).add_optional(last_signed).add_optional(published));
}

}  // namespace snl
