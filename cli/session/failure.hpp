// The failure that ends a command: a message and an exit code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace snl::cli {

/// The exit codes that scripts rely on.
enum class Exit : std::uint8_t {
  done = 0,
  failed = 1,    // I/O, a full disk, a store that can't be opened or is busy
  usage = 2,     // bad arguments, an invalid board, impossible dice, a turn out of range
  no_such = 3,   // no such game or player, or an ambiguous ID
  unsound = 4,   // a store, an export or a proof is not sound
  conflict = 5,  // another version than was expected, an ID that is taken
  refused = 6,   // INVALID MOVE, GAME COMPLETED, nothing to undo or redo
  interrupted = 130,
};

/// Ends the command. `message` is one line for stderr, without the program's name; empty if nothing
/// is left to say.
class Failure : public std::runtime_error {
 public:
  Failure(Exit code, const std::string& message)
      : std::runtime_error(with_visible_nul(message)), code_(code) {}
  Exit code() const { return code_; }

 private:
  /// what() would end at a NUL, and a name or a line that a user typed may hold one.
  static std::string with_visible_nul(std::string message) {
    for (std::size_t at = 0; (at = message.find('\0', at)) != std::string::npos;)
      message.replace(at, 1, "\\x00");
    return message;
  }

  Exit code_;
};

}  // namespace snl::cli
