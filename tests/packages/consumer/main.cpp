// Uses every installed library: plays a match in a file, audits it, computes its odds, draws its
// last position and makes its page.
//
//   consumer STORE

#include "cli/drawing/position_svg.hpp"
#include "cli/page/game_page.hpp"
#include "domain/analysis/game_chances.hpp"
#include "domain/named_boards.hpp"
#include "storage/audit.hpp"
#include "storage/exchange/jsonl.hpp"
#include "storage/match.hpp"
#include "storage/open_store.hpp"
#include "storage/recorded_game.hpp"
#include "storage/store_error.hpp"

#include <cstdio>

namespace {

// An exception and its type cross the boundary of the libraries.
bool a_store_that_is_none_is_told(const char* path) {
  try {
    snl::open_store(path, snl::for_reading);
  } catch (const snl::StoreError&) {
    return true;
  }
  return false;
}

std::size_t page_bytes(snl::EventStore& store) {
  const std::string id = "final";
  const auto history = snl::history_of(store, id);
  const auto recording = snl::cli::Recording::in_force(history.timeline);
  std::vector<snl::Position> positions;
  for (std::size_t shot = 0; shot <= recording.shots(); ++shot)
    positions.push_back(recording.position(shot));
  std::vector<std::string> log;
  snl::export_jsonl(store, id, history.head,
                    [&](std::string_view line) { log.emplace_back(line); });
  const auto& setup = *history.timeline.state().setup;
  const auto page =
      snl::cli::game_page({.id = id,
                           .created = 0,
                           .head = history.head,
                           .timeline = history.timeline,
                           .recording = recording,
                           .log = log,
                           .chances = snl::chances_at(setup, positions, snl::max_work)});
  const auto picture = snl::cli::position_svg(
      {.game = id, .setup = setup, .position = recording.position(recording.shots())});
  return page.contains("</html>") && picture.contains("</svg>") ? page.size() : 0;
}

}  // namespace

int main(int, char** argv) {
  if (!a_store_that_is_none_is_told("/dev/null")) return 1;
  const auto store = snl::open_store(argv[1], snl::for_writing);
  auto setup = std::make_shared<snl::GameSetup>(
      snl::GameSetup{.players = {"Ann", "Bob"},
                     .board = snl::find_named_board("class")->board(),
                     .rules = {},
                     .seed = 1});
  auto match = snl::Match::start(*store, "final", snl::StartGame{setup});
  while (match && !match->state().completed())
    if (!match->execute(snl::RollTurn{})) return 1;
  const auto report = snl::audit_game(*store, "final");
  const bool sound = report && report->ok() && page_bytes(*store) > 0;
  std::puts(sound ? "sound" : "not sound");
  return sound ? 0 : 1;
}
