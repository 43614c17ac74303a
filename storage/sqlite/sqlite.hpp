// The nouns of SQLite that the store needs, one small type each.
#pragma once

#include "open_file.hpp"
#include "storage/store_error.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

struct sqlite3;
struct sqlite3_stmt;
struct sqlite3_value;

namespace snl::sqlite {

/// An error from SQLite. code() is its extended result code.
class Error : public StoreError {
 public:
  Error(int code, const std::string& message);
  int code() const { return code_; }
  int primary_code() const { return code_ & 0xFF; }

 private:
  int code_;
};

using Blob = std::span<const std::uint8_t>;

class Statement;
class LockWait;

/// The usual time to wait for a busy file, in milliseconds.
constexpr int default_busy_timeout_ms = 5000;

/// A connection. Closes itself. Not shared between threads.
class Connection {
 public:
  enum class Access : std::uint8_t {
    read_only,  // with the existing -wal and -shm: none is made, removed or written
    immutable,  // the file alone, without locks: it must not change (still_file.hpp)
    read_write,
    create,
  };

  /// Throws Error. The file itself is read only when the first statement runs. A statement waits
  /// for a busy file, at most `busy_timeout_ms`, before it fails.
  Connection(const std::string& path, Access access, int busy_timeout_ms);
  ~Connection();
  Connection(Connection&&) noexcept;
  Connection& operator=(Connection&&) noexcept;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// An empty database in memory. Errors name the store that it is made for.
  static Connection in_memory(std::string store = ":memory:");

  /// An empty database on the disk for as long as this lives. It has no name, so nothing of it is
  /// left however the process ends.
  static Connection temporary();

  const std::string& path() const { return path_; }
  /// Makes errors name another file, for a file that will be renamed.
  void show_path_as(std::string path) { path_ = std::move(path); }
  /// Throws StoreError unless the opened path still leads to the open file. A database without a
  /// file passes.
  void require_in_place() const {
    if (file_) file_->require_in_place();
  }
  /// The same for a transaction that wrote, before it commits: see open_file.hpp.
  void require_to_commit() {
    if (file_) file_->require_to_commit();
  }
  /// True between a BEGIN and its end.
  bool is_in_transaction() const;
  /// True if the file or its medium can't be written.
  bool is_read_only() const;

  /// Runs statements that take no values and whose rows nobody needs.
  void execute(const char* sql);
  /// The one integer that `sql` returns.
  std::int64_t integer(const char* sql);

  /// From now on, no trigger of the file fires for this connection's writes, and no foreign key is
  /// checked.
  void drop_schema_checks();

  /// A number that changes whenever anybody commits to the file; known as of the last transaction
  /// that this connection began.
  std::uint32_t data_version() const;

  /// How many rows the last INSERT, UPDATE or DELETE changed.
  int changes() const;

  /// Calls back after each commit with the number of frames in the write-ahead log.
  void on_commit_to_wal(std::function<void(int)> callback);

  /// Copies as much of the write-ahead log into the file as it can without waiting.
  void checkpoint();

  /// Makes `target` a copy of this database as it is at one moment, even if others write to it
  /// meanwhile, in one transaction of the target's. Both must have the same page size, unless the
  /// target is empty. `once_locked` runs when nobody else can write to the target any more, before
  /// anything is copied; if it throws, nothing is copied. Throws Error, which names the target.
  void copy_to(Connection& target, const std::function<void()>& once_locked = [] {}) const;

  /// Throws if the disk failed to read or write: SQLite may have reported that as damage.
  void require_disk() const;

  /// Throws the error of the last call on this connection.
  [[noreturn]] void fail(int code) const;

  sqlite3* handle() const { return handle_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };

  Connection(std::string path, const std::string& uri, int flags, int busy_timeout_ms);

  std::string path_;
  std::unique_ptr<LockWait> lock_wait_;  // outlives the handle
  std::unique_ptr<sqlite3, Close> handle_;
  std::unique_ptr<std::function<void(int)>> wal_callback_;
  std::optional<OpenFile> file_;
};

/// A prepared statement. Bound text and blobs must outlive the step; those that are read stay valid
/// until the next step or reset.
class Statement {
 public:
  Statement(const Connection& connection, std::string_view sql);

  Statement& bind(int index, std::int64_t value);
  Statement& bind(int index, std::string_view value);
  Statement& bind(int index, Blob value);
  Statement& bind_null(int index);
  /// Binds the values of another statement's row, column by column.
  Statement& bind_row(const Statement& row);
  Statement& bind_optional(int index, const std::optional<std::string>& value) {
    return value ? bind(index, std::string_view(*value)) : bind_null(index);
  }

  /// True for a row, false at the end. Throws Error.
  bool step();
  /// Steps to the end and resets.
  void run();
  void reset();

  // A value of another type than the requested one is damage: Error.
  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  std::string_view text(int column) const;
  Blob blob(int column) const;

  enum class Type : std::uint8_t { integer, text, blob, null };
  /// Whether the value has this type; a value that SQLite calls REAL has none of them.
  bool is(int column, Type type) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  void check(int code) const;
  sqlite3_value* require(int column, Type type) const;

  const Connection* connection_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// Resets a statement at the end of a scope, so that it holds no lock.
class ResetAtEnd {
 public:
  explicit ResetAtEnd(Statement& statement) : statement_(statement) {}
  ~ResetAtEnd() { statement_.reset(); }
  ResetAtEnd& operator=(ResetAtEnd&&) = delete;

 private:
  Statement& statement_;
};

/// The prepared statements around a transaction, for a connection that makes many.
struct TransactionStatements {
  explicit TransactionStatements(Connection& on)
      : connection(on),
        begin(on, "BEGIN IMMEDIATE"),
        commit(on, "COMMIT"),
        rollback(on, "ROLLBACK") {}
  Connection& connection;
  Statement begin;
  Statement commit;
  Statement rollback;  // prepared while there is memory: it runs when there may be none
};

/// While it lives, all reads see one moment. If a transaction is already open, this becomes a part
/// of it.
class DeferredTransaction {
 public:
  explicit DeferredTransaction(Connection& connection);
  ~DeferredTransaction();
  DeferredTransaction& operator=(DeferredTransaction&&) = delete;

 private:
  Connection& connection_;
  std::optional<Statement> end_;  // prepared while there is memory; none within another transaction
};

/// BEGIN IMMEDIATE … COMMIT: rolled back unless committed.
class Transaction {
 public:
  explicit Transaction(Connection& connection);
  explicit Transaction(TransactionStatements& statements);
  ~Transaction();
  void commit();
  Transaction& operator=(Transaction&&) = delete;

 private:
  std::optional<TransactionStatements> own_;
  TransactionStatements& statements_;
  bool open_ = true;
};

}  // namespace snl::sqlite
