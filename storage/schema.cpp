#include "schema.hpp"

namespace snl {

std::vector<SchemaObject> schema_of(const sqlite::Connection& connection) {
  sqlite::Statement statement(connection,
                              "SELECT type, name, tbl_name, sql FROM sqlite_schema "
                              "WHERE NOT (name LIKE 'sqlite\\_%' ESCAPE '\\' AND "
                              "(type = 'table' OR type = 'index' AND sql IS NULL)) "
                              "ORDER BY type, name");
  std::vector<SchemaObject> objects;
  while (statement.step())
    objects.push_back({std::string(statement.text(0)), std::string(statement.text(1)),
                       std::string(statement.text(2)), std::string(statement.text(3))});
  return objects;
}

}  // namespace snl
