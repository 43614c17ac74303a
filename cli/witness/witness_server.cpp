#include "witness_server.hpp"

#include "cosigning.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <exception>
#include <string_view>
#include <utility>

namespace snl::cli {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

namespace {

using Received = http::request<http::string_body>;
using Response = http::response<http::string_body>;

constexpr std::chrono::seconds client_timeout{10};
constexpr std::size_t most_clients = 256;

}  // namespace

struct WitnessServer::Running {
  transparency::Witness& witness;
  std::function<void(const std::string&)> report;
  asio::io_context loop{1};
  asio::signal_set signals{loop, SIGINT, SIGTERM};
  tcp::acceptor acceptor{loop};
  std::size_t clients = 0;

  transparency::WitnessResponse result_of(const Received& request) {
    const std::string_view target(request.target().data(), request.target().size());
    if (target == "/add-checkpoint") {
      if (request.method() != http::verb::post) return {.status = 405, .body = "POST it\n"};
      return witness.add_checkpoint(request.body(), seconds_now());
    }
    constexpr std::string_view end = "/checkpoint";
    const bool reads = request.method() == http::verb::get || request.method() == http::verb::head;
    if (reads && target.starts_with('/') && target.ends_with(end)) {
      const auto hex = target.substr(1, target.size() - std::min(target.size(), end.size() + 1));
      if (auto kept = witness.kept(hex)) return {.status = 200, .body = *std::move(kept)};
    }
    return {.status = 404, .body = "there is nothing here\n"};
  }

  static Response response_of(transparency::WitnessResponse result, unsigned version,
                              bool keep_alive) {
    Response response{static_cast<http::status>(result.status), version};
    response.set(http::field::content_type, result.type);
    if (result.status == 405) response.set(http::field::allow, "POST");
    response.keep_alive(keep_alive);
    response.body() = std::move(result.body);
    response.prepare_payload();
    return response;
  }

  /// When many are connected, each is let go after one response, so that others get their turn.
  bool may_stay() const { return clients < most_clients / 2; }

  Response respond_to(const Received& request) {
    transparency::WitnessResponse result;
    try {
      result = result_of(request);
    } catch (const std::exception& error) {
      report(error.what());
      result = {.status = 500, .body = "the witness can't keep it; try again later\n"};
    }
    Response response =
        response_of(std::move(result), request.version(), request.keep_alive() && may_stay());
    if (request.method() == http::verb::head) response.body().clear();
    return response;
  }

  /// Reads what a client still sends: if it were left unread, the connection's reset could overtake
  /// the response.
  static asio::awaitable<void> drain(beast::tcp_stream& stream) {
    constexpr std::size_t most = 64'000'000;
    std::array<char, 65'536> ignored{};
    for (std::size_t read = 0; read < most;)
      read += co_await stream.async_read_some(asio::buffer(ignored), asio::use_awaitable);
  }

  asio::awaitable<void> serve(beast::tcp_stream stream) {
    beast::flat_buffer buffer;
    bool goes_on = true;
    bool is_too_long = false;
    while (goes_on) {
      http::request_parser<http::string_body> parser;
      parser.body_limit(transparency::longest_request);
      stream.expires_after(client_timeout);
      try {
        co_await http::async_read(stream, buffer, parser, asio::use_awaitable);
      } catch (const boost::system::system_error& error) {
        if (error.code() != http::error::body_limit) co_return;
        is_too_long = true;
      }
      constexpr unsigned http_1_1 = 11;
      const Response response =
          is_too_long ? response_of({.status = 413, .body = "the request is longer than 128 KiB\n"},
                                    http_1_1, false)
                      : respond_to(parser.release());
      goes_on = response.keep_alive();
      stream.expires_after(client_timeout);
      co_await http::async_write(stream, response, asio::use_awaitable);
    }
    boost::system::error_code ignored;
    (void)stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
    if (is_too_long) co_await drain(stream);
  }

  /// Counts the clients while they are served.
  asio::awaitable<void> serve_one_of_many(tcp::socket socket) {
    ++clients;
    try {
      co_await serve(beast::tcp_stream(std::move(socket)));
      --clients;
    } catch (const std::exception&) {
      --clients;  // a client that has gone is no failure
    }
  }

  /// Runs for ever. If the system has no file left for a connection, or too many are served, it
  /// waits.
  asio::awaitable<void> accept() {
    constexpr std::chrono::milliseconds pause{50};
    asio::steady_timer timer(loop);
    while (true) {
      boost::system::error_code error;
      tcp::socket socket(loop);
      if (clients < most_clients)
        co_await acceptor.async_accept(socket, asio::redirect_error(asio::use_awaitable, error));
      if (socket.is_open()) {
        asio::co_spawn(loop, serve_one_of_many(std::move(socket)), asio::detached);
        continue;
      }
      timer.expires_after(pause);
      co_await timer.async_wait(asio::use_awaitable);
    }
  }
};

WitnessServer::WitnessServer(transparency::Witness& witness, const std::string& host,
                             std::uint16_t port, std::function<void(const std::string&)> report)
    : running_(std::make_unique<Running>(witness, std::move(report))) {
  try {
    const tcp::endpoint endpoint = *tcp::resolver(running_->loop)
                                        .resolve(host, std::to_string(port), tcp::resolver::passive)
                                        .begin();
    running_->acceptor.open(endpoint.protocol());
    running_->acceptor.set_option(tcp::acceptor::reuse_address(true));
    running_->acceptor.bind(endpoint);
    running_->acceptor.listen();
  } catch (const boost::system::system_error& error) {
    throw std::runtime_error(
        fmt::format("{}:{}: {}; listen at another address", host, port, error.code().message()));
  }
}

WitnessServer::~WitnessServer() = default;

std::string WitnessServer::address() const {
  const tcp::endpoint endpoint = running_->acceptor.local_endpoint();
  std::string host = endpoint.address().to_string();
  if (endpoint.address().is_v6()) host = "[" + host + "]";
  return fmt::format("{}:{}", host, endpoint.port());
}

void WitnessServer::run() {
  running_->signals.async_wait([this](auto, int) { running_->loop.stop(); });
  asio::co_spawn(running_->loop, running_->accept(), asio::detached);
  running_->loop.run();
}

}  // namespace snl::cli
