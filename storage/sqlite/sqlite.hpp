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

/// What SQLite failed with. code() is its extended result code.
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
class Patience;

/// Milliseconds that a busy file is waited for unless something else is asked for.
constexpr int default_busy_timeout_ms = 5000;

/// A connection. Closes itself. Not shared between threads.
class Connection {
 public:
  enum class Access : std::uint8_t {
    read_only,  // with the -wal and -shm that are there: none is made, removed or written
    immutable,  // the file alone, without locks: for one that doesn't change (still_file.hpp)
    read_write,
    create,
  };

  /// Throws Error. The file itself is read only when the first statement runs. A busy file is
  /// waited for, `busy_timeout_ms` at the most, before any statement fails.
  Connection(const std::string& path, Access access, int busy_timeout_ms);
  ~Connection();
  Connection(Connection&&) noexcept;
  Connection& operator=(Connection&&) noexcept;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// An empty database in memory. Errors name the store on whose behalf it is made.
  static Connection in_memory(std::string store = ":memory:");

  /// An empty database on the disk, for as long as this lives: it has no name, so that nothing is
  /// left of it however the process ends.
  static Connection temporary();

  const std::string& path() const { return path_; }
  /// Has errors name another file: of a file that will have another name.
  void show_path_as(std::string path) { path_ = std::move(path); }
  /// Throws StoreError unless the path that was opened still leads to the file that is open. Of a
  /// database without a file, nothing is asked.
  void require_in_place() const {
    if (file_) file_->require_in_place();
  }
  /// The same of a transaction that wrote, before it is committed: see open_file.hpp.
  void require_to_commit() {
    if (file_) file_->require_to_commit();
  }
  /// True between a BEGIN and its end.
  bool is_in_transaction() const;
  /// True if the file or its medium can't be written.
  bool is_read_only() const;

  /// Runs statements that take no values and whose rows nobody needs.
  void execute(const char* sql);
  /// The one integer that `sql` answers.
  std::int64_t integer(const char* sql);

  /// From now on, no trigger of the file fires for what this connection writes, and no foreign key
  /// is looked up.
  void drop_schema_checks();

  /// A number that another one follows whenever anybody commits to the file; known as of the last
  /// transaction that this connection began.
  std::uint32_t data_version() const;

  /// How many rows the last INSERT, UPDATE or DELETE changed.
  int changes() const;

  /// Calls back after each commit with the number of frames in the write-ahead log.
  void on_commit_to_wal(std::function<void(int)> callback);

  /// Copies what it can of the write-ahead log into the file, waiting for nobody.
  void checkpoint();

  /// Makes `target` a copy of this database as it is at one moment, whoever writes to it meanwhile,
  /// in one transaction of the target's. Both must have the same size of page, unless the target
  /// is empty. `once_locked` runs when nobody else can write to the target any more, before
  /// anything is copied; if it throws, nothing is. Throws Error, which names the target.
  void copy_to(Connection& target, const std::function<void()>& once_locked = [] {}) const;

  /// Throws where the disk failed to read or write: SQLite may have told that as damage.
  void require_disk() const;

  /// Throws what the last call on this connection failed with.
  [[noreturn]] void fail(int code) const;

  sqlite3* handle() const { return handle_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };

  Connection(std::string path, const std::string& uri, int flags, int busy_timeout_ms);

  std::string path_;
  std::unique_ptr<Patience> patience_;  // outlives the handle
  std::unique_ptr<sqlite3, Close> handle_;
  std::unique_ptr<std::function<void(int)>> wal_callback_;
  std::optional<OpenFile> file_;
};

/// A prepared statement. Text and blobs that are bound must outlive the step; those that are read
/// last until the next step or reset.
class Statement {
 public:
  Statement(const Connection& connection, std::string_view sql);

  Statement& bind(int index, std::int64_t value);
  Statement& bind(int index, std::string_view value);
  Statement& bind(int index, Blob value);
  Statement& bind_null(int index);
  /// Binds what another statement's row has, column by column.
  Statement& bind_row(const Statement& row);
  Statement& bind_optional(int index, const std::optional<std::string>& value) {
    return value ? bind(index, std::string_view(*value)) : bind_null(index);
  }

  /// True for a row, false at the end. Throws Error.
  bool step();
  /// Steps to the end and resets.
  void run();
  void reset();

  /// True from its first row until it is reset or has no more.
  bool is_running() const;

  // A value of another type than the one asked for is damage: Error.
  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  std::string_view text(int column) const;
  Blob blob(int column) const;

  enum class Type : std::uint8_t { integer, text, blob, null };
  /// Whether the value is of this type; none is of what SQLite calls REAL.
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
  ResetAtEnd(const ResetAtEnd&) = delete;
  ResetAtEnd& operator=(const ResetAtEnd&) = delete;
  ResetAtEnd(ResetAtEnd&&) = delete;
  ResetAtEnd& operator=(ResetAtEnd&&) = delete;

 private:
  Statement& statement_;
};

/// The statements around a transaction, for who makes many.
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

/// All that is read while it lives is the database as it is at one moment. A part of the
/// transaction that is open already, if there is one.
class DeferredTransaction {
 public:
  explicit DeferredTransaction(Connection& connection);
  ~DeferredTransaction();
  DeferredTransaction(const DeferredTransaction&) = delete;
  DeferredTransaction& operator=(const DeferredTransaction&) = delete;
  DeferredTransaction(DeferredTransaction&&) = delete;
  DeferredTransaction& operator=(DeferredTransaction&&) = delete;

 private:
  Connection& connection_;
  std::optional<Statement> end_;  // prepared while there is memory; none within another
};

/// BEGIN IMMEDIATE … COMMIT: rolled back unless committed.
class Transaction {
 public:
  explicit Transaction(Connection& connection);
  explicit Transaction(TransactionStatements& statements);
  ~Transaction();
  void commit();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  Transaction(Transaction&&) = delete;
  Transaction& operator=(Transaction&&) = delete;

 private:
  std::optional<TransactionStatements> own_;
  TransactionStatements& statements_;
  bool open_ = true;
};

}  // namespace snl::sqlite
