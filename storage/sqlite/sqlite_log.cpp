#include "sqlite_log.hpp"

#include "store_tables.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace snl {

using sqlite::Statement;
using transparency::kept_checkpoint;
using transparency::StoredLog;

namespace {

std::optional<std::string_view> text_at(const Statement& row, int column) {
  return row.is_null(column) ? std::nullopt : std::optional(row.text(column));
}

}  // namespace

/// `select` has the parameters ?1 ≤ number < ?2, and ?3, the level.
std::vector<Hash> SqliteLog::hashes(std::string_view select, int level, std::uint64_t first,
                                    std::size_t count) {
  const auto begin = static_cast<std::int64_t>(first);
  Statement rows(connection_, select);
  rows.bind(1, begin)
      .bind(2, begin + static_cast<std::int64_t>(count))
      .bind(3, std::int64_t{level});
  std::vector<Hash> found;
  found.reserve(count);
  while (rows.step())
    found.push_back(hash_at(rows, 0));
  if (found.size() != count)
    throw transparency::damaged_log(connection_.path(), "nodes of its log's tree are missing");
  return found;
}

std::vector<Hash> SqliteLog::leaves(std::uint64_t first, std::size_t count) {
  return hashes(
      "SELECT hash FROM commits WHERE position > ?1 AND position <= ?2 AND ?3 = 0 "
      "ORDER BY position",
      0, first, count);
}

std::vector<Hash> SqliteLog::nodes(int level, std::uint64_t first, std::size_t count) {
  if (level > 0)
    return hashes("SELECT hash FROM tree WHERE level = ?3 AND n >= ?1 AND n < ?2 ORDER BY n", level,
                  first, count);
  std::vector<Hash> nodes = leaves(first, count);
  std::ranges::transform(nodes, nodes.begin(), transparency::leaf_hash);
  return nodes;
}

transparency::TreeSize SqliteLog::size() {
  return static_cast<transparency::TreeSize>(
      connection_.integer("SELECT coalesce(max(position), 0) FROM commits"));
}

std::uint64_t SqliteLog::index_of(StorePosition position) {
  return static_cast<std::uint64_t>(position - 1);
}

std::uint64_t SqliteLog::count_nodes(int level) {
  Statement count(connection_, "SELECT coalesce(max(n) + 1, 0) FROM tree WHERE level = ?1");
  count.bind(1, std::int64_t{level}).step();
  return static_cast<std::uint64_t>(count.integer(0));
}

std::vector<StoredLog> SqliteLog::logs() {
  std::vector<StoredLog> logs;
  Statement rows(connection_,
                 "SELECT origin, vkey, signed, published FROM checkpoints ORDER BY log");
  while (rows.step())
    logs.push_back({.origin = std::string(rows.text(0)),
                    .vkey = std::string(rows.text(1)),
                    .last_signed = kept_checkpoint(text_at(rows, 2), connection_.path()),
                    .published = kept_checkpoint(text_at(rows, 3), connection_.path())});
  return logs;
}

void SqliteLog::put_node(int level, std::uint64_t number, const Hash& hash) {
  Statement(connection_, "INSERT INTO tree (level, n, hash) VALUES (?1, ?2, ?3)")
      .bind(1, std::int64_t{level})
      .bind(2, static_cast<std::int64_t>(number))
      .bind(3, sqlite::Blob(hash))
      .run();
}

void SqliteLog::drop_nodes(int level, std::uint64_t from) {
  Statement(connection_, "DELETE FROM tree WHERE level = ?1 AND n >= ?2")
      .bind(1, std::int64_t{level})
      .bind(2, static_cast<std::int64_t>(from))
      .run();
}

void SqliteLog::put_log(const StoredLog& log) {
  const auto last_signed = transparency::text_of(log.last_signed);
  const auto published = transparency::text_of(log.published);
  Statement(connection_,
            "INSERT INTO checkpoints (origin, vkey, signed, published) VALUES (?1, ?2, ?3, ?4) "
            "ON CONFLICT (origin) DO UPDATE SET signed = ?3, published = ?4")
      .bind(1, std::string_view(log.origin))
      .bind(2, std::string_view(log.vkey))
      .bind_optional(3, last_signed)
      .bind_optional(4, published)
      .run();
}

}  // namespace snl
