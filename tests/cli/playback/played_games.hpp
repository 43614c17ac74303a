// Games that are played back, and what a person would do and see.
#pragma once

#include "cli/drawing/frame.hpp"
#include "cli/playback/playback_view.hpp"
#include "cli/terminal/keys.hpp"
#include "domain/engine.hpp"
#include "domain/named_boards.hpp"
#include "domain/timeline.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace snl::cli::played {

// ---- Games

inline std::shared_ptr<const GameSetup> a_setup(const Board& board, std::string_view rules,
                                                std::size_t players) {
  const std::vector<std::string> names{"Ann", "Bob", "Cem", "Dee", "Eva",
                                       "Fay", "Gus", "Hal", "Ida", "Jim"};
  const auto count = static_cast<std::ptrdiff_t>(players);
  return std::make_shared<const GameSetup>(
      GameSetup{.players = {names.begin(), names.begin() + count},
                .board = board,
                .rules = *value_named(preset_names, rules),
                .seed = 42});
}

inline Board a_board(std::int64_t cells, std::int64_t width) {
  return *Board::make({.cells = cells, .width = width});
}

inline Board class_board() {
  return find_named_board("class")->board();
}

inline Timeline timeline_of(const std::vector<Event>& events) {
  Timeline timeline;
  for (const Event& event : events)
    BOOST_REQUIRE(timeline.add(event).has_value());
  return timeline;
}

/// A game of seeded dice: up to `turns`.
inline Timeline rolled(const std::shared_ptr<const GameSetup>& setup, Turn turns) {
  Timeline timeline;
  const auto start = evolve(GameState{}, *decide(GameState{}, StartGame{setup}));
  (void)timeline.add(GameStarted{setup});
  (void)play_out(
      *start, seeded_dice, [&](const Event& event) { (void)timeline.add(event); }, turns);
  return timeline;
}

inline Timeline a_class_game() {
  return rolled(a_setup(class_board(), "standard", 3), 1000);
}

/// Chances at so many positions, of as many players as a game may have.
inline std::vector<RaceOdds> some_chances(std::size_t positions) {
  return {positions, RaceOdds{.win = std::vector<double>(max_players)}};
}

inline PlayTurn turn_of(Seat seat, std::initializer_list<std::int32_t> dice) {
  return {seat, Dice(dice)};
}

// ---- Doing things

inline Playback replay_of(const Timeline& timeline, const PlaybackSettings& settings = {}) {
  return Playback(Recording::in_force(timeline), settings);
}

inline void type(Playback& playback, std::string_view characters) {
  for (const char c : characters)
    (void)playback.press(typed(c));
}

inline void press(Playback& playback, Key::Code code) {
  (void)playback.press(Key{.code = code});
}

/// Whether the last shot is shown to its end, and nothing goes on.
inline bool is_over(const Playback& playback) {
  return !playback.is_playing() && playback.shot() == playback.last() && playback.scene().settled;
}

/// The screen that a new viewer draws.
inline Frame view(const Playback& playback, Size size, const Look& look) {
  return Viewer().view(playback, size, look);
}

inline std::vector<std::string> lines_of(const Frame& frame) {
  std::vector<std::string> lines;
  for (int row = 0; row < frame.size().rows; ++row)
    lines.push_back(frame.text(row));
  return lines;
}

inline std::string text_of(const Frame& frame) {
  std::string text;
  for (const std::string& line : lines_of(frame))
    text += line + '\n';
  return text;
}

inline bool shows(const Frame& frame, std::string_view text) {
  return text_of(frame).find(text) != std::string::npos;
}

}  // namespace snl::cli::played
