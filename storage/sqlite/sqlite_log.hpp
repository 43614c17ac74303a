// The log of a store in an SQLite file: the tables tree and checkpoints of storage/format.md, and
// the hashes of its commits. Positions have no gaps there, so leaf i is the commit of position i
// + 1.
#pragma once

#include "sqlite.hpp"
#include "storage/transparency/log_store.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace snl {

/// Works on a connection that is in a transaction. Don't keep it.
class SqliteLog final : public transparency::LogStore {
 public:
  explicit SqliteLog(sqlite::Connection& connection) : connection_(connection) {}

  std::vector<Hash> nodes(int level, std::uint64_t first, std::size_t count) override;
  transparency::TreeSize size() override;
  transparency::TreeSize count_commits() override { return size(); }
  std::uint64_t index_of(StorePosition position) override;
  std::vector<Hash> leaves(std::uint64_t first, std::size_t count) override;
  std::uint64_t count_nodes(int level) override;
  std::vector<transparency::StoredLog> logs() override;
  void drop_nodes(int level, std::uint64_t from) override;
  void put_node(int level, std::uint64_t number, const Hash& hash) override;
  void put_log(const transparency::StoredLog& log) override;

 private:
  std::vector<Hash> hashes(std::string_view select, int level, std::uint64_t first,
                           std::size_t count);

  sqlite::Connection& connection_;
};

}  // namespace snl
