#include "pointer.hpp"

#include <cstdint>

namespace snl::cli {
namespace {

using Code = Key::Code;

bool is_of_the_mouse(Code code) {
  return code == Code::press || code == Code::drag || code == Code::release ||
         code == Code::wheel_up || code == Code::wheel_down;
}

/// The wheel turns the help's pages, and a click closes it.
void point_at_help(Code code, Playback& playback) {
  if (code == Code::wheel_up) (void)playback.press({.code = Code::up});
  if (code == Code::wheel_down) (void)playback.press({.code = Code::down});
  if (code == Code::press) (void)playback.press({.code = Code::escape});
}

}  // namespace

bool Pointer::take(const Key& key, const Viewer& viewer, Playback& playback) {
  if (!is_of_the_mouse(key.code)) return false;
  if (key.code == Code::release || key.code == Code::press) held_.reset();
  if (playback.help_page()) {
    point_at_help(key.code, playback);
    return true;
  }
  const auto there = key.code == Code::drag && held_ ? viewer.nearest(*held_, key.column, key.row)
                                                     : viewer.at(key.column, key.row);
  if (!there) return true;
  const auto step = static_cast<std::int64_t>(there->step);
  if (key.code == Code::wheel_up) playback.scroll(-step);
  if (key.code == Code::wheel_down) playback.scroll(step);
  if (key.code == Code::press) held_ = there->pane;
  if (key.code == Code::press || (key.code == Code::drag && held_)) playback.point_at(there->shot);
  return true;
}

}  // namespace snl::cli
