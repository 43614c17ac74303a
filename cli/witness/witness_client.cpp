#include "witness_client.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <string_view>

namespace snl::cli {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

constexpr std::chrono::seconds response_timeout{5};

struct UrlParts {
  std::string host;
  std::string port = "80";
  std::string path;  // without a slash at its end
};

/// http://HOST[:PORT][/PATH]
UrlParts parts_of(std::string_view url) {
  constexpr std::string_view scheme = "http://";
  if (url.starts_with("https://"))
    throw WitnessSilent("https isn't built in; send it what snl checkpoint --request prints");
  if (!url.starts_with(scheme)) throw WitnessSilent("its URL isn't http://HOST:PORT");
  url.remove_prefix(scheme.size());
  while (url.ends_with('/'))
    url.remove_suffix(1);
  UrlParts parts;
  const std::size_t slash = std::min(url.find('/'), url.size());
  parts.path = url.substr(slash);
  const std::string_view where = url.substr(0, slash);
  const std::size_t bracket = where.find(']');
  const std::size_t colon =
      std::min(where.find(':', bracket == std::string_view::npos ? 0 : bracket), where.size());
  parts.host = where.substr(0, colon);
  if (colon < where.size()) parts.port = where.substr(colon + 1);
  if (parts.host.starts_with('[') && parts.host.ends_with(']'))
    parts.host = parts.host.substr(1, parts.host.size() - 2);
  if (parts.host.empty()) throw WitnessSilent("its URL isn't http://HOST:PORT");
  return parts;
}

/// Without parameters.
std::string_view media_type(std::string_view field) {
  return field.substr(0, field.find_first_of("; \t"));
}

asio::awaitable<WitnessReply> send(const UrlParts& parts, std::string body) {
  const auto executor = co_await asio::this_coro::executor;
  tcp::resolver resolver(executor);
  const auto found = co_await resolver.async_resolve(parts.host, parts.port, asio::use_awaitable);
  beast::tcp_stream stream(executor);
  co_await stream.async_connect(found, asio::use_awaitable);
  http::request<http::string_body> request{http::verb::post, parts.path + "/add-checkpoint", 11,
                                           std::move(body)};
  const bool is_ipv6 = parts.host.contains(':');
  request.set(http::field::host,
              (is_ipv6 ? '[' + parts.host + ']' : parts.host) + ':' + parts.port);
  request.set(http::field::content_type, "text/plain; charset=utf-8");
  request.keep_alive(false);
  request.prepare_payload();
  co_await http::async_write(stream, request, asio::use_awaitable);
  beast::flat_buffer buffer;
  http::response_parser<http::string_body> parser;
  parser.body_limit(transparency::longest_request);
  co_await http::async_read(stream, buffer, parser, asio::use_awaitable);
  const auto& response = parser.get();
  co_return WitnessReply{.status = response.result_int(),
                         .type = std::string(media_type(response[http::field::content_type])),
                         .body = response.body()};
}

}  // namespace

WitnessReply ask_witness(const std::string& url, const transparency::WitnessRequest& request,
                         const std::stop_token& stop) {
  const UrlParts parts = parts_of(url);
  asio::io_context loop{1};
  const std::stop_callback stopping(stop, [&] { loop.stop(); });
  std::optional<WitnessReply> reply;
  std::exception_ptr failed;
  asio::co_spawn(loop, send(parts, request.text()),
                 [&](const std::exception_ptr& error, WitnessReply received) {
                   failed = error;
                   if (!error) reply = std::move(received);
                 });
  loop.run_for(response_timeout);
  loop.poll();  // takes an answer that came while the whole machine stood still
  if (reply) return *std::move(reply);
  try {
    if (failed) std::rethrow_exception(failed);
  } catch (const boost::system::system_error& error) {
    throw WitnessSilent(error.code().message());
  }
  throw WitnessSilent("it didn't answer within 5 seconds");
}

}  // namespace snl::cli
