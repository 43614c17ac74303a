// Which engine keeps which store: the one place that knows. A store's location is the path of its
// file.
#pragma once

#include "access.hpp"
#include "event_store.hpp"
#include "store_keeper.hpp"

#include <memory>
#include <string>

namespace snl {

/// Throws StoreError, with a message of its own for each reason why there is no such store, or it
/// can't be used.
std::unique_ptr<EventStore> open_store(const std::string& location, Access access);

/// Who looks after the store of this location, which needn't be there.
std::unique_ptr<StoreKeeper> keeper_of_store(const std::string& location);

}  // namespace snl
