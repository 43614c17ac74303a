// Which engine keeps which store: the one place that knows. A store's location is the path of its
// file; or that of a PostgreSQL database, as libpq takes it: a URI (postgresql://…, postgres://…),
// or keywords and values (host=… dbname=…).
#pragma once

#include "event_store.hpp"
#include "hosted_games.hpp"
#include "store_admin.hpp"

#include <memory>
#include <string>

namespace [[gnu::visibility("default")]] snl {

// What a store is opened for, by type.
struct ForReading {};
struct ForWriting {};
inline constexpr ForReading for_reading{};
inline constexpr ForWriting for_writing{};

// Each throws StoreError, with a message of its own for each reason why there is no such store, or
// it can't be used.

/// Changes nothing; a store that can't be written will do.
std::unique_ptr<StoreReader> open_store(const std::string& location, ForReading access);
/// Makes the store if it isn't there, upgrades an older one.
std::unique_ptr<EventStore> open_store(const std::string& location, ForWriting access);

/// The hosted games of the store of this location, which is made or upgraded as above. Each thread
/// opens its own.
std::unique_ptr<HostedGameStore> open_hosted_games(const std::string& location);

/// The location as it may be shown to anybody: without a password.
std::string shown_location(const std::string& location);

/// Whether it is the path of a file.
bool is_file_location(const std::string& location);

/// Who looks after the store of this location, which needn't be there.
std::unique_ptr<StoreAdmin> admin_of_store(const std::string& location);

}  // namespace snl
