#include "postgres_store.hpp"

#include "schema_check.hpp"
#include "storage/codec.hpp"
#include "storage/forwarded_reads.hpp"
#include "storage/hosted_game_check.hpp"
#include "upgrade.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <numeric>
#include <random>
#include <stdexcept>
#include <thread>

namespace snl {

using postgres::Endurance;
using postgres::Rows;
using postgres::ServerConnection;
using postgres::ServerError;
using postgres::ServerStatement;
using postgres::Values;

namespace {

using Steady = std::chrono::steady_clock;

// ---- Rows

/// Not as a join: that would sort all that is left of the game for each page.
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

CommitView commit_at(const Rows& rows, int row, std::string_view game) {
  CommitView commit{.position = rows.integer(row, 0),
                    .game = game,
                    .version = rows.integer(row, 1),
                    .time = rows.integer(row, 2),
                    .command = rows.text(row, 3),
                    .events = rows.text(row, 4),
                    .command_id = std::nullopt,
                    .hash = rows.hash(row, 6)};
  if (!rows.is_null(row, 5)) commit.command_id = rows.text(row, 5);
  return commit;
}

constexpr ServerStatement read_entry{
    "list_entry",
    "SELECT g.created, g.completed, p.name, p.seat, p.completed "
    "FROM snl.games g LEFT JOIN snl.players p ON p.game = g.game WHERE g.id = $1 "
    "ORDER BY p.seat"};

/// None where the players' rows aren't those of the game.
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

/// From the system each time: a generator of our own would go on alike in processes that were
/// forked from one, and what one of them recorded would be taken for another's.
std::int64_t random_number() {
  static thread_local std::random_device device;
  const std::uint64_t high = device();
  return static_cast<std::int64_t>((high << 32U | device()) >> 1U);
}

/// What the stores of this process that are open on a database share.
std::shared_ptr<std::atomic<Steady::rep>> told_of(const std::string& location) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<std::atomic<Steady::rep>>> all;
  const std::lock_guard lock(mutex);
  auto& kept = all[location];
  auto told = kept.lock();
  if (!told) kept = told = std::make_shared<std::atomic<Steady::rep>>(Steady::rep{0});
  return told;
}

}  // namespace

// ---- Opening, and finding again what was lost

PostgresStore::PostgresStore(std::string location, Use use, Options options)
    : location_(std::move(location)), use_(use), options_(options), told_(told_of(location_)) {
  connect();
}

PostgresStore::~PostgresStore() = default;

std::string PostgresStore::name() const {
  return connection_ ? connection_->name() : "on PostgreSQL";
}

void PostgresStore::connect() {
  connection_.reset();
  stretch_.reset();
  is_listening_ = false;
  known_.clear();
  connection_.emplace(location_, use_);
  if (use_ == Use::write)
    postgres::upgrade(*connection_, postgres::server_migrations());
  else
    postgres::require_schema(*connection_, postgres::server_migrations());
  all_below_ = postgres::mend_clock(*connection_);
}

/// `patience` is with a server that is found again and again, to be lost once more.
void PostgresStore::connect_again(const ServerError& lost, Endurance& patience) {
  connection_.reset();
  if (!patience.pause()) throw ServerError(lost);
  constexpr std::chrono::milliseconds longest_pause{250};
  const auto deadline = Steady::now() + options_.patience;
  for (std::chrono::milliseconds pause{5};; pause = std::min(2 * pause, longest_pause)) {
    try {
      return connect();
    } catch (const ServerError& error) {
      if (!error.is_lost() || Steady::now() >= deadline)
        throw ServerError(error.cause(),
                          error.what() == std::string_view(lost.what())
                              ? error.what()
                              : fmt::format("{} (it was lost: {})", error.what(), lost.what()),
                          error.sqlstate(), true);
    }
    std::this_thread::sleep_for(pause);
  }
}

/// What `read` answers; again where the server was lost meanwhile, unless what was read before has
/// to be of the same moment.
template <class Read>
auto PostgresStore::reading(const Read& read) {
  if (is_moment_lost_) throw SnapshotLost(name());
  for (Endurance patience(options_.patience);;) {
    try {
      if (!connection_) connect();
      return read(*connection_);
    } catch (const ServerError& error) {
      if (!error.is_lost() && !error.is_to_be_repeated()) throw;
      if (scope_.is_open()) throw;
      if (moments_ > 0) {
        is_moment_lost_ = true;
        throw SnapshotLost(name());
      }
      if (error.is_lost())
        connect_again(error, patience);
      else if (!patience.pause())
        throw;
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

/// Large rows don't have to fit into memory all together.
constexpr std::size_t rows_at_once = 400;

}  // namespace

/// Fills a page, some rows at a time. What is of one moment stays as it is: so the server is asked
/// for the rows that follow while those before are looked at, and what has no place in this page is
/// kept for the next.
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

std::optional<StateSnapshot> PostgresStore::state_snapshot(const std::string& game) {
  static constexpr ServerStatement find{
      "state_snapshot",
      "SELECT g.game, s.version, s.head, s.state, s.hash "
      "FROM snl.games g LEFT JOIN snl.snapshots s ON s.game = g.game WHERE g.id = $1"};
  return reading([&](ServerConnection& connection) -> std::optional<StateSnapshot> {
    const Rows rows = connection.run(find, Values().add(game));
    if (rows.empty()) return std::nullopt;
    know(game, rows.integer(0, 0));  // whoever loads a game may append to it
    if (rows.is_null(0, 1)) return std::nullopt;
    return StateSnapshot{.head = {.version = rows.integer(0, 1), .hash = rows.hash(0, 2)},
                         .state = std::string(rows.text(0, 3)),
                         .hash = rows.hash(0, 4)};
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
  const std::chrono::milliseconds pause = options_.look_every;
  constexpr std::chrono::milliseconds pause_once_told{2};  // until the horizon has passed
  constexpr int looks_once_told = 10;
  const auto deadline = Steady::now() + at_most;
  int looks = 0;
  while (true) {
    const StorePosition now = reading([&](ServerConnection& connection) {
      return connection.run(last, Values().add(all_below_)).integer(0, 0);
    });
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Steady::now());
    if (now > after || left.count() <= 0 || moments_ > 0 || scope_.is_open()) return now;
    const bool told = reading([&](ServerConnection& connection) {
      // A standby can't listen, and is asked now and then.
      if (!is_listening_ &&
          connection.run({"recovery", "SELECT pg_is_in_recovery()"}).boolean(0, 0))
        return connection.wait_for_notification(std::min(left, pause));
      if (!is_listening_) {
        connection.execute("LISTEN snl");
        is_listening_ = true;
        return true;
      }
      return connection.wait_for_notification(std::min(left, looks > 0 ? pause_once_told : pause));
    });
    looks = told ? looks_once_told : std::max(looks - 1, 0);
  }
}

// ---- One moment

std::unique_ptr<Snapshot> PostgresStore::snapshot() {
  return std::make_unique<Moment<PostgresStore>>(*this);
}

/// Within `locked` nobody else moves anyway.
void PostgresStore::begin_moment() {
  if (is_moment_lost_) throw SnapshotLost(name());
  if (moments_ == 0 && !scope_.is_open())
    reading([](ServerConnection& connection) {
      return connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    });
  ++moments_;
}

void PostgresStore::end_moment() {
  if (--moments_ > 0) return;
  stretch_.reset();
  const bool lost = std::exchange(is_moment_lost_, false);
  if (scope_.is_open()) return;
  if (!lost)
    roll_back();
  else
    connection_.reset();  // made anew by who reads next
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

// What the function `append` answers (migrations/postgres).
constexpr std::int64_t id_is_used = -(std::int64_t{1} << 61U);
constexpr std::int64_t summary_is_due = id_is_used - 1;
// What `append_in_room` answers in its place.
constexpr std::int64_t room_has_changed = id_is_used - 2;
/// What stands for the position of a commit that was inserted.
constexpr std::int64_t recorded = 1;
constexpr std::size_t most_unknown = 1024;

/// The most commits that one transaction has positions for.
constexpr std::int64_t most_commits = std::int64_t{1} << 20U;

/// A turn like most: one commit of a game that isn't new, which goes on. The trigger compares, and
/// has nothing inserted where the game is elsewhere (migrations/postgres).
constexpr ServerStatement append_turn{
    "append_turn",
    "INSERT INTO snl.commits "
    "(game, version, position, time, attempt, hash, command, events, command_id) "
    "VALUES ($1::bigint, $2::bigint, $3::bigint, $4::bigint, $5::bigint, $6::bytea, $7::text, "
    "$8::text, $9::text)"};
/// The same of a game whose key is looked up.
constexpr ServerStatement append_turn_by_id{
    "append_turn_by_id",
    "INSERT INTO snl.commits "
    "(game, version, position, time, attempt, hash, command, events, command_id) "
    "SELECT g.game, $2::bigint, $3::bigint, $4::bigint, $5::bigint, $6::bytea, $7::text, "
    "$8::text, $9::text FROM snl.games g WHERE g.id = $1"};
/// Several such turns, each of another game.
constexpr ServerStatement append_turns{
    "append_turns",
    "INSERT INTO snl.commits "
    "(game, version, position, time, attempt, hash, command, events, command_id) "
    "SELECT t.game, t.version, t.n, t.time, $9::bigint, t.hash, t.command, t.events, t.command_id "
    "FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[], $6::text[], "
    "$7::text[], $8::text[]) AS t (game, version, n, time, hash, command, events, command_id)"};
// The same three of games with rooms: each only while its room's last change is the one that its
// sender knows.
constexpr ServerStatement append_turn_in_room{
    "append_turn_in_room",
    "INSERT INTO snl.commits "
    "(game, version, position, time, attempt, hash, command, events, command_id) "
    "SELECT $1::bigint, $2::bigint, $3::bigint, $4::bigint, $5::bigint, $6::bytea, $7::text, "
    "$8::text, $9::text FROM snl.hosted_games r WHERE r.id = $10 AND r.revision = $11::bigint"};
constexpr ServerStatement append_turn_by_id_in_room{
    "append_turn_by_id_in_room",
    "INSERT INTO snl.commits "
    "(game, version, position, time, attempt, hash, command, events, command_id) "
    "SELECT g.game, $2::bigint, $3::bigint, $4::bigint, $5::bigint, $6::bytea, $7::text, "
    "$8::text, $9::text FROM snl.games g JOIN snl.hosted_games r ON r.id = g.id "
    "WHERE g.id = $1 AND r.revision = $10::bigint"};
constexpr ServerStatement append_turns_in_room{
    "append_turns_in_room",
    "INSERT INTO snl.commits "
    "(game, version, position, time, attempt, hash, command, events, command_id) "
    "SELECT t.game, t.version, t.n, t.time, $9::bigint, t.hash, t.command, t.events, t.command_id "
    "FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[], $6::text[], "
    "$7::text[], $8::text[], $10::text[], $11::bigint[]) "
    "AS t (game, version, n, time, hash, command, events, command_id, id, change) "
    // A query of its own for each, so that they stay in their order. One without a room is below 0.
    "WHERE t.change < 0 OR (SELECT r.revision FROM snl.hosted_games r WHERE r.id = t.id) = "
    "t.change"};
/// Ends a transaction that hasn't appended so many commits, by an error of this SQLSTATE.
constexpr ServerStatement require_all{"require_all", "SELECT snl.require_all($1)"};
constexpr std::string_view not_all = "SN002";
/// In all cases, and it tells why it is refused.
constexpr ServerStatement append_one{
    "append",
    "SELECT snl.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, NULL, NULL, NULL, "
    "NULL, NULL, NULL, NULL, NULL, $9, NULL)"};
/// Depends on a room. What was sent before, when nobody could tell, is told of whatever the room is
/// by now.
constexpr ServerStatement append_in_room{
    "append_in_room",
    "SELECT CASE WHEN (SELECT r.revision FROM snl.hosted_games r WHERE r.id = $1::text) = "
    "$14::bigint "
    "OR EXISTS (SELECT 1 FROM snl.games g JOIN snl.commits c ON c.game = g.game "
    "WHERE g.id = $1 AND c.version = $2::bigint + 1 AND c.attempt = $5::bigint) "
    "THEN snl.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, NULL, NULL, NULL, "
    "NULL, NULL, NULL, NULL, NULL, $9, NULL) ELSE -(1::bigint << 61) - 2 END"};
constexpr ServerStatement append_several{
    "append_several",
    "SELECT snl.append_several($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, NULL, "
    "NULL, NULL, NULL, NULL, NULL, NULL, NULL, ($9::bytea[])[1], NULL)"};
/// Nothing where the commit that it is of wasn't appended.
constexpr ServerStatement put_snapshot{
    "put_snapshot",
    "INSERT INTO snl.snapshots (game, version, head, state, hash) "
    "SELECT c.game, c.version, c.hash, $4, $5 FROM snl.games g JOIN snl.commits c "
    "ON c.game = g.game WHERE g.id = $1 AND c.version = $2 AND c.hash = $3 "
    "ON CONFLICT (game) DO UPDATE SET version = excluded.version, head = excluded.head, "
    "state = excluded.state, hash = excluded.hash"};

/// Where its sender says that the game is; none where that has to be looked at.
std::optional<Head> named_by(const Expectation& expected) {
  if (expected.version == 0 && expected.admits(Head{})) return Head{};
  if (expected.version.value_or(0) > 0 && expected.hash)
    return Head{.version = *expected.version, .hash = *expected.hash};
  return std::nullopt;
}

StoreError unconfirmed_by_standby(const std::string& name) {
  return {StoreError::Cause::busy,
          fmt::format("store {}: no standby has what was just recorded; try again", name)};
}

/// Waits, as it is committed, for whom every commit waits: so what was seen before is as durable.
constexpr ServerStatement be_durable{"be_durable",
                                     "SELECT pg_logical_emit_message(true, 'snl', '')"};

}  // namespace

/// An append, ready to be sent.
struct PostgresStore::Planned {
  const Append* append = nullptr;
  RoomChange room_change;
  Head before;
  std::vector<Hash> hashes;
  std::optional<StateSnapshot> snapshot;
  bool is_looked_up = false;  // or else is what its sender expects
  bool is_sent_again = false;
  std::int64_t first = 0;    // the place of its first commit in the transaction
  std::int64_t attempt = 0;  // of the appends that it is one of
  Head after() const {
    return hashes.empty()
               ? before
               : Head{before.version + static_cast<Version>(hashes.size()), hashes.back()};
  }
  /// Its game's, where that is known.
  std::optional<std::int64_t> key;
  /// Whether it is sent as an INSERT. One that depends on a room, and that nobody could tell of, is
  /// asked for by the function, which looks at the room before it waits for anybody.
  bool is_turn() const {
    return hashes.size() == 1 && before.version > 0 && !may_change_status(*append) &&
           !(is_sent_again && depends_on_room());
  }
  /// The hash of the commit that it follows, and its own.
  using BothHashes = std::array<char, 2 * std::tuple_size_v<Hash>>;
  BothHashes both_hashes() const;
  /// What appends a turn, and its parameters, which lend `both`.
  const ServerStatement& turn_statement() const;
  void add_turn_to(Values& values, const BothHashes& both) const;
  bool depends_on_room() const { return room_change.has_value(); }
  /// What appends in all cases, and its parameters. Throws std::invalid_argument for several
  /// commits that depend on a room.
  const ServerStatement& function() const;
  void add_to(Values& values) const;
  void add_snapshot_to(Values& values) const;
};

PostgresStore::Planned::BothHashes PostgresStore::Planned::both_hashes() const {
  BothHashes both{};
  std::ranges::copy(hashes.front(), std::ranges::copy(before.hash, both.begin()).out);
  return both;
}

const ServerStatement& PostgresStore::Planned::turn_statement() const {
  if (depends_on_room()) return key ? append_turn_in_room : append_turn_by_id_in_room;
  return key ? append_turn : append_turn_by_id;
}

void PostgresStore::Planned::add_turn_to(Values& values, const BothHashes& both) const {
  const NewCommit& commit = append->commits.front();
  if (key)
    values.add(*key);
  else
    values.add(append->game);
  values.add(before.version + 1).add(first).add(commit.time).add(attempt);
  values.add(std::string_view(both.data(), both.size())).add(commit.command).add(commit.events);
  values.add_optional(commit.command_id);
  if (key && depends_on_room()) values.add(append->game);
  if (depends_on_room()) values.add(*room_change);
}

const ServerStatement& PostgresStore::Planned::function() const {
  if (hashes.size() == 1) return depends_on_room() ? append_in_room : append_one;
  if (depends_on_room())
    throw std::invalid_argument("several commits of a game can't depend on its room");
  return append_several;
}

void PostgresStore::Planned::add_to(Values& values) const {
  values.add(append->game).add(before.version).add(before.hash);
  values.add_small(static_cast<std::int32_t>(first)).add(attempt);
  if (append->commits.size() == 1) {
    const NewCommit& commit = append->commits.front();
    values.add(commit.time).add(commit.command).add(commit.events).add(hashes.front());
    values.add_optional(commit.command_id);
  } else {
    std::vector<std::optional<std::string_view>> commands;
    std::vector<std::optional<std::string_view>> events;
    std::vector<std::optional<std::string_view>> ids;
    std::string times = "{";
    std::string all_hashes = "{";
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      const NewCommit& commit = append->commits[i];
      times += fmt::format("{}{}", i == 0 ? "" : ",", commit.time);
      all_hashes += fmt::format(R"({}"\\x{}")", i == 0 ? "" : ",", to_hex(hashes[i]));
      commands.emplace_back(commit.command);
      events.emplace_back(commit.events);
      ids.emplace_back(commit.command_id);
    }
    values.add_literal(times + '}').add_literal(postgres::array_literal(commands));
    values.add_literal(postgres::array_literal(events)).add_literal(all_hashes + '}');
    values.add_literal(postgres::array_literal(ids));
  }
  if (before.version == 0) {
    const ListEntry entry = first_entry(*append);
    const std::vector<std::optional<std::string_view>> players(entry.players.begin(),
                                                               entry.players.end());
    values.add_literal(postgres::array_literal(players));
    values.add_bool(entry.completed).add(entry.created);
  } else {
    values.add_null().add_bool(append->after->completed()).add_null();
  }
  if (depends_on_room()) values.add(*room_change);
}

void PostgresStore::Planned::add_snapshot_to(Values& values) const {
  values.add(append->game).add(snapshot->head.version).add(snapshot->head.hash);
  values.add(snapshot->state).add(snapshot->hash);
}

void PostgresStore::require_writable() const {
  if (use_ == Use::read)
    throw StoreError(
        StoreError::Cause::failed,
        fmt::format("store {}: it was opened to be read, and nothing can be appended", name()));
  if (moments_ > 0)
    throw std::logic_error("an append at one moment, at which only reading is done");
}

std::optional<CommandIdUsed> PostgresStore::used_id_of(const Append& append) {
  for (const NewCommit& commit : append.commits) {
    if (!commit.command_id) continue;
    if (auto used = commit_with_id(append.game, *commit.command_id)) {
      const bool same = used->command == commit.command;
      return CommandIdUsed{.commit = *std::move(used), .same_command = same};
    }
  }
  return std::nullopt;
}

/// One moment answers nobody that his turn is recorded, and can't be written in.
void PostgresStore::confirm(ServerConnection& connection) {
  if (use_ == Use::read || moments_ > 0) return;
  connection.confirm(options_.patience);
  if (!scope_.is_open()) is_in_doubt_ = false;
}

LogEnd PostgresStore::end_of(const std::string& game) {
  static constexpr ServerStatement find{
      "end_of",
      "SELECT g.game, l.version, l.hash FROM snl.games g "
      "LEFT JOIN LATERAL (SELECT version, hash FROM snl.commits l WHERE l.game = g.game "
      "ORDER BY version DESC LIMIT 1) l ON true WHERE g.id = $1"};
  return reading([&](ServerConnection& connection) -> LogEnd {
    const Rows rows = connection.run(find, Values().add(game));
    if (rows.empty()) return {};
    return {.head = {.version = rows.integer(0, 1), .hash = rows.hash(0, 2)},
            .key = rows.integer(0, 0)};
  });
}

void PostgresStore::know(const std::string& game, std::int64_t key) {
  constexpr std::size_t most = 4096;
  if (known_.size() >= most) known_.clear();
  known_.insert_or_assign(game, key);
}

/// Games that are recorded; in a transaction, where it isn't rolled back. A game's key is the
/// position of its first commit.
void PostgresStore::know_recorded(std::span<const Planned> plans,
                                  std::span<const std::int64_t> answers) {
  for (std::size_t i = 0; i < plans.size(); ++i)
    if (plans[i].before.version == 0 && !plans[i].hashes.empty())
      know(plans[i].append->game, answers[i]);
}

/// What is to be sent for an append; a refusal where looking at the game is enough to tell. What
/// the sender expects is taken for what is, unless it has to be looked at: the server compares it.
std::expected<PostgresStore::Planned, AppendRefusal> PostgresStore::planned(const Append& append,
                                                                            bool look) {
  static thread_local HashChain chain;
  Planned plan;
  plan.append = &append;
  plan.before = named_by(append.expected).value_or(Head{});
  if (look) {
    if (auto used = used_id_of(append)) return std::unexpected(*std::move(used));
    const LogEnd end = end_of(append.game);
    if (!append.expected.admits(end.head))
      return std::unexpected(VersionConflict{end.head.version});
    plan.before = end.head;
  }
  plan.is_looked_up = look;
  Head after = plan.before;
  for (const NewCommit& commit : append.commits) {
    after = {after.version + 1, chain.next(after.hash, append.game, time_text(commit.time),
                                           commit.command, commit.events)};
    plan.hashes.push_back(after.hash);
  }
  if (is_snapshot_due(plan.before.version, after.version))
    plan.snapshot = snapshot_of(*append.after, after);
  return plan;
}

/// `look` says which games have to be looked at.
std::expected<std::vector<PostgresStore::Planned>, RefusedAppend> PostgresStore::all_planned(
    const Asked& asked, const std::vector<bool>& look) {
  std::vector<Planned> plans;
  std::int64_t first = scope_.is_open() ? commits_in_transaction_ : 0;
  for (const Append& append : asked.appends) {
    const bool is_named = named_by(append.expected) && !append.commits.empty();
    auto plan = planned(append, !is_named || look[plans.size()]);
    if (!plan)
      return std::unexpected(RefusedAppend{.game = append.game, .why = std::move(plan).error()});
    if (!asked.changes.empty()) plan->room_change = asked.changes[plans.size()];
    plan->first = first;
    first += static_cast<std::int64_t>(append.commits.size());
    plans.push_back(*std::move(plan));
  }
  if (first > most_commits)
    throw StoreError(StoreError::Cause::failed,
                     fmt::format("store {}: {} commits are too many for one transaction, which has "
                                 "room for {}; make several of them",
                                 name(), first, most_commits));
  // One of which nobody could tell is still the same attempt.
  const auto unknown = plans.empty() ? unknown_.end() : unknown_.find(plans.front().after().hash);
  const bool is_known = unknown != unknown_.end();
  const std::int64_t attempt = is_known ? unknown->second : random_number();
  for (Planned& plan : plans) {
    plan.attempt = attempt;
    plan.is_sent_again = is_known;
    const auto known = known_.find(plan.append->game);
    if (known != known_.end()) plan.key = known->second;
  }
  return plans;
}

/// Sends one by itself, in a transaction where a snapshot belongs to it; what the server answers.
std::int64_t PostgresStore::send_one(const Planned& plan) {
  if (plan.hashes.empty()) return recorded;  // what is expected was looked at
  std::int64_t answer = 0;
  if (plan.is_turn()) {
    const auto both = plan.both_hashes();
    Values values;
    plan.add_turn_to(values, both);
    if (connection_->run(plan.turn_statement(), values).written() > 0) answer = recorded;
  }
  if (answer == 0) answer = ask(plan);
  if (answer > 0 && plan.snapshot) {
    Values values;
    plan.add_snapshot_to(values);
    connection_->run(put_snapshot, values);
  }
  return answer;
}

/// By the function, which tells why it is refused.
std::int64_t PostgresStore::ask(const Planned& plan) {
  Values values;
  plan.add_to(values);
  const ServerStatement& statement = plan.function();
  return connection_->run(statement, values).integer(0, 0);
}

/// Several appends of one transaction, as they are sent together: turns that follow each other as
/// one statement.
class PostgresStore::Together {
 public:
  /// In the order of the games' IDs, in which nobody waits for each other.
  explicit Together(std::span<const Planned> plans) : plans_(plans) {
    for (std::size_t i = 0; i < plans.size(); ++i)
      if (!plans[i].hashes.empty()) order_.push_back(i);
    std::ranges::sort(order_, {},
                      [&](std::size_t i) { return std::string_view(plans[i].append->game); });
    for (std::size_t place = 0; place < order_.size();) {
      const std::size_t first = place++;
      while (can_be_one(first) && place < order_.size() && can_be_one(place))
        ++place;
      parts_.push_back({.first = first, .count = place - first});
    }
    values_ = std::vector<Values>(parts_.size() + order_.size() + 1);
    both_.resize(order_.size());
    for (std::size_t part = 0; part < parts_.size(); ++part)
      calls_.push_back({&fill(parts_[part], values_[part]), &values_[part]});
    for (const std::size_t i : order_)
      if (plans[i].snapshot) {
        Values& values = values_[calls_.size()];
        plans[i].add_snapshot_to(values);
        calls_.push_back({&put_snapshot, &values});
      }
  }

  std::span<const std::size_t> order() const { return order_; }
  std::span<const ServerConnection::Call> calls() const { return calls_; }
  /// And with them, that all of them have to be recorded.
  std::span<const ServerConnection::Call> guarded_calls() {
    std::int64_t commits = 0;
    for (const Planned& plan : plans_)
      commits += static_cast<std::int64_t>(plan.hashes.size());
    calls_.push_back({&require_all, &values_.back().add(commits)});
    return calls_;
  }
  /// What the server's answers say of each plan; 0 where it has to be asked.
  void read(std::span<const Rows> rows, std::span<std::int64_t> answers) const {
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      const auto [first, count] = parts_[part];
      const bool is_turn = at(first).is_turn();
      const bool all = is_turn && rows[part].written() == static_cast<std::int64_t>(count);
      for (std::size_t place = first; place < first + count; ++place)
        answers[order_[place]] = !is_turn ? rows[part].integer(0, 0) : all ? recorded : 0;
    }
  }

 private:
  struct Part {
    std::size_t first;
    std::size_t count;
  };

  const Planned& at(std::size_t place) const { return plans_[order_[place]]; }
  bool can_be_one(std::size_t place) const { return at(place).is_turn() && at(place).key; }

  const ServerStatement& fill(Part part, Values& values) {
    const Planned& plan = at(part.first);
    if (part.count > 1) return add_turns_to(values, part);
    if (!plan.is_turn()) {
      plan.add_to(values);
      return plan.function();
    }
    both_[part.first] = plan.both_hashes();
    plan.add_turn_to(values, both_[part.first]);
    return plan.turn_statement();
  }

  const ServerStatement& add_turns_to(Values& values, Part part) {
    std::vector<std::int64_t> keys;
    std::vector<std::int64_t> versions;
    std::vector<std::int64_t> numbers;
    std::vector<std::int64_t> times;
    std::vector<std::string_view> hashes;
    std::vector<std::optional<std::string_view>> commands;
    std::vector<std::optional<std::string_view>> events;
    std::vector<std::optional<std::string_view>> ids;
    std::vector<std::optional<std::string_view>> games;
    std::vector<std::int64_t> changes;
    bool depend_on_rooms = false;
    for (std::size_t place = part.first; place < part.first + part.count; ++place) {
      const Planned& plan = at(place);
      const NewCommit& commit = plan.append->commits.front();
      auto& both = both_[place] = plan.both_hashes();
      keys.push_back(*plan.key);
      versions.push_back(plan.before.version + 1);
      numbers.push_back(plan.first);
      times.push_back(commit.time);
      hashes.emplace_back(both.data(), both.size());
      commands.emplace_back(commit.command);
      events.emplace_back(commit.events);
      ids.emplace_back(commit.command_id);
      games.emplace_back(plan.append->game);
      changes.push_back(plan.room_change.value_or(-1));
      depend_on_rooms |= plan.depends_on_room();
    }
    values.add_array(keys).add_array(versions).add_array(numbers).add_array(times);
    values.add_array(hashes).add_array(commands).add_array(events).add_array(ids);
    values.add(at(part.first).attempt);
    if (!depend_on_rooms) return append_turns;
    values.add_array(games).add_array(changes);
    return append_turns_in_room;
  }

  std::span<const Planned> plans_;
  std::vector<std::size_t> order_;
  std::vector<Part> parts_;
  std::vector<Values> values_;  // a part's, a snapshot's, and those of `require_all`
  std::vector<Planned::BothHashes> both_;
  std::vector<ServerConnection::Call> calls_;
};

/// Sends several, which are all recorded or none; what the server answers, in the order of the
/// plans.
std::vector<std::int64_t> PostgresStore::send(std::span<const Planned> plans, Within within) {
  std::vector<std::int64_t> answers(plans.size(), recorded);
  Together together(plans);
  if (within == Within::group) {
    together.read(connection_->run_together(together.calls()), answers);
    for (const std::size_t i : together.order())
      if (answers[i] == 0) answers[i] = ask(plans[i]);
    return answers;
  }
  try {
    together.read(connection_->run_together(together.guarded_calls()), answers);
    return answers;
  } catch (const ServerError& error) {
    if (error.sqlstate() != not_all) throw;
  }
  connection_->execute("BEGIN");
  for (const std::size_t i : together.order())
    answers[i] = send_one(plans[i]);
  const bool is_refused = std::ranges::any_of(answers, [](auto answer) { return answer <= 0; });
  connection_->execute(is_refused ? "ROLLBACK" : "COMMIT");
  if (is_refused) connection_->run(be_durable);
  return answers;
}

/// What the server's answers come to; none: plan again, looking where that is marked.
std::optional<PostgresStore::Heads> PostgresStore::conclude(std::span<Planned> plans,
                                                            std::span<const std::int64_t> answers,
                                                            std::vector<bool>& look) {
  std::vector<Head> heads;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const Planned& plan = plans[i];
    if (answers[i] > 0) {
      heads.push_back(plan.after());
      continue;
    }
    const auto refuse = [&](AppendRefusal why) {
      return Heads(
          std::unexpected(RefusedAppend{.game = plan.append->game, .why = std::move(why)}));
    };
    if (answers[i] == room_has_changed) {
      if (!plan.is_sent_again) return Heads(std::unexpected(RoomChanged{plan.append->game}));
      // It may still come to be, by what was sent first.
      remember_unknown(plans);
      give_up_in_doubt({StoreError::Cause::busy,
                        fmt::format("store {}: the room of game {} was changed while nobody could "
                                    "tell of an append; try again",
                                    name(), plan.append->game)});
    }
    // The server looks for an ID before it waits for the game's row, and while it waits another may
    // record the ID.
    if (auto used = used_id_of(*plan.append)) return refuse(*std::move(used));
    if (answers[i] != id_is_used && answers[i] != summary_is_due && !plan.is_looked_up)
      return refuse(VersionConflict{-answers[i], plan.is_sent_again});
    look[i] = true;
    return std::nullopt;
  }
  return Heads(std::move(heads));
}

std::expected<std::vector<Head>, RefusedAppend> PostgresStore::append(
    std::span<const Append> appends) {
  auto appended = append_in_rooms(appends, {});
  if (!appended) return std::unexpected(std::get<RefusedAppend>(std::move(appended).error()));
  return *std::move(appended);
}

PostgresStore::Heads PostgresStore::append_in_rooms(std::span<const Append> appends,
                                                    std::span<const RoomChange> changes) {
  require_distinct(appends);
  const Asked asked{appends, changes};
  if (scope_.is_open()) {
    std::optional<Heads> answer;
    scope_.join([&] { answer = append_to_group(asked); }, name());
    return *std::move(answer);
  }
  require_writable();
  const bool expects_only =
      std::ranges::any_of(appends, [](const Append& append) { return append.commits.empty(); });
  if (!expects_only || appends.size() == 1) return append_by_itself(asked);
  // Of a game that isn't appended to, what is expected has to stay true.
  std::optional<Heads> answer;
  in_transaction([&] { answer = append_to_group(asked); });
  return *std::move(answer);
}

/// In a transaction of its own. What was sent when the server was lost is sent again as it was,
/// until it is known what became of it.
PostgresStore::Heads PostgresStore::append_by_itself(const Asked& asked) {
  constexpr int tries_at_will = 20;
  bool are_together = false;  // in a transaction of several statements
  std::vector<bool> look(asked.appends.size());
  std::vector<Planned> plans;
  bool is_unknown = false;
  Endurance patience(options_.patience);
  for (int tries = 0;; ++tries) {
    if (plans.empty()) {
      // Whoever appends fast would be ahead every time.
      if (tries > tries_at_will) {
        std::optional<Heads> answer;
        in_transaction([&] { answer = append_to_group(asked); });
        return *std::move(answer);
      }
      auto made = all_planned(asked, look);
      if (!made) return std::unexpected(std::move(made).error());
      plans = *std::move(made);
      if (plans.empty()) return {};
    }
    try {
      if (!connection_) connect();
      const int unconfirmed = connection_->unconfirmed();
      are_together = plans.size() > 1 || plans.front().snapshot;
      const auto answers = are_together ? send(plans, Within::own_transaction)
                                        : std::vector{send_one(plans.front())};
      const bool is_refused = std::ranges::any_of(answers, [](auto answer) { return answer <= 0; });
      if (connection_->unconfirmed() != unconfirmed) {  // only this server has it
        is_unknown = true;
        remember_unknown(plans);
        if (!patience.pause()) give_up_in_doubt(unconfirmed_by_standby(name()));
        continue;
      }
      unknown_.erase(plans.front().after().hash);
      auto answer = conclude(plans, answers, look);
      if (answer) {
        if (!is_refused) {
          know_recorded(plans, answers);
          tell_others();
        }
        return *std::move(answer);
      }
      plans.clear();
    } catch (const ServerError& error) {
      if (!error.is_lost()) {
        if (are_together) roll_back();
        if (!error.is_to_be_repeated()) throw;
        continue;
      }
      if (!error.refuses_writes()) {
        is_unknown = true;
        remember_unknown(plans);
      }
      try {
        connect_again(error, patience);
      } catch (const StoreError& gone) {
        if (!is_unknown) throw;
        give_up_in_doubt(gone);
      }
    }
  }
}

/// Sent again, they are the same attempt.
void PostgresStore::remember_unknown(std::span<Planned> plans) {
  if (unknown_.size() >= most_unknown) unknown_.clear();
  unknown_.insert_or_assign(plans.front().after().hash, plans.front().attempt);
  for (Planned& plan : plans)
    plan.is_sent_again = true;
}

void PostgresStore::give_up_in_doubt(const StoreError& why) {
  is_in_doubt_ = true;
  throw OutcomeUnknown(why.cause(), why.what());
}

/// Within the transaction of `locked`, in which nobody else appends.
PostgresStore::Heads PostgresStore::append_to_group(const Asked& asked) {
  // What was looked at is as it was: who holds the lock needs no third try.
  constexpr std::size_t most_tries = 3;
  const bool are_several = asked.appends.size() > 1;
  std::vector<bool> look(asked.appends.size());
  for (std::size_t tries = 0;; ++tries) {
    if (tries >= most_tries * (asked.appends.size() + 1))
      throw StoreError(
          StoreError::Cause::damaged,
          fmt::format("store {}: game {} can't be appended to; snl db check tells what is wrong "
                      "with the store",
                      name(), asked.appends.front().game));
    auto plans = all_planned(asked, look);
    if (!plans) return std::unexpected(std::move(plans).error());
    if (plans->empty()) return {};
    if (are_several) connection_->execute("SAVEPOINT several");
    const auto answers =
        are_several ? send(*plans, Within::group) : std::vector{send_one(plans->front())};
    const bool is_refused = std::ranges::any_of(answers, [](auto answer) { return answer <= 0; });
    if (are_several)
      connection_->execute(is_refused ? "ROLLBACK TO several; RELEASE several" : "RELEASE several");
    if (!is_refused) {
      know_recorded(*plans, answers);
      for (const Planned& plan : *plans) {
        commits_in_transaction_ += static_cast<std::int64_t>(plan.hashes.size());
        if (!trace_ && !plan.hashes.empty())
          trace_ = {.game = plan.append->game,
                    .version = plan.before.version + 1,
                    .attempt = plan.attempt};
      }
    }
    if (auto answer = conclude(*plans, answers, look)) return *std::move(answer);
  }
}

/// Says that there is something new, now and then: who plays fast, or beside others, is heard by
/// those who look anyway.
void PostgresStore::tell_others() {
  constexpr std::chrono::milliseconds interval{50};
  const auto now = Steady::now().time_since_epoch();
  auto last = told_->load();
  if (now - Steady::duration(last) < interval) return;
  if (told_->compare_exchange_strong(last, now.count())) connection_->send("NOTIFY snl");
}

// ---- Nobody else appends

void PostgresStore::locked(const std::string& /*game*/,
                           const std::function<void(EventStore& store)>& work) {
  in_transaction([&] { work(*this); });
}

/// Runs `work` in a transaction, or as a part of the one that there is. `work` is run again where
/// the server was lost; unless what it appended turns out to be recorded.
void PostgresStore::in_transaction(const std::function<void()>& work) {
  if (scope_.is_open()) return scope_.join(work, name());
  require_writable();
  std::optional<Trace> unknown;
  Endurance patience(options_.patience);
  while (true) {
    bool is_committing = false;
    try {
      if (!connection_) connect();
      begin_group();
      if (unknown && is_recorded(*unknown)) {
        connection_->run(be_durable);
        trace_ = unknown;
      } else {
        scope_.open(work, name());
      }
      is_committing = true;
      const int unconfirmed = connection_->unconfirmed();
      connection_->execute("COMMIT");
      if (connection_->unconfirmed() == unconfirmed) return tell_others();
      unknown = trace_;  // only this server has it
      if (!patience.pause()) give_up_in_doubt(unconfirmed_by_standby(name()));
    } catch (const ServerError& error) {
      if (!error.is_lost()) {
        abandon();
        if (!error.is_to_be_repeated()) throw;
        continue;
      }
      if (is_committing) unknown = trace_;
      try {
        connect_again(error, patience);
      } catch (const StoreError& gone) {
        if (!unknown) throw;
        give_up_in_doubt(gone);
      }
    } catch (...) {
      abandon();
      throw;
    }
  }
}

/// Rolls back what may have been appended.
void PostgresStore::abandon() {
  known_.clear();
  roll_back();
}

void PostgresStore::begin_group() {
  static constexpr ServerStatement lock{"lock_games", "SELECT snl.lock_games()"};
  connection_->execute("BEGIN");
  connection_->run(lock);
  commits_in_transaction_ = 0;
  trace_.reset();
}

/// While nobody else appends, whoever was about to has ended: so what isn't there won't come to be.
bool PostgresStore::is_recorded(const Trace& trace) {
  static constexpr ServerStatement find{
      "is_recorded",
      "SELECT 1 FROM snl.games g JOIN snl.commits c ON c.game = g.game "
      "WHERE g.id = $1 AND c.version = $2::bigint AND c.attempt = $3::bigint"};
  return !connection_->run(find, Values().add(trace.game).add(trace.version).add(trace.attempt))
              .empty();
}

// ---- Looking after it

namespace {

/// Each answers a game, or null; the kind of problem; what is wrong.
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
        "SELECT NULL, 'gap', 'a commit is missing before position ' || position FROM "
        "(SELECT position, row_number() OVER (PARTITION BY position >> 20 ORDER BY position) AS n "
        "FROM snl.commits) c WHERE (position & 1048575) <> n - 1 LIMIT 1"),
    std::string_view("SELECT NULL, 'clock', 'the row by which positions are counted is missing' "
                     "WHERE (SELECT count(*) FROM snl.clock) <> 1"),
    std::string_view("SELECT NULL, 'room', 'changes of hosted games aren''t counted right' "
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
  return at_one_moment(*this, [&](Snapshot&) {
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

std::int64_t PostgresStore::number(const postgres::ServerStatement& statement) {
  return reading(
      [&](ServerConnection& connection) { return connection.run(statement).integer(0, 0); });
}

std::vector<std::string> PostgresStore::holding_up() {
  static constexpr ServerStatement find{
      "holding_up",
      "SELECT 'process ' || pid || ' (' || coalesce(application_name, '') || ', database ' || "
      "coalesce(datname, '') || ', ' || coalesce(state, '?') || ') ' || coalesce("
      "'has been in a transaction for ' || "
      "extract(epoch FROM now() - xact_start)::bigint || ' s', "
      "'is in a transaction; since when only pg_read_all_stats may see') "
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
