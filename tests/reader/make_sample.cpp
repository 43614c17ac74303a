// Writes the store that test_reader.py reads, and beside it an export of each game (ID.jsonl).
//
//   snl_make_sample STORE.db
//
// It contains everything that can be recorded at least once. Clock, seeds and dice are fixed, so
// the heads stay the same for ever, and the test pins them. So add games, but never change one.

#include "storage/draw.hpp"
#include "storage/exchange/jsonl.hpp"
#include "storage/match.hpp"
#include "storage/open_store.hpp"
#include "storage/sqlite/sqlite_store.hpp"
#include "storage/transparency/proof.hpp"
#include "storage/transparency/signing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using snl::BoardDescription;
using snl::Finish;
using snl::Match;
using snl::PlayTurn;
using snl::RedoTurns;
using snl::RollTurn;
using snl::Rules;
using snl::Sixes;
using snl::UndoToTurn;
using snl::UndoTurns;

/// A clock that goes on by 1.234 s each time it is read.
class SampleClock {
 public:
  snl::UnixMilliseconds operator()() { return std::exchange(now_, now_ + 1234); }

 private:
  snl::UnixMilliseconds now_ = 1'767'225'600'000;  // 2026-01-01T00:00:00.000Z
};

class Sample {
 public:
  explicit Sample(const std::string& path)
      : store_(snl::SqliteStore::open(path, snl::SqliteStore::Access::write)) {}

  Match start(const std::string& id, snl::GameSetup setup) {
    ids_.push_back(id);
    auto match = Match::start(*store_, id, {std::make_shared<snl::GameSetup>(std::move(setup))},
                              [this] { return clock_(); });
    if (!match) throw std::runtime_error(id + " can't be started");
    return *std::move(match);
  }

  static void run(Match& match, const snl::Command& command,
                  const std::optional<std::string>& command_id = std::nullopt) {
    if (!match.execute(command, {.expected_version = std::nullopt, .command_id = command_id}))
      throw std::runtime_error(match.id() + " refuses a command");
  }

  static void roll(Match& match, int turns) {
    for (int turn = 0; turn < turns && !match.state().completed(); ++turn)
      run(match, RollTurn{});
  }

  /// A branch of `match` after `turn`.
  snl::GameSetup setup_of_branch(const Match& match, snl::Turn turn) {
    snl::GameSetup setup = *match.state().setup;
    const auto position = history_of(*store_, match.id()).timeline.position_after(turn);
    setup.origin = snl::Origin{match.id(), snl::to_hex(match.head().hash), position};
    return setup;
  }

  void export_all(const std::filesystem::path& folder) {
    for (const std::string& id : ids_) {
      std::ofstream file(folder / (id + ".jsonl"), std::ios::binary);
      snl::export_jsonl(*store_, id, *store_->head(id),
                        [&](std::string_view line) { file << line << '\n'; });
    }
  }

 private:
  std::unique_ptr<snl::SqliteStore> store_;
  SampleClock clock_;
  std::vector<std::string> ids_;
};

snl::GameSetup setup(std::vector<std::string> players, const BoardDescription& board,
                     const Rules& rules, std::uint64_t seed) {
  return {.players = std::move(players),
          .board = snl::Board::make(board).value(),
          .rules = rules,
          .seed = seed};
}

/// The worked examples of storage/format.md.
void record_first(Sample& sample) {
  const BoardDescription board{.cells = 10, .width = 5, .snakes = {{9, 2}}, .ladders = {{3, 7}}};
  Match first = sample.start("first", setup({"Ann", "Bob"}, board, Rules{}, 42));
  Sample::run(first, PlayTurn{0, {2}});
  Sample::run(first, PlayTurn{1, {6, 2}}, "bob-1");
  Sample::run(first, UndoToTurn{0});
  Sample::run(first, RedoTurns{2});
  Sample::run(first, UndoTurns{1});
  Sample::run(first, RollTurn{});
}

/// Turns that several commands undo, and redos across these commands; a branch from the middle of
/// that.
void record_taken_back(Sample& sample) {
  const BoardDescription board{
      .cells = 100, .snakes = {{99, 7}, {62, 19}, {17, 4}}, .ladders = {{3, 22}, {5, 8}, {40, 77}}};
  Match match = sample.start("taken-back", setup({"Ann", "Bob", "Cyd"}, board, Rules{}, 7));
  Sample::roll(match, 6);
  Sample::run(match, UndoTurns{2});
  Sample::run(match, UndoToTurn{1}, "back-to-one");
  Sample::run(match, RedoTurns{4});
  Match branch = sample.start("branch", sample.setup_of_branch(match, 3));
  Sample::roll(branch, 2);
  Sample::run(match, UndoTurns{1});
  Sample::run(match, PlayTurn{1, {6, 6, 5}});
  Sample::run(branch, UndoToTurn{3});
  Sample::run(match, UndoTurns{3});
  Sample::run(match, RedoTurns{1}, "forth");
  Sample::run(branch, RedoTurns{1});
  Sample::roll(match, 4);
}

/// A win by a ladder, undone and redone; three sixes; an overshoot that stays; a branch that starts
/// completed.
void record_won(Sample& sample) {
  const BoardDescription board{.cells = 20, .width = 7, .ladders = {{14, 20}}};
  Match match = sample.start("won", setup({"a", "b"}, board, Rules{}, 0));
  Sample::run(match, PlayTurn{0, {6, 6, 1}});
  const auto won = sample.setup_of_branch(match, 1);
  Sample::run(match, UndoTurns{1});
  Sample::run(match, RedoTurns{1});
  const Match completed = sample.start("won.branch", won);
  Sample::run(match, UndoTurns{1});
  for (const snl::Dice& dice : {snl::Dice{6, 6, 6}, {5}, {6, 6, 5}, {6}, {5}, {6, 6}, {2}})
    Sample::run(match, PlayTurn{match.state().position.next, dice});
}

/// Dice and finishes other than the standard ones.
void record_rules(Sample& sample) {
  const Rules bounce{
      .start = 0, .finish = Finish::bounce, .dice = 2, .faces = 6, .sixes = Sixes::plain};
  const BoardDescription snaky{
      .cells = 30, .snakes = {{29, 1}, {28, 3}, {27, 5}}, .ladders = {{1, 12}}};
  Match two = sample.start("two-dice", setup({"N", "E", "S", "W"}, snaky, bounce, 1));
  Rules overshoot{
      .start = 0, .finish = Finish::overshoot, .dice = 2, .faces = 100, .sixes = Sixes::plain};
  Match hundred =
      sample.start("Hundred", setup({"x", "y"}, {.cells = 4000, .snakes = {{3999, 1}}}, overshoot,
                                    std::numeric_limits<std::uint64_t>::max()));
  overshoot.finish = Finish::bounce;
  Match tiny = sample.start("tiny_5", setup({"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"},
                                            {.cells = 5}, overshoot, 0x123456789ABCDEF0));
  for (int round = 0; round < 30; ++round)
    for (Match* match : {&two, &hundred, &tiny})
      Sample::roll(*match, 3);
}

/// Names and command IDs that JSON has to escape, or that aren't ASCII.
void record_names(Sample& sample) {
  Match match = sample.start(
      "Names.1", setup({"Zoë \"the \\ snake\"", "李小龍", "😀/👍🏽"}, {.cells = 50}, Rules{}, 3));
  Sample::run(match, PlayTurn{0, {1}}, "say \"hi\" \\ schön");
  Sample::run(match, PlayTurn{0, {1}}, "say \"hi\" \\ schön");  // again: records nothing
  Sample::run(match, RollTurn{}, "蛇 {\"id\":1}");
}

/// Many turns, so that seeded dice come from many blocks.
void record_long(Sample& sample) {
  const BoardDescription board{.cells = 1000, .snakes = {{999, 1}, {998, 2}, {997, 3}}};
  Match match = sample.start("long", setup({"Ann", "Bob"}, board, Rules{}, 2026));
  Sample::roll(match, 400);
}

/// Every power, captures, faces that enter, shields; undone and redone across them; a branch that
/// carries shields and turns to miss.
void record_powers(Sample& sample) {
  using enum snl::PowerKind;
  const BoardDescription board{.cells = 20,
                               .snakes = {{17, 4}, {12, 3}},
                               .ladders = {{5, 11}},
                               .powers = {{2, again},
                                          {6, shield, 2},
                                          {8, skip, 3},
                                          {10, swap},
                                          {13, skip, 1},
                                          {15, restart},
                                          {18, shield, 1}}};
  const Rules rules{.start = 0,
                    .finish = Finish::bounce,
                    .sixes = Sixes::plain,
                    .enter = {1, 5, 6},
                    .meet = snl::Meet::capture,
                    .safe = {3, 11}};
  Match match = sample.start("powers", setup({"Ann", "Bob", "Cyd"}, board, rules, 18));
  Sample::roll(match, 40);
  Sample::run(match, UndoTurns{15});
  Sample::run(match, RedoTurns{6});
  Match branch = sample.start("powers.branch", sample.setup_of_branch(match, 25));
  Sample::roll(branch, 30);
  Sample::run(branch, UndoToTurn{25});
  Sample::run(branch, RedoTurns{3});
  const BoardDescription plain{.cells = 12};
  Match entering = sample.start(
      "entering",
      setup({"Ann", "Bob"}, plain, {.start = 0, .sixes = Sixes::plain, .enter = {6}}, 5));
  Sample::roll(entering, 30);
}

/// The secret, or the entropy, of 32 bytes from `first` on.
snl::Draw::Bytes bytes_from(std::uint8_t first) {
  snl::Draw::Bytes bytes{};
  std::ranges::generate(bytes, [&] { return first++; });
  return bytes;
}

snl::GameSetup drawn(snl::GameSetup setup, std::vector<std::optional<snl::Draw::Bytes>> entropy) {
  const snl::Draw::Bytes secret = bytes_from(0);
  setup.seed = snl::seed_of(secret, entropy);
  setup.draw = snl::Draw{
      .commitment = snl::commitment_of(secret), .secret = secret, .entropy = std::move(entropy)};
  return setup;
}

/// Drawn seeds, with and without effects, and one to which no other player contributed; a takeback
/// by request; a branch.
void record_drawn(Sample& sample) {
  const BoardDescription board{.cells = 30, .snakes = {{17, 7}}, .ladders = {{3, 22}}};
  Match match = sample.start("drawn", drawn(setup({"Ann", "Bob", "Cyd"}, board, Rules{}, 0),
                                            {bytes_from(32), std::nullopt, bytes_from(64)}));
  Sample::roll(match, 5);
  snl::Takeback takeback{.asked = 1};
  for (const snl::Seat seat : {snl::Seat{0}, snl::Seat{1}, snl::Seat{2}})
    takeback.agreed.insert(seat);
  Sample::run(match, UndoToTurn{.turn = 3, .takeback = takeback});
  snl::GameSetup left = sample.setup_of_branch(match, 2);
  left.draw.reset();
  Match branch = sample.start("drawn.branch", std::move(left));
  Sample::roll(branch, 3);
  Sample::roll(match, 40);
  Rules capture{.start = 0, .sixes = Sixes::plain, .meet = snl::Meet::capture};
  Match effects = sample.start("drawn.effects", drawn(setup({"Ann", "Bob"}, board, capture, 0),
                                                      {bytes_from(96), bytes_from(128)}));
  Sample::roll(effects, 20);
  Match alone = sample.start(
      "drawn.alone", drawn(setup({"Ann", "Bob"}, board, Rules{}, 0), {std::nullopt, std::nullopt}));
  Sample::roll(alone, 1);
}

/// Turns that their players didn't roll.
void record_rolled(Sample& sample) {
  Match match = sample.start("rolled", setup({"Ann", "Bob"}, {.cells = 30}, Rules{}, 4));
  Sample::run(match, RollTurn{});
  for (const auto& [name, roller] : snl::roller_names)
    Sample::run(match, RollTurn{roller});
}

/// Sixes that give another turn: blocked, missed, undone; without and with powers.
void record_each(Sample& sample) {
  const Rules each{.start = 0, .sixes = Sixes::each};
  const BoardDescription board{.cells = 30, .snakes = {{17, 7}}, .ladders = {{3, 22}}};
  Match match = sample.start("each", setup({"Ann", "Bob"}, board, each, 8));
  Sample::run(match, PlayTurn{0, {6}});
  Sample::roll(match, 12);
  Sample::run(match, UndoToTurn{1});
  Sample::run(match, RedoTurns{2});
  Sample::roll(match, 40);
  const BoardDescription skips{
      .cells = 20,
      .powers = {
          {6, snl::PowerKind::skip, 2}, {12, snl::PowerKind::again}, {3, snl::PowerKind::skip, 1}}};
  Match missed = sample.start("each.skip", setup({"Ann", "Bob", "Cyd"}, skips, each, 8));
  for (const snl::Dice& dice : {snl::Dice{3}, {6}, {6}, {6}, {1}})
    Sample::run(missed, PlayTurn{missed.state().position.next, dice});
  Sample::roll(missed, 40);
}

/// Makes a log for the store, and a proof of one game in it.
void sign(const std::string& store) {
  using namespace snl::transparency;
  const std::string key = store + ".key";
  make_key_file(key, "sample.example/log", KeyType::log);
  const KeyFile file(key, KeyType::log);
  const auto admin = snl::admin_of_store(store);
  Signing signing(file);
  std::optional<SignedCheckpoint> newest;
  while (!newest)
    admin->write_log([&](LogStore& log) { newest = signing.step(log); });
  const auto head = snl::open_store(store, snl::for_reading)->commit("won", 12).value();
  admin->read_log([&](LogReader& log) {
    const LogProof proof{
        .extra = "won 12",
        .index = log.index_of(head.position),
        .hashes = inclusion_proof(log, log.index_of(head.position), newest->checkpoint.size),
        .signed_checkpoint = *newest};
    std::ofstream(store + ".tlog-proof") << proof.text();
  });
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw std::runtime_error("usage: snl_make_sample STORE.db");
    const std::filesystem::path path = argv[1];
    if (std::filesystem::exists(path)) throw std::runtime_error(path.string() + " exists");
    Sample sample(path.string());
    record_first(sample);
    record_taken_back(sample);
    record_won(sample);
    record_rules(sample);
    record_names(sample);
    record_long(sample);
    record_powers(sample);
    record_drawn(sample);
    record_rolled(sample);
    record_each(sample);
    sample.export_all(path.parent_path());
    sign(path.string());
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "snl_make_sample: {}\n", error.what());
    return 1;
  }
}
