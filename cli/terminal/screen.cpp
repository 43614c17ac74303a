#include "screen.hpp"

#include "terminal_size.hpp"

#include <poll.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <string>
#include <system_error>

namespace snl::cli {
namespace {

// DEC's private modes, as in xterm. Mode 1049 is the alternate screen, which leaves the old one
// untouched; 25 is the cursor, and 7 the wrapping of lines. In mode 1002 a mouse reports buttons,
// dragging and the wheel, in 1006 as numbers. Mode 2026 shows an update at once. A terminal ignores
// a mode that it doesn't know.
constexpr std::string_view enter_sequence = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?1002h\x1b[?1006h";
constexpr std::string_view take_again_sequence = "\x1b[?25l\x1b[?7l\x1b[?1002h\x1b[?1006h";
constexpr std::string_view leave_sequence =
    "\x1b[0m\x1b[?2026l\x1b[?1006l\x1b[?1002l\x1b[?7h\x1b[?25h\x1b[?1049l";
constexpr std::string_view begin_update = "\x1b[?2026h";
constexpr std::string_view end_update = "\x1b[?2026l";

constexpr std::array taken_signals{SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT};
constexpr std::array fatal_signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

/// Throws with errno's reason.
[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

// ---- The terminal's modes. They are globals, since a signal handler can reach nothing else.

termios modes_before;                     // NOLINT(*-global-variables): see above
volatile std::sig_atomic_t is_taken = 0;  // NOLINT(*-global-variables)

/// Writes all of the text, as far as the terminal takes it. Async-signal-safe.
bool write_out(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {
      pollfd room{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
      (void)poll(&room, 1, -1);
      continue;
    }
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Gives the terminal back. Async-signal-safe.
void give_back() {
  if (is_taken == 0) return;
  is_taken = 0;
  (void)write_out(leave_sequence);
  (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &modes_before);
}

void set_raw_modes() {
  termios raw = modes_before;
  cfmakeraw(&raw);
  raw.c_oflag = modes_before.c_oflag;
  if (tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) != 0) fail("the terminal can't be set");
}

void take() {
  set_raw_modes();
  is_taken = 1;
  (void)write_out(enter_sequence);
}

extern "C" void give_back_and_end(int signal) {
  give_back();
  (void)std::signal(signal, SIG_DFL);
  (void)raise(signal);
}

template <std::size_t count>
sigset_t set_of(const std::array<int, count>& signals) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : signals)
    sigaddset(&set, signal);
  return set;
}

}  // namespace

bool has_screen() {
  return isatty(STDIN_FILENO) == 1 && can_move_cursor(STDOUT_FILENO);
}

Screen::Screen(Colours colours) : colours_(colours) {
  if (tcgetattr(STDIN_FILENO, &modes_before) != 0) fail("stdin is no terminal");
  take_signals();
  try {
    take();
  } catch (...) {
    give_back_signals();
    throw;
  }
}

Screen::~Screen() {
  give_back();
  give_back_signals();
}

void Screen::take_signals() {
  const sigset_t set = set_of(taken_signals);
  signals_ = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  if (signals_ == -1) fail("no signals can be had");
  (void)pthread_sigmask(SIG_BLOCK, &set, nullptr);
  for (const int signal : fatal_signals)
    (void)std::signal(signal, give_back_and_end);
}

void Screen::give_back_signals() {
  for (const int signal : fatal_signals)
    (void)std::signal(signal, SIG_DFL);
  const sigset_t set = set_of(taken_signals);
  (void)pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  (void)close(signals_);
}

Size Screen::size() const {
  const std::optional<Size> size = terminal_size(STDOUT_FILENO);
  return size && size->rows > 0 ? *size : Size{};
}

void Screen::show(const Frame& frame) {
  const bool same_size = shown_ && shown_->size() == frame.size();
  const std::string text = same_size ? changes(*shown_, frame, colours_) : whole(frame, colours_);
  shown_ = frame;
  if (text.empty()) return;
  if (!write_out(std::string(begin_update) + text + std::string(end_update)))
    fail("the terminal can't be written");
}

Screen::Input Screen::wait(std::optional<Milliseconds> at_most, int wake) {
  constexpr Milliseconds for_a_sequence{50};
  const bool in_sequence = reader_.is_in_sequence();
  if (in_sequence) at_most = std::min(at_most.value_or(for_a_sequence), for_a_sequence);
  constexpr Milliseconds longest{60'000};
  const int timeout =
      at_most ? static_cast<int>(std::ceil(std::min(*at_most, longest).count())) : -1;
  std::array<pollfd, 3> sources{{{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0},
                                 {.fd = signals_, .events = POLLIN, .revents = 0},
                                 {.fd = wake, .events = POLLIN, .revents = 0}}};
  const int ready = poll(sources.data(), sources.size(), timeout);
  Input input;
  if (ready == 0 && in_sequence) input.keys = reader_.give_up();
  if (ready <= 0) return input;
  if (sources[1].revents != 0) read_signals(input);
  if (sources[0].revents != 0) read_keys(input);
  return input;
}

void Screen::read_keys(Input& input) {
  std::array<char, 4096> bytes{};
  const ssize_t count = read(STDIN_FILENO, bytes.data(), bytes.size());
  if (count > 0)
    input.keys = reader_.read({bytes.data(), static_cast<std::size_t>(count)});
  else if (count == 0 || (errno != EINTR && errno != EAGAIN))
    input.signal = SIGHUP;  // the terminal is gone
}

void Screen::read_signals(Input& input) {
  signalfd_siginfo info{};
  while (read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    const auto signal = static_cast<int>(info.ssi_signo);
    if (signal == SIGTSTP) {
      suspend();
      input.was_away = true;
    } else if (signal == SIGCONT) {  // a signal that can't be caught had stopped us
      set_raw_modes();
      (void)write_out(take_again_sequence);
      forget();
      input.was_away = true;
    } else if (signal != SIGWINCH) {
      input.signal = signal;
    }
  }
}

void Screen::suspend() {
  give_back();
  const sigset_t stop = set_of(std::array{SIGTSTP});
  (void)std::signal(SIGTSTP, SIG_DFL);
  (void)kill(getpid(), SIGTSTP);
  (void)pthread_sigmask(SIG_UNBLOCK, &stop, nullptr);  // it stops here
  (void)pthread_sigmask(SIG_BLOCK, &stop, nullptr);
  const sigset_t go_on = set_of(std::array{SIGCONT});
  constexpr timespec at_once{};
  (void)sigtimedwait(&go_on, nullptr, &at_once);  // we know already that it goes on
  // The process that continued us may have set other modes. Those are given back from now on.
  (void)tcgetattr(STDIN_FILENO, &modes_before);
  take();
  forget();
}

void end_by(int signal) {
  (void)std::signal(signal, SIG_DFL);
  (void)raise(signal);
}

}  // namespace snl::cli
