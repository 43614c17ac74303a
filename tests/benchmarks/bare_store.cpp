#include "bare_store.hpp"

#include <sqlite3.h>

#include <stdexcept>

namespace snl::benchmarks {
namespace {

void check(sqlite3* handle, int code) {
  if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW)
    throw std::runtime_error(std::string("the bare store: ") + sqlite3_errmsg(handle));
}

sqlite3_stmt* prepare(sqlite3* handle, const char* sql) {
  sqlite3_stmt* statement = nullptr;
  check(handle,
        sqlite3_prepare_v3(handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr));
  return statement;
}

void bind_text(sqlite3_stmt* statement, int index, const std::string& text) {
  sqlite3_bind_text(statement, index, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
}

std::string bytes_at(sqlite3_stmt* row, int column) {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(row, column));
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(row, column))};
}

/// As the values of the `place`-th row of an INSERT.
void bind_row(sqlite3_stmt* insert, std::size_t place, const BareRow& row) {
  const int first = 6 * static_cast<int>(place) + 1;
  sqlite3_bind_int64(insert, first, row.game);
  sqlite3_bind_int64(insert, first + 1, row.version);
  sqlite3_bind_int64(insert, first + 2, row.time);
  bind_text(insert, first + 3, row.command);
  bind_text(insert, first + 4, row.events);
  sqlite3_bind_blob(insert, first + 5, row.hash.data(), static_cast<int>(row.hash.size()),
                    SQLITE_STATIC);
}

constexpr const char* rows_of_a_game =
    "SELECT position, version, time, command, events, hash, command_id, game FROM commits "
    "WHERE game = (SELECT game FROM games WHERE id = ?1) ORDER BY version";

}  // namespace

void BareStore::insert(const BareRow& row) {
  bind_row(insert_, 0, row);
  run(insert_);
}

void BareStore::insert_many(std::span<const BareRow* const> rows) {
  for (std::size_t i = 0; i < rows_at_once; ++i)
    bind_row(insert_many_, i, *rows[i]);
  run(insert_many_);
}

BareStore::BareStore(const std::string& path, Keys keys) {
  check(nullptr,
        sqlite3_open_v2(path.c_str(), &handle_,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr));
  const std::string unique = keys == Keys::position_and_version ? ", UNIQUE (game, version)" : "";
  const std::string schema =
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cell_size_check = ON;"
      "PRAGMA wal_autocheckpoint = 1000;"
      "CREATE TABLE commits (position INTEGER PRIMARY KEY, game INTEGER, version INTEGER, "
      "time INTEGER, command TEXT, events TEXT, hash BLOB" +
      unique + ")";
  check(handle_, sqlite3_exec(handle_, schema.c_str(), nullptr, nullptr, nullptr));
  begin_ = prepare(handle_, "BEGIN IMMEDIATE");
  commit_ = prepare(handle_, "COMMIT");
  insert_ = prepare(handle_,
                    "INSERT INTO commits (game, version, time, command, events, hash) "
                    "VALUES (?, ?, ?, ?, ?, ?)");
  std::string many =
      "INSERT INTO commits (game, version, time, command, events, hash) VALUES (?, ?, ?, ?, ?, ?)";
  for (std::size_t row = 1; row < rows_at_once; ++row)
    many += ", (?, ?, ?, ?, ?, ?)";
  insert_many_ = prepare(handle_, many.c_str());
}

BareStore::~BareStore() {
  for (sqlite3_stmt* statement : {begin_, commit_, insert_, insert_many_})
    sqlite3_finalize(statement);
  sqlite3_close(handle_);
}

void BareStore::begin() {
  run(begin_);
}

void BareStore::commit() {
  run(commit_);
}

void BareStore::run(sqlite3_stmt* statement) {
  check(handle_, sqlite3_step(statement));
  sqlite3_reset(statement);
}

std::vector<BareRow> rows_of(const std::string& path, const std::string& game) {
  sqlite3* handle = nullptr;
  check(nullptr, sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE, nullptr));
  sqlite3_stmt* rows = prepare(handle, rows_of_a_game);
  bind_text(rows, 1, game);
  std::vector<BareRow> result;
  while (sqlite3_step(rows) == SQLITE_ROW)
    result.push_back({.game = sqlite3_column_int64(rows, 7),
                      .version = sqlite3_column_int64(rows, 1),
                      .time = sqlite3_column_int64(rows, 2),
                      .command = bytes_at(rows, 3),
                      .events = bytes_at(rows, 4),
                      .hash = bytes_at(rows, 5)});
  sqlite3_finalize(rows);
  sqlite3_close(handle);
  return result;
}

BareReader::BareReader(const std::string& path, const std::string& game) : game_(game) {
  check(nullptr, sqlite3_open_v2(path.c_str(), &handle_,
                                 SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr));
  check(handle_, sqlite3_exec(handle_, "PRAGMA cell_size_check = ON", nullptr, nullptr, nullptr));
  rows_ = prepare(handle_, rows_of_a_game);
  bind_text(rows_, 1, game_);
}

BareReader::~BareReader() {
  sqlite3_finalize(rows_);
  sqlite3_close(handle_);
}

std::int64_t BareReader::read() {
  std::int64_t sum = 0;
  while (sqlite3_step(rows_) == SQLITE_ROW) {
    for (const int number : {0, 1, 2})
      sum += sqlite3_column_int64(rows_, number);
    for (const int text : {3, 4}) {
      sum += *sqlite3_column_text(rows_, text);
      sum += sqlite3_column_bytes(rows_, text);
    }
    sum += *static_cast<const char*>(sqlite3_column_blob(rows_, 5));
    sum += sqlite3_column_type(rows_, 6);
  }
  sqlite3_reset(rows_);
  return sum;
}

}  // namespace snl::benchmarks
