// The baseline of the store: the log as a C programmer would keep it for speed alone. It has one
// table, prepared statements, the pragmas of our own store. It decides no command, makes no hash,
// checks no version and derives nothing.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace snl::benchmarks {

/// A row of our store's commits table, without its position.
struct BareRow {
  std::int64_t game = 0;
  std::int64_t version = 0;
  std::int64_t time = 0;
  std::string command;
  std::string events;
  std::string hash;  // 32 bytes
};

class BareStore {
 public:
  enum class Keys : std::uint8_t {
    position,              // the primary key alone
    position_and_version,  // UNIQUE (game, version) too
  };

  /// A new file: write-ahead log, synchronous FULL, a checkpoint every 1000 pages.
  BareStore(const std::string& path, Keys keys);
  ~BareStore();
  BareStore(const BareStore&) = delete;
  BareStore& operator=(const BareStore&) = delete;
  BareStore(BareStore&&) = delete;
  BareStore& operator=(BareStore&&) = delete;

  /// In a transaction of its own, unless one was begun.
  void insert(const BareRow& row);
  /// rows_at_once rows by one statement.
  void insert_many(std::span<const BareRow* const> rows);
  static constexpr std::size_t rows_at_once = 16;
  void begin();
  void commit();

 private:
  void run(sqlite3_stmt* statement);

  sqlite3* handle_ = nullptr;
  sqlite3_stmt* begin_ = nullptr;
  sqlite3_stmt* commit_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  sqlite3_stmt* insert_many_ = nullptr;
};

/// The rows of one game in a store of ours, in order.
std::vector<BareRow> rows_of(const std::string& path, const std::string& game);

/// Steps over the rows of one game in a store of ours and looks at the columns of the log, without
/// using their contents.
class BareReader {
 public:
  BareReader(const std::string& path, const std::string& game);
  ~BareReader();
  BareReader(const BareReader&) = delete;
  BareReader& operator=(const BareReader&) = delete;
  BareReader(BareReader&&) = delete;
  BareReader& operator=(BareReader&&) = delete;

  /// Reads all of them once; answers a sum over them.
  std::int64_t read();

 private:
  sqlite3* handle_ = nullptr;
  sqlite3_stmt* rows_ = nullptr;
  std::string game_;
};

}  // namespace snl::benchmarks
