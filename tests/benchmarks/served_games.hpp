// Games that clients of a server play while it is measured.
#pragma once

#include "http_load.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snl::benchmarks {

/// A game that clients play: nobody reaches its last cell during the measurement.
class ServedGame {
 public:
  explicit ServedGame(HttpClients& clients);

  const std::string& path() const { return path_; }

  /// The request for the next turn: `body` is the answer to the one before, if there was one.
  const std::string& next_turn(std::string_view body);

 private:
  std::string path_;
  std::array<std::string, 2> turn_;
  std::size_t seat_ = 0;
};

/// Clients that play turns, each in a game of its own.
class Table {
 public:
  Table(std::uint16_t port, std::size_t players);

  void play(std::size_t turns);

 private:
  HttpClients clients_;
  std::vector<ServedGame> games_;
  std::vector<std::string> bodies_;
};

}  // namespace snl::benchmarks
