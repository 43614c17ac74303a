// Checks that a database's functions and triggers are still those that the migrations make: a role
// with all rights may have replaced them.
#pragma once

#include "storage/problem.hpp"
#include "upgrade.hpp"

#include <span>
#include <vector>

namespace snl::postgres {

/// A problem for each that is missing, switched off or different. Throws ServerError.
std::vector<Problem> faults_of_schema(ServerConnection& connection,
                                      std::span<const ServerMigration> migrations);

}  // namespace snl::postgres
