// The tables of a store as prepared statements, and their rows as values. For SqliteStore alone: it
// says what the statements are for.
#pragma once

#include "event_store.hpp"
#include "sqlite.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snl {

// ---- Rows

inline constexpr std::string_view commit_columns =
    "c.position, c.version, c.time, c.command, c.events, c.command_id, c.hash";
inline constexpr std::string_view commit_and_game_columns =
    "c.position, c.version, c.time, c.command, c.events, c.command_id, c.hash, g.id";

inline constexpr std::string_view summary_columns =
    "g.game, g.id, g.created, g.version, g.head, g.turn, g.cells, g.next, g.winner, g.last_turn, "
    "g.redo_version, g.redo_index, g.redoable, g.seal, g.status, g.last_index";

/// A SELECT of columns that several statements have in common.
struct Select {
  std::string_view columns;
  std::string_view rest;
};

/// A column of 32 bytes; zeros if it has another length.
Hash hash_at(const sqlite::Statement& row, int column);

/// A row of commit_columns, and of commit_and_game_columns. Lent until the next step.
CommitView commit_at(const sqlite::Statement& row, std::string_view game);
CommitView commit_and_game_at(const sqlite::Statement& row);

/// A row of summary_columns, with the players given; none if it doesn't agree with its own seal.
std::optional<GameSummary> summary_at(const sqlite::Statement& row,
                                      std::vector<std::string> players);

/// As the status column has it.
std::string_view status_text(bool completed);

// ---- Statements, each prepared when it is first needed

class StoreTables {
 public:
  explicit StoreTables(sqlite::Connection& connection) : connection_(connection) {}

  /// The statement, prepared from this text unless it is already.
  sqlite::Statement& use(std::optional<sqlite::Statement>& statement, std::string_view sql);
  sqlite::Statement& use(std::optional<sqlite::Statement>& statement, Select select);

  sqlite::TransactionStatements& transactions();

  /// The key and the head of a game, from the log; 0 if it isn't there.
  struct Tail {
    std::int64_t game = 0;
    Head head;
    UnixMilliseconds created = 0;
  };
  Tail tail(const std::string& id);

  /// To be called when a transaction is rolled back: the game that it made is gone.
  void forget() { known_ = {}; }

  /// 0 in an empty store.
  StorePosition last_position();

  /// Adds a game with its players; answers its key.
  std::int64_t add_game(const GameSummary& summary);
  /// Writes what is derived of a game, but for its players.
  void update_game(std::int64_t game, const GameSummary& summary);
  void replace_players(std::int64_t game, const std::vector<std::string>& players);

  /// Adds commits of a game, the first of them at `position` and `version`.
  void add_commits(std::int64_t game, StorePosition position, Version version,
                   std::span<const NewCommit> commits, std::span<const Hash> hashes);

  /// By seat; none if the seats aren't 0, 1, 2 …
  std::vector<std::string> players(std::int64_t game);

  /// The first column of every row.
  static std::vector<std::string> texts(sqlite::Statement& rows);

  /// Lends the commits of all rows until the visitor has had enough; answers how many.
  template <class CommitAt>
  static std::size_t lend(sqlite::Statement& rows, const CommitVisitor& visit,
                          const CommitAt& commit_at) {
    const sqlite::ResetAtEnd reset(rows);
    std::size_t count = 0;
    while (rows.step()) {
      ++count;
      if (!visit(commit_at(rows))) break;
    }
    return count;
  }

  // For use(), by who knows their text.
  std::optional<sqlite::Statement> read_game;
  std::optional<sqlite::Statement> read_store;
  std::optional<sqlite::Statement> commit_of_version;
  std::optional<sqlite::Statement> commit_of_command_id;
  std::optional<sqlite::Statement> summary_of_game;
  std::optional<sqlite::Statement> list_all;
  std::optional<sqlite::Statement> list_status;
  std::optional<sqlite::Statement> list_player;
  std::optional<sqlite::Statement> ids_after;
  std::optional<sqlite::Statement> ids_between;
  std::optional<sqlite::Statement> newest;

 private:
  void add_players(std::int64_t game, const std::vector<std::string>& players);

  /// What never changes of a game, remembered from one turn to the next.
  struct Known {
    std::string id;
    std::int64_t game = 0;
    UnixMilliseconds created = 0;
  };

  void know(const std::string& id);

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
};

}  // namespace snl
