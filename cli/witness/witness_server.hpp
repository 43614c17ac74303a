// A witness over HTTP: POST /add-checkpoint, GET /HEX/checkpoint.
#pragma once

#include "storage/transparency/witness.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

namespace snl::cli {

/// Answers one request after another, in the thread that runs it. A client has 10 seconds for a
/// request.
class WitnessServer {
 public:
  /// Listens at an address; port 0 finds a free one. `report` gets a line for each request that
  /// fails. Throws std::runtime_error if it can't listen.
  WitnessServer(transparency::Witness& witness, const std::string& host, std::uint16_t port,
                std::function<void(const std::string&)> report);
  ~WitnessServer();
  WitnessServer& operator=(WitnessServer&&) = delete;

  std::string address() const;
  /// Runs until a signal ends it: SIGTERM or SIGINT.
  void run();

 private:
  struct Running;
  std::unique_ptr<Running> running_;
};

}  // namespace snl::cli
