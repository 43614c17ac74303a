// Hosted games in a PostgreSQL database: the tables hosted_games and hosted_game_revisions. For one
// thread at a time; each opens its own. If the server is lost, a read is done again; a change
// throws.
#pragma once

#include "connection.hpp"
#include "storage/hosted_games.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace snl {

class PostgresHostedGames final : public HostedGameStore {
 public:
  using Use = postgres::ServerConnection::Use;

  /// To write, makes the store if it isn't there, and upgrades an older one. Throws StoreError.
  PostgresHostedGames(std::string location, Use use);

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
  void connect();
  template <class Read>
  auto reading(const Read& read);
  std::vector<Entry> entries_by(const postgres::ServerStatement& statement,
                                const postgres::Values& values);
  template <class Work>
  void in_transaction(const Work& work);
  bool keep_one(const HostedGame& hosted, std::int64_t revision);

  std::string location_;
  Use use_;
  std::optional<postgres::ServerConnection> connection_;
};

}  // namespace snl
