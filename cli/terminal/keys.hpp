// Keys, and what a mouse does, out of the bytes that a terminal sends for them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snl::cli {

struct Key {
  enum class Code : std::uint8_t {
    character,
    enter,
    backspace,
    escape,
    left,
    right,
    up,
    down,
    far_left,  // with Shift, or a page up
    far_right,
    home,
    end,
    interrupt,  // Ctrl-C
    suspend,    // Ctrl-Z
    redraw,     // Ctrl-L
    // The mouse: its left button, and its wheel.
    press,
    drag,  // moved while it is pressed
    release,
    wheel_up,
    wheel_down,
    other,
  };
  Code code = Code::other;
  char character = 0;  // ASCII, if it is one
  int column = 0;      // of the mouse, from 0; the top left is 0, 0
  int row = 0;
  friend bool operator==(const Key&, const Key&) = default;
};

constexpr Key typed(char character) {
  return {.code = Key::Code::character, .character = character};
}

/// Reads keys out of bytes as they come in. Sequences as xterm, the Linux console, rxvt, tmux and
/// screen send them, and the mouse's as xterm's mode 1006 has them; what it doesn't know is one key
/// that means nothing.
class KeyReader {
 public:
  /// The keys that are complete with these bytes.
  std::vector<Key> read(std::string_view bytes);

  /// Whether a sequence has begun: if nothing more comes in for a moment, it was the Escape key.
  bool is_in_sequence() const { return !pending_.empty(); }
  /// What has begun was all.
  std::vector<Key> give_up();

 private:
  std::string pending_;
};

}  // namespace snl::cli
