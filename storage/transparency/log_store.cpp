#include "log_store.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace snl::transparency {

StoreError damaged_log(std::string_view store, std::string_view what) {
  return {StoreError::Cause::damaged, fmt::format("store {}: {}; restore a copy", store, what)};
}

std::optional<SignedCheckpoint> kept_checkpoint(std::optional<std::string_view> text,
                                                const std::string& store) {
  if (!text) return std::nullopt;
  auto checkpoint = SignedCheckpoint::parse(*text);
  if (!checkpoint) throw damaged_log(store, "a checkpoint of its log isn't one");
  return checkpoint;
}

std::optional<std::string> text_of(const std::optional<SignedCheckpoint>& checkpoint) {
  return checkpoint ? std::optional(checkpoint->note.to_string()) : std::nullopt;
}

TreeSize extend_tree(LogStore& store, TreeSize known, TreeSize most) {
  TreeSize begin = known;  // of whole nodes of the level
  for (int level = 1; level <= most_levels; ++level)
    store.drop_nodes(level, begin /= tile_width);
  const TreeSize size = std::min(store.size(), known + most);
  begin = known;
  TreeSize end = size;
  for (int level = 1; level <= most_levels; ++level) {
    begin /= tile_width;
    end /= tile_width;
    for (std::uint64_t number = begin; number < end; ++number)
      store.put_node(level, number,
                     root_of_nodes(store.nodes(level - 1, number * tile_width, tile_width)));
  }
  return size;
}

Hash root_by_commits(LogReader& store, TreeSize size) {
  TreeBuilder tree;
  while (tree.size() < size) {
    const TreeSize count = std::min<TreeSize>(tile_width, size - tree.size());
    for (const Hash& leaf : store.nodes(0, tree.size(), static_cast<std::size_t>(count)))
      tree.add(leaf);
  }
  return tree.root();
}

}  // namespace snl::transparency
