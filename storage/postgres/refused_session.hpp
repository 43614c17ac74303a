// Why no session with a server came about, in a line of our own.
#pragma once

#include "storage/store_error.hpp"

#include <string>

namespace snl::postgres {

struct RefusedSession {
  StoreError::Cause cause;
  std::string why;  // and the way out
};

/// Tries to connect once more, for at most five seconds, even to a server that can't be written to.
/// This attempt has libpq write a refusal's SQLSTATE as its text: libpq gives it in no other way,
/// and every other text is in the language of the server or of the user. `what_was_said` is libpq's
/// own line, for a failure that isn't recognised.
RefusedSession why_refused(const std::string& location, const std::string& what_was_said);

}  // namespace snl::postgres
