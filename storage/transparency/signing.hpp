// When a log's key signs: never two histories.
#pragma once

#include "key_file.hpp"
#include "log_store.hpp"
#include "policy.hpp"
#include "proof.hpp"

#include <optional>
#include <stdexcept>
#include <vector>

namespace [[gnu::visibility("default")]] snl {
namespace transparency {

/// What was signed isn't what there is. what() is one line for people.
class Contradiction : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The store has a log of this name by another key, or one that has ended.
class NameTaken : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Signs what a store holds, if that is more than was signed.
class Signing {
 public:
  /// The key must outlive it.
  explicit Signing(const KeyFile& key) : key_(key) {}

  /// To be called in one transaction after another until it answers: each makes the nodes of 65,536
  /// commits at the most. Answers the newest checkpoint that is signed: in FILE.signed before the
  /// store has it, and in the store. None in the end where nothing is recorded. Throws
  /// Contradiction where the store doesn't hold all that was signed, as the store or FILE.signed
  /// says: nothing is signed then. NameTaken; StoreError.
  std::optional<SignedCheckpoint> step(LogStore& store);

  /// The log that ended by the new one's first checkpoint; empty if none did.
  const std::string& ended() const { return ended_; }

 private:
  void look_at(LogStore& store);
  SignedCheckpoint sign(LogStore& store);

  const KeyFile& key_;
  StoredLog log_;
  SignedCheckpoint newest_;        // that was signed before
  std::optional<TreeSize> known_;  // the store has right nodes of so many commits
  std::string ended_;
};

/// Publishes what was signed of the store's log, the newest or one before it, if a policy is
/// content with its cosignatures, or asks for none. Answers what there is of them. Throws NameTaken
/// where another log has become the store's; Contradiction where the store doesn't hold it, or its
/// log's key didn't sign it.
Policy::Quorum publish_checkpoint(LogStore& store, const SignedCheckpoint& checkpoint,
                                  const Policy& policy, UnixSeconds now);

/// A proof that a commit is in the log, under a checkpoint of its store; none where the commit came
/// after. And that the checkpoint goes on from the store's first `old` ≤ `size` commits up to the
/// first `size`, which it must cover: the hashes. Nodes are no evidence, so what doesn't verify is
/// never given out: Contradiction.
std::optional<LogProof> prove_commit(LogReader& store, const SignedCheckpoint& checkpoint,
                                     const Commit& commit);
std::vector<Hash> prove_consistency(LogReader& store, const Checkpoint& checkpoint, TreeSize old,
                                    TreeSize size);

/// Throws Contradiction unless the store's first commits are the tree of this checkpoint.
void require_held(LogReader& store, const Checkpoint& checkpoint);

}  // namespace transparency
}  // namespace snl
