// A witness (C2SP tlog-witness): cosigns checkpoints of logs, each only if it goes on from the last
// one that it cosigned. What it is sent and answers is here; that it comes by HTTP is somebody
// else's business.
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

/// The most bytes that a request or an answer may have.
inline constexpr std::size_t longest_request = std::size_t{128} << 10U;

/// What a witness is sent for a checkpoint: what it saw last, that the new one goes on from there,
/// and the new one.
struct WitnessRequest {
  TreeSize old = 0;
  std::vector<Hash> proof;
  SignedCheckpoint checkpoint;

  std::string text() const;
  /// None for what has another form, or more than 63 hashes.
  static std::optional<WitnessRequest> parse(std::string_view text);
};

struct WitnessAnswer {
  unsigned status = 200;
  std::string body;
  const char* type = "text/plain; charset=utf-8";
};

/// May be used by several threads.
class Witness {
 public:
  /// Keeps what it cosigned last in a folder, which is made if it isn't there: of each log in
  /// HEX/checkpoint, where HEX is the SHA-256 of its name. Both must outlive it. Throws StoreError.
  Witness(const KeyFile& key, const Policy& policy, std::string folder);

  /// Answers POST …/add-checkpoint. What it cosigns is kept, durably, before. Throws StoreError.
  WitnessAnswer add_checkpoint(std::string_view body, UnixSeconds now);

  /// Whether it has cosigned nothing yet, as far as its folder knows.
  bool is_new() const;

  /// What it keeps under HEX; none of a log that it never cosigned, nor of another text.
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
