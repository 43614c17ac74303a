// The port behind which a store keeps its log: its commits as the leaves of a tree, the tree's
// nodes, and checkpoints.
#pragma once

#include "checkpoint.hpp"
#include "merkle.hpp"
#include "storage/commit.hpp"
#include "storage/store_error.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] snl {
namespace transparency {

/// A log of a store. Reading it verifies nothing.
struct StoredLog {
  std::string origin;
  std::string vkey;
  std::optional<SignedCheckpoint> last_signed;
  std::optional<SignedCheckpoint> published;
};

/// A store's log at one moment. Leaf i is the hash of the commit that has i others before it, by
/// position. Throws StoreError.
class LogReader : public NodeReader {
 public:
  /// How many commits the store holds. It may rely on the nodes.
  virtual TreeSize size() = 0;
  /// The same, counted one by one: an audit must not rely on nodes.
  virtual TreeSize count_commits() = 0;
  virtual std::uint64_t index_of(StorePosition position) = 0;
  /// `count` of its leaves, from number `first` on. They must exist.
  virtual std::vector<Hash> leaves(std::uint64_t first, std::size_t count) = 0;
  /// The number of stored nodes of a level ≥ 1. They begin at number 0 and have no gaps.
  virtual std::uint64_t count_nodes(int level) = 0;
  /// Its logs in the order in which they began. The last one is the store's; the others have ended.
  virtual std::vector<StoredLog> logs() = 0;
};

/// The same while nobody else writes to the store. All that is put is kept together, or not at all.
class LogStore : public LogReader {
 public:
  virtual void put_node(int level, std::uint64_t number, const Hash& hash) = 0;
  /// Drops the nodes of a level from this number on.
  virtual void drop_nodes(int level, std::uint64_t from) = 0;
  /// Replaces the log of this origin, or adds a last one.
  virtual void put_log(const StoredLog& log) = 0;
};

// ---- For those who implement it

/// A checkpoint as a store keeps it. Throws StoreError for another text.
std::optional<SignedCheckpoint> kept_checkpoint(std::optional<std::string_view> text,
                                                const std::string& store);
std::optional<std::string> text_of(const std::optional<SignedCheckpoint>& checkpoint);
/// The error that says which row is missing or wrong.
StoreError damaged_log(std::string_view store, std::string_view what);

/// The most levels of nodes that a tree can have.
inline constexpr int most_levels = 7;

/// Makes the nodes anew that aren't wholly within the first `known` commits: the stored ones may
/// belong to other commits. One call covers at most `most` commits more. Returns the number of
/// commits for which all nodes are then stored.
TreeSize extend_tree(LogStore& store, TreeSize known, TreeSize most);

/// The root over the store's first commits, from their hashes alone. The store must hold that many.
Hash root_by_commits(LogReader& store, TreeSize size);

}  // namespace transparency
}  // namespace snl
