#pragma once

namespace snl::cli {

/// What `snl --version` prints: the version, and the commit that was built, where it is known.
extern const char* const version_text;

}  // namespace snl::cli
