#include "schema.hpp"

namespace snl {

std::vector<SchemaObject> schema_of(const sqlite::Connection& connection) {
  // SQLite's own objects are the indexes without a text, which stand for a UNIQUE, and those that
  // ANALYZE makes. They are matched to the letter, since any object can have a name that begins
  // with sqlite_.
  sqlite::Statement statement(
      connection,
      "SELECT type, name, tbl_name, sql FROM sqlite_schema "
      "WHERE NOT (type = 'index' AND sql IS NULL AND name LIKE 'sqlite\\_autoindex\\_%' ESCAPE "
      "'\\') "
      "AND (type, name, tbl_name, sql) NOT IN (VALUES "
      "('table', 'sqlite_stat1', 'sqlite_stat1', 'CREATE TABLE sqlite_stat1(tbl,idx,stat)'), "
      "('table', 'sqlite_stat4', 'sqlite_stat4', "
      "'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)')) "
      "ORDER BY type, name");
  std::vector<SchemaObject> objects;
  while (statement.step())
    objects.push_back({std::string(statement.text(0)), std::string(statement.text(1)),
                       std::string(statement.text(2)), std::string(statement.text(3))});
  return objects;
}

}  // namespace snl
