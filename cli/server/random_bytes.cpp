#include "game_settings.hpp"

#include <sys/random.h>

#include <cerrno>
#include <system_error>

namespace snl::cli {

Hash random_bytes() {
  Hash bytes{};
  // The system gives this many at once, or none.
  while (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "getrandom");
  return bytes;
}

}  // namespace snl::cli
