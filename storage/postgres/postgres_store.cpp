#include "postgres_store.hpp"

#include "postgres_log.hpp"
#include "retry.hpp"
#include "schema_check.hpp"
#include "storage/appending.hpp"
#include "storage/deadline.hpp"
#include "storage/hosted_game_check.hpp"
#include "storage/transparency/note.hpp"
#include "upgrade.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <random>
#include <stdexcept>
#include <utility>

namespace snl {

using postgres::Remedy;
using postgres::Rows;
using postgres::ServerConnection;
using postgres::ServerError;
using postgres::ServerStatement;
using postgres::Values;

namespace {

using Steady = std::chrono::steady_clock;

// ---- Rows

/// Not a join, which would sort all the rest of the game for each page.
constexpr ServerStatement read_game{
    "read_game",
    "SELECT c.position, c.version, c.time, c.command, c.events, c.command_id, c.hash "
    "FROM snl.commits c WHERE c.game = (SELECT g.game FROM snl.games g WHERE g.id = $1) "
    "AND c.version >= $2::bigint ORDER BY c.version LIMIT $3::bigint"};
constexpr ServerStatement read_store{
    "read_store",
    "SELECT c.position, c.version, c.time, c.command, c.events, c.command_id, c.hash, g.id "
    "FROM snl.commits c JOIN snl.games g ON g.game = c.game "
    "WHERE c.position >= $1::bigint "
    "AND c.position < greatest((SELECT snl.horizon()), $3::bigint) "
    "ORDER BY c.position LIMIT $2::bigint"};

/// Reads a commit from seven columns, beginning with `first`.
CommitView commit_at(const Rows& rows, int row, std::string_view game, int first = 0) {
  CommitView commit{.position = rows.integer(row, first),
                    .game = game,
                    .version = rows.integer(row, first + 1),
                    .time = rows.integer(row, first + 2),
                    .command = rows.text(row, first + 3),
                    .events = rows.text(row, first + 4),
                    .command_id = std::nullopt,
                    .hash = rows.hash(row, first + 6)};
  if (!rows.is_null(row, first + 5)) commit.command_id = rows.text(row, first + 5);
  return commit;
}

constexpr ServerStatement read_entry{
    "list_entry",
    "SELECT g.created, g.completed, p.name, p.seat, p.completed "
    "FROM snl.games g LEFT JOIN snl.players p ON p.game = g.game WHERE g.id = $1 "
    "ORDER BY p.seat"};

/// None if the players' rows aren't those of the game.
std::optional<ListEntry> entry_in(const Rows& rows, const std::string& game) {
  ListEntry entry{
      .id = game, .created = rows.integer(0, 0), .players = {}, .completed = rows.boolean(0, 1)};
  for (int row = 0; row < rows.size(); ++row) {
    if (rows.is_null(row, 2) || rows.integer(row, 3) != row ||
        rows.boolean(row, 4) != entry.completed)
      return std::nullopt;
    entry.players.emplace_back(rows.text(row, 2));
  }
  return entry;
}

/// From the system each time. Forked processes would share the sequence of a generator of our own,
/// and one process would take another's commit for its own.
std::int64_t random_number() {
  static thread_local std::random_device device;
  const std::uint64_t high = device();
  return static_cast<std::int64_t>((high << 32U | device()) >> 1U);
}

/// The time of the last notification, shared by this process's stores on a database.
std::shared_ptr<std::atomic<Steady::rep>> last_notification_of(const std::string& location) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<std::atomic<Steady::rep>>> all;
  const std::lock_guard lock(mutex);
  auto& kept = all[location];
  auto last = kept.lock();
  if (!last) kept = last = std::make_shared<std::atomic<Steady::rep>>(Steady::rep{0});
  return last;
}

}  // namespace

// ---- Opening, and reconnecting

PostgresStore::PostgresStore(std::string location, Use use, Options options)
    : location_(std::move(location)),
      use_(use),
      options_(options),
      last_notified_(last_notification_of(location_)) {
  connect();
}

std::string PostgresStore::name() const {
  return connection_ ? connection_->name() : "on PostgreSQL";
}

void PostgresStore::connect() {
  connection_.reset();
  stretch_.reset();
  is_listening_ = false;
  connection_.emplace(location_, use_);
  if (use_ == Use::write)
    postgres::upgrade(*connection_, postgres::server_migrations());
  else
    postgres::require_schema(*connection_, postgres::server_migrations());
  all_below_ = postgres::mend_clock(*connection_);
}

/// Returns what `attempt` returns, and retries for a while if that may help.
template <class Attempt>
auto PostgresStore::retry(const Attempt& attempt) {
  return postgres::retry(connection_, options_.timeout, [&] { connect(); }, attempt);
}

/// The same for reads. But all reads of a moment belong together, and within a transaction only the
/// caller that began it can do all of it again. A read that fails there leaves the others possible.
template <class Read>
auto PostgresStore::reading(const Read& read) {
  if (is_transaction_lost_) throw ReadTransactionLost(name());
  if (scope_.is_open()) return read(*connection_);
  if (moments_ == 0) return retry(read);
  for (bool has_rows_ahead = stretch_.has_value();; has_rows_ahead = false) {
    try {
      return read(*connection_);
    } catch (const ServerError& error) {
      is_transaction_lost_ = error.is_lost() || error.is_to_be_repeated();
      if (is_transaction_lost_) throw ReadTransactionLost(name());
      connection_->execute("ROLLBACK TO SAVEPOINT moment");
      // This read wasn't done because rows that were asked for ahead can't be read. The reading
      // that takes those says why.
      constexpr std::string_view in_failed_transaction = "25P02";
      if (error.sqlstate() != in_failed_transaction || !has_rows_ahead) throw;
    }
  }
}

// ---- Reading

void PostgresStore::read(const std::string& game, Version from, std::size_t limit,
                         CommitPage& page) {
  fill(page, limit, read_game, game, from);
}

void PostgresStore::read_all(StorePosition from, std::size_t limit, CommitPage& page) {
  fill(page, limit, read_store, "", from);
}

namespace {

/// Bounded, so that large rows don't all have to fit into memory.
constexpr std::size_t rows_at_once = 400;

}  // namespace

/// Fills a page, some rows at a time. A moment doesn't change, so the server is asked for the next
/// rows while the page takes these, and rows that don't fit on it are kept for the next page.
void PostgresStore::fill(CommitPage& page, std::size_t limit, const ServerStatement& statement,
                         const std::string& game, std::int64_t from) {
  reading([&](ServerConnection& connection) {
    const bool reads_ahead = moments_ > 0 && !scope_.is_open() && limit >= rows_at_once;
    page.clear();
    Stretch now{.statement = &statement, .game = game, .from = from};
    if (auto before = std::exchange(stretch_, std::nullopt);
        before && reads_ahead && before->statement == now.statement && before->game == now.game &&
        before->from == now.from)
      now = *std::move(before);
    const bool is_of_game = now.statement == &read_game;
    const auto has_room = [&] { return page.size() < limit && !page.is_full(); };
    while (has_room()) {
      if (!now.rows) {
        const std::size_t count =
            reads_ahead ? rows_at_once : std::min(limit - page.size(), rows_at_once);
        if (!std::exchange(now.has_begun, false)) ask(connection, now, count);
        now.rows = connection.finish();
        now.row = 0;
        now.is_last = now.rows->size() < static_cast<int>(count);
        if (reads_ahead && !now.is_last) {
          const int last = now.rows->size() - 1;
          const Stretch after{.statement = now.statement,
                              .game = now.game,
                              .from = next_number(now.rows->integer(last, is_of_game ? 1 : 0))};
          ask(connection, after, rows_at_once);
          now.has_begun = true;
        }
      }
      for (; now.row < now.rows->size() && has_room(); ++now.row) {
        const CommitView commit =
            commit_at(*now.rows, now.row, is_of_game ? now.game : now.rows->text(now.row, 7));
        page.add(commit);
        now.from = next_number(is_of_game ? commit.version : commit.position);
      }
      if (now.row < now.rows->size()) break;
      now.rows.reset();
      if (now.is_last) return page.mark_as_last();
    }
    if (reads_ahead) stretch_ = std::move(now);
  });
}

void PostgresStore::ask(ServerConnection& connection, const Stretch& stretch,
                        std::size_t count) const {
  Values values;
  if (stretch.statement == &read_game) values.add(stretch.game);
  values.add(stretch.from).add(static_cast<std::int64_t>(count));
  if (stretch.statement == &read_store) values.add(all_below_);
  connection.begin(*stretch.statement, values);
}

std::optional<Commit> PostgresStore::commit(const std::string& game, Version version) {
  static constexpr ServerStatement find{
      "commit",
      "SELECT c.position, c.version, c.time, c.command, c.events, c.command_id, c.hash "
      "FROM snl.games g JOIN snl.commits c ON c.game = g.game "
      "WHERE g.id = $1 AND c.version = $2::bigint"};
  return reading([&](ServerConnection& connection) -> std::optional<Commit> {
    const Rows rows = connection.run(find, Values().add(game).add(version));
    if (rows.empty()) return std::nullopt;
    if (is_in_doubt_) confirm(connection);
    return Commit(commit_at(rows, 0, game));
  });
}

std::optional<Commit> PostgresStore::commit_with_id(const std::string& game,
                                                    const std::string& command_id) {
  static constexpr ServerStatement find{
      "commit_with_id",
      "SELECT c.position, c.version, c.time, c.command, c.events, c.command_id, c.hash "
      "FROM snl.games g JOIN snl.commits c ON c.game = g.game "
      "WHERE g.id = $1 AND c.command_id = $2"};
  return reading([&](ServerConnection& connection) -> std::optional<Commit> {
    const Rows rows = connection.run(find, Values().add(game).add(command_id));
    if (rows.empty()) return std::nullopt;
    confirm(connection);
    return Commit(commit_at(rows, 0, game));
  });
}

std::optional<Head> PostgresStore::head(const std::string& game) {
  static constexpr ServerStatement find{
      "head",
      "SELECT c.version, c.hash FROM snl.games g LEFT JOIN LATERAL "
      "(SELECT version, hash FROM snl.commits l WHERE l.game = g.game "
      "ORDER BY version DESC LIMIT 1) c ON true WHERE g.id = $1"};
  return reading([&](ServerConnection& connection) -> std::optional<Head> {
    const Rows rows = connection.run(find, Values().add(game));
    if (rows.empty()) return std::nullopt;
    if (rows.is_null(0, 0)) return Head{};  // only a damaged store has a game without commits
    return Head{.version = rows.integer(0, 0), .hash = rows.hash(0, 1)};
  });
}

std::optional<ListEntry> PostgresStore::list_entry(const std::string& game) {
  return reading([&](ServerConnection& connection) -> std::optional<ListEntry> {
    const Rows rows = connection.run(read_entry, Values().add(game));
    if (rows.empty()) return std::nullopt;
    return entry_in(rows, game);
  });
}

std::optional<Snapshot> PostgresStore::snapshot(const std::string& game) {
  static constexpr ServerStatement find{
      "snapshot",
      "SELECT s.version, s.head, s.state, s.hash "
      "FROM snl.games g JOIN snl.snapshots s ON s.game = g.game WHERE g.id = $1"};
  return reading([&](ServerConnection& connection) -> std::optional<Snapshot> {
    const Rows rows = connection.run(find, Values().add(game));
    if (rows.empty()) return std::nullopt;
    return Snapshot{.head = {.version = rows.integer(0, 0), .hash = rows.hash(0, 1)},
                    .state = std::string(rows.text(0, 2)),
                    .hash = rows.hash(0, 3)};
  });
}

std::vector<std::string> PostgresStore::list(const ListFilter& filter, std::size_t limit) {
  static constexpr ServerStatement key_of{"key_of_game",
                                          "SELECT game FROM snl.games WHERE id = $1"};
  static constexpr ServerStatement all{"list_all",
                                       "SELECT id FROM snl.games WHERE game < $1::bigint "
                                       "ORDER BY game DESC LIMIT $2::bigint"};
  static constexpr ServerStatement of_status{
      "list_status",
      "SELECT id FROM snl.games WHERE completed = $3::boolean "
      "AND game < $1::bigint ORDER BY game DESC LIMIT $2::bigint"};
  static constexpr ServerStatement of_both{
      "list_player_and_status",
      "SELECT g.id FROM (SELECT game FROM snl.players WHERE name = $3 AND completed = $4::boolean "
      "AND game < $1::bigint ORDER BY game DESC LIMIT $2::bigint) p "
      "JOIN snl.games g ON g.game = p.game ORDER BY p.game DESC"};
  // Two stretches of one index.
  static constexpr ServerStatement of_player{
      "list_player",
      "SELECT g.id FROM ((SELECT game FROM snl.players WHERE name = $3 AND NOT completed "
      "AND game < $1::bigint ORDER BY game DESC LIMIT $2::bigint) UNION ALL "
      "(SELECT game FROM snl.players WHERE name = $3 AND completed "
      "AND game < $1::bigint ORDER BY game DESC LIMIT $2::bigint)) p "
      "JOIN snl.games g ON g.game = p.game ORDER BY p.game DESC LIMIT $2::bigint"};
  if (filter.player && !transparency::is_utf8(*filter.player)) return {};
  return reading([&](ServerConnection& connection) -> std::vector<std::string> {
    std::int64_t below = std::numeric_limits<std::int64_t>::max();
    if (filter.before) {
      const Rows key = connection.run(key_of, Values().add(*filter.before));
      if (key.empty()) return {};
      below = key.integer(0, 0);
    }
    Values values;
    values.add(below).add(postgres::limit_of(limit));
    if (filter.player) values.add(*filter.player);
    if (filter.completed) values.add_bool(*filter.completed);
    if (filter.player)
      return postgres::texts_in(connection.run(filter.completed ? of_both : of_player, values));
    return postgres::texts_in(connection.run(filter.completed ? of_status : all, values));
  });
}

std::vector<std::string> PostgresStore::games_after(const std::string& after, std::size_t limit) {
  static constexpr ServerStatement find{
      "games_after", "SELECT id FROM snl.games WHERE id > $1 ORDER BY id LIMIT $2::bigint"};
  return reading([&](ServerConnection& connection) {
    return postgres::texts_in(
        connection.run(find, Values().add(after).add(postgres::limit_of(limit))));
  });
}

std::vector<std::string> PostgresStore::games_with_prefix(const std::string& prefix,
                                                          std::size_t limit) {
  static constexpr ServerStatement find{
      "games_with_prefix",
      "SELECT id FROM snl.games WHERE id >= $1 AND id < $2 ORDER BY id LIMIT $3::bigint"};
  const std::string end = prefix + '\x7F';  // above every character of an ID
  return reading([&](ServerConnection& connection) {
    return postgres::texts_in(
        connection.run(find, Values().add(prefix).add(end).add(postgres::limit_of(limit))));
  });
}

std::optional<std::string> PostgresStore::newest_game(std::size_t back) {
  static constexpr ServerStatement find{
      "newest_game", "SELECT id FROM snl.games ORDER BY game DESC LIMIT 1 OFFSET $1::bigint"};
  if (!std::in_range<std::int64_t>(back)) return std::nullopt;
  return reading([&](ServerConnection& connection) -> std::optional<std::string> {
    const Rows rows = connection.run(find, Values().add(static_cast<std::int64_t>(back)));
    if (rows.empty()) return std::nullopt;
    return std::string(rows.text(0, 0));
  });
}

StorePosition PostgresStore::wait_for_append(StorePosition after,
                                             std::chrono::milliseconds at_most) {
  static constexpr ServerStatement last{
      "last_position",
      "SELECT coalesce((SELECT position FROM snl.commits "
      "WHERE position < greatest((SELECT snl.horizon()), $1::bigint) "
      "ORDER BY position DESC LIMIT 1), 0)"};
  const std::chrono::milliseconds pause = options_.poll_interval;
  constexpr std::chrono::milliseconds pause_once_notified{2};  // until the horizon has passed
  constexpr int polls_once_notified = 10;
  const auto deadline = deadline_after(at_most);
  int polls = 0;
  while (true) {
    const StorePosition now = reading([&](ServerConnection& connection) {
      return connection.run(last, Values().add(all_below_)).integer(0, 0);
    });
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Steady::now());
    if (now > after || left.count() <= 0 || moments_ > 0 || scope_.is_open()) return now;
    const bool is_notified = reading([&](ServerConnection& connection) {
      // A standby can't listen, so it is polled.
      if (!is_listening_ &&
          connection.run({"recovery", "SELECT pg_is_in_recovery()"}).boolean(0, 0))
        return connection.wait_for_notification(std::min(left, pause));
      if (!is_listening_) {
        connection.execute("LISTEN snl");
        is_listening_ = true;
        return true;
      }
      return connection.wait_for_notification(
          std::min(left, polls > 0 ? pause_once_notified : pause));
    });
    polls = is_notified ? polls_once_notified : std::max(polls - 1, 0);
  }
}

// ---- One moment

std::unique_ptr<ReadTransaction> PostgresStore::read_transaction() {
  return std::make_unique<StoreReadTransaction<PostgresStore>>(*this);
}

/// Within `locked`, nobody else appends anyway.
void PostgresStore::begin_read_transaction() {
  if (is_transaction_lost_) throw ReadTransactionLost(name());
  if (moments_ == 0 && !scope_.is_open())
    reading([](ServerConnection& connection) {
      return connection.execute(
          "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SAVEPOINT moment");
    });
  ++moments_;
}

void PostgresStore::end_read_transaction() {
  if (--moments_ > 0) return;
  stretch_.reset();
  const bool lost = std::exchange(is_transaction_lost_, false);
  if (scope_.is_open()) return;
  if (!lost)
    roll_back();
  else
    connection_.reset();  // the next read makes it anew
}

void PostgresStore::roll_back() {
  try {
    if (connection_) connection_->execute("ROLLBACK");
  } catch (const std::exception&) {
    connection_.reset();  // the transaction is gone with it
  }
}

// ---- Appending

namespace {

/// The most commits for which one transaction has positions.
constexpr std::int64_t most_commits = std::int64_t{1} << 20U;

/// Appends one commit if the game has this head and its hosted game, if one is given, this
/// revision; otherwise it fails, as migrations/postgres says. Nobody changes that hosted game
/// before the transaction has ended.
constexpr ServerStatement append_commit{
    "append_commit",
    "INSERT INTO snl.appending "
    "(game, version, follows, position, time, attempt, hash, command, events, command_id) VALUES "
    "((SELECT g.game FROM snl.games g WHERE g.id = $1), $2::bigint, "
    "CASE WHEN $3::bigint IS NULL OR $3 = (SELECT h.revision FROM snl.hosted_games h "
    "WHERE h.id = $1 FOR KEY SHARE) "
    "THEN $4::bytea END, "
    "((txid_current() + (SELECT k.shift FROM snl.clock k)) << 20) + $5::bigint, "
    "$6::bigint, $7::bigint, $8::bytea, $9::text, $10::text, $11::text)"};
/// Writes a game's row for lists, before its commits.
constexpr ServerStatement list_game{"list_game", "SELECT snl.list_game($1, $2, $3, $4, $5)"};
constexpr ServerStatement put_snapshot{
    "put_snapshot",
    "INSERT INTO snl.snapshots (game, version, head, state, hash) "
    "SELECT g.game, $2, $3, $4, $5 FROM snl.games g WHERE g.id = $1 "
    "ON CONFLICT (game) DO UPDATE SET version = excluded.version, head = excluded.head, "
    "state = excluded.state, hash = excluded.hash"};
/// Everything that decides whether an append is admitted, or was recorded already.
constexpr ServerStatement inspect_game{
    "inspect_game",
    "SELECT l.version, l.hash, "
    "(SELECT h.revision FROM snl.hosted_games h WHERE h.id = a.id), "
    "EXISTS (SELECT FROM snl.commits c WHERE c.game = g.game AND c.version = $2::bigint "
    "AND c.attempt = $3::bigint), "
    "u.position, u.version, u.time, u.command, u.events, u.command_id, u.hash "
    "FROM (SELECT $1::text AS id) a LEFT JOIN snl.games g ON g.id = a.id "
    "LEFT JOIN LATERAL (SELECT c.version, c.hash FROM snl.commits c WHERE c.game = g.game "
    "ORDER BY c.version DESC LIMIT 1) l ON true "
    "LEFT JOIN LATERAL (SELECT c.* FROM unnest($4::text[]) WITH ORDINALITY i (id, place) "
    "JOIN snl.commits c ON c.game = g.game AND c.command_id = i.id ORDER BY i.place LIMIT 1) u "
    "ON true"};

/// Whether the sender names the game's head, so that nobody has to read it first.
bool is_named(const Append& append) {
  return !append.commits.empty() && (append.expected.hash || append.expected.version == 0);
}

/// A write whose commit waits for the standbys, as each commit does: everything seen before it is
/// as durable.
constexpr ServerStatement be_durable{"be_durable",
                                     "SELECT pg_logical_emit_message(true, 'snl', '')"};

}  // namespace

/// The appends of one transaction. The heads that senders expect are taken for the real ones,
/// unless inspect() has read those: the server compares them.
class PostgresStore::Batch final : public AppendPrimitives {
 public:
  /// The transaction already has `first` commits.
  Batch(PostgresStore& store, std::span<const Append> appends, std::int64_t first)
      : store_(store), appends_(appends), first_(first) {
    std::int64_t commits = first;
    for (const Append& append : appends)
      commits += static_cast<std::int64_t>(append.commits.size());
    if (commits > most_commits)
      throw StoreError(StoreError::Cause::failed,
                       fmt::format("store {}: {} commits are too many for one transaction, which "
                                   "has room for {}; make several of them",
                                   store.name(), commits, most_commits));
  }

  /// Prepares the statements to send, or returns the refusal that they would get.
  Heads plan() {
    parts_.clear();
    next_ = first_;
    auto heads = append_by(*this, appends_);
    if (!heads || parts_.empty()) return heads;
    // In the order of IDs, no two transactions wait for each other.
    std::ranges::sort(parts_, {},
                      [](const Part& part) { return std::string_view(part.append->game); });
    const std::int64_t* const unknown = store_.unknown_.find(key());
    is_sent_again_ = unknown != nullptr;
    token_ = is_sent_again_ ? *unknown : random_number();
    return heads;
  }

  /// Records all commits, if the transaction does; or records nothing, and throws its ServerError.
  void send(ServerConnection& connection) {
    connection.run_together({append_commit, list_game, put_snapshot},
                            [&](const ServerConnection::Send& send) {
                              for (const Part& part : parts_) {
                                send_entry(part, send);
                                send_commits(part, send);
                                send_snapshot(part, send);
                              }
                            });
  }

  /// Reads the games' heads. True if all commits are there, from an earlier attempt.
  bool inspect(ServerConnection& connection) {
    const auto results =
        connection.run_together({inspect_game}, [&](const ServerConnection::Send& send) {
          for (const Append& append : appends_) {
            std::vector<std::optional<std::string_view>> ids;
            for (const NewCommit& commit : append.commits)
              if (commit.command_id) ids.emplace_back(*commit.command_id);
            send(inspect_game, Values()
                                   .add(append.game)
                                   .add(append.expected.version.value_or(0) + 1)
                                   .add(token_)
                                   .add_literal(postgres::array_literal(ids)));
          }
        });
    bool are_ours = true;
    bool is_used = false;
    for (std::size_t i = 0; i < appends_.size(); ++i) {
      const Rows& rows = results[i];
      Seen& seen = seen_[appends_[i].game];
      seen = {};
      if (!rows.is_null(0, 0)) seen.head = {rows.integer(0, 0), rows.hash(0, 1)};
      if (!rows.is_null(0, 2)) seen.revision = rows.integer(0, 2);
      are_ours = are_ours && rows.boolean(0, 3);
      if (!rows.is_null(0, 4)) seen.used.emplace(commit_at(rows, 0, appends_[i].game, 4));
      is_used = is_used || seen.used;
    }
    if (are_ours || is_used) store_.confirm(connection);
    return are_ours;
  }

  /// The key by which a repeated batch is recognised.
  std::string key() const { return std::string(as_text(parts_.front().hashes.back())); }
  std::int64_t token() const { return token_; }
  bool is_sent_again() const { return is_sent_again_; }
  void mark_as_unknown() { is_sent_again_ = true; }
  std::int64_t commits() const { return next_ - first_; }
  std::optional<ProbeCommit> probe() const {
    if (parts_.empty()) return std::nullopt;
    const Part& part = parts_.front();
    return ProbeCommit{
        .game = part.append->game, .version = part.before.version + 1, .token = token_};
  }

  std::optional<Commit> used_id(const std::string& game, const std::string& command_id) override {
    const auto seen = seen_.find(game);
    if (seen == seen_.end() || !seen->second.used || seen->second.used->command_id != command_id)
      return std::nullopt;
    return seen->second.used;
  }
  std::optional<std::int64_t> revision(const Append& append) override {
    const auto seen = seen_.find(append.game);
    return seen == seen_.end() ? append.expected_revision : seen->second.revision;
  }
  LogEnd end_of(const Append& append) override {
    if (const auto seen = seen_.find(append.game); seen != seen_.end())
      return {.head = seen->second.head};
    return {.head = {append.expected.version.value_or(0), append.expected.hash.value_or(Hash{})}};
  }
  void write(const Append& append, const LogEnd& before, const Head& after,
             std::span<const Hash> hashes) override {
    parts_.push_back({.append = &append,
                      .before = before.head,
                      .after = after,
                      .hashes = {hashes.begin(), hashes.end()},
                      .first = next_});
    next_ += static_cast<std::int64_t>(hashes.size());
  }

 private:
  struct Part {
    const Append* append = nullptr;
    Head before;
    Head after;
    std::vector<Hash> hashes;
    std::int64_t first = 0;  // the place of its first commit in the transaction
  };
  struct Seen {
    Head head;
    std::optional<std::int64_t> revision;
    std::optional<Commit> used;
  };

  static void send_entry(const Part& part, const ServerConnection::Send& send) {
    Values values;
    values.add(part.append->game);
    if (part.before.version == 0) {
      const ListEntry entry = first_entry(*part.append);
      const std::vector<std::optional<std::string_view>> players(entry.players.begin(),
                                                                 entry.players.end());
      values.add_small(static_cast<std::int32_t>(part.first)).add(entry.created);
      values.add_bool(entry.completed).add_literal(postgres::array_literal(players));
      send(list_game, values);
    } else if (may_change_status(*part.append)) {
      values.add_null().add_null().add_bool(part.append->after->completed()).add_null();
      send(list_game, values);
    }
  }

  void send_commits(const Part& part, const ServerConnection::Send& send) const {
    const Hash* before = &part.before.hash;
    for (std::size_t i = 0; i < part.hashes.size(); ++i) {
      const NewCommit& commit = part.append->commits[i];
      const auto place = static_cast<std::int64_t>(i);
      send(append_commit, Values()
                              .add(part.append->game)
                              .add(part.before.version + 1 + place)
                              .add_optional(part.append->expected_revision)
                              .add(*before)
                              .add(part.first + place)
                              .add(commit.time)
                              .add(token_)
                              .add(part.hashes[i])
                              .add(commit.command)
                              .add(commit.events)
                              .add_optional(commit.command_id));
      before = &part.hashes[i];
    }
  }

  static void send_snapshot(const Part& part, const ServerConnection::Send& send) {
    if (!is_snapshot_due(part.before.version, part.after.version)) return;
    const Snapshot due = snapshot_of(*part.append->after, part.after);
    send(put_snapshot, Values()
                           .add(part.append->game)
                           .add(due.head.version)
                           .add(due.head.hash)
                           .add(due.state)
                           .add(due.hash));
  }

  PostgresStore& store_;
  std::span<const Append> appends_;
  std::int64_t first_;
  std::int64_t next_ = 0;
  std::vector<Part> parts_;
  std::int64_t token_ = 0;
  bool is_sent_again_ = false;
  std::map<std::string, Seen, std::less<>> seen_;
};

void PostgresStore::require_writable() const {
  if (use_ != Use::write)
    throw StoreError(
        StoreError::Cause::failed,
        fmt::format("store {}: it was opened to be read, and nothing can be appended", name()));
  if (moments_ > 0)
    throw std::logic_error("an append at one moment, at which only reading is done");
}

/// Does nothing in a read transaction, which can't write, and reports no turn as recorded. Call it
/// where retry() does it again if the wait was cancelled.
void PostgresStore::confirm(ServerConnection& connection) {
  if (use_ != Use::write || moments_ > 0) return;
  connection.confirm();
  if (!scope_.is_open()) is_in_doubt_ = false;
}

PostgresStore::Heads PostgresStore::append(std::span<const Append> appends) {
  std::optional<Heads> heads;
  const auto append_all = [&] { heads = append_locked(appends); };
  if (scope_.is_open()) {
    scope_.join(append_all, name());
    return *std::move(heads);
  }
  require_writable();
  if (std::ranges::all_of(appends, is_named)) return append_at_heads(appends);
  // Games that have to be read first, or that get no commits, must not change.
  in_transaction(append_all);
  return *std::move(heads);
}

/// Uses a transaction of its own. If the server was lost, the same batch is sent again until its
/// outcome is known.
PostgresStore::Heads PostgresStore::append_at_heads(std::span<const Append> appends) {
  Batch batch(*this, appends, 0);
  const Heads planned = batch.plan();
  if (!planned || planned->empty()) return planned;
  const std::string key = batch.key();
  try {
    auto heads = retry([&](ServerConnection& connection) -> Heads {
      try {
        batch.send(connection);
        notify_others();
        return planned;
      } catch (const ServerError& error) {
        if (error.leaves_in_doubt()) remember_unknown(batch);
        if (error.remedy() != Remedy::inspect) throw;
        if (batch.inspect(connection)) return planned;
        return refusal_of(batch, error);
      }
    });
    unknown_.erase(key);
    return heads;
  } catch (const StoreError& error) {
    // An earlier call may have left it in doubt, too.
    if (batch.is_sent_again()) give_up_in_doubt(error);
    throw;
  }
}

/// The refusal that the games' heads explain. Throws if all is as expected: either the conflict
/// passes, or the store is damaged.
PostgresStore::Heads PostgresStore::refusal_of(Batch& batch, const ServerError& error) {
  const bool is_sent_again = batch.is_sent_again();
  auto planned = batch.plan();
  if (planned) throw cant_be_appended_to(error, Remedy::again);
  auto& why = planned.error().why;
  if (auto* conflict = std::get_if<VersionConflict>(&why))
    conflict->conflicts_with_other_writer = is_sent_again;
  // The first attempt may still become recorded.
  if (is_sent_again && std::holds_alternative<RevisionConflict>(why)) {
    give_up_in_doubt({StoreError::Cause::busy,
                      fmt::format("store {}: the hosted game {} was changed while the outcome of "
                                  "an append was unknown; try again",
                                  name(), planned.error().game)});
  }
  return planned;
}

ServerError PostgresStore::cant_be_appended_to(const ServerError& error, Remedy remedy) const {
  return {StoreError::Cause::damaged,
          fmt::format("{}; nothing can be appended; snl db check says what is wrong with the "
                      "store",
                      error.what()),
          remedy, error.sqlstate()};
}

/// Lets a repeated batch count as the same append.
void PostgresStore::remember_unknown(Batch& batch) {
  unknown_.put(batch.key(), batch.token());
  batch.mark_as_unknown();
}

void PostgresStore::give_up_in_doubt(const StoreError& why) {
  is_in_doubt_ = true;
  throw OutcomeUnknown(why.cause(), why.what());
}

/// Call it in a transaction in which nobody else appends.
PostgresStore::Heads PostgresStore::append_locked(std::span<const Append> appends) {
  Batch batch(*this, appends, commits_in_transaction_);
  batch.inspect(*connection_);
  auto planned = batch.plan();
  if (!planned || batch.commits() == 0) return planned;
  try {
    batch.send(*connection_);
  } catch (const ServerError& error) {
    if (error.remedy() != Remedy::inspect) throw;
    throw cant_be_appended_to(error, Remedy::none);
  }
  commits_in_transaction_ += batch.commits();
  if (!probe_) probe_ = batch.probe();
  return planned;
}

/// Notifies others of new commits, but not of each: after fast or concurrent turns, readers poll
/// anyway.
void PostgresStore::notify_others() {
  constexpr std::chrono::milliseconds interval{50};
  const auto now = Steady::now().time_since_epoch();
  auto last = last_notified_->load();
  if (now - Steady::duration(last) < interval) return;
  if (last_notified_->compare_exchange_strong(last, now.count())) connection_->send("NOTIFY snl");
}

// ---- Nobody else appends

void PostgresStore::locked(const std::string& /*game*/,
                           const std::function<void(EventStore& store)>& work) {
  in_transaction([&] { work(*this); });
}

/// Runs `work` in a transaction, or as a part of the open one. Runs it again if that may help,
/// unless its commits turn out to be recorded.
void PostgresStore::in_transaction(const std::function<void()>& work) {
  if (scope_.is_open()) return scope_.join(work, name());
  require_writable();
  std::optional<ProbeCommit> unknown;
  try {
    retry([&](ServerConnection& connection) {
      try {
        begin_group();
        if (unknown && is_recorded(*unknown))
          connection.run(be_durable);
        else
          scope_.open(work, name());
      } catch (...) {
        roll_back();
        throw;
      }
      try {
        connection.execute("COMMIT");
      } catch (const ServerError& error) {
        if (error.leaves_in_doubt() && probe_) unknown = probe_;
        throw;
      }
    });
  } catch (const StoreError& error) {
    if (!unknown) throw;
    give_up_in_doubt(error);
  }
  notify_others();
}

void PostgresStore::begin_group() {
  static constexpr ServerStatement lock{"lock_games", "SELECT snl.lock_games()"};
  connection_->execute("BEGIN");
  connection_->run(lock);
  commits_in_transaction_ = 0;
  probe_.reset();
}

/// Nobody else appends now, and every append under way has ended. So a commit that isn't there
/// won't appear later.
bool PostgresStore::is_recorded(const ProbeCommit& probe) {
  static constexpr ServerStatement find{
      "is_recorded",
      "SELECT 1 FROM snl.games g JOIN snl.commits c ON c.game = g.game "
      "WHERE g.id = $1 AND c.version = $2::bigint AND c.attempt = $3::bigint"};
  return !connection_->run(find, Values().add(probe.game).add(probe.version).add(probe.token))
              .empty();
}

// ---- Maintenance

namespace {

/// Each query returns a game or null, the kind of problem, and its text.
constexpr std::array faults{
    std::string_view(
        "SELECT NULL, 'orphan', 'commit ' || position || ' belongs to no game' FROM snl.commits c "
        "WHERE NOT EXISTS (SELECT 1 FROM snl.games g WHERE g.game = c.game) LIMIT 10"),
    std::string_view(
        "SELECT NULL, 'orphan', 'player ' || name || ' belongs to no game' FROM snl.players p "
        "WHERE NOT EXISTS (SELECT 1 FROM snl.games g WHERE g.game = p.game) LIMIT 10"),
    std::string_view(
        "SELECT id, 'gap', 'the game has no commits' FROM snl.games g "
        "WHERE NOT EXISTS (SELECT 1 FROM snl.commits c WHERE c.game = g.game) LIMIT 10"),
    std::string_view("SELECT g.id, 'order', 'its key isn''t the position of its first commit' "
                     "FROM snl.games g JOIN snl.commits c ON c.game = g.game AND c.version = 1 "
                     "WHERE c.position <> g.game LIMIT 10"),
    std::string_view(
        "SELECT (SELECT g.id FROM snl.games g WHERE g.game = c.game), 'order', "
        "'version ' || c.version || ' doesn''t follow the head of the version before it' "
        "FROM snl.commits c LEFT JOIN snl.commits p "
        "ON p.game = c.game AND p.version = c.version - 1 WHERE c.follows <> '' AND "
        "c.follows <> coalesce(p.hash, decode(repeat('00', 32), 'hex')) LIMIT 10"),
    std::string_view(
        "SELECT NULL, 'gap', 'a commit is missing before position ' || position FROM "
        "(SELECT position, row_number() OVER (PARTITION BY position >> 20 ORDER BY position) AS n "
        "FROM snl.commits) c WHERE (position & 1048575) <> n - 1 LIMIT 1"),
    std::string_view(
        "SELECT NULL, 'tree', 'node ' || n || ' of level ' || level || ' begins with another "
        "commit; DELETE FROM snl.tree, and the next checkpoint makes all of it anew' FROM "
        "snl.tree t LEFT JOIN (SELECT position, row_number() OVER (ORDER BY position) - 1 AS i "
        "FROM snl.commits) c ON c.i = t.n << (8 * t.level) "
        "WHERE t.first IS DISTINCT FROM c.position LIMIT 1"),
    std::string_view("SELECT NULL, 'clock', 'the row by which positions are counted is missing' "
                     "WHERE (SELECT count(*) FROM snl.clock) <> 1"),
    std::string_view("SELECT NULL, 'room', 'the last revision of hosted games is missing, or lower "
                     "than one of theirs' "
                     "WHERE (SELECT count(*) FROM snl.hosted_game_revisions) <> 1 OR "
                     "(SELECT max(revision) FROM snl.hosted_games) > "
                     "(SELECT last FROM snl.hosted_game_revisions)")};

void add_faulty_hosted_games(ServerConnection& connection, std::vector<Problem>& problems) {
  static constexpr ServerStatement read{
      "hosted_games",
      "SELECT h.id, h.revision, h.document::text, c.events FROM snl.hosted_games h "
      "LEFT JOIN snl.games g ON g.id = h.id "
      "LEFT JOIN snl.commits c ON c.game = g.game AND c.version = 1 "
      "WHERE h.id > $1 ORDER BY h.id LIMIT 100"};
  std::size_t found = 0;
  std::string after;
  while (true) {
    const Rows rows = connection.run(read, Values().add(after));
    if (rows.empty()) return;
    for (int row = 0; row < rows.size(); ++row) {
      after = rows.text(row, 0);
      auto problem = fault_of_hosted_game(
          after, rows.integer(row, 1), rows.text(row, 2),
          rows.is_null(row, 3) ? std::nullopt : std::optional(rows.text(row, 3)));
      if (!problem) continue;
      problems.push_back(*std::move(problem));
      if (++found == most_faulty_hosted_games) return;
    }
  }
}

}  // namespace

std::vector<Problem> PostgresStore::check() {
  return in_read_transaction(*this, [&](ReadTransaction&) {
    return reading([&](ServerConnection& connection) {
      // Each of these reads whole tables.
      connection.execute(
          "SET LOCAL enable_seqscan = on; SET LOCAL enable_hashjoin = on; "
          "SET LOCAL enable_mergejoin = on; SET LOCAL enable_bitmapscan = on");
      auto problems = postgres::faults_of_schema(connection, postgres::server_migrations());
      for (const std::string_view fault : faults) {
        const Rows rows = connection.execute(std::string(fault).c_str());
        for (int row = 0; row < rows.size(); ++row) {
          problems.push_back({std::nullopt, std::nullopt, std::string(rows.text(row, 1)),
                              std::string(rows.text(row, 2))});
          if (!rows.is_null(row, 0)) problems.back().game = std::string(rows.text(row, 0));
        }
      }
      add_faulty_hosted_games(connection, problems);
      return problems;
    });
  });
}

void PostgresStore::read_log(const std::function<void(transparency::LogReader& log)>& work) {
  in_read_transaction(*this, [&](ReadTransaction&) {
    return reading([&](ServerConnection& connection) {
      PostgresLog log(connection, all_below_);
      work(log);
      return true;
    });
  });
}

/// Signed commits must survive a failover. So everything below the horizon is confirmed before
/// `work` sees it, and that can't be done within a transaction: the lock is the session's.
void PostgresStore::write_log(const std::function<void(transparency::LogStore& log)>& work) {
  require_writable();
  try {
    std::optional<PostgresLog> log;
    reading([&](ServerConnection& connection) {
      connection.execute("SELECT pg_advisory_lock(hashtextextended('snl log', 0))");
      log.emplace(connection, all_below_);
      confirm(connection);
    });
    connection_->execute("BEGIN");
    work(*log);
    connection_->execute("COMMIT; SELECT pg_advisory_unlock_all()");
  } catch (...) {
    connection_.reset();  // the lock is gone with it, and the transaction too
    throw;
  }
}

bool PostgresStore::may_lose_commits() {
  static constexpr ServerStatement find{"standbys",
                                        "SELECT current_setting('synchronous_standby_names') = ''"};
  return reading([&](ServerConnection& connection) { return connection.run(find).boolean(0, 0); });
}

std::vector<std::string> PostgresStore::holding_up() {
  static constexpr ServerStatement find{
      "holding_up",
      "SELECT 'process ' || pid || ' (' || coalesce(application_name, '') || ', database ' || "
      "coalesce(datname, '') || ', ' || coalesce(state, '?') || ') ' || coalesce("
      "'has been in a transaction for ' || "
      "extract(epoch FROM now() - xact_start)::bigint || ' s', "
      "'is in a transaction; a role needs pg_read_all_stats to see since when') "
      "FROM pg_stat_activity WHERE backend_xid IS NOT NULL "
      "AND coalesce(xact_start < now() - interval '1 s', true) "
      "AND pid <> pg_backend_pid() UNION ALL "
      "SELECT 'the transaction ' || quote_literal(gid) || ' (database ' || database || ') has been "
      "prepared for ' || extract(epoch FROM now() - prepared)::bigint || ' s' "
      "FROM pg_prepared_xacts WHERE prepared < now() - interval '1 s'"};
  return reading(
      [&](ServerConnection& connection) { return postgres::texts_in(connection.run(find)); });
}

}  // namespace snl
