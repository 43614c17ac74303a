#include "pager.hpp"

#include "cli/drawing/terminal_text.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <system_error>
#include <vector>

namespace snl::cli {
namespace {

// The state that a signal's handler needs. There is one terminal, so there is one pager.
volatile std::sig_atomic_t write_end = -1;
volatile std::sig_atomic_t process = 0;

constexpr std::array ending_signals{SIGINT, SIGTERM, SIGHUP};

void wait_for(pid_t child) {
  while (waitpid(child, nullptr, 0) == -1 && errno == EINTR) {
  }
}

extern "C" void wait_for_pager_and_end(int signal) {
  if (write_end != -1) close(write_end);
  if (process != 0) wait_for(process);
  if (signal == SIGINT) _exit(130);
  (void)std::signal(signal, SIG_DFL);
  (void)raise(signal);
}

/// The program and its arguments; if the command needs a shell, those of the shell.
std::vector<std::string> words_of(const std::string& command) {
  if (command.find_first_of("|&;<>()$`\\\"'*?[#~=%\n") != std::string::npos)
    return {"sh", "-c", command};
  std::istringstream stream(command);
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(word);
  return words;
}

std::vector<std::string> environment_of_pager() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable)
    variables.emplace_back(*variable);
  // As git does: end if all fits, let colours through, leave the text on the screen.
  if (std::getenv("LESS") == nullptr) variables.emplace_back("LESS=FRX");
  return variables;
}

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (std::string& string : strings)
    pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Starts a program that reads from `input`. Throws std::system_error.
pid_t start(std::vector<std::string> words, int input) {
  if (words.empty()) throw std::system_error(ENOENT, std::generic_category());
  std::vector<std::string> variables = environment_of_pager();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int error = posix_spawnp(&child, words.front().c_str(), &actions, &attributes,
                                 pointers_to(words).data(), pointers_to(variables).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::system_error(error, std::generic_category());
  return child;
}

/// A line without the sequences that only change its colours.
std::string without_styles(std::string_view line) {
  std::string plain;
  while (!line.empty()) {
    const std::size_t style = std::min(line.find("\033["), line.size());
    plain += line.substr(0, style);
    line.remove_prefix(style);
    if (!line.empty()) line.remove_prefix(std::min(line.find('m'), line.size() - 1) + 1);
  }
  return plain;
}

}  // namespace

std::size_t rows_of(std::string_view text, int columns) {
  std::size_t rows = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const int width = display_width(without_styles(text.substr(0, end)));
    rows += static_cast<std::size_t>(std::max(1, (width + columns - 1) / columns));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return rows;
}

Pager::Pager(const std::string& command) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category());
  try {
    process = start(words_of(command), ends[0]);
  } catch (...) {
    close(ends[0]);
    close(ends[1]);
    throw;
  }
  close(ends[0]);
  write_end = ends[1];
  pipe_ = fdopen(ends[1], "w");
  (void)std::signal(SIGPIPE, SIG_IGN);
  for (const int signal : ending_signals)
    if (std::signal(signal, wait_for_pager_and_end) == SIG_IGN) (void)std::signal(signal, SIG_IGN);
}

void Pager::write(std::string_view text) {
  if (pipe_ == nullptr || std::fwrite(text.data(), 1, text.size(), pipe_) == text.size()) return;
  write_end = -1;
  (void)std::fclose(pipe_);
  pipe_ = nullptr;
}

void Pager::flush() {
  if (pipe_ != nullptr) (void)std::fflush(pipe_);
}

void Pager::wait() {
  if (!running_) return;
  running_ = false;
  // The command has done its work. From here on, Ctrl-C is for the pager alone.
  for (const int signal : ending_signals)
    (void)std::signal(signal, SIG_IGN);
  write_end = -1;
  if (pipe_ != nullptr) (void)std::fclose(pipe_);
  pipe_ = nullptr;
  wait_for(process);
  process = 0;
  for (const int signal : ending_signals)
    (void)std::signal(signal, SIG_DFL);
}

}  // namespace snl::cli
