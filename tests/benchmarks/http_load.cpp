#include "http_load.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <utility>

namespace snl::benchmarks {
namespace {

using SteadyClock = std::chrono::steady_clock;

[[noreturn]] void fail(std::string_view what) {
  throw std::runtime_error(fmt::format("{}: {}", what, std::strerror(errno)));
}

/// Of /proc/PID/status, in bytes.
std::int64_t memory_of(pid_t process, std::string_view name) {
  std::ifstream facts(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(facts, line);)
    if (line.starts_with(name)) return std::stoll(line.substr(name.size() + 1)) * 1024;
  return 0;
}

/// The first line that a process prints.
std::string first_line(int descriptor) {
  std::string line;
  for (char c = 0; read(descriptor, &c, 1) == 1 && c != '\n';)
    line += c;
  return line;
}

/// An answer at the beginning of what was received: where its body begins and ends; none if it
/// isn't whole yet.
struct AnswerPlace {
  std::size_t body;
  std::size_t end;
};
std::optional<AnswerPlace> whole_answer(std::string_view received) {
  constexpr std::string_view field = "Content-Length: ";
  const std::size_t blank = received.find("\r\n\r\n");
  if (blank == std::string_view::npos) return std::nullopt;
  const std::size_t at = received.find(field);
  std::size_t length = 0;
  if (at < blank)
    std::from_chars(received.data() + at + field.size(), received.data() + blank, length);
  const std::size_t end = blank + 4 + length;
  if (received.size() < end) return std::nullopt;
  return AnswerPlace{blank + 4, end};
}

void require_success(std::string_view answer) {
  if (!answer.starts_with("HTTP/1.1 200") && !answer.starts_with("HTTP/1.1 201"))
    throw std::runtime_error(fmt::format("a server answered {}", answer.substr(0, 400)));
}

constexpr std::size_t events_at_once = 512;

}  // namespace

// ---- A server

ServerProcess::ServerProcess(const std::vector<std::string>& command) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
  std::vector<char*> words;
  for (const std::string& word : command)
    words.push_back(const_cast<char*>(word.c_str()));  // execv leaves them as they are
  words.push_back(nullptr);
  process_ = fork();
  if (process_ < 0) fail("fork");
  if (process_ == 0) {
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(nowhere, STDIN_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execvp(words.front(), words.data());
    _exit(127);
  }
  close(ends[1]);
  const std::string line = first_line(ends[0]);
  close(ends[0]);
  if (!line.starts_with("listening on "))
    throw std::runtime_error(fmt::format("{} doesn't serve: {}", command.front(), line));
  port_ = static_cast<std::uint16_t>(std::stoul(line.substr(line.rfind(':') + 1)));
}

ServerProcess::~ServerProcess() {
  kill(process_, SIGTERM);
  waitpid(process_, nullptr, 0);
}

std::int64_t ServerProcess::resident_bytes() const {
  return memory_of(process_, "VmRSS:");
}

std::int64_t ServerProcess::peak_bytes() const {
  return memory_of(process_, "VmHWM:");
}

std::string request_text(std::string_view method, std::string_view path, std::string_view body,
                         std::string_view token) {
  std::string text = fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\n", method, path);
  if (!token.empty()) text += fmt::format("Authorization: Bearer {}\r\n", token);
  if (!body.empty())
    text += fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n", body.size());
  return fmt::format("{}\r\n{}", text, body);
}

// ---- Sockets

LocalSocket::LocalSocket(std::uint16_t port)
    : descriptor_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int on = 1;
  if (descriptor_ < 0) fail("socket");
  setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  if (connect(descriptor_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0)
    fail("connect");
}

LocalSocket::LocalSocket(LocalSocket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

LocalSocket::~LocalSocket() {
  if (descriptor_ >= 0) close(descriptor_);
}

void LocalSocket::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0) fail("send");
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

std::string LocalSocket::receive() const {
  std::array<char, 65536> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by recv
  const ssize_t size = recv(descriptor_, bytes.data(), bytes.size(), 0);
  if (size <= 0) fail("a server closed a connection");
  return {bytes.data(), static_cast<std::size_t>(size)};
}

// ---- Clients

HttpClients::HttpClients(std::uint16_t port, std::size_t clients) : received_(clients) {
  for (std::size_t client = 0; client < clients; ++client)
    sockets_.emplace_back(port);
}

void HttpClients::ask(std::size_t answers, const Next& next) {
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  std::size_t asked = 0;
  std::size_t answered = 0;
  for (std::size_t client = 0; client < size(); ++client) {
    epoll_event event{.events = EPOLLIN, .data = {.u64 = client}};
    epoll_ctl(epoll, EPOLL_CTL_ADD, sockets_[client].descriptor(), &event);
    if (asked >= answers) continue;
    sockets_[client].send(next(client, ""));
    ++asked;
  }
  std::array<epoll_event, events_at_once> events{};
  while (answered < answers) {
    const int count = epoll_wait(epoll, events.data(), events_at_once, -1);
    for (int i = 0; i < count; ++i) {
      const std::size_t client = events.at(static_cast<std::size_t>(i)).data.u64;
      std::string& received = received_[client];
      received += sockets_[client].receive();
      const auto place = whole_answer(received);
      if (!place) continue;
      require_success(received);
      ++answered;
      const std::string body = received.substr(place->body, place->end - place->body);
      received.erase(0, place->end);
      if (asked >= answers) continue;
      sockets_[client].send(next(client, body));
      ++asked;
    }
  }
  close(epoll);
}

std::string HttpClients::ask_once(std::size_t client, const std::string& request) {
  sockets_[client].send(request);
  std::string received;
  while (true) {
    received += sockets_[client].receive();
    const auto place = whole_answer(received);
    if (!place) continue;
    require_success(received);
    return received.substr(place->body, place->end - place->body);
  }
}

// ---- Spectators

Spectators::Spectators(std::uint16_t port, std::size_t spectators, const std::string& path)
    : epoll_(epoll_create1(EPOLL_CLOEXEC)), last_(spectators) {
  const std::string request = request_text("GET", path);
  for (std::size_t spectator = 0; spectator < spectators; ++spectator) {
    sockets_.emplace_back(port);
    sockets_.back().send(request);
    epoll_event event{.events = EPOLLIN, .data = {.u64 = spectator}};
    epoll_ctl(epoll_, EPOLL_CTL_ADD, sockets_.back().descriptor(), &event);
  }
}

Spectators::~Spectators() {
  close(epoll_);
}

std::vector<double> Spectators::wait_for(std::string_view mark) {
  constexpr std::size_t longest_mark = 32;
  constexpr std::chrono::seconds timeout{60};
  const auto begun = SteadyClock::now();
  std::vector<double> after(sockets_.size(), 0);
  std::size_t told = 0;
  std::array<epoll_event, events_at_once> events{};
  while (told < sockets_.size()) {
    if (SteadyClock::now() - begun > timeout)
      throw std::runtime_error(fmt::format("{} of {} were told", told, sockets_.size()));
    const int count = epoll_wait(epoll_, events.data(), events_at_once, 1000);
    for (int i = 0; i < count; ++i) {
      const std::size_t spectator = events.at(static_cast<std::size_t>(i)).data.u64;
      std::string& last = last_[spectator];
      last += sockets_[spectator].receive();
      if (after[spectator] == 0 && last.contains(mark)) {
        after[spectator] = std::chrono::duration<double>(SteadyClock::now() - begun).count();
        ++told;
      }
      if (last.size() > longest_mark) last.erase(0, last.size() - longest_mark);
    }
  }
  return after;
}

}  // namespace snl::benchmarks
