#pragma once

#include "cli/session/failure.hpp"

#include <string>

namespace snl::cli {

/// Of exact chances that can't be had, and why.
inline Failure estimates_only(const std::string& why) {
  return {Exit::usage, why + "; snl simulate estimates them"};
}

}  // namespace snl::cli
