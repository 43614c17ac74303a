// A PostgreSQL server of a test's own: in a temporary folder, on a socket there, run by somebody
// without privileges, and gone with the test.
#pragma once

#include "../../temporary_folder.hpp"
#include "../testbed.hpp"

#include <sys/types.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct pg_conn;

namespace snl::test {

class Cluster {
 public:
  /// Makes one and starts it. Throws std::runtime_error.
  explicit Cluster(const std::vector<std::string>& settings = {});
  /// A standby of another one, that has the name `standby` for synchronous_standby_names.
  static std::unique_ptr<Cluster> standby_of(const Cluster& primary);
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;
  Cluster(Cluster&&) = delete;
  Cluster& operator=(Cluster&&) = delete;

  /// The one that the cases of a suite share.
  static Cluster& shared();

  /// Where a database is, as keywords and values.
  std::string location(std::string_view database) const;
  /// A new database, empty; or with the schema of a store in it.
  std::string empty_database();
  std::string store_database();

  void start();
  /// Ends it as if the power had gone (SIGQUIT), and waits.
  void crash();
  void stop();
  /// From now on it can be written to.
  void promote();
  /// From now on commits wait for a standby that there will never be, or for none. It holds for all
  /// when this returns.
  void wait_for_nobody(bool wait);

  std::string folder() const { return folder_.path().string(); }
  std::string socket_folder() const { return folder_.path().string(); }
  /// Runs a program of the server's, such as pg_dump, in the server's place: what it printed.
  std::string run(const std::string& program, const std::vector<std::string>& arguments) const;

 private:
  struct Unmade {};
  explicit Cluster(Unmade) {}
  bool a_commit_waits();
  void wait_until_ready() const;
  std::string data() const { return (folder_.path() / "data").string(); }

  TemporaryFolder folder_{place_for_folders()};
  pid_t process_ = 0;
  int databases_ = 0;
  std::string template_;
};

/// A connection as anybody may have it: without any of the store's precautions.
class PlainSession {
 public:
  explicit PlainSession(const std::string& location);
  ~PlainSession();
  PlainSession(const PlainSession&) = delete;
  PlainSession& operator=(const PlainSession&) = delete;
  PlainSession(PlainSession&&) = delete;
  PlainSession& operator=(PlainSession&&) = delete;

  using Row = std::vector<std::string>;

  /// The SQLSTATE that the statements fail with; empty if they don't.
  std::string try_to(const std::string& sql);
  /// Throws std::runtime_error where that fails.
  void execute(const std::string& sql);
  /// Rows as texts; NULL is "NULL".
  std::vector<Row> rows(const std::string& sql);
  std::string value(const std::string& sql) { return rows(sql).at(0).at(0); }
  /// Sends statements without waiting for what they answer.
  void send(const std::string& sql);
  /// Waits for it: the SQLSTATE as above.
  std::string finish();

 private:
  pg_conn* handle_;
};

}  // namespace snl::test
