// The cache of a server's games: one view of each, for all its threads. Its small part, which lists
// show, is kept apart: so a list of the largest games needs none of their boards.
//
// Once a request, or once a batch, a thread reads the store's present moment, and takes the view
// that is right at that moment. The server's one writer puts each view here as it records a turn,
// so no thread reads that turn again.
#pragma once

#include "storage/bounded_map.hpp"
#include "storage/event_store.hpp"
#include "storage/hosted_games.hpp"
#include "storage/time.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>

namespace snl::cli {

struct GameView;
using SharedView = std::shared_ptr<const GameView>;
struct ListedGame;
using SharedListedGame = std::shared_ptr<const ListedGame>;

/// A moment of a store. A store that lost commits gives their positions again, so a position alone
/// doesn't identify it.
struct StoreMoment {
  StorePosition position = 0;  // of the last commit
  Hash hash{};                 // of that commit
  std::int64_t change = -1;    // the last change of a hosted game
  friend bool operator==(const StoreMoment&, const StoreMoment&) = default;
};

/// For any number of threads.
class KnownGames {
 public:
  struct Known {
    SharedView view = nullptr;  // null: none
    bool is_right = false;      // at the caller's moment
  };
  Known find(const std::string& id, const StoreMoment& now) const;
  /// Keeps a view that is right at a moment, unless the writer has put a newer one here.
  void keep(const SharedView& view, const StoreMoment& now);
  void forget(const std::string& id);

  struct KnownListed {
    SharedListedGame game = nullptr;
    bool is_right = false;
  };
  /// The same of the parts that lists show.
  KnownListed find_listed(const std::string& id, const StoreMoment& now) const;
  void keep_listed(const SharedListedGame& game, const StoreMoment& now);

  /// When the server began, or its store was restored from a copy: no deadline is counted from
  /// before.
  UnixMilliseconds begun() const { return begun_; }

  // ---- For the writer

  /// Forgets all games: each view has the time when the server began.
  void begin_at(UnixMilliseconds time);
  /// The store is at `now`. If the writer left it at another moment, others wrote to it.
  void find_at(const StoreMoment& now);
  /// The writer's own commits brought the store to `now`. Forgets the games whose hosted games it
  /// has changed, and keeps these views: at `now`, nobody can take an older one for right.
  void move_to(const StoreMoment& now, std::span<const HostedGame> changed,
               std::span<const SharedView> views);

 private:
  template <class Game>
  struct Entry {
    Game game;
    StoreMoment moment;                // at which it is right
    std::uint64_t refresh_number = 0;  // the refresh since which only the writer has changed it
  };

  template <class Game>
  bool is_right(const Entry<Game>& entry, const StoreMoment& now) const {
    return entry.moment == now || (now == moment_ && entry.refresh_number == refresh_number_);
  }
  void put(const SharedView& view, const StoreMoment& now);
  bool knows_newer(const std::string& id, Version version, std::int64_t change) const;
  std::uint64_t refresh_number_at(const StoreMoment& now) const {
    return now == moment_ ? refresh_number_ : 0;
  }

  mutable std::mutex mutex_;
  static constexpr std::size_t most_bytes = 32 << 20;
  BoundedMap<std::string, Entry<SharedView>> games_{most_bytes};
  static constexpr std::size_t most_bytes_of_lists = 8 << 20;
  BoundedMap<std::string, Entry<SharedListedGame>> listed_{most_bytes_of_lists};
  StoreMoment moment_;  // as the writer left it
  std::uint64_t refresh_number_ = 1;
  std::atomic<UnixMilliseconds> begun_ = 0;
};

}  // namespace snl::cli
