// The operator's side of a store in a PostgreSQL database. Tasks of the server itself, such as
// whole copies, are refused with the commands that do them.
#pragma once

#include "storage/store_admin.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace snl {

class PostgresStore;

class PostgresAdmin final : public StoreAdmin {
 public:
  explicit PostgresAdmin(std::string location);
  ~PostgresAdmin() override;
  PostgresAdmin(const PostgresAdmin&) = delete;
  PostgresAdmin& operator=(const PostgresAdmin&) = delete;

  /// Whether the database has a store in it.
  bool exists() override;
  /// No file is a part of it.
  Ownership owns(const std::string& file) override;
  StoreFacts facts() override;
  SchemaUpgrade migrate() override;
  std::vector<Problem> check() override;
  AuditReport audit(const transparency::LogExpectations& expected) override;
  std::optional<std::string> danger_to_log() override;
  void read_log(const std::function<void(transparency::LogReader& log)>& work) override;
  void write_log(const std::function<void(transparency::LogStore& log)>& work) override;
  AuditReport back_up(const std::string& file, const BackupOptions& options) override;
  AuditReport restore(const std::string& copy, Occupied occupied) override;
  std::expected<Compaction, std::vector<Problem>> compact() override;

 private:
  /// A store that is open for reading: one that nobody uses now, or a new one.
  class Borrowed;

  std::string location_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<PostgresStore>> idle_;
};

}  // namespace snl
