// The store that keeps games in a PostgreSQL database, for any number of machines.
// storage/postgres/README.md specifies the tables. Positions have gaps.
//
// For one thread at a time. Each thread or process that shares a database opens its own store. A
// lost connection is made anew, and unfinished work is done again if that is safe.
#pragma once

#include "connection.hpp"
#include "storage/atomic_scope.hpp"
#include "storage/bounded_map.hpp"
#include "storage/event_store.hpp"
#include "storage/forwarding_reader.hpp"
#include "storage/problem.hpp"
#include "storage/transparency/log_store.hpp"

#include <atomic>
#include <chrono>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace snl {

class PostgresStore final : public EventStore {
 public:
  using Use = postgres::ServerConnection::Use;

  struct Options {
    /// How long to retry after errors that may pass, above all the loss of a server.
    std::chrono::milliseconds timeout{10'000};
    /// The longest time between two polls of a wait for an append.
    std::chrono::milliseconds poll_interval{40};
  };

  /// A store that is opened for writing makes the schema, or upgrades it. Throws StoreError.
  PostgresStore(std::string location, Use use, Options options);
  PostgresStore(std::string location, Use use)
      : PostgresStore(std::move(location), use, Options{}) {}

  using EventStore::append;
  std::expected<std::vector<Head>, RefusedAppend> append(std::span<const Append> appends) override;
  /// Nobody else appends to any game meanwhile.
  void locked(const std::string& game, const std::function<void(EventStore& store)>& work) override;

  /// While it lives, the store's own reads see the same moment.
  std::unique_ptr<ReadTransaction> read_transaction() override;
  /// Counts only commits below the horizon: no other can appear before them any more.
  StorePosition wait_for_append(StorePosition after, std::chrono::milliseconds at_most) override;
  void read(const std::string& game, Version from, std::size_t limit, CommitPage& page) override;
  void read_all(StorePosition from, std::size_t limit, CommitPage& page) override;
  std::optional<Commit> commit(const std::string& game, Version version) override;
  /// If the store is open for writing, the answer is as durable as an append.
  std::optional<Commit> commit_with_id(const std::string& game,
                                       const std::string& command_id) override;
  std::optional<Head> head(const std::string& game) override;
  std::optional<ListEntry> list_entry(const std::string& game) override;
  std::optional<Snapshot> snapshot(const std::string& game) override;
  std::vector<std::string> list(const ListFilter& filter, std::size_t limit) override;
  std::vector<std::string> games_after(const std::string& after, std::size_t limit) override;
  std::vector<std::string> games_with_prefix(const std::string& prefix, std::size_t limit) override;
  std::optional<std::string> newest_game(std::size_t back) override;

  /// The faults of the database: rows that belong to no game, positions with gaps within their
  /// transaction, missing triggers.
  std::vector<Problem> check();

  /// The log at one moment. `work` may run again from its beginning.
  void read_log(const std::function<void(transparency::LogReader& log)>& work);
  /// One maker at a time. Others may append, beyond the moment that `work` sees. All that it puts
  /// is kept durably, or nothing if it throws; if the server's answer is lost, the error says so.
  void write_log(const std::function<void(transparency::LogStore& log)>& work);
  /// Whether a failover may lose commits that were acknowledged: no standby has to have them.
  bool may_lose_commits();

  /// The transactions that have kept subscribers waiting for longer than a second: a line each.
  std::vector<std::string> holding_up();

 private:
  class Batch;
  using Heads = std::expected<std::vector<Head>, RefusedAppend>;

  /// The database's name for people.
  std::string name() const;
  void connect();
  template <class Attempt>
  auto retry(const Attempt& attempt);
  template <class Read>
  auto reading(const Read& read);

  /// How far a reading of consecutive rows has come.
  struct Stretch {
    const postgres::ServerStatement* statement = nullptr;
    std::string game;       // empty: all games
    std::int64_t from = 0;  // a version or a position: that of `row`, or after all rows
    std::optional<postgres::Rows> rows = std::nullopt;
    int row = 0;
    bool is_last = false;    // no more come after the rows
    bool has_begun = false;  // the next ones are already asked for
  };
  void ask(postgres::ServerConnection& connection, const Stretch& stretch, std::size_t count) const;
  void fill(CommitPage& page, std::size_t limit, const postgres::ServerStatement& statement,
            const std::string& game, std::int64_t from);

  void require_writable() const;
  void confirm(postgres::ServerConnection& connection);
  Heads append_at_heads(std::span<const Append> appends);
  Heads append_locked(std::span<const Append> appends);
  Heads refusal_of(Batch& batch, const postgres::ServerError& error);
  postgres::ServerError cant_be_appended_to(const postgres::ServerError& error,
                                            postgres::Remedy remedy) const;
  void remember_unknown(Batch& batch);
  [[noreturn]] void give_up_in_doubt(const StoreError& why);
  void notify_others();

  /// One commit of a transaction. If it is recorded, all of the transaction's commits are.
  struct ProbeCommit {
    std::string game;
    Version version = 0;
    std::int64_t token = 0;
  };
  void in_transaction(const std::function<void()>& work);
  void begin_group();
  bool is_recorded(const ProbeCommit& probe);
  void roll_back();

  friend class StoreReadTransaction<PostgresStore>;
  void begin_read_transaction();
  void end_read_transaction();

  std::string location_;
  Use use_;
  Options options_;
  std::optional<postgres::ServerConnection> connection_;

  /// On a server that can't be written to, all commits of a restored dump are below this position.
  StorePosition all_below_ = 0;
  int moments_ = 0;
  bool is_transaction_lost_ = false;
  std::optional<Stretch> stretch_;  // the last reading in this moment
  bool is_listening_ = false;
  /// When any store of this process on the same database last notified others.
  std::shared_ptr<std::atomic<std::chrono::steady_clock::rep>> last_notified_;

  AtomicScope scope_;
  std::int64_t commits_in_transaction_ = 0;
  std::optional<ProbeCommit> probe_;
  bool is_in_doubt_ = false;  // an append's outcome is unknown: a lookup has to be certain
  /// The tokens of appends with an unknown outcome, by Batch::key(): a batch that is sent again
  /// keeps its token.
  BoundedMap<std::string, std::int64_t> unknown_{1024};
};

}  // namespace snl
