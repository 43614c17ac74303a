#include "record_game.hpp"

#include "codec.hpp"
#include "domain/engine.hpp"
#include "domain/narration.hpp"
#include "draw.hpp"
#include "game_id.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

namespace snl {

namespace {

/// Makes the commits of a game that plays itself, several turns at a time.
class SelfPlay {
 public:
  /// Fails like play_game(), before anything is played.
  static std::expected<SelfPlay, std::string> start(const std::string& id,
                                                    const std::shared_ptr<const GameSetup>& setup,
                                                    const Clock& clock) {
    if (!is_game_id(id)) return std::unexpected(fmt::format("\"{}\": {}", id, game_id_rule));
    const auto started = decide(GameState{}, StartGame{setup});
    if (!started) return std::unexpected(explain(started.error()));
    if (auto fault = fault_of_draw(*setup)) return std::unexpected(*std::move(fault));
    SelfPlay play(clock);
    play.state_ = *evolve(GameState{}, Event{*started});
    play.add(encode(StartGame{setup}), *started);
    return play;
  }

  /// Plays so many turns, or fewer if the game ends or the observer stops it.
  void play(Turn turns, const std::function<bool(const TurnPlayed&)>& observer = {}) {
    const auto add_turn = [&](const Event& turn) {
      add(roll_, turn);
      if (observer && !observer(std::get<TurnPlayed>(turn))) stopped_ = true;
    };
    state_ =
        *play_out(std::move(state_), seeded_dice, add_turn, turns, [this] { return stopped_; });
  }

  bool was_stopped() const { return stopped_; }
  const GameState& state() const { return state_; }
  /// The commits since they were last cleared.
  std::vector<NewCommit>& commits() { return commits_; }

 private:
  explicit SelfPlay(const Clock& clock) : clock_(&clock) {}

  void add(std::string command, const Event& event) {
    commits_.push_back({.time = time_to_record(*clock_),
                        .command = std::move(command),
                        .events = encode(std::span(&event, 1)),
                        .command_id = std::nullopt});
  }

  const Clock* clock_;
  std::string roll_ = encode(RollTurn{});
  bool stopped_ = false;
  GameState state_;
  std::vector<NewCommit> commits_;
};

std::string taken(const std::string& id) {
  return fmt::format("a game with the ID {} already exists", id);
}

}  // namespace

std::expected<PlayedGame, std::string> play_game(
    std::string id, const std::shared_ptr<const GameSetup>& setup, Turn max_turns,
    const std::function<bool(const TurnPlayed&)>& observer, const Clock& clock) {
  auto play = SelfPlay::start(id, setup, clock);
  if (!play) return std::unexpected(std::move(play).error());
  play->play(max_turns, observer);
  if (play->was_stopped()) return std::unexpected("it was stopped");
  return PlayedGame{
      .id = std::move(id), .commits = std::move(play->commits()), .state = play->state()};
}

std::expected<void, std::string> record_games(EventStore& store,
                                              std::span<const PlayedGame> games) {
  std::vector<Append> appends;
  appends.reserve(games.size());
  for (const PlayedGame& game : games)
    appends.push_back(game.append());
  if (const auto recorded = store.append(appends); !recorded)
    return std::unexpected(taken(recorded.error().game));
  return {};
}

/// One transaction, with one page of commits after another: recorded commits needn't be kept, so a
/// game of any length takes no more memory than a short one.
std::expected<GameState, std::string> record_game(EventStore& store, std::string id,
                                                  const std::shared_ptr<const GameSetup>& setup,
                                                  Turn max_turns, const Clock& clock) {
  constexpr Turn commits_at_once = 1024;
  const auto begun = SelfPlay::start(id, setup, clock);
  if (!begun) return std::unexpected(begun.error());
  std::expected<GameState, std::string> recorded;
  const auto record = [&](EventStore& locked) {
    SelfPlay play = *begun;
    Head head;
    Turn left = max_turns;
    do {
      const Turn turns = std::min(left, commits_at_once - std::ssize(play.commits()));
      play.play(turns);
      left -= turns;
      const auto appended = locked.append(id, head, play.commits(), play.state());
      if (!appended) {
        recorded = std::unexpected(taken(id));
        return;
      }
      head = *appended;
      play.commits().clear();
    } while (left > 0 && !play.state().completed());
    recorded = play.state();
  };
  store.locked(id, record);
  return recorded;
}

void GameRecorder::add(PlayedGame game) {
  commits_ += game.commits.size();
  games_.push_back(std::move(game));
}

std::expected<void, std::string> GameRecorder::record() {
  auto recorded = record_games(store_, games_);
  games_.clear();
  commits_ = 0;
  return recorded;
}

}  // namespace snl
