#include "connection.hpp"

#include "libpq.hpp"
#include "refused_session.hpp"
#include "retry.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <utility>

namespace snl::postgres {

// ---- Errors

namespace {

/// libpq's message in one line.
std::string one_line(std::string_view message) {
  std::string line;
  for (const char character : message) {
    const bool is_space = character == '\n' || character == '\t' || character == ' ';
    if (!is_space)
      line += character;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  while (line.ends_with(' '))
    line.pop_back();
  return line;
}

/// The meaning of errors whose SQLSTATE begins with these characters.
struct Meaning {
  std::string_view sqlstate;
  StoreError::Cause cause;
  Remedy remedy;
  std::string_view way_out = "; see its server's log";
};
using enum StoreError::Cause;
constexpr std::string_view other_tables =
    "; its tables aren't those that snl makes; restore them, or name another database";
constexpr std::array meanings{
    Meaning{"08", failed, Remedy::connect},
    Meaning{"25006", failed, Remedy::elsewhere, "; name the server that can be written to"},
    Meaning{"25P03", failed, Remedy::connect},
    Meaning{"57P", failed, Remedy::connect},
    Meaning{"40001", busy, Remedy::again},
    Meaning{"40P01", busy, Remedy::again},
    Meaning{"40", busy, Remedy::none},
    Meaning{"53300", busy, Remedy::none},
    Meaning{"55P03", busy, Remedy::none},
    Meaning{"23502", failed, Remedy::inspect},  // a looked-up row isn't there
    Meaning{"23505", failed, Remedy::inspect},  // a key is taken
    Meaning{"44000", failed, Remedy::inspect},  // a view doesn't admit it
    Meaning{"42501", failed, Remedy::none, "; its owner admits a role: SELECT snl.admit('role')"},
    Meaning{"42", failed, Remedy::none, other_tables},
    Meaning{"3F000", failed, Remedy::none, other_tables},
    Meaning{"53100", failed, Remedy::none, "; make space on the server's disk"},
    Meaning{"XX000", failed, Remedy::none},
    Meaning{"XX00", damaged, Remedy::none},
    Meaning{"", failed, Remedy::none}};
/// The meaning of an error without an SQLSTATE.
constexpr Meaning without_sqlstate{"", failed, Remedy::none, ""};

const Meaning& meaning_of(std::string_view sqlstate) {
  if (sqlstate.empty()) return without_sqlstate;
  return *std::ranges::find_if(
      meanings, [&](const Meaning& each) { return sqlstate.starts_with(each.sqlstate); });
}

}  // namespace

// ---- Values

Values& Values::add_bytes(const char* bytes, std::size_t count) {
  values_.at(count_) = bytes;
  lengths_.at(count_) = static_cast<int>(count);
  formats_.at(count_) = 1;
  ++count_;
  return *this;
}

Values& Values::add_number(std::uint64_t value, std::size_t bytes) {
  auto& number = numbers_.at(count_);
  for (std::size_t i = 0; i < bytes; ++i)
    number.at(i) = static_cast<char>(value >> (8 * (bytes - 1 - i)) & 0xFFU);
  return add_bytes(number.data(), bytes);
}

Values& Values::add(std::int64_t value) {
  return add_number(static_cast<std::uint64_t>(value), 8);
}

Values& Values::add_small(std::int32_t value) {
  return add_number(static_cast<std::uint32_t>(value), 4);
}

Values& Values::add_bool(bool value) {
  return add_number(value ? 1 : 0, 1);
}

Values& Values::add(std::string_view text) {
  return add_bytes(text.empty() ? "" : text.data(), text.size());
}

Values& Values::add(const Hash& hash) {
  return add_bytes(reinterpret_cast<const char*>(hash.data()), hash.size());
}

Values& Values::add_null() {
  return add_bytes(nullptr, 0);
}

Values& Values::add_literal(std::string text) {
  std::string& kept = literals_.at(literal_count_++);
  kept = std::move(text);
  add_bytes(kept.c_str(), kept.size());
  formats_.at(count_ - 1) = 0;
  return *this;
}

std::string array_literal(std::span<const std::optional<std::string_view>> texts) {
  std::string literal = "{";
  for (const auto& text : texts) {
    if (literal.size() > 1) literal += ',';
    if (!text) {
      literal += "NULL";
      continue;
    }
    literal += '"';
    for (const char character : *text) {
      if (character == '"' || character == '\\') literal += '\\';
      literal += character;
    }
    literal += '"';
  }
  return literal + '}';
}

// ---- Rows

void Rows::Clear::operator()(pg_result* result) const {
  libpq().clear(result);
}

int Rows::size() const {
  return libpq().ntuples(result_.get());
}

bool Rows::is_null(int row, int column) const {
  return libpq().getisnull(result_.get(), row, column) != 0;
}

std::string_view Rows::text(int row, int column) const {
  const Libpq& pq = libpq();
  return {pq.getvalue(result_.get(), row, column),
          static_cast<std::size_t>(pq.getlength(result_.get(), row, column))};
}

std::int64_t Rows::integer(int row, int column) const {
  const std::string_view bytes = text(row, column);
  // The sign is in the first byte.
  std::uint64_t value = !bytes.empty() && (bytes.front() & '\x80') != 0 ? ~std::uint64_t{0} : 0;
  for (const char byte : bytes)
    value = value << 8U | static_cast<unsigned char>(byte);
  return static_cast<std::int64_t>(value);
}

bool Rows::boolean(int row, int column) const {
  return integer(row, column) != 0;
}

/// Zeros if it has another length.
Hash Rows::hash(int row, int column) const {
  const std::string_view bytes = text(row, column);
  Hash hash{};
  if (bytes.size() == hash.size())
    std::ranges::transform(bytes, hash.begin(),
                           [](char byte) { return static_cast<std::uint8_t>(byte); });
  return hash;
}

std::vector<std::string> texts_in(const Rows& rows) {
  std::vector<std::string> texts;
  texts.reserve(static_cast<std::size_t>(rows.size()));
  for (int row = 0; row < rows.size(); ++row)
    texts.emplace_back(rows.text(row, 0));
  return texts;
}

std::int64_t limit_of(std::size_t limit) {
  return static_cast<std::int64_t>(std::min<std::size_t>(limit, std::size_t{1} << 40U));
}

// ---- A session

namespace {

/// Notices the warning that comes with a successful commit which only this server has, because its
/// wait for a standby was cancelled. Neither the text nor the SQLSTATE identifies that warning, but
/// its place in the server's source does. Other warnings may come with every transaction.
void note_unconfirmed(void* is_unconfirmed, const pg_result* notice) {
  const char* const place = libpq().result_error_field(notice, PG_DIAG_SOURCE_FUNCTION);
  if (place != nullptr && std::string_view(place) == "SyncRepWaitForLSN")
    *static_cast<bool*>(is_unconfirmed) = true;
}

/// A setting of every session, whatever the defaults of the server, the database and the role. If
/// it reads back with another value, the session is refused.
struct Setting {
  const char* name;
  const char* value;
};
constexpr std::array settings{
    Setting{"client_encoding", "UTF8"}, Setting{"TimeZone", "UTC"}, Setting{"bytea_output", "hex"},
    Setting{"default_transaction_isolation", "read committed"},
    Setting{"default_transaction_deferrable", "off"},
    Setting{"search_path", "pg_catalog, snl, pg_temp"}, Setting{"client_min_messages", "warning"},
    Setting{"array_nulls", "on"}, Setting{"quote_all_identifiers", "off"},
    // An append is never cancelled.
    Setting{"statement_timeout", "0"}, Setting{"lock_timeout", "0"},
    // A process that has stopped within a transaction holds up all subscribers.
    Setting{"idle_in_transaction_session_timeout", "1min"},
    // Each statement here finds a few rows by an index, even if the planner knows nothing of tables
    // that were never analysed.
    Setting{"plan_cache_mode", "force_generic_plan"}, Setting{"enable_seqscan", "off"},
    Setting{"enable_bitmapscan", "off"}, Setting{"enable_hashjoin", "off"},
    Setting{"enable_mergejoin", "off"}, Setting{"jit", "off"}};

}  // namespace

void ServerConnection::Finish::operator()(pg_conn* connection) const {
  libpq().finish(connection);
}

namespace {

/// Refuses a location that libpq can't read, or would misread. Its error message would show the
/// place where it stumbles, which may be in a password. So the error here shows only the scheme.
void require_readable(const std::string& location) {
  const Libpq& pq = libpq();
  const std::string scheme = location.substr(0, location.find("://"));
  const bool is_uri = scheme == "postgresql" || scheme == "postgres";
  const bool is_meant_as_one = !is_uri && location.find('=') > location.find(':');
  const auto refuse = [&](std::string_view why) {
    throw ServerError(
        StoreError::Cause::failed,
        fmt::format("store {}: {}", is_uri || is_meant_as_one ? "postgresql://…" : "on PostgreSQL",
                    why));
  };
  if (is_meant_as_one) refuse("its URI must look like postgresql://HOST/DATABASE");
  const auto is_port = [](std::string_view text) {
    return text.find_first_not_of("0123456789,") == std::string_view::npos;
  };
  bool is_readable = true;
  if (is_uri) {
    // At most one @, in front of the host.
    const std::string_view rest = std::string_view(location).substr(scheme.size() + 3);
    const std::string_view place = rest.substr(0, rest.find('?'));
    const std::size_t at = place.find('@');
    is_readable = at == std::string_view::npos ||
                  (place.find('@', at + 1) == std::string_view::npos && at < place.find('/'));
  }
  char* complaint = nullptr;
  PQconninfoOption* const options = pq.conninfo_parse(location.c_str(), &complaint);
  if (complaint != nullptr) pq.freemem(complaint);
  is_readable = is_readable && options != nullptr;
  for (const PQconninfoOption* option = options; is_readable && option->keyword != nullptr;
       ++option)
    if (std::string_view(option->keyword) == "port" && option->val != nullptr)
      is_readable = is_port(option->val);
  if (options != nullptr) pq.conninfo_free(options);
  if (is_readable) return;
  refuse(is_uri ? "its URI can't be read; in a name or a password write % as %25, / as %2F, @ as "
                  "%40, : as %3A, ? as %3F"
                : "its keywords and values can't be read: host=… dbname=…; quote a value that has "
                  "spaces: 'a b', and write ' as \\' and \\ as \\\\");
}

/// A session with a server that has these attributes, or the session that failed.
pg_conn* connect(const std::string& location, const char* attributes) {
  const std::array names{"connect_timeout",
                         "tcp_user_timeout",
                         "keepalives_idle",
                         "keepalives_interval",
                         "keepalives_count",
                         "target_session_attrs",
                         "dbname",
                         "fallback_application_name",
                         static_cast<const char*>(nullptr)};
  const std::array values{"5",
                          "15000",
                          "10",
                          "5",
                          "3",
                          attributes,
                          location.c_str(),
                          "snl",
                          static_cast<const char*>(nullptr)};
  pg_conn* const handle = libpq().connectdb_params(names.data(), values.data(), 1);
  if (handle == nullptr) throw std::bad_alloc();
  return handle;
}

}  // namespace

ServerConnection::ServerConnection(std::string location, Use use) {
  const Libpq& pq = libpq();
  require_readable(location);
  // The first values are only defaults: `location` may override them.
  const auto open = [&](const char* attributes) { handle_.reset(connect(location, attributes)); };
  open(use == Use::read ? "any" : "read-write");
  if (use == Use::newest && pq.status(handle_.get()) != CONNECTION_OK) open("any");
  const auto said = [](const char* text) { return std::string_view(text == nullptr ? "" : text); };
  name_ = fmt::format("postgresql://{}:{}/{}", said(pq.host(handle_.get())),
                      said(pq.port(handle_.get())), said(pq.db(handle_.get())));
  if (pq.status(handle_.get()) != CONNECTION_OK) {
    const auto [cause, why] = why_refused(location, one_line(pq.error_message(handle_.get())));
    throw ServerError(cause, fmt::format("store {}: {}", name_, why), Remedy::connect);
  }
  pq.set_notice_receiver(handle_.get(), note_unconfirmed, is_unconfirmed_.get());
  set_up();
}

/// Runs before all else: the statement_timeout of a database may be too short even for set_up() on
/// a busy machine.
void ServerConnection::take_time() {
  // Not in the table above: in general, somebody wanted the statement to end.
  static constexpr std::string_view canceled = "57014";
  constexpr std::chrono::seconds budget{5};
  retry(
      RetryBudget(budget), [&](RetryBudget&) { return execute("SET statement_timeout = 0"); },
      [](const ServerError& error) { return error.sqlstate() == canceled; });
}

void ServerConnection::set_up() {
  take_time();
  std::string set;
  std::string read =
      "SELECT current_setting('server_encoding'), "
      "current_setting('synchronous_commit')";
  for (const Setting& setting : settings) {
    // set_config takes this value for a list of schemas. SET would take it for one name.
    set += fmt::format("SELECT set_config('{}', '{}', false);", setting.name, setting.value);
    read += fmt::format(", current_setting('{}')", setting.name);
  }
  set +=
      "SELECT set_config('synchronous_commit', 'on', false) "
      "WHERE current_setting('synchronous_commit') <> 'remote_apply'";
  execute(set.c_str());
  const Rows current = execute(read.c_str());
  const auto refuse = [&](std::string_view name, std::string_view value) {
    throw ServerError(
        StoreError::Cause::failed,
        fmt::format(
            "store {}: its {} is {}, with which games can't be kept; choose another database",
            name_, name, value));
  };
  if (current.text(0, 0) != "UTF8") refuse("server_encoding", current.text(0, 0));
  if (current.text(0, 1) != "on" && current.text(0, 1) != "remote_apply")
    refuse("synchronous_commit", current.text(0, 1));
  for (std::size_t i = 0; i < settings.size(); ++i)
    if (const auto value = current.text(0, static_cast<int>(i) + 2); value != settings.at(i).value)
      refuse(settings.at(i).name, value);
}

void ServerConnection::fail(const pg_result* result) const {
  const Libpq& pq = libpq();
  const char* const field =
      result == nullptr ? nullptr : pq.result_error_field(result, PG_DIAG_SQLSTATE);
  const std::string sqlstate = field == nullptr ? "" : field;
  const char* const primary =
      result == nullptr ? nullptr : pq.result_error_field(result, PG_DIAG_MESSAGE_PRIMARY);
  const std::string message = sqlstate.empty()     ? "the connection to its server broke; try again"
                              : primary == nullptr ? sqlstate
                                                   : one_line(primary);
  const Meaning& meaning = meaning_of(sqlstate);
  // An error without a code is libpq's own. If it couldn't send, it reports that before it has
  // found out that the connection is gone.
  const bool is_lost = pq.status(handle_.get()) != CONNECTION_OK || sqlstate.empty();
  throw ServerError(meaning.cause, fmt::format("store {}: {}{}", name_, message, meaning.way_out),
                    is_lost ? Remedy::connect : meaning.remedy, sqlstate);
}

/// Returns the result, or throws its ServerError.
pg_result* ServerConnection::checked(pg_result* result) {
  const Libpq& pq = libpq();
  const auto status = result == nullptr ? PGRES_FATAL_ERROR : pq.result_status(result);
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) return result;
  const Rows kept(result);
  fail(result);
}

/// Takes the result of a statement that was sent without waiting.
void ServerConnection::settle() {
  if (has_begun_) begun_.emplace(take_begun());
  if (!std::exchange(is_unsettled_, false)) return;
  const Libpq& pq = libpq();
  while (pg_result* result = pq.get_result(handle_.get()))
    pq.clear(result);
  *is_unconfirmed_ = false;
}

/// Call it after any statement that may have written.
void ServerConnection::require_standby() {
  if (std::exchange(*is_unconfirmed_, false))
    throw ServerError(
        StoreError::Cause::busy,
        fmt::format("store {}: no standby has what was just recorded; try again", name_),
        Remedy::confirm);
}

void ServerConnection::prepare(const ServerStatement& statement) {
  if (prepared_.contains(statement.name)) return;
  const Rows done(
      checked(libpq().prepare(handle_.get(), statement.name, statement.sql, 0, nullptr)));
  prepared_.insert(statement.name);
}

Rows ServerConnection::run(const ServerStatement& statement, const Values& values) {
  settle();
  prepare(statement);
  Rows rows(checked(libpq().exec_prepared(handle_.get(), statement.name,
                                          static_cast<int>(values.count_), values.values_.data(),
                                          values.lengths_.data(), values.formats_.data(), 1)));
  require_standby();
  return rows;
}

void ServerConnection::begin(const ServerStatement& statement, const Values& values) {
  settle();
  begun_.reset();
  prepare(statement);
  has_begun_ = libpq().send_query_prepared(handle_.get(), statement.name,
                                           static_cast<int>(values.count_), values.values_.data(),
                                           values.lengths_.data(), values.formats_.data(), 1) == 1;
}

/// The result of the statement that has begun. Null if there is none.
pg_result* ServerConnection::take_begun() {
  if (!std::exchange(has_begun_, false)) return nullptr;
  const Libpq& pq = libpq();
  pg_result* const result = pq.get_result(handle_.get());
  while (pg_result* more = pq.get_result(handle_.get()))
    pq.clear(more);
  return result;
}

Rows ServerConnection::finish() {
  if (!begun_) return Rows(checked(take_begun()));
  Rows rows = *std::exchange(begun_, std::nullopt);
  if (libpq().result_status(rows.handle()) != PGRES_TUPLES_OK) fail(rows.handle());
  return rows;
}

Rows ServerConnection::execute(const char* sql) {
  settle();
  Rows rows(checked(libpq().exec(handle_.get(), sql)));
  require_standby();
  return rows;
}

/// A commit that others can see is on this server's disk, but maybe on no standby. A write of our
/// own comes after it, and ends only when a standby has both.
void ServerConnection::confirm() {
  static constexpr ServerStatement write{
      "confirm",
      "SELECT pg_logical_emit_message(true, 'snl', '') "
      "WHERE current_setting('synchronous_standby_names') <> ''"};
  run(write);
}

std::vector<Rows> ServerConnection::run_together(
    std::initializer_list<ServerStatement> statements,
    const std::function<void(const Send& send)>& work) {
  settle();
  for (const ServerStatement& statement : statements)
    prepare(statement);
  const Libpq& pq = libpq();
  pg_conn* const handle = handle_.get();
  bool sent = pq.enter_pipeline_mode(handle) == 1;
  work([&](const ServerStatement& statement, const Values& values) {
    sent = sent && pq.send_query_prepared(handle, statement.name, static_cast<int>(values.count_),
                                          values.values_.data(), values.lengths_.data(),
                                          values.formats_.data(), 1) == 1;
  });
  sent = sent && pq.pipeline_sync(handle) == 1;
  if (!sent) fail(nullptr);
  // All results are taken, also after an error, so that the session can go on. The commit's comes
  // last.
  std::vector<Rows> results;
  std::optional<Rows> failed;
  bool is_at_end = false;
  bool is_between = false;  // between two statements' results
  while (!is_at_end && pq.status(handle) == CONNECTION_OK) {
    pg_result* const result = pq.get_result(handle);
    if (result == nullptr && is_between) break;
    is_between = result == nullptr;
    if (is_between) continue;
    const auto status = pq.result_status(result);
    Rows rows(result);
    if (status == PGRES_PIPELINE_SYNC)
      is_at_end = true;
    else if (status == PGRES_TUPLES_OK)
      results.push_back(std::move(rows));
    else if (status == PGRES_FATAL_ERROR && !failed)
      failed.emplace(std::move(rows));
  }
  if (pq.status(handle) == CONNECTION_OK) (void)pq.exit_pipeline_mode(handle);
  if (failed) fail(failed->handle());
  if (!is_at_end) fail(nullptr);
  require_standby();
  return results;
}

void ServerConnection::send(const char* sql) {
  settle();
  is_unsettled_ = libpq().send_query(handle_.get(), sql) == 1;
}

bool ServerConnection::wait_for_notification(std::chrono::milliseconds at_most) {
  settle();
  const Libpq& pq = libpq();
  const auto take_all = [&] {
    bool any = false;
    while (PGnotify* notification = pq.notifies(handle_.get())) {
      pq.freemem(notification);
      any = true;
    }
    return any;
  };
  if (take_all()) return true;
  pollfd socket{.fd = pq.socket(handle_.get()), .events = POLLIN, .revents = 0};
  const int ready = poll(&socket, 1, static_cast<int>(at_most.count()));
  if (ready <= 0) return false;  // a signal counts as the time being up
  if (pq.consume_input(handle_.get()) != 1) fail(nullptr);
  return take_all();
}

}  // namespace snl::postgres
