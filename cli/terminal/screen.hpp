// The terminal as a screen that a program has to itself, and gives back as it was whatever happens:
// when the screen is destroyed, when the program is suspended, and when a signal ends it.
#pragma once

#include "cli/drawing/frame.hpp"
#include "keys.hpp"
#include "milliseconds.hpp"

#include <optional>
#include <vector>

namespace snl::cli {

/// Whether keys can be read from a terminal, and screens drawn on one (TERM isn't "dumb").
bool has_screen();

class Screen {
 public:
  /// Takes the terminal that stdin and stdout are. One at a time. Signals come in through wait()
  /// from here on: threads that are begun later have them blocked, as they should. Throws
  /// std::system_error if it can't be had.
  explicit Screen(Colours colours);
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  Size size() const;

  /// Writes what differs from what is shown. Throws std::system_error if it can't be written.
  void show(const Frame& frame);
  /// The next frame is written whole: somebody else may have written on the terminal.
  void forget() { shown_.reset(); }

  /// What came in meanwhile.
  struct Input {
    std::vector<Key> keys = {};
    bool was_away = false;           // suspended for a while, or stopped
    std::optional<int> signal = {};  // that asks the program to end; the terminal's end is SIGHUP
  };
  /// Waits for keys, signals or a byte to read at `wake` (-1: none), but not for ever if a time is
  /// given. A new size is no input, but ends the wait too.
  Input wait(std::optional<Milliseconds> at_most, int wake);

  /// Gives the terminal back and stops the process; takes it again when somebody continues it.
  void suspend();

 private:
  void take_signals();
  void give_back_signals();
  void read_keys(Input& input);
  void read_signals(Input& input);

  Colours colours_;
  std::optional<Frame> shown_;
  KeyReader reader_;
  int signals_ = -1;  // a file descriptor that signals are read from
};

/// Ends the process by a signal, as it would have ended without a screen.
void end_by(int signal);

}  // namespace snl::cli
