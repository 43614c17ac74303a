#include "refused_session.hpp"

#include "libpq.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>

namespace snl::postgres {
namespace {

using Steady = std::chrono::steady_clock;
using Cause = StoreError::Cause;

struct EndAttempt {
  void operator()(pg_conn* connection) const { libpq().finish(connection); }
};
using Attempt = std::unique_ptr<pg_conn, EndAttempt>;

/// How far an attempt came.
enum class Reached : std::uint8_t { nobody, a_server, its_session };

/// Continues an attempt until it has ended, or its time is up.
Reached go_on(pg_conn* attempt, Steady::time_point end) {
  const Libpq& pq = libpq();
  Reached reached = Reached::nobody;
  PostgresPollingStatusType wanted = PGRES_POLLING_WRITING;
  while (wanted != PGRES_POLLING_FAILED) {
    if (wanted == PGRES_POLLING_OK) return Reached::its_session;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Steady::now());
    if (left.count() <= 0) break;
    pollfd socket{.fd = pq.socket(attempt),
                  .events = static_cast<short>(wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT),
                  .revents = 0};
    if (poll(&socket, 1, static_cast<int>(left.count())) == 0) break;
    wanted = pq.connect_poll(attempt);
    const ConnStatusType status = pq.status(attempt);
    if (status == CONNECTION_AWAITING_RESPONSE || status == CONNECTION_SSL_STARTUP ||
        status == CONNECTION_AUTH_OK)
      reached = Reached::a_server;
  }
  return reached;
}

/// Whether a server calls itself read-only (from PostgreSQL 14 on).
bool is_read_only(const pg_conn* session) {
  const auto is_on = [&](const char* name) {
    const char* const value = libpq().parameter_status(session, name);
    return value != nullptr && std::string_view(value) == "on";
  };
  return is_on("in_hot_standby") || is_on("default_transaction_read_only");
}

bool is_sqlstate(std::string_view word) {
  return word.size() == 5 &&
         word.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string_view::npos;
}

/// The last SQLSTATE in a message: if several servers were tried, that of the last one to answer.
/// "connection to server at … failed: FATAL:  28P01".
std::string_view sqlstate_in(std::string_view said) {
  while (!said.empty()) {
    const std::size_t line = said.find_last_of('\n');
    const std::string_view last = line == std::string_view::npos ? said : said.substr(line + 1);
    const std::string_view word = last.substr(std::min(last.rfind(' '), last.size() - 1) + 1);
    if (is_sqlstate(word)) return word;
    said = line == std::string_view::npos ? "" : said.substr(0, line);
  }
  return "";
}

}  // namespace

RefusedSession why_refused(const std::string& location, const std::string& what_was_said) {
  const Libpq& pq = libpq();
  // "any" overrides the attributes in `location`.
  const std::array names{"dbname", "target_session_attrs", static_cast<const char*>(nullptr)};
  const std::array values{location.c_str(), "any", static_cast<const char*>(nullptr)};
  const Attempt attempt(pq.connect_start_params(names.data(), values.data(), 1));
  if (attempt == nullptr) throw std::bad_alloc();
  pq.set_error_verbosity(attempt.get(), PQERRORS_SQLSTATE);
  constexpr std::chrono::seconds timeout{5};
  const Reached reached = pq.status(attempt.get()) == CONNECTION_BAD
                              ? Reached::nobody
                              : go_on(attempt.get(), Steady::now() + timeout);
  if (reached == Reached::its_session && is_read_only(attempt.get()))
    return {Cause::failed,
            "it answers, and games can't be written to it now: a standby, or a server that is read "
            "only; name the primary"};
  if (reached == Reached::its_session)
    return {
        Cause::busy,
        "it answers now; try again, or check whether target_session_attrs asks for another server"};
  const auto said = [](const char* value) { return std::string(value == nullptr ? "" : value); };
  const std::string role = said(pq.user(attempt.get()));
  const std::string database = said(pq.db(attempt.get()));
  if (pq.connection_needs_password(attempt.get()) != 0)
    return {Cause::failed, fmt::format("its server asks for {}'s password; give it in a file "
                                       "~/.pgpass, as PGPASSWORD, or in --db",
                                       role)};
  const std::string_view sqlstate = sqlstate_in(pq.error_message(attempt.get()));
  if (sqlstate == "28P01")
    return {Cause::failed, fmt::format("its server doesn't take {}'s password; check both", role)};
  if (sqlstate.starts_with("28"))
    return {Cause::failed, fmt::format("its server doesn't admit {} from here; check the role's "
                                       "name, that it may log in, and the server's pg_hba.conf",
                                       role)};
  if (sqlstate == "3D000")
    return {Cause::failed,
            fmt::format("its server has no database {}; make it: createdb -h {} -p {} -U {} {}",
                        database, said(pq.host(attempt.get())), said(pq.port(attempt.get())), role,
                        database)};
  if (sqlstate == "42501")
    return {Cause::failed,
            fmt::format("{} may not connect to this database; ask its owner for it: GRANT "
                        "CONNECT ON DATABASE {} TO {}",
                        role, database, role)};
  if (sqlstate.starts_with("53"))
    return {Cause::busy,
            "its server has no session left; try again, or have its max_connections "
            "raised"};
  if (sqlstate == "57P03")
    return {Cause::busy, "its server is starting up, or going down; try again"};
  if (reached == Reached::nobody)
    return {Cause::failed,
            "no server answers there; check that it runs, and what --db says of host and port"};
  return {Cause::failed, what_was_said + "; check what --db says"};
}

}  // namespace snl::postgres
