#include "signing.hpp"

#include "storage/store_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace snl::transparency {
namespace {

constexpr TreeSize commits_a_transaction = 65'536;

void require_own_signatures(const StoredLog& log) {
  const auto key = VerifierKey::parse(log.vkey);
  const auto is_own = [&](const SignedCheckpoint& one) {
    return key && key->name == log.origin && one.checkpoint.origin == log.origin &&
           signed_by(one.note, *key) == Signed::yes;
  };
  for (const auto* one : {&log.last_signed, &log.published})
    if (*one && !is_own(**one))
      throw Contradiction(fmt::format(
          "the signature of {} is not that of the checkpoint in the store", log.origin));
}

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
  require_own_signatures(*found);
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

/// The nodes as the commits make them: slow, and right where stored nodes are wrong.
class NodesOfCommits final : public NodeReader {
 public:
  explicit NodesOfCommits(LogReader& store) : store_(store) {}
  std::vector<Hash> nodes(int level, std::uint64_t first, std::size_t count) override {
    if (level == 0) return store_.nodes(0, first, count);
    std::vector<Hash> nodes;
    for (std::uint64_t n = first; n < first + count; ++n)
      nodes.push_back(root_of_nodes(this->nodes(level - 1, n * tile_width, tile_width)));
    return nodes;
  }

 private:
  LogReader& store_;
};

/// Whether a proof verifies that is made of the stored nodes or, if one of them is wrong, of the
/// commits.
template <class Proves>
bool is_proven(LogReader& store, const Proves& proves) {
  try {
    if (proves(store)) return true;
  } catch (const StoreError& error) {
    if (!error.is_damage()) throw;
  }
  NodesOfCommits commits(store);
  return proves(commits);
}

/// Whether the nodes of a tile make the node above it, and this one with its neighbours the next
/// one, up to the signed root.
bool makes_root(LogReader& store, const Checkpoint& checkpoint, int level, std::uint64_t tile) {
  TreeSize parents = checkpoint.size / tile_width;
  for (int below = 0; below < level; ++below)
    parents /= tile_width;
  for (; tile < parents; ++level, tile /= tile_width, parents /= tile_width)
    if (root_of_nodes(store.nodes(level, tile * tile_width, tile_width)) !=
        store.nodes(level + 1, tile, 1).front())
      return false;
  return root_of(store, checkpoint.size) == checkpoint.root;
}

/// Whether each stored node over these commits is made of those below it, from level 1 up.
bool nodes_agree(LogReader& store, TreeSize size) {
  TreeSize count = size / tile_width;
  try {
    for (int level = 1; (count /= tile_width) > 0; ++level)
      for (std::uint64_t n = 0; n < count; ++n)
        if (root_of_nodes(store.nodes(level, n * tile_width, tile_width)) !=
            store.nodes(level + 1, n, 1).front())
          return false;
  } catch (const StoreError& error) {
    if (!error.is_damage()) throw;
    return false;
  }
  return true;
}

/// Adds the cosignatures of the stored note of the same checkpoint that the policy counts.
void add_stored_cosignatures(SignedCheckpoint& checkpoint, const StoredLog& log,
                             const Policy& policy, UnixSeconds now) {
  auto& lines = checkpoint.note.signatures;
  for (const auto* stored : {&log.last_signed, &log.published}) {
    if (!*stored || (*stored)->note.text != checkpoint.note.text) continue;
    for (const SignatureLine& line : (*stored)->note.signatures) {
      const bool is_there = std::ranges::any_of(lines, [&](const SignatureLine& other) {
        return other.name == line.name && other.id == line.id;
      });
      if (!is_there && !policy.quorum_of({.text = checkpoint.note.text, .signatures = {line}}, now)
                            .cosigners.empty())
        lines.push_back(line);
    }
  }
}

}  // namespace

std::optional<StoredLog> verified_log(LogReader& store) {
  auto logs = store.logs();
  if (logs.empty()) return std::nullopt;
  require_own_signatures(logs.back());
  return std::move(logs.back());
}

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
  if (!is_proven(store, [&](NodeReader& nodes) {
        proof.hashes = inclusion_proof(nodes, proof.index, size);
        return proof.proves(commit.hash);
      }))
    throw Contradiction(fmt::format("version {} of game {} isn't in the tree that was signed",
                                    commit.version, commit.game));
  return proof;
}

std::vector<Hash> prove_consistency(LogReader& store, const Checkpoint& checkpoint, TreeSize old,
                                    TreeSize size) {
  require_held(store, checkpoint);
  std::vector<Hash> proof;
  if (!is_proven(store, [&](NodeReader& nodes) {
        const Hash root = root_of(nodes, size);
        proof = consistency_proof(nodes, old, size);
        return proves_consistency(proof, old, root_of(nodes, old), size, root) &&
               proves_consistency(consistency_proof(nodes, size, checkpoint.size), size, root,
                                  checkpoint.size, checkpoint.root);
      }))
    throw Contradiction(contradiction_of_roots(checkpoint.size));
  return proof;
}

std::vector<Hash> signed_nodes(LogReader& store, const Checkpoint& checkpoint, int level,
                               std::uint64_t first, std::size_t count) {
  if (!makes_root(store, checkpoint, level, first / tile_width))
    throw StoreError(StoreError::Cause::damaged,
                     "the nodes of the log's tree aren't those that were signed; snl audit says "
                     "whether a commit was changed, or only a node");
  return store.nodes(level, first, count);
}

/// The checkpoints in the store and in FILE.signed, without the same one twice.
std::vector<Checkpoint> Signing::read_signed(LogReader& store) {
  log_ = log_of(store, key_.key().verifier());
  newest_ = key_.newest();
  std::vector<Checkpoint> was_signed{newest_.checkpoint};
  in_file_ = newest_.checkpoint.size;
  for (const auto* one : {&log_.last_signed, &log_.published})
    if (*one && std::ranges::find(was_signed, (*one)->checkpoint) == was_signed.end())
      was_signed.push_back((*one)->checkpoint);
  if (log_.last_signed && log_.last_signed->checkpoint.size >= in_file_)
    newest_ = *log_.last_signed;
  if (log_.published && log_.published->checkpoint.size > newest_.checkpoint.size)
    throw Contradiction(fmt::format("{} commits are published, and {} were signed",
                                    log_.published->checkpoint.size, newest_.checkpoint.size));
  return was_signed;
}

void Signing::verify(LogReader& store) {
  for (const Checkpoint& one : read_signed(store))
    require_commits(store, one);
  if (!nodes_agree(store, newest_.checkpoint.size)) known_ = 0;
}

void Signing::verify_nodes(LogReader& store) {
  const auto was_signed = read_signed(store);
  if (nodes_agree(store, newest_.checkpoint.size)) return;
  for (const Checkpoint& one : was_signed)
    require_commits(store, one);
  known_ = 0;
}

void Signing::verify_checkpoints(LogReader& store) {
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
  if (!known_) verify_checkpoints(store);
  known_ = extend_tree(store, *known_, commits_a_transaction);
  if (*known_ < store.size()) return std::nullopt;
  return sign(store);
}

SignedCheckpoint Signing::sign(LogStore& store) {
  const Checkpoint before = newest_.checkpoint;
  const TreeSize size = store.size();
  if (size < before.size) throw Contradiction(contradiction_of_sizes(size, before.size));
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

Publication publish_checkpoint(LogStore& store, SignedCheckpoint checkpoint, const Policy& policy,
                               UnixSeconds now) {
  auto log = verified_log(store);
  if (!log || log->origin != checkpoint.checkpoint.origin)
    throw NameTaken(fmt::format("the log {} of this store has ended; use the key of its last one",
                                checkpoint.checkpoint.origin));
  if (signed_by(checkpoint.note, VerifierKey::parse(log->vkey).value()) != Signed::yes)
    throw Contradiction(
        fmt::format("the signature of {} is not that of the checkpoint", log->origin));
  require_held(store, checkpoint.checkpoint);
  if (log->published) require_held(store, log->published->checkpoint);
  // Another process may have stored cosignatures meanwhile.
  add_stored_cosignatures(checkpoint, *log, policy, now);
  const Policy::Quorum quorum = policy.quorum_of(checkpoint.note, now);
  if (log->last_signed && log->last_signed->checkpoint == checkpoint.checkpoint)
    log->last_signed = checkpoint;
  const bool is_newer =
      !log->published || log->published->checkpoint.size <= checkpoint.checkpoint.size;
  if (quorum.reached && is_newer) log->published = checkpoint;
  store.put_log(*log);
  const bool is_published = log->published && log->published->checkpoint == checkpoint.checkpoint;
  return {.checkpoint = std::move(checkpoint), .quorum = quorum, .is_published = is_published};
}

}  // namespace snl::transparency
