#include "bare_postgres.hpp"

#include <libpq-fe.h>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace snl::benchmarks {
namespace {

constexpr const char* table =
    "CREATE TABLE bare (game bigint, version bigint, position bigint, time bigint, attempt bigint, "
    "hash bytea, command text, events text, command_id text, PRIMARY KEY (game, version))";
constexpr const char* insertion =
    "INSERT INTO bare VALUES ($1::bigint, $2::bigint, $3::bigint, $4::bigint, $5::bigint, "
    "$6::bytea, $7::text, $8::text, NULL)";

/// The parameters of the INSERT.
class Parameters {
 public:
  explicit Parameters(const BareRow& row)
      : numbers_{big_endian(row.game), big_endian(row.version), big_endian(row.version),
                 big_endian(row.time), big_endian(row.game)} {
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      values_[i] = numbers_[i].data();
      lengths_[i] = sizeof(std::int64_t);
    }
    std::size_t next = numbers_.size();
    for (const std::string* text : {&row.hash, &row.command, &row.events}) {
      values_[next] = text->data();
      lengths_[next++] = static_cast<int>(text->size());
    }
    formats_.fill(1);
  }
  static constexpr int count = 8;
  const char* const* values() const { return values_.data(); }
  const int* lengths() const { return lengths_.data(); }
  const int* formats() const { return formats_.data(); }

 private:
  using Number = std::array<char, sizeof(std::int64_t)>;
  static Number big_endian(std::int64_t value) {
    Number bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * (7 - i)) & 0xFFU);
    return bytes;
  }

  std::array<Number, 5> numbers_;
  std::array<const char*, count> values_{};
  std::array<int, count> lengths_{};
  std::array<int, count> formats_{};
};

[[noreturn]] void fail(pg_conn* connection) {
  throw std::runtime_error(std::string("bare PostgreSQL: ") + PQerrorMessage(connection));
}

std::unique_ptr<PGresult, decltype(&PQclear)> checked(pg_conn* connection, PGresult* result) {
  std::unique_ptr<PGresult, decltype(&PQclear)> kept(result, &PQclear);
  const auto status = PQresultStatus(result);
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && status != PGRES_PIPELINE_SYNC)
    fail(connection);
  return kept;
}

}  // namespace

void BarePostgres::Finish::operator()(pg_conn* connection) const {
  PQfinish(connection);
}

BarePostgres::BarePostgres(const std::string& location) : handle_(PQconnectdb(location.c_str())) {
  if (PQstatus(handle_.get()) != CONNECTION_OK) fail(handle_.get());
  execute("SET synchronous_commit = on; SET client_min_messages = warning");
}

void BarePostgres::make_table(const std::string& location) {
  BarePostgres(location).execute(table);
}

void BarePostgres::execute(const char* sql) {
  checked(handle_.get(), PQexec(handle_.get(), sql));
}

void BarePostgres::prepare() {
  if (std::exchange(is_prepared_, true)) return;
  checked(handle_.get(), PQprepare(handle_.get(), "insert", insertion, 0, nullptr));
}

void BarePostgres::insert(const BareRow& row) {
  prepare();
  const Parameters parameters(row);
  checked(handle_.get(),
          PQexecPrepared(handle_.get(), "insert", Parameters::count, parameters.values(),
                         parameters.lengths(), parameters.formats(), 1));
}

void BarePostgres::insert_together(std::span<const BareRow* const> rows) {
  pg_conn* const handle = handle_.get();
  prepare();
  // All statements before a pipeline's sync are one transaction.
  PQenterPipelineMode(handle);
  for (const BareRow* row : rows) {
    const Parameters parameters(*row);
    PQsendQueryPrepared(handle, "insert", Parameters::count, parameters.values(),
                        parameters.lengths(), parameters.formats(), 1);
  }
  PQpipelineSync(handle);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    checked(handle, PQgetResult(handle));
    PQclear(PQgetResult(handle));  // the end of that statement
  }
  checked(handle, PQgetResult(handle));
  PQexitPipelineMode(handle);
}

std::int64_t BarePostgres::read(const std::string& game) {
  pg_conn* const handle = handle_.get();
  execute("BEGIN");
  const char* const id = game.c_str();
  checked(handle,
          PQexecParams(handle,
                       "DECLARE log BINARY NO SCROLL CURSOR FOR SELECT position, version, time, "
                       "command, events, command_id, hash FROM snl.commits WHERE game = (SELECT "
                       "game FROM snl.games WHERE id = $1) ORDER BY version",
                       1, nullptr, &id, nullptr, nullptr, 1));
  std::int64_t rows = 0;
  std::int64_t sum = 0;
  while (true) {
    const auto page = checked(handle, PQexecParams(handle, "FETCH 400 FROM log", 0, nullptr,
                                                   nullptr, nullptr, nullptr, 1));
    const int count = PQntuples(page.get());
    if (count == 0) break;
    for (int row = 0; row < count; ++row)
      for (int column = 0; column < PQnfields(page.get()); ++column)
        if (PQgetisnull(page.get(), row, column) == 0)
          sum += PQgetlength(page.get(), row, column) + *PQgetvalue(page.get(), row, column);
    rows += count;
  }
  execute("COMMIT");
  return sum != 0 ? rows : 0;
}

}  // namespace snl::benchmarks
