#include "postgres_hosted_games.hpp"

#include "retry.hpp"
#include "storage/hosted_game_codec.hpp"
#include "upgrade.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <ranges>
#include <utility>

namespace snl {

using postgres::Rows;
using postgres::ServerConnection;
using postgres::ServerError;
using postgres::ServerStatement;
using postgres::Values;

namespace {

constexpr std::chrono::seconds budget{10};

}  // namespace

PostgresHostedGames::PostgresHostedGames(std::string location, Use use)
    : location_(std::move(location)), use_(use) {
  connect();
}

void PostgresHostedGames::connect() {
  connection_.reset();
  connection_.emplace(location_, use_);
  if (use_ == Use::write)
    postgres::upgrade(*connection_, postgres::server_migrations());
  else
    postgres::require_schema(*connection_, postgres::server_migrations());
}

/// Returns what `read` returns, and retries for a while if that may help.
template <class Read>
auto PostgresHostedGames::reading(const Read& read) {
  return postgres::retry(connection_, budget, [&] { connect(); }, read);
}

// ---- Reading

std::optional<HostedGame> PostgresHostedGames::game(const std::string& game) {
  static constexpr ServerStatement find{
      "hosted_game", "SELECT revision, document::text FROM snl.hosted_games WHERE id = $1"};
  return reading([&](ServerConnection& connection) -> std::optional<HostedGame> {
    const Rows rows = connection.run(find, Values().add(game));
    if (rows.empty()) return std::nullopt;
    return decode_hosted_game(game, rows.integer(0, 0), rows.text(0, 1));
  });
}

std::optional<std::string> PostgresHostedGames::hosted_by(const Hash& token) {
  static constexpr ServerStatement find{"hosted_by",
                                        "SELECT id FROM snl.hosted_games WHERE host_token = $1"};
  return reading([&](ServerConnection& connection) -> std::optional<std::string> {
    const Rows rows = connection.run(find, Values().add(to_hex(token)));
    if (rows.empty()) return std::nullopt;
    if (use_ == Use::write) connection.confirm();
    return std::string(rows.text(0, 0));
  });
}

namespace {

std::vector<HostedGameStore::Entry> entries_in(const Rows& rows) {
  using enum HostedGame::Visibility;
  std::vector<HostedGameStore::Entry> found;
  found.reserve(static_cast<std::size_t>(rows.size()));
  for (int row = 0; row < rows.size(); ++row)
    found.push_back({.id = std::string(rows.text(row, 0)),
                     .revision = rows.integer(row, 1),
                     .created = rows.integer(row, 2),
                     .visibility = rows.boolean(row, 3) ? by_its_id : in_lists,
                     .given_up = rows.boolean(row, 4)});
  return found;
}

}  // namespace

std::vector<HostedGameStore::Entry> PostgresHostedGames::entries_by(
    const ServerStatement& statement, const Values& values) {
  return reading(
      [&](ServerConnection& connection) { return entries_in(connection.run(statement, values)); });
}

std::vector<HostedGameStore::Entry> PostgresHostedGames::waiting(const std::optional<Entry>& after,
                                                                 std::size_t limit) {
  static constexpr ServerStatement find{
      "waiting",
      "SELECT id, revision, created, visibility = 'private', given_up IS NOT NULL "
      "FROM snl.hosted_games WHERE stage <> 'started' AND (created, id) < ($1::bigint, $2) "
      "ORDER BY created DESC, id DESC LIMIT $3::bigint"};
  const Entry from = after.value_or(Entry{.id = "", .created = max_time + 1});
  return entries_by(find, Values().add(from.created).add(from.id).add(postgres::limit_of(limit)));
}

std::int64_t PostgresHostedGames::count_waiting() {
  static constexpr ServerStatement count{
      "count_waiting",
      "SELECT count(*) FROM snl.hosted_games WHERE stage <> 'started' AND given_up IS NULL"};
  return reading([&](ServerConnection& connection) { return connection.run(count).integer(0, 0); });
}

std::vector<HostedGameStore::Entry> PostgresHostedGames::settled(std::size_t limit) {
  static constexpr ServerStatement find{
      "settled",
      "SELECT id, revision, created, visibility = 'private', given_up IS NOT NULL "
      "FROM snl.hosted_games WHERE stage <> 'started' AND stage = 'settled' LIMIT $1::bigint"};
  return entries_by(find, Values().add(postgres::limit_of(limit)));
}

std::vector<HostedGameStore::Entry> PostgresHostedGames::started_after(const std::string& after,
                                                                       std::size_t limit) {
  static constexpr ServerStatement find{
      "started_after",
      "SELECT id, revision, created, visibility = 'private', given_up IS NOT NULL "
      "FROM snl.hosted_games WHERE stage = 'started' AND given_up IS NULL AND id > $1 "
      "ORDER BY id LIMIT $2::bigint"};
  return entries_by(find, Values().add(after).add(postgres::limit_of(limit)));
}

std::vector<HostedGameStore::Entry> PostgresHostedGames::changed_after(std::int64_t after,
                                                                       std::size_t limit) {
  static constexpr ServerStatement find{
      "changed_after",
      "SELECT id, revision, created, visibility = 'private', given_up IS NOT NULL "
      "FROM snl.hosted_games WHERE revision > $1::bigint ORDER BY revision LIMIT $2::bigint"};
  return entries_by(find, Values().add(after).add(postgres::limit_of(limit)));
}

std::vector<std::optional<HostedGameStore::Entry>> PostgresHostedGames::entries(
    std::span<const std::string> games) {
  // No ID has a line end in it.
  static constexpr ServerStatement find{
      "entries",
      "SELECT id, revision, created, visibility = 'private', given_up IS NOT NULL "
      "FROM snl.hosted_games WHERE id = ANY (string_to_array($1, E'\\n'))"};
  const std::string ids = fmt::format("{}", fmt::join(games, "\n"));
  const auto known = entries_by(find, Values().add(ids));
  std::vector<std::optional<Entry>> found;
  for (const std::string& game : games) {
    const auto entry = std::ranges::find(known, game, &Entry::id);
    found.push_back(entry == known.end() ? std::nullopt : std::optional(*entry));
  }
  return found;
}

std::int64_t PostgresHostedGames::last_revision() {
  static constexpr ServerStatement find{"last_change",
                                        "SELECT last FROM snl.hosted_game_revisions WHERE one = 1"};
  return reading([&](ServerConnection& connection) {
    const Rows rows = connection.run(find);
    if (rows.empty())
      throw StoreError(StoreError::Cause::damaged,
                       fmt::format("store {}: the last revision of its hosted games is missing; "
                                   "restore a copy",
                                   connection.name()));
    return rows.integer(0, 0);
  });
}

// ---- Writing

/// Each change of hosted games waits for the one under way, so that change numbers are in the order
/// in which changes become visible. `work` takes the last number and returns the new last one.
template <class Work>
void PostgresHostedGames::in_transaction(const Work& work) {
  static constexpr ServerStatement lock{
      "lock_revisions", "SELECT last FROM snl.hosted_game_revisions WHERE one = 1 FOR UPDATE"};
  static constexpr ServerStatement count{
      "count_revisions", "UPDATE snl.hosted_game_revisions SET last = $1 WHERE one = 1"};
  reading([](ServerConnection& connection) { return connection.execute("BEGIN"); });
  try {
    const std::int64_t last = connection_->run(lock).integer(0, 0);
    if (const std::int64_t now = work(last); now != last)
      connection_->run(count, Values().add(now));
    try {
      connection_->execute("COMMIT");
    } catch (const ServerError& error) {
      if (error.remedy() != postgres::Remedy::confirm) throw;
      postgres::retry(budget, [&] { connection_->confirm(); });
    }
  } catch (...) {
    connection_.reset();  // and with it the transaction
    throw;
  }
}

std::vector<std::optional<std::int64_t>> PostgresHostedGames::keep(
    std::span<const HostedGame> hosted_games) {
  // In the order of IDs, as appends are sent: no two transactions wait for each other.
  static constexpr ServerStatement lock{
      "lock_hosted_games",
      "SELECT FROM snl.hosted_games WHERE id = ANY (string_to_array($1, E'\\n')) "
      "ORDER BY id FOR UPDATE"};
  std::vector<std::optional<std::int64_t>> changes;
  if (hosted_games.empty()) return changes;
  const std::string ids =
      fmt::format("{}", fmt::join(hosted_games | std::views::transform(&HostedGame::id), "\n"));
  in_transaction([&](std::int64_t last) {
    if (hosted_games.size() > 1) connection_->run(lock, Values().add(ids));
    for (const HostedGame& hosted : hosted_games)
      changes.push_back(keep_one(hosted, last + 1) ? std::optional(++last) : std::nullopt);
    return last;
  });
  return changes;
}

/// Changes nothing and returns false if the store has another revision of the game than the caller.
bool PostgresHostedGames::keep_one(const HostedGame& hosted, std::int64_t revision) {
  static constexpr ServerStatement insert{
      "insert_hosted_game",
      "INSERT INTO snl.hosted_games (id, revision, document) VALUES ($1, $2, $3::text::json) "
      "ON CONFLICT DO NOTHING RETURNING id"};
  static constexpr ServerStatement update{
      "update_hosted_game",
      "UPDATE snl.hosted_games SET revision = $2, document = $3::text::json WHERE id = $1 "
      "AND revision = $4 RETURNING id"};
  const std::string document = encode_hosted_game(hosted);
  Values values;
  values.add(hosted.id).add(revision).add(document);
  if (hosted.revision == 0) return !connection_->run(insert, values).empty();
  return !connection_->run(update, values.add(hosted.revision)).empty();
}

bool PostgresHostedGames::forget(const std::string& game, std::int64_t revision) {
  static constexpr ServerStatement remove{
      "forget_hosted_game",
      "DELETE FROM snl.hosted_games WHERE id = $1 AND revision = $2 RETURNING id"};
  bool forgotten = false;
  in_transaction([&](std::int64_t last) {
    forgotten = !connection_->run(remove, Values().add(game).add(revision)).empty();
    return forgotten ? last + 1 : last;
  });
  return forgotten;
}

}  // namespace snl
