#include "log_store.hpp"

#include <algorithm>

namespace snl::transparency {

TreeSize extend_tree(LogStore& store, TreeSize known, TreeSize most) {
  const TreeSize size = std::min(store.size(), known + most);
  TreeSize begin = known;  // of whole nodes of the level
  TreeSize end = size;
  for (int level = 1; level <= most_levels; ++level) {
    begin /= tile_width;
    end /= tile_width;
    store.drop_nodes(level, begin);
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
