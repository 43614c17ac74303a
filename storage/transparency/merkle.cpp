#include "merkle.hpp"

#include <bit>
#include <ranges>
#include <string_view>

namespace snl::transparency {
namespace {

/// The place where a tree of more than one leaf is split: the largest power of two below its size.
TreeSize split_of(TreeSize size) {
  return std::bit_floor(size - 1);
}

/// The root of leaves `begin` to `begin + size` − 1, which a split has separated.
Hash subtree(NodeReader& reader, std::uint64_t begin, TreeSize size) {
  if (std::has_single_bit(size)) {
    const int height = std::countr_zero(size);
    const int level = height / tile_height;
    return root_of_nodes(
        reader.nodes(level, begin >> static_cast<unsigned>(level * tile_height),
                     std::size_t{1} << static_cast<unsigned>(height % tile_height)));
  }
  const TreeSize left = split_of(size);
  return node_hash(subtree(reader, begin, left), subtree(reader, begin + left, size - left));
}

void add_path(std::vector<Hash>& proof, NodeReader& reader, std::uint64_t index,
              std::uint64_t begin, TreeSize size) {
  if (size == 1) return;
  const TreeSize left = split_of(size);
  if (index < left) {
    add_path(proof, reader, index, begin, left);
    proof.push_back(subtree(reader, begin + left, size - left));
  } else {
    add_path(proof, reader, index - left, begin + left, size - left);
    proof.push_back(subtree(reader, begin, left));
  }
}

/// SUBPROOF(old, D, is_known) of RFC 6962, section 2.1.2. is_known: the verifier has this root
/// already.
void add_subproof(std::vector<Hash>& proof, NodeReader& reader, TreeSize old, std::uint64_t begin,
                  TreeSize size, bool is_known) {
  if (old == size) {
    if (!is_known) proof.push_back(subtree(reader, begin, size));
    return;
  }
  const TreeSize left = split_of(size);
  if (old <= left) {
    add_subproof(proof, reader, old, begin, left, is_known);
    proof.push_back(subtree(reader, begin + left, size - left));
  } else {
    add_subproof(proof, reader, old - left, begin + left, size - left, false);
    proof.push_back(subtree(reader, begin, left));
  }
}

/// The way from a leaf to the root (RFC 9162), with nodes of a level numbered from the left.
struct PathToRoot {
  std::uint64_t at;
  std::uint64_t last;  // node of the level

  bool is_at_root() const { return last == 0; }

  /// Goes up past the next sibling of a proof; returns whether that sibling is on the left.
  bool rise() {
    const bool is_left = at % 2 == 1 || at == last;
    // If the last node of a level is a left one, it has no sibling: it rises until it has one.
    if (is_left)
      for (; at % 2 == 0 && at != 0; at /= 2)
        last /= 2;
    at /= 2;
    last /= 2;
    return is_left;
  }
};

}  // namespace

Hash leaf_hash(const Hash& leaf) {
  Sha256 sha256;
  sha256.update(std::string_view("\0", 1));
  sha256.update(as_text(leaf));
  return sha256.finish();
}

Hash node_hash(const Hash& left, const Hash& right) {
  Sha256 sha256;
  sha256.update("\1");
  sha256.update(as_text(left));
  sha256.update(as_text(right));
  return sha256.finish();
}

Hash root_of_nodes(std::vector<Hash> nodes) {
  for (std::size_t count = nodes.size(); count > 1; count /= 2)
    for (std::size_t i = 0; i < count / 2; ++i)
      nodes[i] = node_hash(nodes[2 * i], nodes[2 * i + 1]);
  return nodes.front();
}

Hash root_of(NodeReader& reader, TreeSize size) {
  return size == 0 ? TreeBuilder().root() : subtree(reader, 0, size);
}

std::vector<Hash> inclusion_proof(NodeReader& reader, std::uint64_t index, TreeSize size) {
  std::vector<Hash> proof;
  add_path(proof, reader, index, 0, size);
  return proof;
}

std::vector<Hash> consistency_proof(NodeReader& reader, TreeSize old, TreeSize size) {
  std::vector<Hash> proof;
  if (old > 0 && old < size) add_subproof(proof, reader, old, 0, size, true);
  return proof;
}

bool proves_inclusion(std::span<const Hash> proof, const Hash& leaf, std::uint64_t index,
                      TreeSize size, const Hash& root) {
  if (index >= size) return false;
  PathToRoot path{.at = index, .last = size - 1};
  Hash reached = leaf;
  for (const Hash& sibling : proof) {
    if (path.is_at_root()) return false;
    reached = path.rise() ? node_hash(sibling, reached) : node_hash(reached, sibling);
  }
  return path.is_at_root() && reached == root;
}

bool proves_consistency(std::span<const Hash> proof, TreeSize old, const Hash& old_root,
                        TreeSize size, const Hash& root) {
  if (old > size) return false;
  if (old == 0) return proof.empty() && old_root == TreeBuilder().root();
  if (old == size) return proof.empty() && old_root == root;
  if (proof.empty()) return false;
  // Begins at the root of the last whole subtree of the old tree. If that is the whole tree, the
  // proof leaves it out.
  const auto height = static_cast<unsigned>(std::countr_one(old - 1));
  PathToRoot path{.at = (old - 1) >> height, .last = (size - 1) >> height};
  const bool is_whole = std::has_single_bit(old);
  Hash old_reached = is_whole ? old_root : proof.front();
  Hash reached = old_reached;
  for (const Hash& sibling : proof.subspan(is_whole ? 0 : 1)) {
    if (path.is_at_root()) return false;
    if (path.rise()) {
      old_reached = node_hash(sibling, old_reached);
      reached = node_hash(sibling, reached);
    } else {
      reached = node_hash(reached, sibling);
    }
  }
  return path.is_at_root() && old_reached == old_root && reached == root;
}

void TreeBuilder::add(const Hash& leaf) {
  Hash node = leaf;
  for (TreeSize bit = 1; (size_ & bit) != 0; bit *= 2) {
    node = node_hash(subtrees_.back(), node);
    subtrees_.pop_back();
  }
  subtrees_.push_back(node);
  ++size_;
}

Hash TreeBuilder::root() const {
  if (subtrees_.empty()) return Sha256().finish();
  Hash root = subtrees_.back();
  for (const Hash& left : subtrees_ | std::views::reverse | std::views::drop(1))
    root = node_hash(left, root);
  return root;
}

}  // namespace snl::transparency
