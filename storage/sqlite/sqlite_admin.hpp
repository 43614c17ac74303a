// The operator's side of a store in an SQLite file.
#pragma once

#include "storage/store_admin.hpp"

#include <string>

namespace snl {

class SqliteAdmin final : public StoreAdmin {
 public:
  explicit SqliteAdmin(std::string path) : path_(std::move(path)) {}

  /// False also for an empty file, which SQLite takes for an empty database.
  bool exists() override;
  /// The files that SQLite keeps beside the store's file are parts of the store.
  Ownership owns(const std::string& file) override;
  std::optional<std::string> doubt() override;
  StoreFacts facts() override;
  SchemaUpgrade migrate() override;
  std::vector<Problem> check() override;
  AuditReport audit(const transparency::LogExpectations& expected) override;
  void read_log(const std::function<void(transparency::LogReader& log)>& work) override;
  void write_log(const std::function<void(transparency::LogStore& log)>& work) override;
  AuditReport back_up(const std::string& file, const BackupOptions& options) override;
  AuditReport restore(const std::string& copy, Occupied occupied) override;
  std::expected<Compaction, std::vector<Problem>> compact() override;

 private:
  std::string path_;
};

}  // namespace snl
