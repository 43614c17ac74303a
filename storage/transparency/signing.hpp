// When a log's key signs. It never signs two histories.
#pragma once

#include "key_file.hpp"
#include "log_store.hpp"
#include "policy.hpp"
#include "proof.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

namespace [[gnu::visibility("default")]] snl {
namespace transparency {

/// The store differs from a signed checkpoint. what() is one line for people.
class Contradiction : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The store has a log of this name with another key, or one that has ended.
class NameTaken : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Signs a store's commits, if there are more than were signed.
class Signing {
 public:
  /// The key must outlive it.
  explicit Signing(const KeyFile& key) : key_(key) {}

  /// Reads all commits that were signed, so it finds a change that nodes hide. Throws Contradiction
  /// if they aren't the signed ones; NameTaken; StoreError.
  void verify(LogReader& store);

  /// Reads all nodes over the signed commits. If they don't make each other, step() makes them anew
  /// once the commits are the signed ones; Contradiction if they aren't; NameTaken; StoreError.
  void verify_nodes(LogReader& store);

  /// Call it in one transaction after another until it returns a checkpoint; each call makes the
  /// nodes of at most 65,536 commits. Returns the newest signed checkpoint, which is in FILE.signed
  /// before it is in the store. For a store without commits, that is the checkpoint of no
  /// commits, and nothing is stored.
  ///
  /// Throws Contradiction if the store doesn't hold all that was signed, according to the store or
  /// FILE.signed; nothing is signed then. Throws NameTaken; StoreError.
  std::optional<SignedCheckpoint> step(LogStore& store);

  /// The log that ended when this one's first checkpoint was stored; empty if there was none.
  const std::string& ended() const { return ended_; }

 private:
  std::vector<Checkpoint> read_signed(LogReader& store);
  void verify_checkpoints(LogReader& store);
  SignedCheckpoint sign(LogStore& store);

  const KeyFile& key_;
  StoredLog log_;
  SignedCheckpoint newest_;        // signed before this step
  TreeSize in_file_ = 0;           // of FILE.signed
  std::optional<TreeSize> known_;  // the store's nodes are right for this many commits
  std::string ended_;
};

/// The store's log; none without one. Throws Contradiction unless its own key signed its
/// checkpoints; StoreError.
std::optional<StoredLog> verified_log(LogReader& store);

struct Publication {
  SignedCheckpoint checkpoint;  // with the cosignatures that the store had, too
  Policy::Quorum quorum;
  bool is_published = false;  // it is the published one of the store
};
/// Publishes a signed checkpoint of the store's log, the newest or an earlier one, if its
/// cosignatures satisfy the policy, or the policy asks for none. The policy's cosignatures that the
/// store has already count too. Throws NameTaken if another log has become the store's;
/// Contradiction if the store doesn't hold the checkpoint or the one that is published, or its
/// log's key didn't sign them.
Publication publish_checkpoint(LogStore& store, SignedCheckpoint checkpoint, const Policy& policy,
                               UnixSeconds now);

/// The proof that a commit is in the log, under a checkpoint of its store; none if the commit came
/// later. And the hashes that prove that the store's first `size` commits, which the checkpoint
/// must cover, go on from the first `old` ≤ `size`. Nodes are no evidence, so each proof is
/// verified before it is returned. If it fails, it is made of the commits alone, which takes
/// longer: Contradiction if that fails too.
std::optional<LogProof> prove_commit(LogReader& store, const SignedCheckpoint& checkpoint,
                                     const Commit& commit);
std::vector<Hash> prove_consistency(LogReader& store, const Checkpoint& checkpoint, TreeSize old,
                                    TreeSize size);

/// Nodes of one tile, which the checkpoint covers. Throws StoreError unless they, with the nodes
/// above them, make its root.
std::vector<Hash> signed_nodes(LogReader& store, const Checkpoint& checkpoint, int level,
                               std::uint64_t first, std::size_t count);

/// Throws Contradiction unless the store's first commits are the tree of this checkpoint.
void require_held(LogReader& store, const Checkpoint& checkpoint);

}  // namespace transparency
}  // namespace snl
