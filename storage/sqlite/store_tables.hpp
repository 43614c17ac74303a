// The tables of a store: every statement on them, each prepared when it is first needed, with rows
// as values. It decides nothing; SqliteStore says what happens in which transaction.
#pragma once

#include "sqlite.hpp"
#include "storage/appending.hpp"
#include "storage/bounded_map.hpp"
#include "storage/event_store.hpp"
#include "storage/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snl {

/// A column of 32 bytes; zeros if it has another length.
Hash hash_at(const sqlite::Statement& row, int column);

class StoreTables {
 public:
  explicit StoreTables(sqlite::Connection& connection) : connection_(connection) {}

  sqlite::TransactionStatements& transactions();

  // ---- Writing, within a transaction. The end of the log is cached from one to the next.

  /// Call it first in a transaction, when nobody else can write any more. If somebody has written
  /// since the last one, it empties the cache.
  void begin();
  /// Call it once the transaction is committed.
  void end();
  /// Call it once the transaction is rolled back.
  void forget() { known_ = {}; }

  LogEnd end_of(const std::string& id);
  /// HostedGame::revision of a game; none if it isn't a hosted game.
  std::optional<std::int64_t> revision(const std::string& id);

  /// Adds a game with its players; returns its key.
  std::int64_t add_game(const ListEntry& entry);
  void set_completed(std::int64_t game, bool completed);
  /// Replaces the game's snapshot, if it has one.
  void put_snapshot(std::int64_t game, const Snapshot& snapshot);

  /// Adds commits to a game, at the next positions of the store. `before` is the end of the game's
  /// log until now; `after` is its new end.
  void add_commits(const std::string& id, const LogEnd& before, const LogEnd& after,
                   std::span<const NewCommit> commits, std::span<const Hash> hashes);

  // ---- Reading, as EventReader promises

  /// 0 in an empty store.
  StorePosition last_position();
  void read(const std::string& game, Version from, std::size_t limit, CommitPage& page);
  void read_all(StorePosition from, std::size_t limit, CommitPage& page);
  std::optional<Commit> commit(const std::string& game, Version version);
  std::optional<Commit> commit_with_id(const std::string& game, const std::string& command_id);
  std::optional<Head> head(const std::string& game);
  std::optional<ListEntry> list_entry(const std::string& game);
  std::optional<Snapshot> snapshot(const std::string& game);
  std::vector<std::string> list(const ListFilter& filter, std::size_t limit);
  std::vector<std::string> games_after(const std::string& after, std::size_t limit);
  std::vector<std::string> games_with_prefix(const std::string& prefix, std::size_t limit);
  std::optional<std::string> newest_game(std::size_t back);

  // ---- As SqliteStore promises

  std::vector<Problem> check();
  void copy_rows_to(sqlite::Connection& target);
  void copy_hosted_games_to(sqlite::Connection& target);

 private:
  /// The cache: the end of the log of each game that was written lately, and the store's last
  /// position.
  struct Known {
    BoundedMap<std::string, LogEnd> ends{1024};
    std::optional<StorePosition> last_position;
  };
  LogEnd read_end(const std::string& id);
  std::int64_t key_of(const std::string& id);
  sqlite::Statement& rows_of_list(const ListFilter& filter);

  /// The statement. At its first use it is prepared from this text, or from these parts of a text.
  sqlite::Statement& use(std::optional<sqlite::Statement>& statement, std::string_view sql);
  sqlite::Statement& use(std::optional<sqlite::Statement>& statement,
                         std::initializer_list<std::string_view> parts);

  /// By seat; none if a row is out of place or damaged, or if its status isn't `completed`.
  std::vector<std::string> players(std::int64_t game, bool completed);

  sqlite::Connection& connection_;
  Known known_;
  std::uint32_t known_at_ = 0;  // the connection's data version
  std::optional<sqlite::TransactionStatements> transactions_;
  std::optional<sqlite::Statement> end_;
  std::optional<sqlite::Statement> revision_;
  std::optional<sqlite::Statement> last_position_;
  std::optional<sqlite::Statement> last_game_;
  std::optional<sqlite::Statement> insert_game_;
  std::optional<sqlite::Statement> insert_player_;
  std::optional<sqlite::Statement> update_game_;
  std::optional<sqlite::Statement> update_players_;
  std::optional<sqlite::Statement> put_snapshot_;
  std::optional<sqlite::Statement> insert_commit_;
  std::optional<sqlite::Statement> insert_commits_;
  std::optional<sqlite::Statement> players_;
  std::optional<sqlite::Statement> read_game_;
  std::optional<sqlite::Statement> read_store_;
  std::optional<sqlite::Statement> commit_of_version_;
  std::optional<sqlite::Statement> commit_of_command_id_;
  std::optional<sqlite::Statement> entry_of_game_;
  std::optional<sqlite::Statement> snapshot_of_game_;
  std::optional<sqlite::Statement> key_of_game_;
  std::optional<sqlite::Statement> list_all_;
  std::optional<sqlite::Statement> list_status_;
  std::optional<sqlite::Statement> list_player_;
  std::optional<sqlite::Statement> list_player_and_status_;
  std::optional<sqlite::Statement> ids_after_;
  std::optional<sqlite::Statement> ids_between_;
  std::optional<sqlite::Statement> newest_;
};

}  // namespace snl
