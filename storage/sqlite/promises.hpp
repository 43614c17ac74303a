// What a server's rooms promised of the dice of games, compared with what their logs say.
#pragma once

#include "sqlite.hpp"
#include "storage/problem.hpp"

#include <vector>

namespace snl {

/// At most ten games whose room has another secret, or whose players promised something else, than
/// version 1 of the log was drawn from. A log that can't be read is passed over: an audit tells of
/// it.
std::vector<Problem> broken_promises(sqlite::Connection& connection);

}  // namespace snl
