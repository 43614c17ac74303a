// What the process was started in.
#pragma once

#include <optional>
#include <string>

namespace snl::cli {

/// An environment variable; none if it is unset or empty.
std::optional<std::string> environment(const char* name);

}  // namespace snl::cli
