// The limits of a server on its clients, by their names.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace snl::cli {

/// 0 stands for no limit.
struct Limits {
  std::uint32_t streams = 10'000;     // open at once
  std::uint32_t connections = 1'000;  // of an address, at once
  std::uint32_t writes = 20;          // a second, of a token or an address; exports too
  std::uint32_t games = 100;          // new ones an hour, of an address
  std::uint32_t open = 1'000;         // games that haven't started, in all
  std::uint32_t cells = 10'000;       // of a board
  std::uint32_t exports = 2;          // seconds of work a minute, of an address
  std::uint32_t automatic = 1'500;    // milliseconds before the server rolls for a seat with auto
  std::uint32_t draw = 60;            // seconds for promised entropy to come
};

struct NamedLimit {
  std::string_view name;
  std::uint32_t Limits::* value;
};
inline constexpr std::array named_limits{
    NamedLimit{"streams", &Limits::streams}, NamedLimit{"connections", &Limits::connections},
    NamedLimit{"writes", &Limits::writes},   NamedLimit{"games", &Limits::games},
    NamedLimit{"open", &Limits::open},       NamedLimit{"cells", &Limits::cells},
    NamedLimit{"exports", &Limits::exports}, NamedLimit{"auto", &Limits::automatic},
    NamedLimit{"draw", &Limits::draw},
};

/// Sets a limit by a text NAME=N; or names the fault of the text.
std::expected<void, std::string> set_limit(Limits& limits, std::string_view text);

}  // namespace snl::cli
