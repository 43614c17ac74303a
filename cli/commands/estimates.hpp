#pragma once

#include "cli/session/failure.hpp"

#include <string>

namespace snl::cli {

/// A failure to work out exact chances, with the reason.
inline Failure estimates_only(const std::string& why) {
  return {Exit::usage, why + "; snl simulate estimates them, with --games 1000000 to within 0.1 %"};
}

}  // namespace snl::cli
