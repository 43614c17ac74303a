// The schema of a database, as the database has it.
#pragma once

#include "sqlite.hpp"

#include <string>
#include <vector>

namespace snl {

/// A table, index, trigger or view.
struct SchemaObject {
  std::string type;
  std::string name;
  std::string table;
  std::string sql;
  friend bool operator==(const SchemaObject&, const SchemaObject&) = default;
};

/// Ordered by type and name, without SQLite's internal objects.
std::vector<SchemaObject> schema_of(const sqlite::Connection& connection);

}  // namespace snl
