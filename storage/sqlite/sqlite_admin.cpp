#include "sqlite_admin.hpp"

#include "backup.hpp"
#include "sqlite_store.hpp"
#include "store_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace snl {
namespace {

namespace fs = std::filesystem;
using Access = SqliteStore::Access;

/// The file itself, with all links followed. It need not exist.
fs::path file_itself(const std::string& path) {
  std::error_code error;
  const fs::path itself = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? fs::path(path) : itself;
}

bool are_one_file(const std::string& one, const std::string& other) {
  std::error_code error;
  return fs::equivalent(one, other, error) || file_itself(one) == file_itself(other);
}

}  // namespace

NotEmpty::NotEmpty(const std::string& store)
    : StoreError(Cause::failed, fmt::format("store {}: it isn't empty", store)) {}

bool SqliteAdmin::exists() {
  return SqliteStore::exists(path_);
}

StoreAdmin::Ownership SqliteAdmin::owns(const std::string& file) {
  if (are_one_file(file, path_)) return Ownership::whole;
  for (const std::string_view companion : companions)
    if (are_one_file(file, file_itself(path_).string() + std::string(companion)))
      return Ownership::part;
  return Ownership::none;
}

std::optional<std::string> SqliteAdmin::doubt() {
  const auto file = sqlite::identity_of(path_);
  return file ? sqlite::other_names(path_, *file) : std::nullopt;
}

StoreFacts SqliteAdmin::facts() {
  StoreFacts facts = SqliteStore::facts(path_);
  if (auto why = doubt()) facts.notes.push_back(*std::move(why));
  return facts;
}

SchemaUpgrade SqliteAdmin::migrate() {
  const StoreFacts before = facts();
  SqliteStore::open(path_, Access::write);
  return {.from = before.schema_version, .to = before.latest_schema_version};
}

std::vector<Problem> SqliteAdmin::check() {
  try {
    return SqliteStore::open(path_, Access::read)->check();
  } catch (const StoreError& error) {
    if (!error.is_damage()) throw;
    return {{std::nullopt, std::nullopt, "file", error.what()}};
  }
}

AuditReport SqliteAdmin::audit(const transparency::LogExpectations& expected) {
  return audit_all(*SqliteStore::open(path_, Access::read), expected);
}

void SqliteAdmin::read_log(const std::function<void(transparency::LogReader& log)>& work) {
  SqliteStore::open(path_, Access::read)->read_log(work);
}

void SqliteAdmin::write_log(const std::function<void(transparency::LogStore& log)>& work) {
  SqliteStore::open(path_, Access::write)->write_log(work);
}

AuditReport SqliteAdmin::back_up(const std::string& file, const BackupOptions& options) {
  return snl::back_up(path_, file, options);
}

AuditReport SqliteAdmin::restore(const std::string& copy, Occupied occupied) {
  return snl::restore(copy, path_, occupied);
}

std::expected<Compaction, std::vector<Problem>> SqliteAdmin::compact() {
  return snl::compact(path_);
}

}  // namespace snl
