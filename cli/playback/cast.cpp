#include "cast.hpp"

#include "background_chances.hpp"
#include "cli/drawing/terminal_text.hpp"
#include "playback.hpp"
#include "playback_view.hpp"
#include "ranked_moments.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <expected>
#include <span>
#include <utility>
#include <vector>

namespace snl::cli {
namespace {

namespace json = boost::json;

constexpr double slowest_cast = 1e-5;
constexpr double fastest_cast = 1e6;

constexpr std::string_view hide_cursor = "\x1b[?25l";
constexpr std::string_view show_cursor = "\x1b[?25h";

/// The time for which the last picture stays before the viewer program starts again, unless that is
/// much of the whole.
constexpr Milliseconds longest_end{3000};
constexpr double most_of_length_at_end = 0.1;

std::string header(const CastSettings& settings) {
  const json::object object{{"version", 2},
                            {"width", settings.size.columns},
                            {"height", settings.size.rows},
                            {"title", settings.title},
                            {"env", {{"TERM", "xterm-256color"}}}};
  return json::serialize(object) + "\n";
}

std::string line(Milliseconds time, std::string_view kind, std::string_view text) {
  return fmt::format("[{:.3f}, \"{}\", {}]\n", time.count() / 1000, kind,
                     json::serialize(json::string(text)));
}

Milliseconds end_of(const CastSettings& settings) {
  Milliseconds end = longest_end;
  if (settings.length) end = std::min(end, *settings.length * most_of_length_at_end);
  return std::min(end, settings.idle.value_or(end));
}

/// The speed that was asked for, or the one that gives the length that was asked for.
double speed_of(const Playback& playback, const CastSettings& settings) {
  if (!settings.length) return settings.speed;
  const Milliseconds wanted = *settings.length - end_of(settings);
  const Milliseconds idle = settings.idle.value_or(*settings.length);
  double slow = slowest_cast;
  double fast = fastest_cast;
  constexpr int halvings = 60;
  for (int i = 0; i < halvings; ++i) {
    const double middle = std::sqrt(slow * fast);
    (playback.length(middle, idle) > wanted ? slow : fast) = middle;
  }
  return fast;
}

/// Writes the asciicast. It knows all chances to win from the start, so that the graph is whole.
class CastWriter {
 public:
  CastWriter(Recording recording, const CastSettings& settings)
      : settings_(settings), recording_(std::move(recording)) {
    std::vector<Position> positions;
    for (std::size_t shot = 0; shot <= recording_.shots(); ++shot)
      positions.push_back(recording_.position(shot));
    odds_ = exact_odds(recording_.setup(), positions, {});
  }

  void write(const std::function<void(std::string_view)>& sink) const {
    Playback playback = playback_at(speed_of(playback_at(1), settings_));
    const std::vector<std::size_t> moments =
        ranked_moments(recording_, odds_ ? *odds_ : std::span<const RaceOdds>());
    auto moment = moments.begin();
    const Look look{.title = settings_.title, .glyphs = Glyphs::unicode, .key_bar = false};
    Viewer viewer;
    sink(header(settings_));
    Frame shown = viewer.view(playback, settings_.size, look);
    Milliseconds now{0};
    sink(line(now, "o", std::string(hide_cursor) + whole(shown, Colours::palette)));
    while (const auto until_change = playback.until_change()) {
      playback.advance(*until_change);
      now += std::min(*until_change, settings_.idle.value_or(*until_change));
      for (; moment != moments.end() && *moment <= playback.shot(); ++moment)
        sink(line(now, "m", sentence_of(*moment)));
      Frame wanted = viewer.view(playback, settings_.size, look);
      const std::string text = changes(shown, wanted, Colours::palette);
      if (!text.empty()) sink(line(now, "o", text));
      shown = std::move(wanted);
    }
    sink(line(now + end_of(settings_), "o", show_cursor));
  }

 private:
  Playback playback_at(double speed) const {
    Playback playback(recording_, {.speed = speed,
                                   .slowest = slowest_cast,
                                   .fastest = fastest_cast,
                                   .glyphs = Glyphs::unicode});
    if (odds_)
      playback.add_chances(*odds_);
    else
      playback.give_up_chances(odds_.error());
    return playback;
  }

  std::string sentence_of(std::size_t shot) const {
    return printable(
        narrate(recording_.shot(shot).turn, recording_.setup().players, Glyphs::unicode));
  }

  const CastSettings& settings_;
  Recording recording_;
  std::expected<std::vector<RaceOdds>, std::string> odds_;
};

}  // namespace

void record_cast(Recording recording, const CastSettings& settings,
                 const std::function<void(std::string_view)>& sink) {
  CastWriter(std::move(recording), settings).write(sink);
}

}  // namespace snl::cli
