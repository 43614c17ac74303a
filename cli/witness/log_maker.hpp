// A server's log: signed, cosigned and published again and again, beside all that the server does.
#pragma once

#include "cosigning.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace snl::cli {

struct LogMakerSettings {
  std::string key_file;
  /// Its witnesses are asked. None: nobody is, and each signed checkpoint is published.
  std::optional<transparency::Policy> policy;
  std::chrono::seconds every{10};  // the shortest time between two checkpoints
  /// Gets each failure, in a line for the operator; from another thread.
  std::function<void(std::string_view what)> report;
};

class LogMaker {
 public:
  /// Signs the store's log, after it has read all commits. Throws as transparency::Signing does:
  /// Contradiction if the store doesn't hold all that was signed before, NameTaken and StoreError.
  LogMaker(std::unique_ptr<StoreAdmin> store, LogMakerSettings settings);
  ~LogMaker();
  LogMaker& operator=(LogMaker&&) = delete;

  /// Goes on until it is destroyed, in a thread of its own.
  void start();

  /// Whether nothing is signed any more because somebody else signs with the key, or the store
  /// doesn't hold the signed log.
  bool is_contradicted() const;

  /// Its figures, as Prometheus reads them.
  std::string metrics() const;

 private:
  using Clock = std::chrono::steady_clock;

  void run(const std::stop_token& stop);
  void sign_and_ask(const std::stop_token& stop);
  void sign_if_changed();
  void sign(ReadFirst first = ReadFirst::root);
  bool is_to_ask(const transparency::PolicyKey& witness) const;
  void ask_witnesses(const std::stop_token& stop);
  void publish();
  void note_published(transparency::TreeSize size);
  void end(std::string_view why);
  std::optional<std::string> why_ended() const;
  void report_each_minute(const std::string& what);
  Clock::time_point next_round() const;

  std::unique_ptr<StoreAdmin> store_;
  LogMakerSettings settings_;
  transparency::SignedCheckpoint newest_;  // with the cosignatures that came
  std::vector<AskingWaits> waits_;         // of the policy's witnesses
  std::vector<std::string> silences_;      // the last report of each
  Clock::time_point next_signing_;
  std::string last_report_;
  Clock::time_point reported_at_;

  mutable std::mutex mutex_;  // of the members below, which other threads read
  std::condition_variable_any wake_;
  std::optional<std::string> why_ended_;  // why nothing is signed any more
  bool is_contradicted_ = false;
  transparency::TreeSize signed_size_ = 0;
  transparency::TreeSize published_size_ = 0;
  Clock::time_point published_at_;
  std::map<std::pair<std::string, unsigned>, std::size_t> responses_;  // by witness and status

  std::jthread thread_;
};

}  // namespace snl::cli
