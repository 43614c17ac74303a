// One session with a PostgreSQL server: its settings, statements that are prepared when they are
// first run, values and rows in the binary form, errors with their SQLSTATE. For one thread.
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

/// What helps after an error of a server.
enum class Remedy : std::uint8_t {
  none,
  again,    // nothing was done; two waited for each other, or a standby's reader was in the way
  connect,  // the session is gone, and with it whatever was under way; again in another
  confirm,  // it was done, but no standby has it; again, until one has
  look,     // nothing was done, since a row isn't as it has to be; to look tells why
};

class ServerError : public StoreError {
 public:
  ServerError(Cause cause, const std::string& message, Remedy remedy = Remedy::none,
              std::string sqlstate = {})
      : StoreError(cause, message), sqlstate_(std::move(sqlstate)), remedy_(remedy) {}

  /// Empty where the server had no say.
  const std::string& sqlstate() const { return sqlstate_; }
  Remedy remedy() const { return remedy_; }
  bool is_lost() const { return remedy_ == Remedy::connect; }
  /// To do it again from the beginning, in the same session, may help.
  bool is_to_be_repeated() const { return remedy_ == Remedy::again || remedy_ == Remedy::confirm; }
  /// What was sent may be done, or come to be. Not in a session that can't write, after a failover
  /// or by its settings: it refuses at once.
  bool leaves_in_doubt() const {
    return remedy_ == Remedy::confirm || (is_lost() && sqlstate_ != "25006");
  }

 private:
  std::string sqlstate_;
  Remedy remedy_;
};

/// Its name, by which the session knows it, and its text.
struct ServerStatement {
  const char* name;
  const char* sql;
};

/// The values of a statement's parameters, in order. Texts and hashes are lent until it has run.
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
  /// In the text form: of arrays.
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

/// An array in the text form, from texts that have it, or not.
std::string array_literal(std::span<const std::optional<std::string_view>> texts);

/// Rows. A value that has another type than is asked for is damage, and throws StoreError.
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

/// The first column of each.
std::vector<std::string> texts_in(const Rows& rows);

/// How many rows shall be answered at most, as a parameter.
std::int64_t limit_of(std::size_t limit);

class ServerConnection {
 public:
  enum class Use : std::uint8_t {
    read,   // any server will do
    write,  // one that can be written to
  };
  /// `location` is what libpq takes: a URI, or keywords and values. Throws ServerError.
  ServerConnection(std::string location, Use use);

  /// How people are told of the database: without a password.
  const std::string& name() const { return name_; }

  // What was written by these is durable, on as many standbys as the server waits for, when they
  // return: else they throw a ServerError.
  Rows run(const ServerStatement& statement, const Values& values = {});
  /// One or several statements without parameters.
  Rows execute(const char* sql);
  /// Takes a statement and its parameters, which need not stay.
  using Send = std::function<void(const ServerStatement& statement, const Values& values)>;
  /// Runs what `work` sends, some of `statements`, all at once: in one transaction, which is
  /// committed when this returns, or in the one that there is. Answers the rows of those that have
  /// any. Where one fails none is done.
  std::vector<Rows> run_together(std::initializer_list<ServerStatement> statements,
                                 const std::function<void(const Send& send)>& work);

  /// Sends a statement, whose rows are taken by finish(): the server is at work meanwhile. Others
  /// may be run in between; it comes before them. What is never finished is passed over.
  void begin(const ServerStatement& statement, const Values& values);
  /// Throws ServerError.
  Rows finish();

  /// Waits until what was read is as durable as what is written: an answer from it may be given. In
  /// a transaction its end waits for that. Throws ServerError where no standby has it after a
  /// while.
  void confirm(std::chrono::milliseconds budget);

  /// Sends a statement without waiting for it; whatever it answers is passed over.
  void send(const char* sql);
  /// Whether somebody notified of something before the time was up. Throws ServerError.
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

  // Whether a standby lacks what was just recorded. The notice receiver is given its address, so it
  // stays where it is.
  std::unique_ptr<bool> is_unconfirmed_ = std::make_unique<bool>(false);
  std::unique_ptr<pg_conn, Finish> handle_;
  std::string name_;
  std::unordered_set<std::string_view> prepared_;
  bool is_unsettled_ = false;
  bool has_begun_ = false;     // a statement whose rows aren't here yet
  std::optional<Rows> begun_;  // its rows, or how it failed
};

}  // namespace snl::postgres
