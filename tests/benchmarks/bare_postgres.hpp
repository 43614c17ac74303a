// The baseline of the store on PostgreSQL, on the same server: the log as a C programmer would keep
// it for speed alone. It has one table with a primary key, a prepared INSERT, values in binary.
#pragma once

#include "bare_store.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

struct pg_conn;

namespace snl::benchmarks {

class BarePostgres {
 public:
  /// A connection to a database in which make_table() was called. Throws std::runtime_error.
  explicit BarePostgres(const std::string& location);
  static void make_table(const std::string& location);

  /// In its own transaction, which waits for the disk.
  void insert(const BareRow& row);
  /// In one transaction, sent at once.
  void insert_together(std::span<const BareRow* const> rows);

  /// Reads the log of a game in a store of ours by one cursor and looks at each column. Answers the
  /// number of rows.
  std::int64_t read(const std::string& game);

 private:
  struct Finish {
    void operator()(pg_conn* connection) const;
  };
  void execute(const char* sql);
  void prepare();

  std::unique_ptr<pg_conn, Finish> handle_;
  bool is_prepared_ = false;
};

}  // namespace snl::benchmarks
