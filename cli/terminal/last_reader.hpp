// The end of a command that follows something, once nobody reads what it prints.
#pragma once

namespace snl::cli {

/// From now on the process ends by SIGPIPE as soon as the pipe that stdout is has lost its last
/// reader, not only with what it prints next. Does nothing where stdout is no pipe.
void end_with_last_reader();

}  // namespace snl::cli
