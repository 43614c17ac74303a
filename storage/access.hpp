// What a store is opened for.
#pragma once

#include <cstdint>

namespace snl {

enum class Access : std::uint8_t {
  read,   // changes nothing; a store that can't be written will do
  write,  // makes the store if it isn't there, upgrades an older one
};

}  // namespace snl
