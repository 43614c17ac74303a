#include "game_viewer.hpp"

#include "new_hosted_game.hpp"
#include "storage/codec.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

namespace snl::cli {

GameViewer::GameViewer(StoreReader& store, HostedGameStore& hosted_games, KnownGames& known)
    : store_(store), hosted_games_(hosted_games), known_(known) {}

/// A commit's hash covers its game's whole log. If the last commit is still the last, and the same,
/// nothing was recorded after it, and no other store took the place of this one.
const StoreMoment& GameViewer::refresh() {
  moment_.change = hosted_games_.last_revision();
  CommitPage page;
  store_.read_all(std::max<StorePosition>(moment_.position, 1), 2, page);
  const auto is_end = [&] {
    return page.size() == 1 && page.begin()->position == moment_.position &&
           page.begin()->hash == moment_.hash;
  };
  if (is_end() || (page.empty() && moment_.position == 0)) return moment_;
  const StorePosition last = store_.wait_for_append(0, std::chrono::milliseconds{0});
  store_.read_all(std::max<StorePosition>(last, 1), 1, page);
  moment_.position = page.empty() ? 0 : page.begin()->position;
  moment_.hash = page.empty() ? Hash{} : page.begin()->hash;
  return moment_;
}

SharedView GameViewer::transient_view(const std::string& id) {
  const auto [view, is_right] = known_.find(id, moment_);
  return is_right ? view : compared(id, view);
}

SharedView GameViewer::current_view(const std::string& id) {
  auto view = transient_view(id);
  if (view)
    known_.keep(view, moment_);
  else
    known_.forget(id);
  return view;
}

namespace {

/// Whether the log's game isn't the one that the hosted game was to begin: somebody took its ID at
/// the command line.
bool is_of_another_game(const HostedGame& hosted, const RecordedGame& game) {
  if (hosted.stage == HostedGameStage::started) return false;
  return hosted.stage != HostedGameStage::settled || *setup_of(hosted) != *game.state().setup;
}

}  // namespace

/// Reads the hosted game before the log. So the log may be ahead, and has turns that the hosted
/// game doesn't record yet. Reads only the parts that differ from the known view.
SharedView GameViewer::compared(const std::string& id, const SharedView& known) {
  auto hosted = hosted_games_.game(id);
  const auto head = store_.head(id);
  if (!hosted && !head) return nullptr;
  const bool is_same_game = known && known->head() == head.value_or(Head{});
  if (is_same_game && known->change() == (hosted ? hosted->revision : 0) &&
      !known->depends_on_others())
    return known;
  auto game = is_same_game ? known->game : nullptr;
  if (head && !game)
    if (auto loaded = RecordedGame::load(store_, id))
      game = std::make_shared<const RecordedGame>(*std::move(loaded));
  while (hosted && game && is_of_another_game(*hosted, *game)) {
    const std::int64_t changed = hosted->revision;
    hosted = hosted_games_.game(id);
    if (hosted && hosted->revision == changed) hosted.reset();
  }
  if (!hosted && !game) return nullptr;
  return view_of(id, std::move(hosted), std::move(game), known.get());
}

namespace {

/// If a step follows the view before, that view's steps are kept too.
std::vector<SharedStep> steps_to(const GameView& view, const GameView* before, SharedStep step) {
  constexpr std::size_t most = 8;
  std::vector<SharedStep> steps;
  const bool goes_on = before != nullptr && (step ? before->version() + 1 == view.version()
                                                  : before->head() == view.head());
  if (goes_on) steps = before->steps;
  if (!step) return steps;
  if (steps.size() == most) steps.erase(steps.begin());
  steps.push_back(std::move(step));
  return steps;
}

}  // namespace

SharedView GameViewer::view_of(std::string id, std::optional<HostedGame> hosted,
                               std::shared_ptr<const RecordedGame> game, const GameView* before,
                               SharedStep step) {
  auto view = std::make_shared<GameView>();
  view->id = std::move(id);
  view->hosted = std::move(hosted);
  view->game = std::move(game);
  const bool follows = step && before != nullptr && before->version() + 1 == view->version();
  if (follows)
    view->was_won = before->was_won || view->game->state().completed();
  else if (view->game)
    view->was_won = was_ever_won(store_, *view->game, before);
  view->steps = steps_to(*view, before, std::move(step));
  if (view->hosted && view->hosted->given_up)
    view->status = GameStatus::abandoned;
  else if (view->game)
    view->status = view->was_won ? GameStatus::completed : GameStatus::in_progress;
  else
    view->status =
        view->hosted->stage == HostedGameStage::open ? GameStatus::open : GameStatus::drawing;
  view->reveal_permit = reveal_permit_of(*view, store_, hosted_games_);
  view->question = seen(*view, before);
  view->begun = known_.begun();
  view->moved_at = time_of_last_move(*view, before);
  return view;
}

UnixMilliseconds GameViewer::time_of_last_move(const GameView& view, const GameView* before) const {
  if (view.status != GameStatus::in_progress || !view.hosted || !view.hosted->is_timed()) return 0;
  if (!view.steps.empty() && view.steps.back()->game->head() == view.head())
    return view.steps.back()->commit.time;
  if (before != nullptr && before->head() == view.head() && before->moved_at != 0)
    return before->moved_at;
  const auto last = store_.commit(view.id, view.version());
  return last ? last->time : 0;
}

/// The commits after the version at which a question was asked settle it.
std::optional<SeenQuestion> GameViewer::seen(const GameView& view, const GameView* before) {
  using enum SeenQuestion::Outcome;
  if (!view.hosted || !view.hosted->question) return std::nullopt;
  SeenQuestion seen{.question = *view.hosted->question, .agreed = view.hosted->question->agreed};
  if (const auto outcome = seen.question.outcome) {
    seen.outcome = *outcome == TakebackQuestion::Outcome::refused ? refused : withdrawn;
    return seen;
  }
  if (view.version() == seen.question.asked_at) {
    if (view.has_ended()) seen.outcome = overtaken;
    return seen;
  }
  // It stays settled, unless this is another log.
  const bool was_settled = before != nullptr && before->question &&
                           before->question->outcome != open && before->version() <= view.version();
  if (was_settled && before->question->question == seen.question) return before->question;
  seen.outcome = overtaken;
  const auto next = store_.commit(view.id, next_number(seen.question.asked_at));
  if (!next) return seen;
  const auto command = decode_command(next->command);
  const auto* undo = command ? std::get_if<UndoToTurn>(&command->command) : nullptr;
  if (undo != nullptr && undo->takeback && undo->takeback->asked == seen.question.by) {
    seen.outcome = done;
    seen.agreed = undo->takeback->agreed;
  }
  return seen;
}

SharedListedGame GameViewer::listed(const std::string& id, std::int64_t change) {
  auto [game, is_right] = known_.find_listed(id, moment_);
  if (is_right && game->change == change) return game;
  if (!game || !game->is_of(store_.head(id).value_or(Head{}), change)) {
    const SharedView view = transient_view(id);
    if (!view) return nullptr;
    game = std::make_shared<const ListedGame>(listed_of(*view));
  }
  known_.keep_listed(game, moment_);
  return game;
}

/// The first commit holds the board, so it isn't read if the game was listed before.
UnixMilliseconds GameViewer::begun(const std::string& id) {
  const auto known = known_.find_listed(id, moment_).game;
  if (known && known->has_begun()) return known->begun;
  const auto first = store_.commit(id, 1);
  return first ? first->time : 0;
}

}  // namespace snl::cli
