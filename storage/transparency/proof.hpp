// A self-contained proof that a commit is in a log (C2SP tlog-proof): the commit's place, the
// hashes up to the root, and the checkpoint with that root.
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
  std::optional<std::string> extra;  // a label: it proves nothing
  std::uint64_t index = 0;
  std::vector<Hash> hashes;
  SignedCheckpoint signed_checkpoint;

  std::string text() const;
  static std::optional<LogProof> parse(std::string_view text);
  /// Whether it shows that this commit is in the tree of its checkpoint. It doesn't check the
  /// checkpoint's signature.
  bool proves(const Hash& commit) const;
};

/// Hashes as these formats list them: a line of base64 each.
std::string lines_of(std::span<const Hash> hashes);
/// Reads such lines up to a blank line or the end, and removes them from `text`. None if a line
/// isn't a hash, or there are more than 64.
std::optional<std::vector<Hash>> take_hashes(std::string_view& text);

}  // namespace transparency
}  // namespace snl
