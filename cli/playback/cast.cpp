#include "cast.hpp"

#include "background_chances.hpp"
#include "playback.hpp"
#include "playback_view.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <utility>

namespace snl::cli {
namespace {

namespace json = boost::json;

constexpr std::string_view hide_cursor = "\x1b[?25l";
constexpr std::string_view show_cursor = "\x1b[?25h";

/// The last picture stays before a player begins again.
constexpr Milliseconds rest_on_the_last_picture{3000};

std::string header(const CastSettings& settings) {
  const json::object object{{"version", 2},
                            {"width", settings.size.columns},
                            {"height", settings.size.rows},
                            {"title", settings.title},
                            {"env", {{"TERM", "xterm-256color"}}}};
  return json::serialize(object) + "\n";
}

std::string line(Milliseconds time, std::string_view text) {
  return fmt::format("[{:.3f}, \"o\", {}]\n", time.count() / 1000,
                     json::serialize(json::string(text)));
}

/// With every chance to win known from the start, so that the graph is whole.
Playback playback_of(Reel reel, double speed) {
  std::vector<Position> positions;
  for (std::size_t shot = 0; shot <= reel.shots(); ++shot)
    positions.push_back(reel.position(shot));
  const auto chances = work_out_chances(reel.setup(), positions, {});
  Playback playback(std::move(reel), {.speed = speed, .glyphs = Glyphs::unicode});
  if (chances)
    playback.add_chances(*chances);
  else
    playback.give_up_chances(chances.error());
  return playback;
}

}  // namespace

void record_cast(Reel reel, const CastSettings& settings,
                 const std::function<void(std::string_view)>& sink) {
  Playback playback = playback_of(std::move(reel), settings.speed);
  const Look look{.title = settings.title, .unicode = true, .key_bar = false};
  sink(header(settings));
  Frame shown = view(playback, settings.size, look);
  Milliseconds now{0};
  sink(line(now, std::string(hide_cursor) + whole(shown, true)));
  while (const auto until_change = playback.until_change()) {
    playback.advance(*until_change);
    now += *until_change;
    Frame wanted = view(playback, settings.size, look);
    const std::string text = changes(shown, wanted, true);
    if (!text.empty()) sink(line(now, text));
    shown = std::move(wanted);
  }
  sink(line(now + rest_on_the_last_picture, show_cursor));
}

}  // namespace snl::cli
