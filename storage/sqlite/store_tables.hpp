// The tables of a store: every statement on them, each prepared when it is first needed, with rows
// as values. Decides nothing; SqliteStore says what happens in which transaction.
#pragma once

#include "sqlite.hpp"
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

  // ---- Writing

  /// The key and the head of a game, from the log; 0 if it isn't there.
  struct Tail {
    std::int64_t game = 0;
    Head head;
    UnixMilliseconds created = 0;
  };
  Tail tail(const std::string& id);

  /// To be called when a transaction is rolled back: the game that it made is gone.
  void forget() { known_ = {}; }

  /// Adds a game with its players; answers its key.
  std::int64_t add_game(const GameSummary& summary);
  /// Writes what is derived of a game, but for its players.
  void update_game(std::int64_t game, const GameSummary& summary);
  void replace_players(std::int64_t game, const std::vector<std::string>& players);

  /// Adds commits of a game, the first of them at `position` and `version`.
  void add_commits(std::int64_t game, StorePosition position, Version version,
                   std::span<const NewCommit> commits, std::span<const Hash> hashes);

  // ---- Reading, as EventStore promises

  /// 0 in an empty store.
  StorePosition last_position();
  std::size_t read(const std::string& game, Version from, std::size_t limit,
                   const CommitVisitor& visit);
  std::size_t read_all(StorePosition from, std::size_t limit, const CommitVisitor& visit);
  std::optional<Commit> commit(const std::string& game, Version version);
  std::optional<Commit> commit_with_id(const std::string& game, const std::string& command_id);
  std::optional<GameSummary> summary(const std::string& game);
  std::vector<std::string> list(const ListFilter& filter, std::size_t limit);
  std::vector<std::string> games_after(const std::string& after, std::size_t limit);
  std::vector<std::string> games_with_prefix(const std::string& prefix, std::size_t limit);
  std::optional<std::string> newest_game(std::size_t back);

  // ---- Checking, as SqliteStore promises

  std::vector<Problem> check();

 private:
  /// What never changes of a game, remembered from one turn to the next.
  struct Known {
    std::string id;
    std::int64_t game = 0;
    UnixMilliseconds created = 0;
  };
  void know(const std::string& id);
  std::int64_t key_of(const std::string& id);
  std::string id_of(std::int64_t game);
  std::vector<std::string> list_both(const std::string& player, bool completed, std::int64_t below,
                                     std::size_t limit);

  /// The statement, prepared from this text, or these parts of one, unless it is already.
  sqlite::Statement& use(std::optional<sqlite::Statement>& statement, std::string_view sql);
  sqlite::Statement& use(std::optional<sqlite::Statement>& statement,
                         std::initializer_list<std::string_view> parts);

  void add_players(std::int64_t game, const std::vector<std::string>& players);
  /// By seat; none if the seats aren't 0, 1, 2 …
  std::vector<std::string> players(std::int64_t game);

  sqlite::Connection& connection_;
  Known known_;
  std::optional<sqlite::TransactionStatements> transactions_;
  std::optional<sqlite::Statement> known_game_;
  std::optional<sqlite::Statement> tail_;
  std::optional<sqlite::Statement> last_position_;
  std::optional<sqlite::Statement> last_game_;
  std::optional<sqlite::Statement> insert_game_;
  std::optional<sqlite::Statement> insert_player_;
  std::optional<sqlite::Statement> update_progress_;
  std::optional<sqlite::Statement> update_game_;
  std::optional<sqlite::Statement> insert_commit_;
  std::optional<sqlite::Statement> insert_commits_;
  std::optional<sqlite::Statement> players_;
  std::optional<sqlite::Statement> read_game_;
  std::optional<sqlite::Statement> read_store_;
  std::optional<sqlite::Statement> commit_of_version_;
  std::optional<sqlite::Statement> commit_of_command_id_;
  std::optional<sqlite::Statement> summary_of_game_;
  std::optional<sqlite::Statement> key_of_game_;
  std::optional<sqlite::Statement> list_all_;
  std::optional<sqlite::Statement> list_status_;
  std::optional<sqlite::Statement> list_player_;
  std::optional<sqlite::Statement> last_of_player_;
  std::optional<sqlite::Statement> last_of_status_;
  std::optional<sqlite::Statement> id_of_game_;
  std::optional<sqlite::Statement> ids_after_;
  std::optional<sqlite::Statement> ids_between_;
  std::optional<sqlite::Statement> newest_;
};

}  // namespace snl
