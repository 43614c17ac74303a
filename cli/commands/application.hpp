// The program: words in, an exit code out.
#pragma once

namespace snl::cli {

/// Runs one command line; answers its exit code. Never throws.
int run(int argc, const char* const* argv);

}  // namespace snl::cli
