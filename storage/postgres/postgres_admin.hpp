// The operator's side of a store in a PostgreSQL database. Tasks of the server itself, such as
// whole copies, are refused with the commands that do them.
#pragma once

#include "storage/store_admin.hpp"

#include <string>
#include <utility>

namespace snl {

class PostgresAdmin final : public StoreAdmin {
 public:
  explicit PostgresAdmin(std::string location) : location_(std::move(location)) {}

  /// Whether the database has a store in it.
  bool exists() override;
  /// No file is a part of it.
  Ownership owns(const std::string& file) override;
  StoreFacts facts() override;
  SchemaUpgrade migrate() override;
  std::vector<Problem> check() override;
  AuditReport audit(const transparency::LogExpectations& expected) override;
  bool can_have_log() const override { return false; }
  void read_log(const std::function<void(transparency::LogReader& log)>& work) override;
  void write_log(const std::function<void(transparency::LogStore& log)>& work) override;
  AuditReport back_up(const std::string& file, const BackupOptions& options) override;
  AuditReport restore(const std::string& copy, Occupied occupied) override;
  std::expected<Compaction, std::vector<Problem>> compact() override;

 private:
  std::string location_;
};

}  // namespace snl
