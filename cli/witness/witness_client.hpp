// Asking a witness.
#pragma once

#include "storage/transparency/witness.hpp"

#include <stdexcept>
#include <stop_token>
#include <string>

namespace snl::cli {

/// The witness didn't cosign, which proves nothing: no answer, or an error. what() is a sentence.
class WitnessSilent : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct WitnessReply {
  unsigned status = 0;
  std::string type;  // of the body, without parameters
  std::string body;
};

/// Sends a request to URL/add-checkpoint by HTTP. Once the host is found, waits 5 seconds, or until
/// `stop`. Reads 128 KiB at the most and follows no redirect. Throws WitnessSilent.
WitnessReply ask_witness(const std::string& url, const transparency::WitnessRequest& request,
                         const std::stop_token& stop = {});

}  // namespace snl::cli
