// Where a log's or a witness's key lies, and beside it the newest checkpoint that a log's key
// signed: so that who restores an older store can't have the key sign another history.
#pragma once

#include "checkpoint.hpp"
#include "keys.hpp"

#include <string>

namespace [[gnu::visibility("default")]] snl {
namespace transparency {

/// Makes a key of this name in a file that isn't there yet, and for a log FILE.signed beside it,
/// with the checkpoint of no commits. Throws StoreError; nothing is left then.
VerifierKey make_key_file(const std::string& path, const std::string& name, KeyType type);

/// A key that nobody else signs by while this lives. Each throws StoreError.
class KeyFile {
 public:
  /// Refuses what others than its owner may read, another owner than the user or root, what is no
  /// regular file, and a text that is no key of this type. Waits
  /// for another process that uses it, 5 seconds at the most.
  KeyFile(std::string path, KeyType type);
  ~KeyFile();
  KeyFile(const KeyFile&) = delete;
  KeyFile& operator=(const KeyFile&) = delete;
  KeyFile(KeyFile&&) = delete;
  KeyFile& operator=(KeyFile&&) = delete;

  const SigningKey& key() const { return *key_; }

  /// The newest checkpoint that a log's key signed, as FILE.signed says: it is by this key.
  SignedCheckpoint newest() const;
  /// Durable when it returns.
  void replace_newest(const SignedCheckpoint& checkpoint) const;

 private:
  std::string path_;
  int descriptor_ = -1;
  std::optional<SigningKey> key_;
};

/// Of a key file, whoever uses it: its public part.
VerifierKey read_verifier(const std::string& path);

}  // namespace transparency
}  // namespace snl
