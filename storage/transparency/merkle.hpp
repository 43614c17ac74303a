// The Merkle tree of RFC 6962, section 2.1, over the hashes of commits: what roots and proofs are
// made of, and how proofs are verified (RFC 9162, sections 2.1.3.2 and 2.1.4.2). Pure: where nodes
// are kept is the business of who implements NodeReader.
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

/// Every level of nodes that is kept stands for 8 levels of the tree: a tile (C2SP tlog-tiles).
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

  /// `count` of them (at most 256), from number `first` on. They must be there.
  virtual std::vector<Hash> nodes(int level, std::uint64_t first, std::size_t count) = 0;
};

// Each of a tree whose first `size` leaves the reader has. A proof has at most 64 hashes.

Hash root_of(NodeReader& reader, TreeSize size);
/// That leaf `index` < `size` is in the tree: the siblings on its way up, the lowest first.
std::vector<Hash> inclusion_proof(NodeReader& reader, std::uint64_t index, TreeSize size);
/// That the tree of size `old` ≤ `size` is the beginning of this one. Empty where either is all.
std::vector<Hash> consistency_proof(NodeReader& reader, TreeSize old, TreeSize size);

/// Whether the proof shows that the leaf of this leaf_hash() is at `index` of the tree.
bool proves_inclusion(std::span<const Hash> proof, const Hash& leaf, std::uint64_t index,
                      TreeSize size, const Hash& root);
/// Whether the proof shows that the first tree is the beginning of the second one. Of a tree of no
/// leaves every tree goes on, by an empty proof.
bool proves_consistency(std::span<const Hash> proof, TreeSize old, const Hash& old_root,
                        TreeSize size, const Hash& root);

/// The root of leaves that come one after another. Keeps a hash for each bit of their number.
class TreeBuilder {
 public:
  /// `leaf`: its leaf_hash().
  void add(const Hash& leaf);
  TreeSize size() const { return size_; }
  /// Of what was added so far; of nothing, SHA-256 of no bytes.
  Hash root() const;

 private:
  TreeSize size_ = 0;
  std::vector<Hash> subtrees_;  // whole ones, the largest first: one for each bit of the size
};

/// The root over these nodes, from left to right: a power of two of them.
Hash root_of_nodes(std::vector<Hash> nodes);

}  // namespace transparency
}  // namespace snl
