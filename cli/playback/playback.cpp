#include "playback.hpp"

#include "cli/drawing/walk.hpp"
#include "domain/dice.hpp"
#include "domain/engine.hpp"
#include "domain/whole_number.hpp"
#include "ranked_moments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>

namespace snl::cli {
namespace {

using Code = Key::Code;

constexpr Milliseconds rolling_time{480};
constexpr Milliseconds dice_interval{80};  // between two faces of a rolling die
constexpr Milliseconds slide_time{640};
constexpr Milliseconds slide_interval{40};  // between two pictures of a slide
constexpr Milliseconds shortest_interval{33};
constexpr Milliseconds rest_of_a_turn{900};
constexpr Milliseconds rest_at_the_start{700};
constexpr Milliseconds rest_at_the_end{3000};  // before it starts again

constexpr std::string_view between_dice = " -,.+/";

/// The user's text as dice, with one dash for any separator. A blank at the end is ignored; a dash
/// there stays, since a die is missing.
std::string dashed(std::string_view words) {
  words = words.substr(0, words.find_last_not_of(' ') + 1);
  std::string dashed;
  for (const char c : words) {
    const bool between = between_dice.contains(c);
    if (!between || !dashed.ends_with('-')) dashed += between ? '-' : c;
  }
  return dashed;
}

}  // namespace

Playback::Playback(Recording recording, const PlaybackSettings& settings)
    : recording_(std::move(recording)),
      settings_(settings),
      shot_(settings.first),
      playing_(settings.mode == Mode::watch || (settings.mode == Mode::replay && !settings.step)),
      speed_(std::clamp(settings.speed, settings.slowest, settings.fastest)) {
  if (settings.mode != Mode::replay) seek(last());
}

// ---- Time

/// Time stands still behind the help.
void Playback::advance(Milliseconds time) {
  if (help_page_) return;
  elapsed_ += time * pace();
  while (true) {
    const Milliseconds shown = motion().all();
    if (settings_.step && elapsed_ >= shown) playing_ = false;
    if (!playing_) elapsed_ = std::min(elapsed_, shown);
    if (elapsed_ < shown + rest() || !playing_) return;
    if (shot_ == last() && !settings_.loop) {
      playing_ = settings_.mode == Mode::watch;
      elapsed_ = shown;
      return;
    }
    elapsed_ -= shown + rest();
    shot_ = shot_ == last() ? first() : shot_ + 1;
    if (first() == last()) return;
  }
}

std::optional<Milliseconds> Playback::until_change() const {
  if (help_page_) return std::nullopt;
  const Motion parts = motion();
  const auto next = [&](Milliseconds begin, Milliseconds interval) {
    const double passed = std::floor((elapsed_ - begin) / interval);
    const Milliseconds left = begin + (passed + 1) * interval - elapsed_;
    return std::max(left / pace(), shortest_interval);
  };
  if (elapsed_ < parts.roll) return next(Milliseconds{0}, dice_interval);
  if (elapsed_ < parts.roll + parts.walk()) return next(parts.roll, parts.step);
  if (elapsed_ < parts.all()) return next(parts.roll + parts.walk(), slide_interval);
  const bool goes_on = playing_ && (shot_ < last() || (settings_.loop && first() < last()));
  if (!goes_on) {
    // A replay that stops by itself must still show that it stopped.
    if (playing_ && settings_.mode != Mode::watch)
      return std::max((parts.all() + rest() - elapsed_) / pace(), Milliseconds{0});
    return std::nullopt;
  }
  return std::max((parts.all() + rest() - elapsed_) / pace(), shortest_interval);
}

/// The chosen speed; faster while a watch has turns to show that came meanwhile.
double Playback::pace() const {
  if (settings_.mode != Mode::watch || !playing_) return speed_;
  constexpr std::size_t few = 2;
  constexpr double most = 8;
  const std::size_t behind = last() - shot_;
  return behind < few ? speed_ : speed_ * std::min(most, static_cast<double>(behind));
}

Playback::Motion Playback::motion_of(std::size_t shot) const {
  if (shot == first()) return {};
  constexpr Milliseconds longest_walk{1300};
  constexpr Milliseconds longest_step{130};
  const TurnPlayed& turn = recording_.shot(shot).turn;
  const int steps = steps_walked(turn, recording_.setup());
  return {.roll = rolling_time,
          .step = steps == 0 ? longest_step : std::min(longest_step, longest_walk / steps),
          .steps = steps,
          .slides = static_cast<int>(carried_by(turn).size())};
}

Milliseconds Playback::Motion::all() const {
  return roll + walk() + slides * slide_time;
}

/// The pause after a shot, before the next one.
Milliseconds Playback::rest_of(std::size_t shot) const {
  if (shot == last()) return settings_.loop ? rest_at_the_end : Milliseconds{0};
  return shot == first() ? rest_at_the_start : rest_of_a_turn;
}

Milliseconds Playback::length(double speed, Milliseconds longest_rest) const {
  Milliseconds length{0};
  for (std::size_t shot = first(); shot <= last(); ++shot)
    length += motion_of(shot).all() / speed + std::min(rest_of(shot) / speed, longest_rest);
  return length;
}

// ---- The picture

Scene Playback::scene() const {
  Scene scene{.shot = shot_, .position = recording_.position(shot_), .settled = is_settled()};
  if (shot_ == 0) return scene;
  const TurnPlayed& turn = recording_.shot(shot_).turn;
  scene.mover = turn.seat;
  scene.dice.assign(turn.dice.values().begin(), turn.dice.values().end());
  if (scene.settled) return scene;
  const Motion parts = motion();
  scene.position = recording_.before(shot_);
  if (elapsed_ < parts.roll) {
    scene.rolling = true;
    const auto face = static_cast<Turn>(elapsed_ / dice_interval) + 1;
    for (std::size_t die = 0; die < scene.dice.size(); ++die)
      scene.dice[die] =
          seeded_die(shot_, face, static_cast<std::uint32_t>(die), recording_.setup().rules.faces);
    return scene;
  }
  const Milliseconds walked = elapsed_ - parts.roll;
  Cell& cell = scene.position.cells[turn.seat];
  if (walked < parts.walk()) {
    const int step = std::min(parts.steps, static_cast<int>(walked / parts.step) + 1);
    cell = cells_passed(turn, recording_.setup())[static_cast<std::size_t>(step)];
    return scene;
  }
  cell = turn.landed;
  const auto carried = carried_by(turn);
  const double slid = std::max(0.0, (walked - parts.walk()) / slide_time);
  const std::size_t now = std::min(static_cast<std::size_t>(slid), carried.size() - 1);
  for (std::size_t i = 0; i < now; ++i)
    for (const Carried& piece : carried[i])
      scene.position.cells[piece.seat] = piece.to;
  scene.slide =
      Scene::Slide{.pieces = carried[now], .part = std::min(slid - static_cast<double>(now), 1.0)};
  return scene;
}

// ---- Keys

std::optional<Wish> Playback::press(const Key& key) {
  note_.clear();
  noted_.reset();
  auto action = action_of(key, settings_.mode);
  if (types_word(action, key)) action = Action::type_dice;
  if (action == Action::interrupt) return Quit{.interrupted = true};
  if (action == Action::suspend) return Suspend{};
  if (action == Action::redraw) return Redraw{};
  if (help_page_) {
    press_in_help(key);
    return std::nullopt;
  }
  if (sought_) {
    type_turn(key);
    return std::nullopt;
  }
  ignores_enter_ = std::exchange(ignore_next_enter_, false);
  return action ? carry_out(*action, key) : std::nullopt;
}

/// Words are typed as dice are, so that Enter refuses them instead of rolling. A letter that is a
/// key is part of a word once that has begun.
bool Playback::types_word(std::optional<Action> action, const Key& key) const {
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  const bool is_in_word = std::ranges::any_of(typed_dice_, is_letter);
  return (!action || is_in_word) && settings_.mode == Mode::table && !looks_back() &&
         key.code == Key::Code::character && key.character > ' ';
}

std::optional<Wish> Playback::carry_out(Action action, const Key& key) {
  switch (action) {
    case Action::leave:
      return Quit{};
    case Action::undo:
      return take_back_or_redo(UndoTurns{1});
    case Action::redo:
      return take_back_or_redo(RedoTurns{1});
    case Action::enter:
      return enter();
    case Action::enter_or_type:
      if (typed_dice_.empty()) return enter();
      type_dice(key.character);
      return std::nullopt;
    case Action::leave_or_drop_dice:
      return leave_or_drop_dice();
    default:
      change_view_or_type(action, key.character);
      return std::nullopt;
  }
}

/// Actions that change only the view, or the typed text.
void Playback::change_view_or_type(Action action, char character) {
  struct Deed {
    Action action;
    void (*act)(Playback& playback, char character);
  };
  static constexpr std::array deeds{
      Deed{Action::forwards, [](Playback& it, char) { it.forwards(); }},
      Deed{Action::backwards, [](Playback& it, char) { it.backwards(); }},
      Deed{Action::ten_forwards, [](Playback& it, char) { it.seek_by(10); }},
      Deed{Action::ten_backwards, [](Playback& it, char) { it.seek_by(-10); }},
      Deed{Action::next_moment, [](Playback& it, char) { it.seek_moment(1); }},
      Deed{Action::previous_moment, [](Playback& it, char) { it.seek_moment(-1); }},
      Deed{Action::to_start, [](Playback& it, char) { it.seek(it.first()); }},
      Deed{Action::to_end, [](Playback& it, char) { it.seek(it.last()); }},
      Deed{Action::to_tenth, [](Playback& it, char digit) { it.go_to_tenth(digit - '0'); }},
      Deed{Action::play_or_pause, [](Playback& it, char) { it.play_or_pause(); }},
      Deed{Action::faster, [](Playback& it, char) { it.go_faster(2); }},
      Deed{Action::slower, [](Playback& it, char) { it.go_faster(0.5); }},
      Deed{Action::normal_speed, [](Playback& it, char) { it.speed_ = 1; }},
      Deed{Action::ask_for_turn, [](Playback& it, char) { it.sought_.emplace(); }},
      Deed{Action::flip, [](Playback& it, char) { it.flipped_ = !it.flipped_; }},
      Deed{Action::show_or_hide_graph, [](Playback& it, char) { it.graph_ = !it.graph_; }},
      Deed{Action::help, [](Playback& it, char) { it.help_page_ = 0; }},
      Deed{Action::type_dice, [](Playback& it, char die) { it.type_dice(die); }},
      Deed{Action::delete_typed, [](Playback& it, char) { it.delete_typed(); }},
  };
  const auto* const deed = std::ranges::find(deeds, action, &Deed::action);
  if (deed != deeds.end()) deed->act(*this, character);
}

bool Playback::is_completed() const {
  return shot_ == last() && is_settled() && recording_.position(last()).winner.has_value();
}

/// Pages go round. The view decides how many there are.
void Playback::press_in_help(const Key& key) {
  if (key.code == Code::down || key == typed('j') || key == typed(' '))
    ++*help_page_;
  else if (key.code == Code::up || key == typed('k'))
    --*help_page_;
  else
    help_page_.reset();
}

void Playback::play_or_pause() {
  if (settings_.mode == Mode::watch && is_completed()) return;  // until somebody undoes
  if (playing_) {
    playing_ = false;
    return;
  }
  playing_ = true;
  if (settings_.mode == Mode::watch) return;
  if (shot_ == last() && is_settled()) {
    seek(first());
  } else if (settings_.step && is_settled()) {
    ++shot_;
    elapsed_ = Milliseconds{0};
  }
}

/// Going on turn by turn skips the rolling of the dice.
void Playback::forwards() {
  playing_ = false;
  if (shot_ == last()) return seek(last());
  ++shot_;
  elapsed_ = motion().roll;
}

void Playback::backwards() {
  playing_ = false;
  seek_by(-1);
}

/// Shows a shot to its end.
void Playback::seek(std::size_t shot) {
  shot_ = std::clamp(shot, first(), last());
  elapsed_ = motion().all();
  if (settings_.mode == Mode::watch) playing_ = shot_ == last();
}

void Playback::seek_by(std::int64_t shots) {
  const auto to = static_cast<std::int64_t>(shot_) + shots;
  seek(static_cast<std::size_t>(std::max(to, std::int64_t{0})));
}

void Playback::point_at(std::size_t shot) {
  note_.clear();
  noted_.reset();
  sought_.reset();
  seek(shot);
}

void Playback::scroll(std::int64_t shots) {
  playing_ = false;
  point_at(shot_);
  seek_by(shots);
}

/// If there is no moment on that side, goes to the first or the last shot.
void Playback::seek_moment(int direction) {
  const bool all_known = chances_.size() > recording_.shots();
  const auto moments =
      ranked_moments(recording_, all_known ? chances_ : std::span<const RaceOdds>());
  const auto later = std::ranges::upper_bound(moments, shot_);
  const auto here = std::ranges::lower_bound(moments, shot_);
  if (direction > 0) return seek(later == moments.end() ? last() : std::min(*later, last()));
  seek(here == moments.begin() ? first() : std::max(*std::prev(here), first()));
}

/// Goes to the turn nearest to so many tenths of the shown part.
void Playback::go_to_tenth(int tenths) {
  seek(first() + ((last() - first()) * static_cast<std::size_t>(tenths) + 5) / 10);
}

void Playback::go_faster(double factor) {
  speed_ = std::clamp(speed_ * factor, settings_.slowest, settings_.fastest);
}

void Playback::type_turn(const Key& key) {
  constexpr std::size_t most_digits = 18;
  if (key.code == Code::enter) return go_to_typed_turn();
  if (key.code == Code::escape) return sought_.reset();
  if (key.code == Code::backspace) {
    if (sought_->empty()) return sought_.reset();
    sought_->pop_back();
  }
  const bool digit = key.code == Code::character && key.character >= '0' && key.character <= '9';
  if (digit && sought_->size() < most_digits) *sought_ += key.character;
}

void Playback::go_to_typed_turn() {
  const auto turn = whole_number<Turn>(*std::exchange(sought_, std::nullopt));
  if (!turn) return;
  const auto shot = recording_.shot_of(*turn);
  if (shot && *shot >= first() && *shot <= last()) return seek(*shot);
  Turn highest = recording_.position(first()).turn;
  for (std::size_t i = first(); i <= last(); ++i)
    highest = std::max(highest, recording_.position(i).turn);
  note_ = fmt::format("there is no turn {} here: {} to {}", *turn,
                      recording_.position(first()).turn, highest);
}

// ---- The table

std::optional<Wish> Playback::enter() {
  if (ignores_enter_) {
    note_ = "nothing was done: what you had typed was for another turn";
    return std::nullopt;
  }
  if (shot_ == last()) return enter_dice();
  seek(last());
  return std::nullopt;
}

/// Both commands are about the last turn. A user who looks back doesn't see that turn, so this
/// returns to it first.
std::optional<Wish> Playback::take_back_or_redo(const Command& command) {
  if (!looks_back()) return Play{command};
  seek(last());
  note_ = std::holds_alternative<UndoTurns>(command)
              ? "Back at the game: u takes this turn back"
              : "Back at the game: r puts a turn back that was taken back";
  return std::nullopt;
}

std::optional<Wish> Playback::leave_or_drop_dice() {
  if (typed_dice_.empty()) return Quit{};
  typed_dice_.clear();
  return std::nullopt;
}

void Playback::type_dice(char character) {
  constexpr std::size_t most = 20;
  if (looks_back()) seek(last());
  if (!is_completed() && typed_dice_.size() < most) typed_dice_ += character;
}

void Playback::delete_typed() {
  if (!typed_dice_.empty()) typed_dice_.pop_back();
}

std::optional<Wish> Playback::enter_dice() {
  const Position& position = recording_.position(last());
  if (position.winner) {
    note_ = fmt::format("{} has won; u takes the turn back, q leaves",
                        recording_.setup().players[*position.winner]);
    return std::nullopt;
  }
  const std::string words = std::exchange(typed_dice_, {});
  if (words.empty()) return Play{RollTurn{}};
  const auto dice = parse_dice(dashed(words));
  if (dice) return Play{PlayTurn{position.next, Dice(std::span(*dice))}};
  note_ = fmt::format("\"{}\" isn't a list of dice; {}", words,
                      possible_dice(recording_.setup().rules));
  return std::nullopt;
}

// ---- Changes from elsewhere

void Playback::follow(const Timeline& timeline, const Event& event) {
  const bool watching = settings_.mode == Mode::watch;
  const bool goes_on = shot_ == last() && (watching ? playing_ && is_settled() : true);
  recording_.follow(timeline, event);
  chances_.resize(std::min(chances_.size(), recording_.shots() + 1));
  note(event);
  if (std::holds_alternative<TurnUndone>(event)) {
    ++edition_;
    const bool was_playing = playing_;
    if (shot_ > last()) seek(last());
    playing_ = was_playing;
    return;
  }
  if (!goes_on) return catch_up();
  shot_ = last();
  elapsed_ = Milliseconds{0};
  playing_ = watching;
  passed_over_ = 0;
}

/// If a watch has too many turns to show, it passes over most of them, and says so.
void Playback::catch_up() {
  constexpr std::size_t most_behind = 30;
  constexpr std::size_t shown_still = 3;
  if (settings_.mode != Mode::watch || !playing_) return;
  if (last() - shot_ > most_behind) {
    passed_over_ += last() - shown_still - shot_;
    shot_ = last() - shown_still;
    elapsed_ = motion().all();
  }
  if (passed_over_ > 0)
    note_ = fmt::format("{} turns were passed over, to catch up; look back with the arrow keys",
                        passed_over_);
}

/// Notes things that the picture doesn't show: that turns were taken back or put back, and that
/// dice typed for another position are gone. It replaces the note before.
void Playback::note(const Event& event) {
  const auto* const undone = std::get_if<TurnUndone>(&event);
  const auto* const redone = std::get_if<TurnRedone>(&event);
  note_.clear();
  if (undone || redone) {
    const Turn turn = undone ? undone->turn : redone->turn;
    const bool more = noted_ && noted_->undone == (undone != nullptr) &&
                      turn == (undone ? noted_->first - 1 : noted_->last + 1);
    if (!more)
      noted_ = NotedTurns{.undone = undone != nullptr, .first = turn, .last = turn};
    else
      (undone ? noted_->first : noted_->last) = turn;
    note_ = more ? fmt::format("Turns {} to {} are {}", noted_->first, noted_->last,
                               undone ? "undone" : "redone")
                 : narrate(event, recording_.setup().players, settings_.glyphs);
  } else {
    noted_.reset();
  }
  if (std::exchange(typed_dice_, {}).empty()) return;
  ignore_next_enter_ = true;
  note_ = note_.empty() ? "Somebody else has moved; the dice that you had typed are dropped"
                        : note_ + "; the dice that you had typed are dropped";
}

void Playback::add_chances(const std::vector<RaceOdds>& more) {
  const std::size_t room = recording_.shots() + 1 - chances_.size();
  chances_.insert(chances_.end(), more.begin(),
                  more.begin() + static_cast<std::ptrdiff_t>(std::min(room, more.size())));
}

}  // namespace snl::cli
