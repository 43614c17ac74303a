#pragma once

#include "cli/session/failure.hpp"

#include <string>

namespace snl::cli {

/// Of exact chances that can't be had, and why.
inline Failure estimates_only(const std::string& why) {
  return {Exit::usage, why + "; snl simulate estimates them, with --games 1000000 to within 0.1 %"};
}

}  // namespace snl::cli
