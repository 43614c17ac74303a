// The one place that knows which engine keeps which store. A store's location is the path of its
// file, or a PostgreSQL connection string as libpq takes it: a URI (postgresql://…, postgres://…),
// or keywords and values (host=… dbname=…).
#pragma once

#include "event_store.hpp"
#include "hosted_games.hpp"
#include "store_admin.hpp"

#include <memory>
#include <string>

namespace [[gnu::visibility("default")]] snl {

// Tags that say what a store is opened for.
struct ForReading {};
struct ForWriting {};
inline constexpr ForReading for_reading{};
inline constexpr ForWriting for_writing{};

// Each throws StoreError, with a separate message for each reason why there is no such store or it
// can't be used.

/// Changes nothing, so the store may be read-only.
std::unique_ptr<StoreReader> open_store(const std::string& location, ForReading access);
/// Makes the store if it isn't there, and upgrades an older one.
std::unique_ptr<EventStore> open_store(const std::string& location, ForWriting access);

/// The hosted games of the store at this location, which is made or upgraded as above. Each thread
/// opens its own.
std::unique_ptr<HostedGameStore> open_hosted_games(const std::string& location);
/// The same to be read: the store isn't changed, and a change of hosted games throws StoreError.
std::unique_ptr<HostedGameStore> open_hosted_games(const std::string& location, ForReading access);

/// The location without a password, fit to be shown to anybody.
std::string shown_location(const std::string& location);

/// Whether it is the path of a file.
bool is_file_location(const std::string& location);

/// The administrator of the store at this location. The store need not exist.
std::unique_ptr<StoreAdmin> admin_of_store(const std::string& location);

}  // namespace snl
