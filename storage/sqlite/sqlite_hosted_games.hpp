// Hosted games in the file of a store: the tables hosted_games and hosted_game_revisions of
// storage/format.md.
//
// For one thread at a time. Each thread or process that shares a file opens its own.
#pragma once

#include "checkpoints.hpp"
#include "sqlite.hpp"
#include "storage/hosted_games.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace snl {

class SqliteHostedGames final : public HostedGameStore {
 public:
  /// Opens the file as a writer does: makes it if it isn't there, and upgrades an older one. Throws
  /// StoreError like SqliteStore::open.
  static std::unique_ptr<SqliteHostedGames> open(const std::string& path);
  /// A copy of them as they are at one moment. Changes nothing: the file may be read-only.
  static std::unique_ptr<SqliteHostedGames> open_to_read(const std::string& path);
  /// Uses a connection to a store that has already been checked (store_file.hpp).
  explicit SqliteHostedGames(sqlite::Connection connection);

  std::optional<HostedGame> game(const std::string& game) override;
  std::optional<std::string> hosted_by(const Hash& token) override;
  std::vector<Entry> waiting(const std::optional<Entry>& after, std::size_t limit) override;
  std::int64_t count_waiting() override;
  std::vector<Entry> settled(std::size_t limit) override;
  std::vector<Entry> started_after(const std::string& after, std::size_t limit) override;
  std::vector<Entry> changed_after(std::int64_t after, std::size_t limit) override;
  std::vector<std::optional<Entry>> entries(std::span<const std::string> games) override;
  std::int64_t last_revision() override;
  std::vector<std::optional<std::int64_t>> keep(std::span<const HostedGame> hosted_games) override;
  bool forget(const std::string& game, std::int64_t revision) override;

 private:
  void in_transaction(const std::function<std::int64_t(std::int64_t last)>& work);
  bool keep_one(const HostedGame& hosted, std::int64_t revision);
  sqlite::Statement& use(std::string_view sql);

  sqlite::Connection connection_;
  Checkpoints checkpoints_;
  std::unordered_map<std::string_view, sqlite::Statement> statements_;  // by their text
};

}  // namespace snl
