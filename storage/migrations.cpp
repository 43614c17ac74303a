#include "migrations.hpp"

#include <fmt/format.h>

namespace snl {

void migrate(sqlite::Connection& connection) {
  sqlite::Transaction transaction(connection);
  const std::int64_t applied = connection.integer("PRAGMA user_version");
  for (const Migration& migration : migrations()) {
    if (migration.number <= applied) continue;
    connection.execute(std::string(migration.sql).c_str());
    const Hash checksum = checksum_of(migration);
    sqlite::Statement record(connection,
                             "INSERT INTO migrations (number, name, sha256) VALUES (?1, ?2, ?3)");
    record.bind(1, migration.number).bind(2, migration.name).bind(3, sqlite::Blob(checksum)).run();
    connection.execute(fmt::format("PRAGMA user_version = {}", migration.number).c_str());
  }
  connection.execute(fmt::format("PRAGMA application_id = {}", application_id).c_str());
  transaction.commit();
}

Hash checksum_of(const Migration& migration) {
  Sha256 sha256;
  sha256.begin();
  sha256.update(migration.sql);
  return sha256.finish();
}

}  // namespace snl
