// A PostgreSQL server of a test's own: in a temporary folder, on a socket there, run by a user
// without privileges, and gone with the test.
#pragma once

#include "../../temporary_folder.hpp"
#include "../testbed.hpp"

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct pg_conn;

namespace snl::test {

class Cluster {
 public:
  /// Creates a server and starts it, with these lines in its configuration. Throws
  /// std::runtime_error.
  explicit Cluster(const std::vector<std::string>& settings = {},
                   const std::string& place = place_for_folders());
  /// A standby of another server, with the name `standby` for synchronous_standby_names.
  static std::unique_ptr<Cluster> standby_of(const Cluster& primary);
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;
  Cluster(Cluster&&) = delete;
  Cluster& operator=(Cluster&&) = delete;

  /// The server that the cases of a test share.
  static Cluster& shared();

  /// The location of a database, in the form of keywords and values.
  std::string location(std::string_view database) const;
  /// A new database, empty; or with the schema of a store in it.
  std::string empty_database();
  std::string store_database();

  void start();
  /// Ends it as in a power loss (SIGQUIT), and waits.
  void crash();
  void stop();
  /// Kills each of its processes with SIGKILL: after that it writes and sends nothing.
  void kill_all();
  /// Kills one session of snl with SIGKILL, if there is one. Then the server ends all others and
  /// recovers by itself.
  void kill_a_session();
  /// Promotes it to a server that accepts writes.
  void promote();
  /// Discards its data, and makes it follow another server, as standby_of does.
  void become_standby_of(const Cluster& primary);
  /// Adds a line to its configuration, which takes effect after a reload.
  void set(const std::string& setting);
  /// From now on, commits wait for a standby that never connects, or for none. When this returns,
  /// it applies to all sessions.
  void wait_for_nobody(bool wait);

  std::string folder() const { return folder_.path().string(); }
  std::string socket_folder() const { return folder_.path().string(); }
  /// Runs a program of PostgreSQL, such as pg_dump, as the server's user. Returns its output.
  std::string run(const std::string& program, const std::vector<std::string>& arguments) const;

 private:
  struct Unmade {};
  Cluster(Unmade, const std::string& place) : folder_(place) {}
  bool a_commit_waits();
  void give_folder() const;
  void copy(const Cluster& primary) const;
  void wait_until_ready() const;
  std::string data() const { return (folder_.path() / "data").string(); }

  TemporaryFolder folder_;
  pid_t process_ = 0;
  int databases_ = 0;
  std::string template_;
};

/// A plain connection, without any of the store's precautions.
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
  /// Throws std::runtime_error if that fails.
  void execute(const std::string& sql);
  /// Rows as texts; NULL is "NULL".
  std::vector<Row> rows(const std::string& sql);
  std::string value(const std::string& sql) { return rows(sql).at(0).at(0); }
  /// Sends statements without waiting for their answers.
  void send(const std::string& sql);
  /// Waits for these answers: the SQLSTATE as above.
  std::string finish();
  /// True if a notification for this session has arrived by now.
  bool was_notified();

 private:
  pg_conn* handle_;
};

/// All parts of a location.
std::vector<std::string> keywords_of_libpq();

/// An append in SQL, to an existing game.
std::string append_in_sql(const std::string& game, const std::string& text, const std::string& hash,
                          std::int64_t attempt);

}  // namespace snl::test
