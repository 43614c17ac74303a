// A store's log for clients of HTTP (C2SP tlog-tiles), as far as it is published: /log/checkpoint,
// tiles and entries, /api/log, and proofs. No sockets.
#pragma once

#include "cli/page/game_page.hpp"
#include "http.hpp"
#include "storage/store_admin.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace snl::cli {

struct PublishedLogSettings {
  std::string policy = {};  // the text of the policy; empty without one
  bool is_signed = false;   // by this server: a checkpoint comes, where there is none yet
  /// Whether /log answers nothing, because the store contradicts what was signed.
  std::function<bool()> is_contradicted = [] { return false; };
  std::function<void(std::string_view why)> report_failure = [](std::string_view) {};
};

/// Whether a path is one of a log's.
bool is_of_log(std::string_view path);

/// For any number of threads.
class PublishedLog {
 public:
  PublishedLog(std::unique_ptr<StoreAdmin> store, PublishedLogSettings settings);
  ~PublishedLog();
  PublishedLog& operator=(PublishedLog&&) = delete;

  /// The response to a request whose path is_of_log().
  HttpResponse response(const HttpRequest& request) const;

  /// A .tlog-proof of a commit. Throws HttpProblem.
  HttpResponse proof_of(const Commit& commit) const;

  /// The proof for a page that carries it, with the policy's witnesses; none if the published
  /// checkpoint doesn't cover the commit, or there is none, or the tree is wrong.
  std::optional<ProofInLog> proof_for_page(const Commit& commit) const;

 private:
  class Handler;

  /// The store's log, which has published something. Throws HttpProblem.
  transparency::StoredLog published_log(transparency::LogReader& reader) const;

  std::unique_ptr<StoreAdmin> store_;
  PublishedLogSettings settings_;
};

}  // namespace snl::cli
