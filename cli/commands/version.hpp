#pragma once

namespace snl::cli {

/// The text of `snl --version`: the version, and the commit of this build where it is known.
extern const char* const version_text;

}  // namespace snl::cli
