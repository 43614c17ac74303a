#include "game_data.hpp"

#include "cli/drawing/terminal_text.hpp"
#include "cli/playback/ranked_moments.hpp"
#include "domain/wording.hpp"
#include "page_parts.hpp"
#include "turn_data.hpp"
#include "words.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snl::cli {
namespace {

namespace json = boost::json;

// ---- Where pieces stand

/// As x, y and the scale of a piece.
json::array json_of(const Stand& stand) {
  const auto tenths = [](double number) { return std::round(number * 10) / 10; };
  return {tenths(stand.centre.x), tenths(stand.centre.y),
          std::round(stand.radius / piece_radius * 1000) / 1000};
}

json::array json_of(const std::vector<Stand>& all) {
  json::array list;
  for (const Stand& stand : all)
    list.push_back(json_of(stand));
  return list;
}

/// The places of pieces that share a cell, from its middle, for each number of pieces.
json::array spots(std::size_t seats) {
  json::array all;
  for (std::size_t count = 1; count <= seats; ++count) {
    json::array list;
    for (std::size_t i = 0; i < count; ++i)
      list.push_back(json_of(stand_of({0, 0}, i, count)));
    all.push_back(std::move(list));
  }
  return all;
}

// ---- Turns

/// Equal turns share a move: a long game has few that differ.
void add_turns(json::object& data, const Timeline& timeline) {
  const auto recorded = timeline.recorded();
  const GameSetup& setup = *timeline.state().setup;
  const std::vector<std::string> names = shown_names(setup);
  std::map<std::string, std::size_t> known;  // moves, as written, and their places
  json::array moves;
  std::string seats;
  json::array played;
  json::array undone;
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const TurnPlayed& turn = recorded[i].turn;
    json::array move = move_of(turn, setup, names);
    const auto [place, is_new] = known.emplace(json::serialize(move), moves.size());
    if (is_new) moves.push_back(std::move(move));
    seats += static_cast<char>('0' + turn.seat);
    played.push_back(place->second);
    if (recorded[i].undone) undone.push_back(json::array{i, turn.turn});
  }
  data["moves"] = std::move(moves);
  data["seats"] = seats;
  data["played"] = std::move(played);
  data["undone"] = std::move(undone);
}

/// Each player's [shields, turns to miss].
json::array tallies_of(const Position& position, std::size_t seats) {
  json::array all;
  for (std::size_t seat = 0; seat < seats; ++seat)
    all.push_back(json::array{position.tallies.shields.of(static_cast<Seat>(seat)),
                              position.tallies.skips.of(static_cast<Seat>(seat))});
  return all;
}

std::span<const RaceOdds> odds_of(const GamePage& page) {
  return page.chances ? std::span<const RaceOdds>(*page.chances) : std::span<const RaceOdds>();
}

json::array moments_of(const GamePage& page) {
  const std::vector<std::size_t> moments = ranked_moments(page.recording, odds_of(page));
  json::array list(moments.begin(), moments.end());
  return list;
}

/// "’s luckiest throw: turn 27, +12 %" of each player who had luck, with the position and the seat.
json::array highlights_of(const GamePage& page) {
  json::array highlights;
  if (!page.chances) return highlights;
  for (std::size_t seat = 0; seat < page.recording.setup().players.size(); ++seat)
    if (const auto luck = luckiest_throw(page.recording, *page.chances, static_cast<Seat>(seat)))
      highlights.push_back(
          json::array{luck->shot, seat,
                      fmt::format("{}{}, +{:.0f} %", words::luckiest_throw,
                                  page.recording.shot(luck->shot).turn.turn, 100 * luck->gain)});
  return highlights;
}

// ---- Chances

void add_chances(json::object& data, const GamePage& page, std::size_t seats) {
  data["chances"] = nullptr;
  data["never"] = nullptr;
  if (!page.chances) return;
  json::array chances;
  for (std::size_t seat = 0; seat < seats; ++seat) {
    json::array list;
    for (const RaceOdds& odds : *page.chances)
      list.push_back(std::llround(10'000 * odds.win[seat]));
    chances.push_back(std::move(list));
  }
  data["chances"] = std::move(chances);
  std::string never;
  for (const RaceOdds& odds : *page.chances)
    never += static_cast<char>('0' + static_cast<int>(nobody_wins(odds)));
  if (never.find_first_not_of('0') != std::string::npos) data["never"] = never;
}

// ---- Words

/// By count, from none to max_seat_count: "", "misses 1 turn" …
json::array counts_in_words(std::string_view before, const char* what) {
  json::array words{""};
  for (std::int32_t count = 1; count <= max_seat_count; ++count)
    words.push_back(json::string(std::string(before) + counted(count, what)));
  return words;
}

json::object words_of(const GamePage& page, const GameSetup& setup) {
  const auto text = [](std::string_view words) { return json::string(words); };
  return {
      {"board", text(board_words(setup.board))},
      {"off", text(words::off_the_board)},
      {"on", text(words::on_cell)},
      {"next", text(words::to_move)},
      {"winner", text(words::winner)},
      {"toMoveAfter", text(words::to_move_after)},
      {"winsAfter", text(words::wins_after)},
      {"turns", json::array{"turn", "turns"}},
      {"start", fmt::format("Turn {}{}", page.timeline.first_turn(), words::start_after)},
      {"startOfList", text(words::the_start)},
      {"undone", text(words::undone)},
      {"shields", counts_in_words("", "shield")},
      {"misses", counts_in_words(words::misses, "turn")},
      {"rolls", text(rolls_words())},
      {"takenBack", text(words::taken_back)},
      {"never", json::array{"", text(words::perhaps_nobody), text(words::nobody)}},
  };
}

}  // namespace

std::string within_script(const std::string& json) {
  const std::string text = printable_json(json);
  std::string safe;
  for (const char character : text) {
    if (character == '<' || character == '>' || character == '&')
      safe += fmt::format("\\u{:04x}", static_cast<int>(character));
    else
      safe += character;
  }
  return safe;
}

NobodyWins nobody_wins(const RaceOdds& odds) {
  constexpr double least_seen = 0.0005;  // of chances in percent with one decimal
  if (std::ranges::all_of(odds.win, [](double chance) { return chance == 0; }))
    return NobodyWins::always;
  return odds.never < least_seen ? NobodyWins::never : NobodyWins::perhaps;
}

std::string game_data(const GamePage& page, const Stage& stage) {
  const Timeline& timeline = page.timeline;
  const GameSetup& setup = *timeline.state().setup;
  const Position& now = timeline.state().position;
  const Position start = first_position(setup);
  const std::size_t seats = setup.players.size();
  json::array names;
  json::array cut_short;
  for (std::size_t seat = 0; seat < seats; ++seat) {
    names.push_back(json::string(printable(setup.players[seat])));
    if (is_cut_short(setup.players[seat])) cut_short.push_back(seat);
  }
  json::object data{
      {"players", std::move(names)},
      {"cutShort", std::move(cut_short)},
      {"cells", setup.board.cells()},
      {"width", setup.board.width()},
      {"faces", setup.rules.faces},
      {"first", start.turn},
      {"start", json::array(start.cells.begin(), start.cells.begin() + std::ptrdiff_t(seats))},
      {"tallies", tallies_of(start, seats)},
      {"next", now.winner ? json::value(nullptr) : json::value(now.next)},
      {"winner", value_or_null(now.winner)},
      {"spots", spots(seats)},
      {"waiting", json_of(stage.waiting())},
      {"moments", moments_of(page)},
      {"highlights", highlights_of(page)},
      {"words", words_of(page, setup)}};
  add_turns(data, timeline);
  add_chances(data, page, seats);
  return within_script(json::serialize(data));
}

std::string export_data(const GamePage& page) {
  return within_script(json::serialize(json::array(page.log.begin(), page.log.end())));
}

std::string proof_data(const ProofInLog& proof) {
  return within_script(json::serialize(
      json::object{{"proof", proof.proof},
                   {"vkey", proof.vkey},
                   {"witnesses", json::array(proof.witnesses.begin(), proof.witnesses.end())}}));
}

}  // namespace snl::cli
