// One session with a PostgreSQL server: its settings, statements that are prepared when they first
// run, values and rows in the binary form, errors with their SQLSTATE. For one thread.
#pragma once

#include "storage/hash.hpp"
#include "storage/store_error.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

struct pg_conn;
struct pg_result;

namespace snl::postgres {

/// The remedy for a server's error.
enum class Remedy : std::uint8_t {
  none,
  again,      // nothing was done: two transactions, or a standby and its reader, were in conflict
  connect,    // the session is gone with all that was under way: try again in another
  elsewhere,  // nothing was done: this session can't write, as after a failover; try in another
  confirm,    // it was done, but no standby has it: try again until one has
  inspect,    // nothing was done, because a row isn't as it has to be: reading it shows why
};

class ServerError : public StoreError {
 public:
  ServerError(Cause cause, const std::string& message, Remedy remedy = Remedy::none,
              std::string sqlstate = {})
      : StoreError(cause, message), sqlstate_(std::move(sqlstate)), remedy_(remedy) {}

  /// Empty if the error isn't the server's.
  const std::string& sqlstate() const { return sqlstate_; }
  Remedy remedy() const { return remedy_; }
  /// Doing it again may help in another session, not in this one.
  bool is_lost() const { return remedy_ == Remedy::connect || remedy_ == Remedy::elsewhere; }
  /// Doing it again from the beginning, in the same session, may help.
  bool is_to_be_repeated() const { return remedy_ == Remedy::again || remedy_ == Remedy::confirm; }
  /// The statement may have been done, or may still be done later.
  bool leaves_in_doubt() const { return remedy_ == Remedy::confirm || remedy_ == Remedy::connect; }

 private:
  std::string sqlstate_;
  Remedy remedy_;
};

/// A statement's name, by which the session knows it, and its text.
struct ServerStatement {
  const char* name;
  const char* sql;
};

/// The values of a statement's parameters, in order. Texts and hashes must live until it has run.
class Values {
 public:
  Values() = default;
  Values(const Values&) = delete;  // it points into itself
  Values& operator=(const Values&) = delete;

  Values& add(std::int64_t value);
  Values& add_small(std::int32_t value);  // for an integer
  Values& add_bool(bool value);
  Values& add(std::string_view text);
  Values& add(const Hash& hash);
  Values& add_null();
  /// A value in the text form, for arrays.
  Values& add_literal(std::string text);
  template <class Value>
  Values& add_optional(const std::optional<Value>& value) {
    return value ? add(*value) : add_null();
  }

 private:
  friend class ServerConnection;
  static constexpr std::size_t most = 32;

  Values& add_bytes(const char* bytes, std::size_t count);
  Values& add_number(std::uint64_t value, std::size_t bytes);

  std::size_t count_ = 0;
  std::array<const char*, most> values_{};
  std::array<int, most> lengths_{};
  std::array<int, most> formats_{};
  std::array<std::array<char, 8>, most> numbers_{};
  std::array<std::string, 4> literals_;
  std::size_t literal_count_ = 0;
};

/// An array in the text form, of texts or nulls.
std::string array_literal(std::span<const std::optional<std::string_view>> texts);

/// Rows of a result. Nothing checks that values have the requested types.
class Rows {
 public:
  explicit Rows(pg_result* result) : result_(result) {}

  int size() const;
  bool empty() const { return size() == 0; }
  bool is_null(int row, int column) const;
  std::int64_t integer(int row, int column) const;
  bool boolean(int row, int column) const;
  std::string_view text(int row, int column) const;
  Hash hash(int row, int column) const;
  const pg_result* handle() const { return result_.get(); }

 private:
  struct Clear {
    void operator()(pg_result* result) const;
  };
  std::unique_ptr<pg_result, Clear> result_;
};

/// The first column of each row.
std::vector<std::string> texts_in(const Rows& rows);

/// The most rows to return, as a parameter.
std::int64_t limit_of(std::size_t limit);

class ServerConnection {
 public:
  enum class Use : std::uint8_t {
    read,    // any server will do
    newest,  // reads, on a server that can be written to if one answers: a standby may lag behind
    write,   // a server that can be written to
  };
  /// `location` is in a form that libpq takes: a URI, or keywords and values. Throws ServerError.
  ServerConnection(std::string location, Use use);

  /// The database's name for people, without a password.
  const std::string& name() const { return name_; }

  // When these return, their writes are durable, on as many standbys as the server waits for.
  // Otherwise they throw a ServerError.
  Rows run(const ServerStatement& statement, const Values& values = {});
  /// One or several statements without parameters.
  Rows execute(const char* sql);
  /// Takes a statement and its parameters, which need not outlive the call.
  using Send = std::function<void(const ServerStatement& statement, const Values& values)>;
  /// Runs the statements that `work` sends, all at once: in the open transaction, or in one that is
  /// committed when this returns. Each must be one of `statements`. Returns the rows of each query.
  /// If one fails, none is done.
  std::vector<Rows> run_together(std::initializer_list<ServerStatement> statements,
                                 const std::function<void(const Send& send)>& work);

  /// Sends a statement; finish() takes its rows. The server works meanwhile. Other statements may
  /// be called in between, and run after it. The rows are dropped if finish() is never called.
  void begin(const ServerStatement& statement, const Values& values);
  /// Throws ServerError.
  Rows finish();

  /// Waits until everything that was read is as durable as a write, so that the caller may report
  /// it. In a transaction, the wait comes at its end. Throws ServerError if the wait is cancelled.
  void confirm();

  /// Sends a statement without waiting for it; any answer is dropped.
  void send(const char* sql);
  /// Whether a notification came before the time was up. Throws ServerError.
  bool wait_for_notification(std::chrono::milliseconds at_most);

 private:
  struct Finish {
    void operator()(pg_conn* connection) const;
  };

  void prepare(const ServerStatement& statement);
  void settle();
  pg_result* take_begun();
  pg_result* checked(pg_result* result);
  [[noreturn]] void fail(const pg_result* result) const;
  void require_standby();
  void take_time();
  void set_up();

  // Whether a standby lacks the latest write. The notice receiver has its address, so it must not
  // move.
  std::unique_ptr<bool> is_unconfirmed_ = std::make_unique<bool>(false);
  std::unique_ptr<pg_conn, Finish> handle_;
  std::string name_;
  std::unordered_set<std::string_view> prepared_;
  bool is_unsettled_ = false;
  bool has_begun_ = false;     // the rows of a statement are still to come
  std::optional<Rows> begun_;  // its rows, or how it failed
};

}  // namespace snl::postgres
