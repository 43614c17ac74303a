#include "postgres_admin.hpp"

#include "postgres_store.hpp"
#include "upgrade.hpp"

#include <fmt/format.h>

namespace snl {

using postgres::ServerConnection;
using postgres::ServerStatement;

namespace {

[[noreturn]] void leave_to_server(std::string_view what) {
  throw StoreError(StoreError::Cause::failed,
                   fmt::format("a store on PostgreSQL is {}; see snl-store(5)", what));
}

std::int64_t number(ServerConnection& connection, const char* name, const char* sql) {
  return connection.run({name, sql}).integer(0, 0);
}

/// Notes the settings with which the server reports a commit that a loss of power may undo.
void note_settings(ServerConnection& connection, std::vector<std::string>& notes) {
  const postgres::Rows rows = connection.execute(
      "SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') "
      "AND setting = 'off' ORDER BY name");
  for (int row = 0; row < rows.size(); ++row)
    notes.push_back(
        fmt::format("{} is off: a loss of power may damage the store", rows.text(row, 0)));
}

}  // namespace

PostgresAdmin::PostgresAdmin(std::string location) : location_(std::move(location)) {}

PostgresAdmin::~PostgresAdmin() = default;

bool PostgresAdmin::exists() {
  ServerConnection connection(location_, ServerConnection::Use::read);
  return postgres::schema_version(connection) > 0;
}

StoreAdmin::Ownership PostgresAdmin::owns(const std::string& /*file*/) {
  return Ownership::none;
}

StoreFacts PostgresAdmin::facts() {
  StoreFacts facts;
  {
    ServerConnection connection(location_, ServerConnection::Use::read);
    facts.schema_version = postgres::schema_version(connection);
    facts.latest_schema_version = static_cast<std::int64_t>(postgres::server_migrations().size());
    facts.bytes = number(connection, "bytes",
                         "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint "
                         "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
                         "WHERE n.nspname = 'snl' AND c.relkind = 'r'");
    note_settings(connection, facts.notes);
    if (facts.schema_version != facts.latest_schema_version) return facts;
    connection.execute("SET enable_seqscan = on");
    facts.games = number(connection, "games", "SELECT count(*) FROM snl.games");
    facts.commits = number(connection, "commits", "SELECT count(*) FROM snl.commits");
    facts.hosted_games = number(connection, "hosted", "SELECT count(*) FROM snl.hosted_games");
  }
  PostgresStore store(location_, PostgresStore::Use::read);
  for (const std::string& who : store.holding_up())
    facts.notes.push_back(fmt::format("subscribers wait: {}", who));
  return facts;
}

SchemaUpgrade PostgresAdmin::migrate() {
  ServerConnection connection(location_, ServerConnection::Use::write);
  SchemaUpgrade done{.from = postgres::schema_version(connection)};
  postgres::upgrade(connection, postgres::server_migrations());
  postgres::mend_clock(connection);
  done.to = postgres::schema_version(connection);
  return done;
}

std::vector<Problem> PostgresAdmin::check() {
  try {
    return PostgresStore(location_, PostgresStore::Use::read).check();
  } catch (const StoreError& error) {
    if (!error.is_damage()) throw;
    return {{std::nullopt, std::nullopt, "file", error.what()}};
  }
}

AuditReport PostgresAdmin::audit(const transparency::LogExpectations& expected) {
  PostgresStore store(location_, PostgresStore::Use::newest);
  return audit_all(store, expected);
}

std::optional<std::string> PostgresAdmin::danger_to_log() {
  if (!PostgresStore(location_, PostgresStore::Use::newest).may_lose_commits()) return std::nullopt;
  return "synchronous_standby_names is empty: after a failover to a standby that lacks signed "
         "commits, the log ends";
}

class PostgresAdmin::Borrowed {
 public:
  explicit Borrowed(PostgresAdmin& admin) : admin_(admin) {
    const std::lock_guard lock(admin.mutex_);
    if (admin.idle_.empty()) return;
    store_ = std::move(admin.idle_.back());
    admin.idle_.pop_back();
  }
  PostgresStore& store() {
    if (!store_)
      store_ = std::make_unique<PostgresStore>(admin_.location_, PostgresStore::Use::newest);
    return *store_;
  }
  void give_back() {
    const std::lock_guard lock(admin_.mutex_);
    admin_.idle_.push_back(std::move(store_));
  }

 private:
  PostgresAdmin& admin_;
  std::unique_ptr<PostgresStore> store_;
};

void PostgresAdmin::read_log(const std::function<void(transparency::LogReader& log)>& work) {
  Borrowed borrowed(*this);
  try {
    borrowed.store().read_log(work);
  } catch (const StoreError&) {
    throw;  // its session may be broken
  } catch (...) {
    borrowed.give_back();
    throw;
  }
  borrowed.give_back();
}

void PostgresAdmin::write_log(const std::function<void(transparency::LogStore& log)>& work) {
  PostgresStore(location_, PostgresStore::Use::write).write_log(work);
}

AuditReport PostgresAdmin::back_up(const std::string& /*file*/, const BackupOptions& /*options*/) {
  leave_to_server("backed up by pg_dump or pg_basebackup; snl db copy copies its games to a file");
}

AuditReport PostgresAdmin::restore(const std::string& /*copy*/, Occupied /*occupied*/) {
  leave_to_server("restored by pg_restore; snl db copy copies the games of a file to it");
}

std::expected<Compaction, std::vector<Problem>> PostgresAdmin::compact() {
  leave_to_server("compacted by its server, with VACUUM");
}

}  // namespace snl
