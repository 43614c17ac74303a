// A store of a million games next to one of a hundred: the cost of a turn or a list must not depend
// on how much else is in the store.
#include "endless_game.hpp"
#include "folder.hpp"
#include "rows.hpp"
#include "storage/match.hpp"
#include "storage/sqlite/sqlite_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>

namespace snl::benchmarks {
namespace {

/// A store of games that have just been started.
class Hall {
 public:
  explicit Hall(std::int64_t games) : games_(games) {
    constexpr std::int64_t batch = 10'000;
    const auto store = SqliteStore::open(file(), SqliteStore::Access::write);
    for (std::int64_t first = 0; first < games; first += batch)
      store->locked("any", [&](EventStore&) {
        for (std::int64_t game = first; game < std::min(first + batch, games); ++game)
          record_endless_game(*store, id(game), 0);
      });
  }

  std::string file() const { return folder_.file("snl.db"); }
  std::int64_t games() const { return games_; }
  static std::string id(std::int64_t game) { return fmt::format("game{}", game); }

 private:
  Folder folder_;
  std::int64_t games_;
};

using MakeHall = std::function<std::shared_ptr<const Hall>()>;

/// The store with this number of games, made at the first call and shared by all rows.
MakeHall shared_hall(std::int64_t games) {
  return [games, made = std::make_shared<std::shared_ptr<const Hall>>()] {
    if (!*made) *made = std::make_shared<const Hall>(games);
    return *made;
  };
}

/// Turns, each of another game, through one connection.
Work taking_turns(const std::shared_ptr<const Hall>& hall, double turns) {
  std::shared_ptr<SqliteStore> store = SqliteStore::open(hall->file(), SqliteStore::Access::write);
  return [=, random = std::mt19937_64(1)]() mutable {
    std::uniform_int_distribution<std::int64_t> any(0, hall->games() - 1);
    for (double played = 0; played < turns; ++played)
      if (!Match::load(*store, Hall::id(any(random))).value().execute(RollTurn{}))
        throw std::runtime_error("a turn was refused");
    return turns;
  };
}

/// Opens the store, lists the newest games and looks up where they stand, as `snl list` does.
Work listing(const std::shared_ptr<const Hall>& hall, double times) {
  return [=] {
    constexpr std::size_t listed = 20;
    std::size_t found = 0;
    for (double done = 0; done < times; ++done) {
      const auto store = SqliteStore::open(hall->file(), SqliteStore::Access::read);
      for (const std::string& id : store->list({}, listed))
        found += Match::load(*store, id)->state().players() / 2;
    }
    if (found == 0) throw std::runtime_error("nothing was listed");
    return times;
  };
}

}  // namespace

std::vector<Row> many_games_rows(const Options& options) {
  constexpr std::int64_t few = 100;
  const auto many = static_cast<std::int64_t>(scaled(options, 1'000'000));
  const MakeHall large = shared_hall(many);
  const MakeHall small = shared_hall(few);
  const auto in_both = [=](const auto& work, double amount) {
    return [=] { return Contest{work(large(), amount), work(small(), amount)}; };
  };
  return {{.name = fmt::format("a turn in a store of {} games", with_commas(many)),
           .baseline_name = fmt::format("the same in a store of {}", few),
           .unit = "turns",
           .measure = Measure::time,
           .bar = Bar{Bar::Of::ratio, 1.1},
           .prepare = in_both(taking_turns, scaled(options, 1000))},
          {.name = fmt::format("open a store of {} games, list 20", with_commas(many)),
           .baseline_name = fmt::format("the same in a store of {}", few),
           .unit = "lists",
           .measure = Measure::time,
           .bar = Bar{Bar::Of::ratio, 2},
           .prepare = in_both(listing, scaled(options, 20))}};
}

}  // namespace snl::benchmarks
