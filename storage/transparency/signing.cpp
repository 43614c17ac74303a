#include "signing.hpp"

#include "storage/store_error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace snl::transparency {
namespace {

constexpr TreeSize commits_a_transaction = 65'536;

/// The store's row of a key's log, which may not be there yet.
StoredLog log_of(LogReader& store, const VerifierKey& key) {
  const auto logs = store.logs();
  const auto found = std::ranges::find(logs, key.name, &StoredLog::origin);
  if (found == logs.end())
    return {.origin = key.name, .vkey = key.text(), .last_signed = {}, .published = {}};
  if (found->vkey != key.text())
    throw NameTaken(fmt::format(
        "the store has a log {} by another key; give the new key another name", key.name));
  if (found->origin != logs.back().origin)
    throw NameTaken(fmt::format("the log {} of this store has ended; use the key of {}", key.name,
                                logs.back().origin));
  if (found->last_signed && signed_by(found->last_signed->note, key) != Signed::yes)
    throw Contradiction(
        fmt::format("the signature of {} is not that of the checkpoint in the store", key.name));
  return *found;
}

std::string contradiction_of_sizes(TreeSize size, TreeSize signed_size) {
  return fmt::format("the store holds {} commits, and {} were signed", size, signed_size);
}

std::string contradiction_of_roots(TreeSize size) {
  return fmt::format("the first {} commits have another root than the one that was signed", size);
}

/// Whether the store's nodes make this checkpoint's root.
bool holds(LogReader& store, const Checkpoint& checkpoint) {
  try {
    return store.size() >= checkpoint.size && root_of(store, checkpoint.size) == checkpoint.root;
  } catch (const StoreError& error) {
    if (!error.is_damage()) throw;
    return false;
  }
}

/// Throws Contradiction unless the store's commits make it.
void require_commits(LogReader& store, const Checkpoint& checkpoint) {
  const TreeSize size = store.count_commits();
  if (size < checkpoint.size) throw Contradiction(contradiction_of_sizes(size, checkpoint.size));
  std::string contradiction = contradiction_of_roots(checkpoint.size);
  try {
    if (root_by_commits(store, checkpoint.size) == checkpoint.root) return;
  } catch (const StoreError& error) {
    if (!error.is_damage()) throw;
    contradiction += fmt::format("; {}", error.what());
  }
  throw Contradiction(contradiction);
}

}  // namespace

void require_held(LogReader& store, const Checkpoint& checkpoint) {
  if (!holds(store, checkpoint)) require_commits(store, checkpoint);
}

std::optional<LogProof> prove_commit(LogReader& store, const SignedCheckpoint& checkpoint,
                                     const Commit& commit) {
  const TreeSize size = checkpoint.checkpoint.size;
  LogProof proof{.extra = fmt::format("{} {}", commit.game, commit.version),
                 .index = store.index_of(commit.position),
                 .hashes = {},
                 .signed_checkpoint = checkpoint};
  if (proof.index >= size) return std::nullopt;
  require_held(store, checkpoint.checkpoint);
  proof.hashes = inclusion_proof(store, proof.index, size);
  if (!proof.proves(commit.hash))
    throw Contradiction(fmt::format("version {} of game {} isn't in the tree that was signed",
                                    commit.version, commit.game));
  return proof;
}

std::vector<Hash> prove_consistency(LogReader& store, const Checkpoint& checkpoint, TreeSize old,
                                    TreeSize size) {
  require_held(store, checkpoint);
  const Hash root = root_of(store, size);
  auto proof = consistency_proof(store, old, size);
  if (!proves_consistency(proof, old, root_of(store, old), size, root) ||
      !proves_consistency(consistency_proof(store, size, checkpoint.size), size, root,
                          checkpoint.size, checkpoint.root))
    throw Contradiction(contradiction_of_roots(checkpoint.size));
  return proof;
}

/// The newest checkpoints in the store and in FILE.signed; only one if they are the same.
std::vector<Checkpoint> Signing::read_signed(LogReader& store) {
  log_ = log_of(store, key_.key().verifier());
  newest_ = key_.newest();
  std::vector<Checkpoint> was_signed{newest_.checkpoint};
  in_file_ = newest_.checkpoint.size;
  if (log_.last_signed) {
    if (log_.last_signed->checkpoint != newest_.checkpoint)
      was_signed.push_back(log_.last_signed->checkpoint);
    if (log_.last_signed->checkpoint.size >= in_file_) newest_ = *log_.last_signed;
  }
  return was_signed;
}

void Signing::verify(LogReader& store) {
  for (const Checkpoint& one : read_signed(store))
    require_commits(store, one);
}

void Signing::look_at(LogReader& store) {
  const auto was_signed = read_signed(store);
  known_ = newest_.checkpoint.size;
  if (std::ranges::all_of(was_signed, [&](const Checkpoint& one) { return holds(store, one); }))
    return;
  // Nodes are derived: if they are wrong, but the commits are the signed ones, they are made anew.
  known_ = 0;
  for (const Checkpoint& one : was_signed)
    require_commits(store, one);
}

std::optional<SignedCheckpoint> Signing::step(LogStore& store) {
  if (!known_) look_at(store);
  known_ = extend_tree(store, *known_, commits_a_transaction);
  if (*known_ < store.size()) return std::nullopt;
  return sign(store);
}

SignedCheckpoint Signing::sign(LogStore& store) {
  const Checkpoint before = newest_.checkpoint;
  const TreeSize size = store.size();
  if (size == 0) return newest_;
  if (size > before.size) {
    const Checkpoint now{.origin = before.origin, .size = size, .root = root_of(store, size)};
    if (!proves_consistency(consistency_proof(store, before.size, size), before.size, before.root,
                            size, now.root))
      throw Contradiction(contradiction_of_roots(before.size));
    newest_ = signed_by(key_.key(), now);
  }
  if (newest_.checkpoint.size > in_file_) {
    key_.replace_newest(newest_);
    in_file_ = newest_.checkpoint.size;
  }
  // Another process may have published a checkpoint, or stored cosignatures, since the first step.
  const auto logs = store.logs();
  const auto stored = std::ranges::find(logs, log_.origin, &StoredLog::origin);
  if (stored != logs.end()) {
    log_.published = stored->published;
    if (stored->last_signed && stored->last_signed->checkpoint == newest_.checkpoint)
      newest_ = *stored->last_signed;
  }
  if (!logs.empty() && logs.back().origin != log_.origin) ended_ = logs.back().origin;
  log_.last_signed = newest_;
  store.put_log(log_);
  return newest_;
}

Policy::Quorum publish_checkpoint(LogStore& store, const SignedCheckpoint& checkpoint,
                                  const Policy& policy, UnixSeconds now) {
  auto logs = store.logs();
  if (logs.empty() || logs.back().origin != checkpoint.checkpoint.origin)
    throw NameTaken(fmt::format("the log {} of this store has ended; use the key of its last one",
                                checkpoint.checkpoint.origin));
  StoredLog& log = logs.back();
  const auto key = VerifierKey::parse(log.vkey);
  if (!key || signed_by(checkpoint.note, *key) != Signed::yes)
    throw Contradiction(
        fmt::format("the signature of {} is not that of the checkpoint", log.origin));
  require_held(store, checkpoint.checkpoint);
  const Policy::Quorum quorum = policy.quorum_of(checkpoint.note, now);
  if (log.last_signed && log.last_signed->checkpoint == checkpoint.checkpoint)
    log.last_signed = checkpoint;  // with its cosignatures
  const bool is_newer =
      !log.published || log.published->checkpoint.size <= checkpoint.checkpoint.size;
  if (quorum.reached && is_newer) log.published = checkpoint;
  store.put_log(log);
  return quorum;
}

}  // namespace snl::transparency
