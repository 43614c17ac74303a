// snl_instructions WHAT TIMES: does one thing this many times, the same on every run.
// count_instructions counts it under callgrind: the difference that N more times make is their
// cost, without the start of the program. Without arguments it prints each WHAT, a tab and a
// description.
#include "domain/engine.hpp"
#include "endless_game.hpp"
#include "folder.hpp"
#include "storage/codec.hpp"
#include "storage/game_verifier.hpp"
#include "storage/match.hpp"
#include "storage/sqlite/sqlite_store.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace snl::benchmarks {
namespace {

/// The turns of the game that is read, and so the most that can be read.
constexpr std::int64_t recorded_turns = 2000;

constexpr UnixMilliseconds new_year = 1'767'225'600'000;  // 2026-01-01T00:00:00Z

GameState started_game() {
  return evolve(GameState{}, GameStarted{endless_game()}).value();
}

TurnPlayed first_turn() {
  return decide(started_game(), RollTurn{}).value();
}

// Each returns a sum over all that it did, so that no compiler optimises it away.

std::int64_t play_in_engine(std::int64_t times) {
  GameState state = started_game();
  for (std::int64_t done = 0; done < times; ++done) {
    const auto eyes = static_cast<std::int32_t>(done % 6 + 1);
    const auto turn = decide(state, PlayTurn{state.position.next, Dice{eyes}});
    state = evolve(std::move(state), turn.value()).value();
  }
  return state.position.turn;
}

std::int64_t encode_events(std::int64_t times) {
  const Event event = first_turn();
  std::size_t bytes = 0;
  for (std::int64_t done = 0; done < times; ++done)
    bytes += encode(std::span(&event, 1)).size();
  return static_cast<std::int64_t>(bytes);
}

std::int64_t decode_events(std::int64_t times) {
  const Event event = first_turn();
  const std::string json = encode(std::span(&event, 1));
  std::size_t events = 0;
  for (std::int64_t done = 0; done < times; ++done)
    events += snl::decode_events(json).value().size();
  return static_cast<std::int64_t>(events);
}

std::int64_t encode_command(std::int64_t times) {
  const Command command = PlayTurn{1, Dice{4}};
  std::size_t bytes = 0;
  for (std::int64_t done = 0; done < times; ++done)
    bytes += encode(command).size();
  return static_cast<std::int64_t>(bytes);
}

std::int64_t decode_command(std::int64_t times) {
  const std::string json = encode(PlayTurn{1, Dice{4}});
  std::size_t seats = 0;
  for (std::int64_t done = 0; done < times; ++done)
    seats += std::get<PlayTurn>(snl::decode_command(json).value().command).seat;
  return static_cast<std::int64_t>(seats);
}

/// A store on disk with the beginning of a game.
class EndlessGame {
 public:
  explicit EndlessGame(Turn turns) {
    record_endless_game(*store_, id, turns, [] { return new_year; });
  }

  EventStore& store() { return *store_; }
  Match match() {
    return Match::load(*store_, id, [] { return new_year; }).value();
  }

  static inline const std::string id = "game";

 private:
  Folder folder_;
  std::unique_ptr<SqliteStore> store_ =
      SqliteStore::open(folder_.file("snl.db"), SqliteStore::Access::write);
};

std::int64_t append(std::int64_t times) {
  EndlessGame game(0);
  Match match = game.match();
  for (std::int64_t done = 0; done < times; ++done)
    if (!match.execute(RollTurn{})) throw std::runtime_error("a turn was refused");
  return match.head().version;
}

std::int64_t audit(std::int64_t times) {
  EndlessGame game(recorded_turns);
  GameVerifier verifier(game.id,
                        [&](Version version) { return game.store().commit(game.id, version); });
  for_each_commit(game.store(), game.id, 1, [&](const CommitView& commit) {
    return !verifier.add(commit) && commit.version <= times;
  });
  return verifier.head().version;
}

std::int64_t load(std::int64_t times) {
  EndlessGame game(recorded_turns);
  return game.match().position_at(times + 1).turn;
}

struct Thing {
  std::string_view name;
  std::string_view what;
  std::int64_t (*repeat)(std::int64_t times);
  bool reads = false;  // recorded turns, which bound the number of times
};

constexpr std::array things{
    Thing{"engine", "decide and evolve of a turn", play_in_engine},
    Thing{"encode-events", "the JSON of a turn's event", encode_events},
    Thing{"decode-events", "a turn's event from its JSON", decode_events},
    Thing{"encode-command", "the JSON of a command", encode_command},
    Thing{"decode-command", "a command from its JSON", decode_command},
    Thing{"append", "a durable turn, from the command to the commit", append},
    Thing{"audit", "the proof of a turn", audit, true},
    Thing{"load", "a turn read and folded", load, true},
};

/// Does the thing that the arguments name; false where they name none.
bool obey(std::string_view name, std::string_view number) {
  std::int64_t times = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), times);
  if (error != std::errc{} || end != number.data() + number.size() || times < 1) return false;
  for (const Thing& thing : things) {
    if (thing.name != name || (thing.reads && times > recorded_turns)) continue;
    fmt::print("{}\n", thing.repeat(times));
    return true;
  }
  return false;
}

}  // namespace
}  // namespace snl::benchmarks

int main(int argc, char** argv) {
  using namespace snl::benchmarks;
  if (argc == 1) {
    for (const Thing& thing : things)
      fmt::print("{}\t{}\n", thing.name, thing.what);
    return 0;
  }
  try {
    if (argc == 3 && obey(argv[1], argv[2])) return 0;
    fmt::print(stderr, "usage: {} [WHAT TIMES], of what is recorded at most {} times\n", argv[0],
               recorded_turns);
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", argv[0], error.what());
    return 1;
  }
}
