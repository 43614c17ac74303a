// The load on a server: clients that ask again over kept connections as soon as they have an
// answer, and spectators that read whatever comes. One thread, one epoll.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace snl::benchmarks {

/// A program that serves until this goes, and says where on its stdout. Its log is thrown away.
class ServerProcess {
 public:
  /// Throws std::runtime_error if it can't be run, or doesn't say "listening on".
  explicit ServerProcess(const std::vector<std::string>& command);
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  ServerProcess(ServerProcess&&) = delete;
  ServerProcess& operator=(ServerProcess&&) = delete;

  std::uint16_t port() const { return port_; }
  /// The memory that it has now, and has had at most, in bytes.
  std::int64_t resident_bytes() const;
  std::int64_t peak_bytes() const;

 private:
  pid_t process_;
  std::uint16_t port_ = 0;
};

/// A request as HTTP/1.1 has it.
std::string request_text(std::string_view method, std::string_view path, std::string_view body = "",
                         std::string_view token = "");

/// A socket that is connected to a port of this machine; closed when this goes.
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

/// Clients of one server, each with a connection that is kept.
class HttpClients {
 public:
  HttpClients(std::uint16_t port, std::size_t clients);
  std::size_t size() const { return sockets_.size(); }

  /// A client's next request, after an answer with this body (at first: nothing).
  using Next = std::function<std::string(std::size_t client, std::string_view body)>;

  /// Makes all clients ask, each as soon as it has an answer, until there are so many answers.
  /// Throws std::runtime_error for one that isn't 200 or 201.
  void ask(std::size_t answers, const Next& next);

  /// One client asks once; answers the body.
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

  /// Reads until each of them has got `mark` (at most 32 bytes). Answers after how many seconds
  /// each had it. Throws std::runtime_error after a minute.
  std::vector<double> wait_for(std::string_view mark);

 private:
  int epoll_;
  std::vector<LocalSocket> sockets_;
  std::vector<std::string> last_;  // bytes that came: a mark may come in two pieces
};

}  // namespace snl::benchmarks
