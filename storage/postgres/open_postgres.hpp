// Opens stores on PostgreSQL for open_store.cpp. A program that was built without them
// (SNL_POSTGRESQL=OFF) says so.
#pragma once

#include "storage/event_store.hpp"
#include "storage/hosted_games.hpp"
#include "storage/store_admin.hpp"

#include <memory>
#include <string>

namespace snl::postgres {

// Each throws StoreError.
std::unique_ptr<StoreReader> open_to_read(const std::string& location);
std::unique_ptr<EventStore> open_to_write(const std::string& location);
std::unique_ptr<HostedGameStore> open_hosted_games(const std::string& location);
std::unique_ptr<HostedGameStore> open_hosted_games_to_read(const std::string& location);
std::unique_ptr<StoreAdmin> admin_of(const std::string& location);

}  // namespace snl::postgres
