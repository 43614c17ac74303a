// The file with a log's or a witness's key. Beside a log's key lies the newest checkpoint that the
// key signed. So an operator who restores an older store can't make the key sign another history.
#pragma once

#include "checkpoint.hpp"
#include "keys.hpp"

#include <string>

namespace [[gnu::visibility("default")]] snl {
namespace transparency {

/// Makes a key of this name in a file that isn't there yet. For a log it also makes FILE.signed
/// beside it, with the checkpoint of no commits. Throws StoreError, and then leaves nothing.
VerifierKey make_key_file(const std::string& path, const std::string& name, KeyType type);

/// A key that nobody else signs with while this lives. Each call throws StoreError.
class KeyFile {
 public:
  /// Refuses a file that others than its owner may read, that has another owner than the user or
  /// root, that isn't a regular file, or whose text is no key of this type. Waits for another
  /// process that uses it, at most 5 seconds.
  KeyFile(std::string path, KeyType type);
  ~KeyFile();
  KeyFile& operator=(KeyFile&&) = delete;

  const SigningKey& key() const { return *key_; }

  /// The newest checkpoint that a log's key signed, from FILE.signed, with a signature by this key.
  SignedCheckpoint newest() const;
  /// Durable when it returns.
  void replace_newest(const SignedCheckpoint& checkpoint) const;

 private:
  std::string path_;
  int descriptor_ = -1;
  std::optional<SigningKey> key_;
};

/// The public part of a key file. Works while another process uses the file.
VerifierKey read_verifier(const std::string& path);

}  // namespace transparency
}  // namespace snl
