// Asking a witness.
#pragma once

#include "storage/transparency/witness.hpp"

#include <stdexcept>
#include <stop_token>
#include <string>

namespace snl::cli {

/// Nothing can be said of what a witness thinks. what() is a sentence.
class WitnessSilent : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct WitnessReply {
  unsigned status = 0;
  std::string type;  // of the body
  std::string body;
};

/// Sends a request to URL/add-checkpoint by HTTP. Waits 5 seconds once the host is found, or until
/// it is to stop, reads 128 KiB at the most and follows no redirect. Throws WitnessSilent.
WitnessReply ask_witness(const std::string& url, const transparency::WitnessRequest& request,
                         const std::stop_token& stop = {});

}  // namespace snl::cli
