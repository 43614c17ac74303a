// The load on a server: clients on persistent connections that send the next request as soon as
// they have an answer, and spectators that read everything. One thread, one epoll.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace snl::benchmarks {

/// A program that serves until this object is destroyed, and prints its address on stdout. Its log
/// is discarded.
class ServerProcess {
 public:
  /// Throws std::runtime_error if it can't be run, or doesn't print "listening on".
  explicit ServerProcess(const std::vector<std::string>& command);
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  ServerProcess(ServerProcess&&) = delete;
  ServerProcess& operator=(ServerProcess&&) = delete;

  std::uint16_t port() const { return port_; }
  /// Its current memory and its peak, in bytes.
  std::int64_t resident_bytes() const;
  std::int64_t peak_bytes() const;

 private:
  pid_t process_;
  std::uint16_t port_ = 0;
};

/// A request in the form of HTTP/1.1.
std::string request_text(std::string_view method, std::string_view path, std::string_view body = "",
                         std::string_view token = "");

/// A socket that is connected to a port of this machine. The destructor closes it.
class LocalSocket {
 public:
  explicit LocalSocket(std::uint16_t port);
  ~LocalSocket();
  LocalSocket(LocalSocket&& other) noexcept;
  LocalSocket& operator=(LocalSocket&&) = delete;
  LocalSocket(const LocalSocket&) = delete;
  LocalSocket& operator=(const LocalSocket&) = delete;

  int descriptor() const { return descriptor_; }
  void send(std::string_view bytes) const;
  /// Waits for bytes and answers them. Throws std::runtime_error at the end.
  std::string receive() const;

 private:
  int descriptor_;
};

/// Clients of one server, each with a persistent connection.
class HttpClients {
 public:
  HttpClients(std::uint16_t port, std::size_t clients);
  std::size_t size() const { return sockets_.size(); }

  /// A client's next request, after an answer with this body (at first: nothing).
  using Next = std::function<std::string(std::size_t client, std::string_view body)>;

  /// Makes all clients send requests, each as soon as it has an answer, until there are this many
  /// answers. Throws std::runtime_error for one that isn't 200 or 201.
  void ask(std::size_t answers, const Next& next);

  /// One client sends one request; returns the body.
  std::string ask_once(std::size_t client, const std::string& request);

 private:
  std::vector<LocalSocket> sockets_;
  std::vector<std::string> received_;
};

/// The spectators that follow the stream of one game.
class Spectators {
 public:
  Spectators(std::uint16_t port, std::size_t spectators, const std::string& path);
  ~Spectators();
  Spectators(const Spectators&) = delete;
  Spectators& operator=(const Spectators&) = delete;
  Spectators(Spectators&&) = delete;
  Spectators& operator=(Spectators&&) = delete;

  /// Reads until each of them has received `mark` (at most 32 bytes). Returns after how many
  /// seconds each had it. Throws std::runtime_error after a minute.
  std::vector<double> wait_for(std::string_view mark);

 private:
  int epoll_;
  std::vector<LocalSocket> sockets_;
  std::vector<std::string> last_;  // received bytes: a mark may come in two pieces
};

}  // namespace snl::benchmarks
