#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace [[gnu::visibility("default")]] snl {

/// A store, or a file in its place, couldn't be used. what() is one line for people that names the
/// file and the way out.
class StoreError : public std::runtime_error {
 public:
  enum class Cause : std::uint8_t {
    failed,  // no file, no permission, no space, no memory, I/O: the store itself may be fine
    busy,    // others use it and didn't let go in time: trying again may help
    other_version,  // its schema isn't the one that this program reads
    damaged,        // it can be read, but is no sound store, or no store at all
  };

  StoreError(Cause cause, const std::string& message, bool outcome_unknown = false)
      : std::runtime_error(message), cause_(cause), outcome_unknown_(outcome_unknown) {}

  Cause cause() const { return cause_; }
  bool is_damage() const { return cause_ == Cause::damaged; }
  /// Whether this is an OutcomeUnknown, or a copy of one: what was appended may be recorded.
  bool is_outcome_unknown() const { return outcome_unknown_; }

 private:
  Cause cause_;
  bool outcome_unknown_;
};

}  // namespace snl
