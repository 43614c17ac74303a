// A proof that stands by itself that a commit is in a log (C2SP tlog-proof): where, the hashes up
// to the root, and the checkpoint that says so.
#pragma once

#include "checkpoint.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] snl {
namespace transparency {

struct LogProof {
  std::optional<std::string> extra;  // says what is proven, and proves nothing
  std::uint64_t index = 0;
  std::vector<Hash> hashes;
  SignedCheckpoint signed_checkpoint;

  std::string text() const;
  static std::optional<LogProof> parse(std::string_view text);
  /// Whether it shows that this commit is in the tree of its checkpoint. The checkpoint's signature
  /// isn't looked at.
  bool proves(const Hash& commit) const;
};

/// Hashes as these formats list them: each a line of base64.
std::string lines_of(std::span<const Hash> hashes);
/// Reads such lines, takes them off `text` up to a blank line or its end; none for another line.
std::optional<std::vector<Hash>> take_hashes(std::string_view& text);

}  // namespace transparency
}  // namespace snl
