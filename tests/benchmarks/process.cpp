#include "process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace snl::benchmarks {
namespace {

[[noreturn]] void fail(const std::vector<std::string>& command, std::string_view why) {
  throw std::runtime_error(fmt::format("{}: {}", fmt::join(command, " "), why));
}

/// The exit code of a shell that can't run a program.
constexpr int cannot_run = 127;

/// With fork, not posix_spawn: a program's peak memory starts as that of the process that executes
/// it. With posix_spawn that is all of our memory; with fork it is only the part that had to be
/// copied.
pid_t spawn(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command)
    words.push_back(const_cast<char*>(word.c_str()));  // execvp leaves them as they are
  words.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) fail(command, std::generic_category().message(errno));
  if (child > 0) return child;
  const int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int output = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0)
    execvp(words.front(), words.data());
  _exit(cannot_run);
}

}  // namespace

std::int64_t run_program(const std::vector<std::string>& command) {
  const pid_t child = spawn(command);
  int status = 0;
  rusage usage{};
  while (wait4(child, &status, 0, &usage) < 0)
    if (errno != EINTR) fail(command, std::generic_category().message(errno));
  if (!WIFEXITED(status)) fail(command, "it was killed");
  if (WEXITSTATUS(status) == cannot_run) fail(command, "it can't be run");
  if (WEXITSTATUS(status) != 0) fail(command, fmt::format("exit {}", WEXITSTATUS(status)));
  constexpr std::int64_t kilobyte = 1024;
  return usage.ru_maxrss * kilobyte;
}

}  // namespace snl::benchmarks
