// The program: words in, an exit code out.
#pragma once

namespace CLI {
class App;
}

namespace snl::cli {

class Session;

/// Declares every command and option, for code that describes them. `session` outlives `app`.
void declare_all(CLI::App& app, Session& session);

/// Runs one command line and returns its exit code. Never throws.
int run(int argc, const char* const* argv);

}  // namespace snl::cli
