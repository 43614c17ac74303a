// The cache of a server's games: one view of each, for all its threads.
//
// A thread asks the store once a request, or once a batch, how far it has come, and takes the view
// that was right at that moment. The server's one writer puts each view here as it records a turn,
// so that no thread reads that turn again.
#pragma once

#include "storage/bounded_map.hpp"
#include "storage/event_store.hpp"
#include "storage/time.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace snl::cli {

struct GameView;
using SharedView = std::shared_ptr<const GameView>;

/// How far a store has come. A store that lost commits gives their positions again, so that a
/// position alone tells nothing.
struct StoreMoment {
  StorePosition position = 0;  // of the last commit
  Hash hash{};                 // of that commit
  std::int64_t change = -1;    // the last one of a hosted game
  friend bool operator==(const StoreMoment&, const StoreMoment&) = default;
};

/// For any number of threads.
class KnownGames {
 public:
  struct Known {
    SharedView view = nullptr;  // null: none
    bool is_right = false;      // at the moment that was asked for
  };
  Known find(const std::string& id, const StoreMoment& now) const;
  /// A view that is right at a moment. What the writer knows to be newer stays.
  void keep(const SharedView& view, const StoreMoment& now);
  void forget(const std::string& id);
  /// When the server began: no deadline is counted from before.
  UnixMilliseconds begun() const { return begun_; }

  // ---- For the writer

  /// Before any other thread looks.
  void begin_at(UnixMilliseconds time) { begun_ = time; }
  /// The store is found to be there: where it isn't where the writer left it, others wrote to it.
  void find_at(const StoreMoment& now);
  /// What the writer recorded brought it there, and is kept as it is then.
  void move_to(const StoreMoment& now);

 private:
  struct Entry {
    SharedView view;
    StoreMoment moment;      // at which it is right
    std::uint64_t look = 0;  // since which the writer alone has changed it
  };

  mutable std::mutex mutex_;
  BoundedMap<std::string, Entry> games_{1024};
  StoreMoment moment_;  // as the writer left it
  std::uint64_t look_ = 1;
  UnixMilliseconds begun_ = 0;
};

}  // namespace snl::cli
