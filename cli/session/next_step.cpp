#include "next_step.hpp"

#include "storage/ascii.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace snl::cli {
namespace {

std::string_view next_step(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "free some, then try again";
    case EFBIG:
      return "raise the limit (ulimit -f), then try again";
    case EACCES:
    case EPERM:
    case EROFS:
      return "check its permissions and its folder's";
    case ENOENT:
    case ENOTDIR:
    case ENAMETOOLONG:
    case ELOOP:
      return "check the path";
    case EMFILE:
    case ENFILE:
      return "close some files, then try again";
    case EBADF:
      return "see that it is open";
    default:
      return "check where it is, then try again";
  }
}

}  // namespace

std::string reason_and_next_step(int error) {
  return std::string(std::strerror(error)) + "; " + std::string(next_step(error));
}

std::string shell_word(std::string_view word) {
  const bool is_plain = !word.empty() && std::ranges::all_of(word, [](char c) {
    return is_letter_or_digit(c) || std::string_view("-._/@:,+").contains(c) ||
           static_cast<unsigned char>(c) >= 0x80;
  });
  if (is_plain) return std::string(word);
  std::string quoted = "'";
  for (const char c : word)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace snl::cli
