#include "next_step.hpp"

#include "storage/ascii.hpp"
#include "storage/open_store.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <string_view>
#include <utility>

namespace snl::cli {
namespace {

std::string_view next_step(int error) {
  constexpr std::string_view permissions = "check its permissions and its folder's";
  constexpr std::string_view path = "check the path";
  constexpr std::string_view space = "free some, then try again";
  constexpr std::string_view files = "close some files, then try again";
  static const std::map<int, std::string_view> steps{
      {ENOSPC, space},
      {EDQUOT, space},
      {EACCES, permissions},
      {EPERM, permissions},
      {EROFS, permissions},
      {ENOENT, path},
      {ENOTDIR, path},
      {ENAMETOOLONG, path},
      {ELOOP, path},
      {EMFILE, files},
      {ENFILE, files},
      {EBADF, "see that it is open"},
      {EFBIG, "raise the limit (ulimit -f), then try again"}};
  const auto step = steps.find(error);
  return step == steps.end() ? "check where it is, then try again" : step->second;
}

/// The commands that act on the store of --db. "db copy" isn't one: it names its two stores.
constexpr std::array commands_on_a_store{
    "new",        "show",      "list",       "branch",     "play",      "roll",
    "undo",       "redo",      "replay",     "watch",      "log",       "analyze",
    "audit",      "export",    "import",     "tournament", "serve",     "db info",
    "db migrate", "db backup", "db restore", "db check",   "db compact"};

bool names_command_on_a_store(std::string_view text) {
  return std::ranges::any_of(commands_on_a_store, [&](std::string_view command) {
    return text.starts_with(command) &&
           (text.size() == command.size() || !is_letter_or_digit(text[command.size()]));
  });
}

/// Of the process. Empty: the default store.
std::string advised_store;

/// A text as one word of a command line that a user may copy into a shell. The shell gives the text
/// back as it is, and runs nothing in it.
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

std::string program_on(std::string_view store) {
  return store.empty() ? "snl" : "snl --db " + shell_word(shown_location(std::string(store)));
}

}  // namespace

std::string reason_and_next_step(int error) {
  return std::string(std::strerror(error)) + "; " + std::string(next_step(error));
}

void advise_store(std::string_view location) {
  advised_store = location;
}

std::string snl_command(std::initializer_list<std::string_view> words) {
  return snl_command_on(advised_store, words);
}

std::string snl_command_on(std::string_view location,
                           std::initializer_list<std::string_view> words) {
  std::string line = program_on(location);
  bool options_ended = false;
  for (const std::string_view word : words) {
    if (word.size() > 1 && word.starts_with('-') && !std::exchange(options_ended, true))
      line += " --";
    line += " " + shell_word(word);
  }
  return line;
}

std::string on_advised_store(std::string_view message) {
  constexpr std::string_view program = "snl ";
  std::string text;
  while (!message.empty()) {
    const std::size_t at = message.find(program);
    text += message.substr(0, at);
    if (at == std::string_view::npos) break;
    message.remove_prefix(at + program.size());
    const bool is_word = text.empty() || text.ends_with(' ');
    text += is_word && names_command_on_a_store(message) ? program_on(advised_store) + ' '
                                                         : std::string(program);
  }
  return text;
}

}  // namespace snl::cli
