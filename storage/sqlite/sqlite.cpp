#include "sqlite.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <random>
#include <thread>

namespace snl::sqlite {
namespace {

/// The sentence for a file that SQLite couldn't open, by the system's own error.
std::string sentence_for_opening(int system_error) {
  switch (system_error) {
    case ENOSPC:
    case EDQUOT:
      return "the disk is full; nothing new was recorded; free some of it, then try again";
    case EMFILE:
    case ENFILE:
      return "too many files are open; close some, then try again";
    default:
      return "it can't be opened; check the path and the permissions";
  }
}

/// The meaning of a result code for a person, and what to do.
std::string sentence_for(int code, const char* detail, int system_error) {
  if (code == SQLITE_IOERR_SHMSIZE)
    return "the file beside it that ends in -shm can't grow; the disk may be full; free some of "
           "it, then try again";
  if ((code & 0xFF) == SQLITE_IOERR && system_error == EFBIG)
    return "a file may not grow that large here (ulimit -f); nothing new was recorded; raise the "
           "limit";
  if (code == SQLITE_READONLY_RECOVERY || code == SQLITE_READONLY_CANTINIT)
    return "its last changes are in the file beside it that ends in -wal, and reading them needs "
           "the right to write; ask the owner to open the store once";
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:  // the write-ahead log was locked for as long as SQLite waits by itself
      return "another process is using it and did not let go in time; try again";
    case SQLITE_FULL:
      return "the disk is full; nothing new was recorded; free some of it, then try again";
    case SQLITE_IOERR:
      return fmt::format("the disk failed ({}); check it, then try again", detail);
    case SQLITE_READONLY:
      return "it can't be written; check its permissions and its folder's";
    case SQLITE_CANTOPEN:
      return sentence_for_opening(system_error);
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return "permission denied; check its permissions";
    case SQLITE_NOTADB:
      return "it is not a store; give the path of one made by snl";
    case SQLITE_CORRUPT:
      return fmt::format("it is damaged ({}); see snl db check, restore a copy", detail);
    case SQLITE_NOMEM:
      return "out of memory; close other programs, then try again";
    default:
      return fmt::format("it can't be used ({}); see snl db check", detail);
  }
}

StoreError::Cause cause_of(int code) {
  switch (code & 0xFF) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR:  // our statements are right, so a table or column is missing
      return StoreError::Cause::damaged;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
      return StoreError::Cause::busy;
    default:
      return StoreError::Cause::failed;
  }
}

constexpr int common_flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;

/// A path as a URI, with an option of ours. Nothing in the path can turn into options.
std::string uri_of(const std::string& path, std::string_view option) {
  std::string uri = "file://";  // no authority: the path begins with its slash
  for (const char byte : std::filesystem::absolute(path).string()) {
    if (byte == '%' || byte == '?' || byte == '#')
      uri += fmt::format("%{:02X}", static_cast<unsigned>(byte));
    else
      uri += byte;
  }
  return fmt::format("{}?{}=1", uri, option);
}

std::string name_for(const std::string& path, Connection::Access access) {
  switch (access) {
    case Connection::Access::read_only:
      return uri_of(path, "readonly_shm");
    case Connection::Access::immutable:
      return uri_of(path, "immutable");
    case Connection::Access::read_write:
    case Connection::Access::create:
      break;
  }
  return path;
}

int flags_for(Connection::Access access) {
  switch (access) {
    case Connection::Access::read_only:
    case Connection::Access::immutable:
      return SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
    case Connection::Access::read_write:
      return SQLITE_OPEN_READWRITE;
    case Connection::Access::create:
      return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  }
  return 0;
}

/// The disk's last error for this file; 0 if it never failed.
int disk_error_of(sqlite3_file* file) {
  int error = 0;
  if (file == nullptr || file->pMethods == nullptr ||
      file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &error) != SQLITE_OK)
    return 0;
  return error == EIO || error == ENXIO ? error : 0;  // others concern locks and such
}

/// The same for the database and its write-ahead log.
int disk_error_of(sqlite3* handle) {
  for (const int kind : {SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER}) {
    sqlite3_file* file = nullptr;
    if (sqlite3_file_control(handle, "main", kind, static_cast<void*>(&file)) != SQLITE_OK)
      continue;
    if (const int error = disk_error_of(file); error != 0) return error;
  }
  return 0;
}

int wal_hook(void* callback, sqlite3* /*handle*/, const char* /*schema*/, int frames) {
  (*static_cast<std::function<void(int)>*>(callback))(frames);
  return SQLITE_OK;
}

}  // namespace

/// Waits for a lock that somebody else holds. SQLite's own busy handler sleeps longer and longer,
/// up to 100 ms, while a process that plays turn after turn releases the lock for much less. A
/// process that had waited a while would find it taken every time until it timed out. Here every
/// waiting process tries equally often, so they take turns.
class LockWait {
 public:
  explicit LockWait(int milliseconds) : limit_(milliseconds) {}

  /// Sleeps a moment; false once the wait has taken too long. `times`: how often it has slept
  /// already.
  bool wait(int times) {
    const auto now = std::chrono::steady_clock::now();
    if (times == 0) deadline_ = now + limit_;
    if (now >= deadline_) return false;
    // At random, so that no process keeps step with the holder of the lock.
    std::this_thread::sleep_for(std::chrono::microseconds{pause_(random_)});
    return true;
  }

 private:
  std::chrono::milliseconds limit_;
  std::chrono::steady_clock::time_point deadline_;
  std::minstd_rand random_{std::random_device{}()};
  std::uniform_int_distribution<int> pause_{500, 2000};
};

namespace {

int wait_for_lock(void* lock_wait, int times) {
  return static_cast<LockWait*>(lock_wait)->wait(times) ? 1 : 0;
}

}  // namespace

Error::Error(int code, const std::string& message)
    : StoreError(cause_of(code), message), code_(code) {}

void Connection::Close::operator()(sqlite3* handle) const {
  sqlite3_close_v2(handle);
}

Connection::Connection(std::string path, const std::string& uri, int flags, int busy_timeout_ms)
    : path_(std::move(path)) {
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(uri.c_str(), &handle, flags | common_flags, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) fail(code);
  if (busy_timeout_ms > 0) {
    lock_wait_ = std::make_unique<LockWait>(busy_timeout_ms);
    sqlite3_busy_handler(handle, wait_for_lock, lock_wait_.get());
  }
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1, nullptr);
  sqlite3_wal_autocheckpoint(handle, 0);
  // None of these reads the file.
  execute("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0");
}

Connection::Connection(const std::string& path, Access access, int busy_timeout_ms)
    : Connection(path, name_for(path, access), flags_for(access), busy_timeout_ms) {
  file_.emplace(path, handle());
}

Connection::~Connection() {
  // SQLite takes the write lock for this checkpoint, so it is safe: see checkpoint_alone.
  if (handle_ && file_ && file_->was_moved_without_its_log())
    sqlite3_wal_checkpoint_v2(handle(), "main", SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
}
Connection::Connection(Connection&&) noexcept = default;

Connection& Connection::operator=(Connection&& other) noexcept {
  path_ = std::move(other.path_);
  handle_ = std::move(other.handle_);  // closes the old one first, which may still have to wait
  lock_wait_ = std::move(other.lock_wait_);
  wal_callback_ = std::move(other.wal_callback_);
  file_ = std::move(other.file_);
  return *this;
}

Connection Connection::in_memory(std::string store) {
  return {std::move(store), ":memory:", flags_for(Access::create) | SQLITE_OPEN_MEMORY, 0};
}

Connection Connection::temporary() {
  return {"of its own", "", flags_for(Access::create), 0};
}

bool Connection::is_in_transaction() const {
  return sqlite3_get_autocommit(handle()) == 0;
}

bool Connection::is_read_only() const {
  return sqlite3_db_readonly(handle(), "main") == 1;
}

void Connection::execute(const char* sql) {
  const int code = sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

std::int64_t Connection::integer(const char* sql) {
  Statement statement(*this, sql);
  statement.step();
  return statement.integer(0);
}

void Connection::drop_schema_checks() {
  sqlite3_db_config(handle(), SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle(), SQLITE_DBCONFIG_ENABLE_FKEY, 0, nullptr);
}

std::uint32_t Connection::data_version() const {
  std::uint32_t version = 0;  // SQLite has it in memory, so this can't fail
  sqlite3_file_control(handle(), "main", SQLITE_FCNTL_DATA_VERSION, static_cast<void*>(&version));
  return version;
}

int Connection::changes() const {
  return sqlite3_changes(handle());
}

void Connection::on_commit_to_wal(std::function<void(int)> callback) {
  wal_callback_ = std::make_unique<std::function<void(int)>>(std::move(callback));
  sqlite3_wal_hook(handle(), wal_hook, wal_callback_.get());
}

void Connection::checkpoint() {
  const int code =
      sqlite3_wal_checkpoint_v2(handle(), "main", SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  if (code != SQLITE_OK && (code & 0xFF) != SQLITE_BUSY) fail(code);
}

void Connection::copy_to(Connection& target, const std::function<void()>& once_locked) const {
  struct Finish {
    void operator()(sqlite3_backup* copying) const { sqlite3_backup_finish(copying); }
  };
  std::unique_ptr<sqlite3_backup, Finish> copying(
      sqlite3_backup_init(target.handle(), "main", handle(), "main"));
  if (!copying) target.fail(sqlite3_extended_errcode(target.handle()));
  constexpr int only_locks = 0;
  constexpr int all_pages = -1;
  const int locked = sqlite3_backup_step(copying.get(), only_locks);
  if (locked != SQLITE_OK && locked != SQLITE_DONE) target.fail(locked);
  once_locked();
  // All in one step: a copy in several steps begins anew whenever somebody writes in between.
  const int stepped = sqlite3_backup_step(copying.get(), all_pages);
  const int finished = sqlite3_backup_finish(copying.release());
  if (stepped != SQLITE_DONE) target.fail(stepped);
  if (finished != SQLITE_OK) target.fail(finished);
}

void Connection::require_disk() const {
  const int error = disk_error_of(handle());
  if (error != 0)
    throw Error(
        SQLITE_IOERR_READ,
        fmt::format("store {}: {}", path_, sentence_for(SQLITE_IOERR, std::strerror(error), 0)));
}

void Connection::fail(int code) const {
  const int write_error = errno;  // sqlite3_system_errno doesn't have it after a failed COMMIT
  // SQLite takes an unreadable disk for a damaged file system, and that for a damaged file.
  const int primary = code & 0xFF;
  if (handle_ && (primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB)) require_disk();
  const char* detail = handle_ ? sqlite3_errmsg(handle()) : sqlite3_errstr(code);
  const int system_error = code == SQLITE_IOERR_WRITE ? write_error
                           : handle_                  ? sqlite3_system_errno(handle())
                                                      : 0;
  // A limit on the size of files counts as a full disk.
  if (code == SQLITE_IOERR_WRITE && system_error == EFBIG)
    throw Error(SQLITE_FULL,
                fmt::format("store {}: {}", path_, sentence_for(code, detail, system_error)));
  throw Error(code, fmt::format("store {}: {}", path_, sentence_for(code, detail, system_error)));
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Statement::Statement(const Connection& connection, std::string_view sql)
    : connection_(&connection) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(connection.handle(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  statement_.reset(statement);
  check(code);
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) connection_->fail(code);
}

Statement& Statement::bind(int index, std::int64_t value) {
  check(sqlite3_bind_int64(statement_.get(), index, value));
  return *this;
}

Statement& Statement::bind(int index, std::string_view value) {
  const char* bytes = value.empty() ? "" : value.data();
  check(sqlite3_bind_text64(statement_.get(), index, bytes, value.size(), SQLITE_STATIC,
                            SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind(int index, Blob value) {
  check(sqlite3_bind_blob64(statement_.get(), index, value.data(), value.size(), SQLITE_STATIC));
  return *this;
}

Statement& Statement::bind_null(int index) {
  check(sqlite3_bind_null(statement_.get(), index));
  return *this;
}

Statement& Statement::bind_row(const Statement& row) {
  const int columns = sqlite3_data_count(row.statement_.get());
  for (int column = 0; column < columns; ++column)
    check(sqlite3_bind_value(statement_.get(), column + 1,
                             sqlite3_column_value(row.statement_.get(), column)));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  sqlite3_reset(statement_.get());
  connection_->fail(code);
}

void Statement::run() {
  while (step())
    continue;
  reset();
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
}

namespace {

bool is_of(sqlite3_value* value, Statement::Type type) {
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
      return type == Statement::Type::integer;
    case SQLITE_TEXT:
      return type == Statement::Type::text;
    case SQLITE_BLOB:
      return type == Statement::Type::blob;
    case SQLITE_NULL:
      return type == Statement::Type::null;
    default:
      return false;
  }
}

}  // namespace

bool Statement::is(int column, Type type) const {
  return is_of(sqlite3_column_value(statement_.get(), column), type);
}

/// The value, looked up once for both its type and its contents: that halves the cost of reading a
/// row. Only one thread uses a connection, so the value needs no protection.
sqlite3_value* Statement::require(int column, Type type) const {
  sqlite3_value* value = sqlite3_column_value(statement_.get(), column);
  if (is_of(value, type)) return value;
  throw Error(SQLITE_CORRUPT,
              fmt::format("store {}: it is damaged (a value of {} has another type than its "
                          "column); see snl db check, restore a copy",
                          connection_->path(), sqlite3_column_name(statement_.get(), column)));
}

bool Statement::is_null(int column) const {
  return is(column, Type::null);
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_value_int64(require(column, Type::integer));
}

std::string_view Statement::text(int column) const {
  sqlite3_value* value = require(column, Type::text);
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_value_text(value));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

Blob Statement::blob(int column) const {
  sqlite3_value* value = require(column, Type::blob);
  const auto* bytes = static_cast<const std::uint8_t*>(sqlite3_value_blob(value));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

DeferredTransaction::DeferredTransaction(Connection& connection) : connection_(connection) {
  if (connection.is_in_transaction()) return;
  end_.emplace(connection, "ROLLBACK");
  connection.execute("BEGIN");
}

DeferredTransaction::~DeferredTransaction() {
  // SQLite may have ended it by itself.
  if (!end_ || !connection_.is_in_transaction()) return;
  try {
    end_->run();
  } catch (...) {
    // Its result is already returned, and there is nothing to roll back.
    end_->reset();
  }
}

Transaction::Transaction(Connection& connection)
    : own_(std::in_place, connection), statements_(*own_) {
  statements_.begin.run();
}

Transaction::Transaction(TransactionStatements& statements) : statements_(statements) {
  statements_.begin.run();
}

Transaction::~Transaction() {
  // SQLite may have rolled back by itself.
  if (!open_ || !statements_.connection.is_in_transaction()) return;
  try {
    statements_.rollback.run();
  } catch (...) {
    // The first error is already thrown, and nothing of the transaction is committed.
    statements_.rollback.reset();
  }
}

void Transaction::commit() {
  statements_.commit.run();
  open_ = false;
}

}  // namespace snl::sqlite
