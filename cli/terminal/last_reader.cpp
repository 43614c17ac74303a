#include "last_reader.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <thread>

namespace snl::cli {

void end_with_last_reader() {
  std::thread([] {
    pollfd out{.fd = STDOUT_FILENO, .events = 0, .revents = 0};  // errors are always told
    while (poll(&out, 1, -1) < 0 && errno == EINTR) {
    }
    if ((out.revents & POLLERR) != 0) (void)std::raise(SIGPIPE);
  }).detach();
}

}  // namespace snl::cli
