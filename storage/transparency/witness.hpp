// A witness (C2SP tlog-witness): cosigns a checkpoint only if that goes on from the checkpoint of
// the same log that it cosigned last. Requests and responses are here; HTTP is in cli/witness.
#pragma once

#include "key_file.hpp"
#include "policy.hpp"
#include "proof.hpp"

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] snl {
namespace transparency {

/// The most bytes that a request or a response may have.
inline constexpr std::size_t longest_request = std::size_t{128} << 10U;

/// A request to cosign a checkpoint: the size that the witness saw last, the proof that the new
/// checkpoint goes on from there, and the new checkpoint.
struct WitnessRequest {
  TreeSize old = 0;
  std::vector<Hash> proof;
  SignedCheckpoint checkpoint;

  std::string text() const;
  /// None for a text of another form, or with more than 63 hashes.
  static std::optional<WitnessRequest> parse(std::string_view text);
};

struct WitnessResponse {
  unsigned status = 200;
  std::string body;
  const char* type = "text/plain; charset=utf-8";
};

/// Several threads may use it.
class Witness {
 public:
  /// Keeps each log's last cosigned checkpoint in a folder, which is made if it isn't there, as
  /// HEX/checkpoint: HEX is the SHA-256 of the log's name. The key and the policy must outlive the
  /// witness. Throws StoreError.
  Witness(const KeyFile& key, const Policy& policy, std::string folder);

  /// Answers POST …/add-checkpoint. A cosigned checkpoint is on the disk before the response.
  /// Throws StoreError.
  WitnessResponse add_checkpoint(std::string_view body, UnixSeconds now);

  /// The checkpoint under HEX; none for a log that it never cosigned, or if `hex` is no hash.
  std::optional<std::string> kept(std::string_view hex) const;

 private:
  std::string file_of(std::string_view hex) const;
  Checkpoint last_of(const std::string& origin) const;

  const KeyFile& key_;
  const Policy& policy_;
  std::string folder_;
  std::mutex mutex_;
};

}  // namespace transparency
}  // namespace snl
