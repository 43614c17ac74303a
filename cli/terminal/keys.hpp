// Keys and mouse actions, read from the bytes that a terminal sends.
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
    drag,  // moved while pressed
    release,
    wheel_up,
    wheel_down,
    other,
  };
  Code code = Code::other;
  char character = 0;  // the key's ASCII character, if it has one
  int column = 0;      // of the mouse, from 0; the top left is 0, 0
  int row = 0;
  friend bool operator==(const Key&, const Key&) = default;
};

constexpr Key typed(char character) {
  return {.code = Key::Code::character, .character = character};
}

/// Reads keys from bytes as they come in. It knows the sequences of xterm, the Linux console, rxvt,
/// tmux and screen, and the mouse of xterm's mode 1006. An unknown sequence is one key without a
/// meaning.
class KeyReader {
 public:
  /// The keys that these bytes complete.
  std::vector<Key> read(std::string_view bytes);

  /// Whether a sequence has begun. If nothing more comes in for a moment, it was the Escape key.
  bool is_in_sequence() const { return !pending_.empty(); }
  /// Ends a sequence that has begun: nothing more will come.
  std::vector<Key> give_up();

 private:
  std::string pending_;
};

}  // namespace snl::cli
