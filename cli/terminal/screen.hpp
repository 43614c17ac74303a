// The terminal as a screen that the program has to itself. The program gives it back as it was in
// every case: when the screen is destroyed, and when a signal suspends or ends the program.
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
  /// Takes the terminal of stdin and stdout; there is one Screen at a time. From here on, signals
  /// arrive through wait(), and threads that start later have them blocked. Throws
  /// std::system_error if the terminal can't be taken.
  explicit Screen(Colours colours);
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  Size size() const;

  /// Writes the difference from the screen's content. Throws std::system_error if it can't be
  /// written.
  void show(const Frame& frame);
  /// Makes show() write the next frame whole: another program may have written on the terminal.
  void forget() { shown_.reset(); }

  /// The input that came in meanwhile.
  struct Input {
    std::vector<Key> keys = {};
    bool was_away = false;           // suspended for a while, or stopped
    std::optional<int> signal = {};  // asks the program to end; SIGHUP if the terminal is gone
  };
  /// Waits for keys, signals or a byte at `wake` (-1: none), at most for the time given. A new size
  /// of the terminal ends the wait too, without an input.
  Input wait(std::optional<Milliseconds> at_most, int wake);

  /// Gives the terminal back and stops the process. Takes it again when the process goes on.
  void suspend();

 private:
  void take_signals();
  void give_back_signals();
  void read_keys(Input& input);
  void read_signals(Input& input);

  Colours colours_;
  std::optional<Frame> shown_;
  KeyReader reader_;
  int signals_ = -1;  // the file descriptor from which signals are read
};

/// Ends the process by a signal, as it would have ended without a screen.
void end_by(int signal);

}  // namespace snl::cli
