// The Merkle tree of RFC 6962, section 2.1, over the hashes of commits: how roots and proofs are
// made, and how proofs are verified (RFC 9162, sections 2.1.3.2 and 2.1.4.2). Pure: the
// implementation of NodeReader decides where nodes are kept.
#pragma once

#include "storage/hash.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] snl {
namespace transparency {

/// How many leaves a tree has. Leaves are counted from 0.
using TreeSize = std::uint64_t;

/// SHA-256(0x00 ‖ leaf): the leaf is the hash of a commit.
Hash leaf_hash(const Hash& leaf);
/// SHA-256(0x01 ‖ left ‖ right).
Hash node_hash(const Hash& left, const Hash& right);

/// Each stored level of nodes stands for 8 levels of the tree: a tile (C2SP tlog-tiles).
inline constexpr int tile_height = 8;
inline constexpr std::size_t tile_width = std::size_t{1} << tile_height;

/// Reads nodes of whole subtrees: at `level`, number n is the root of leaves n·256^level to
/// (n + 1)·256^level − 1. Those of level 0 are leaf hashes.
class NodeReader {
 public:
  NodeReader() = default;
  virtual ~NodeReader() = default;
  NodeReader(const NodeReader&) = delete;
  NodeReader& operator=(const NodeReader&) = delete;

  /// `count` nodes (at most 256), from number `first` on. They must exist.
  virtual std::vector<Hash> nodes(int level, std::uint64_t first, std::size_t count) = 0;
};

// Each concerns the tree of the reader's first `size` leaves. A proof has at most 64 hashes.

Hash root_of(NodeReader& reader, TreeSize size);
/// The proof that leaf `index` < `size` is in the tree: the siblings on its way up, the lowest
/// first.
std::vector<Hash> inclusion_proof(NodeReader& reader, std::uint64_t index, TreeSize size);
/// The proof that the tree of size `old` is the beginning of this one. Empty if `old` is 0, or
/// isn't below `size`.
std::vector<Hash> consistency_proof(NodeReader& reader, TreeSize old, TreeSize size);

/// Whether the proof shows that the leaf with this leaf_hash() is at `index` of the tree.
bool proves_inclusion(std::span<const Hash> proof, const Hash& leaf, std::uint64_t index,
                      TreeSize size, const Hash& root);
/// Whether the proof shows that the first tree is the beginning of the second one. Every tree goes
/// on from the tree without leaves, by an empty proof.
bool proves_consistency(std::span<const Hash> proof, TreeSize old, const Hash& old_root,
                        TreeSize size, const Hash& root);

/// Computes the root of leaves that come one after another. Keeps a hash for each bit of their
/// number.
class TreeBuilder {
 public:
  /// Takes the leaf_hash() of the next leaf.
  void add(const Hash& leaf);
  TreeSize size() const { return size_; }
  /// The root of the leaves so far; without leaves, the SHA-256 of no bytes.
  Hash root() const;

 private:
  TreeSize size_ = 0;
  std::vector<Hash> subtrees_;  // whole ones, the largest first: one for each bit of the size
};

/// The root over these nodes, from left to right. Their number is a power of two.
Hash root_of_nodes(std::vector<Hash> nodes);

}  // namespace transparency
}  // namespace snl
