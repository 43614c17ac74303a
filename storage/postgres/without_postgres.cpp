#include "open_postgres.hpp"

namespace snl::postgres {
namespace {

[[noreturn]] void refuse() {
  throw StoreError(StoreError::Cause::failed,
                   "this snl was built without stores on PostgreSQL (SNL_POSTGRESQL=OFF); name a "
                   "file with --db, or build it with them");
}

}  // namespace

std::unique_ptr<StoreReader> open_to_read(const std::string& /*location*/) {
  refuse();
}

std::unique_ptr<EventStore> open_to_write(const std::string& /*location*/) {
  refuse();
}

std::unique_ptr<HostedGameStore> open_hosted_games(const std::string& /*location*/) {
  refuse();
}

std::unique_ptr<HostedGameStore> open_hosted_games_to_read(const std::string& /*location*/) {
  refuse();
}

std::unique_ptr<StoreAdmin> admin_of(const std::string& /*location*/) {
  refuse();
}

}  // namespace snl::postgres
