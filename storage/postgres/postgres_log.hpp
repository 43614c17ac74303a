// The log of a store in a PostgreSQL database: the tables tree and checkpoints of the schema snl,
// and the hashes of its commits. Positions have gaps there, so leaf i is the commit that has i
// others before it, of those below the horizon. No commit can appear below the horizon any more, so
// leaf i is always the same commit.
#pragma once

#include "connection.hpp"
#include "storage/transparency/log_store.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace snl {

/// Sees what was below the horizon when it was made. Don't keep it.
class PostgresLog final : public transparency::LogStore {
 public:
  /// `all_below` is what mend_clock() returned.
  PostgresLog(postgres::ServerConnection& connection, StorePosition all_below);

  std::vector<Hash> nodes(int level, std::uint64_t first, std::size_t count) override;
  transparency::TreeSize size() override;
  transparency::TreeSize count_commits() override { return count(0, horizon_); }
  std::uint64_t index_of(StorePosition position) override;
  /// Leaves right after those of the last call are found by those, not by the tree: an audit must
  /// not rely on it.
  std::vector<Hash> leaves(std::uint64_t first, std::size_t count) override;
  std::uint64_t count_nodes(int level) override;
  std::vector<transparency::StoredLog> logs() override;
  void drop_nodes(int level, std::uint64_t from) override;
  void put_node(int level, std::uint64_t number, const Hash& hash) override;
  void put_log(const transparency::StoredLog& log) override;

 private:
  /// A position from which leaves are counted.
  struct Mark {
    std::uint64_t index = 0;
    StorePosition position = 0;
  };

  Mark mark_in(const postgres::Rows& tile);
  Mark mark_before(std::uint64_t leaf);
  transparency::TreeSize count(StorePosition from, StorePosition end);
  std::vector<Hash> require_all(const postgres::Rows& rows, std::size_t count, int column) const;

  postgres::ServerConnection& connection_;
  StorePosition horizon_ = 0;
  Mark next_;        // after the last leaves that were read
  Mark last_first_;  // the first of those
};

}  // namespace snl
