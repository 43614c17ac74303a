// The simplest server with Boost.Beast, in the style of its examples: it ignores the request, and
// every answer is the same. It is the baseline for our server.
//
//   bare_server BYTES THREADS          answers a body of so many bytes
//   bare_server BYTES THREADS echoes   the same without Beast and without parsing: the most that
//   the
//                                      load generator can do
//
// GET /events has an endless answer. Each POST writes BYTES to all clients that have such an
// answer.

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Tcp = asio::ip::tcp;

std::string body_of_answers;      // before any thread
std::vector<Tcp::socket> events;  // of one thread alone

class Session : public std::enable_shared_from_this<Session> {
 public:
  explicit Session(Tcp::socket socket) : stream_(std::move(socket)) {}

  void read() {
    request_ = {};
    http::async_read(stream_, buffer_, request_,
                     [self = shared_from_this()](beast::error_code error, std::size_t) {
                       if (!error) self->answer();
                     });
  }

 private:
  void answer() {
    if (request_.target().ends_with("/events")) return stream_events();
    if (request_.method() == http::verb::post) tell_all();
    response_ = {http::status::ok, 11};
    response_.set(http::field::content_type, "application/json");
    response_.body() = body_of_answers;
    response_.prepare_payload();
    http::async_write(stream_, response_,
                      [self = shared_from_this()](beast::error_code error, std::size_t) {
                        if (!error) self->read();
                      });
  }

  void stream_events() {
    constexpr std::string_view head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
    beast::error_code error;
    asio::write(stream_.socket(), asio::buffer(head), error);
    events.push_back(stream_.release_socket());
  }

  static void tell_all() {
    static int told = 0;
    const std::string text =
        "id: " + std::to_string(++told) + ".00000000\ndata: " + body_of_answers + "\n\n";
    beast::error_code error;
    for (Tcp::socket& socket : events)
      asio::write(socket, asio::buffer(text), error);
  }

  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  http::request<http::string_body> request_;
  http::response<http::string_body> response_;
};

/// Treats any bytes that arrive as a request.
class Echo : public std::enable_shared_from_this<Echo> {
 public:
  explicit Echo(Tcp::socket socket) : socket_(std::move(socket)) {}

  void read() {
    socket_.async_read_some(asio::buffer(bytes_),
                            [self = shared_from_this()](beast::error_code error, std::size_t) {
                              if (!error) self->answer();
                            });
  }

 private:
  void answer() {
    static const std::string text =
        "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body_of_answers.size()) +
        "\r\n\r\n" + body_of_answers;
    asio::async_write(socket_, asio::buffer(text),
                      [self = shared_from_this()](beast::error_code error, std::size_t) {
                        if (!error) self->read();
                      });
  }

  Tcp::socket socket_;
  std::array<char, 4096> bytes_{};
};

template <class Served>
void accept(Tcp::acceptor& acceptor, std::vector<std::unique_ptr<asio::io_context>>& contexts,
            std::size_t next = 0) {
  acceptor.async_accept(*contexts[next % contexts.size()],
                        [&acceptor, &contexts, next](beast::error_code error, Tcp::socket socket) {
                          if (!error) {
                            beast::error_code ignored;
                            socket.set_option(Tcp::no_delay(true), ignored);
                            std::make_shared<Served>(std::move(socket))->read();
                          }
                          accept<Served>(acceptor, contexts, next + 1);
                        });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  body_of_answers.assign(std::strtoul(argv[1], nullptr, 10), 'x');
  const std::size_t threads = std::strtoul(argv[2], nullptr, 10);
  std::vector<std::unique_ptr<asio::io_context>> contexts;
  std::vector<asio::executor_work_guard<asio::io_context::executor_type>> work;
  for (std::size_t i = 0; i < threads; ++i) {
    contexts.push_back(std::make_unique<asio::io_context>(1));
    work.push_back(asio::make_work_guard(*contexts.back()));
  }
  Tcp::acceptor acceptor(*contexts.front(), {asio::ip::make_address("127.0.0.1"), 0});
  acceptor.listen(asio::socket_base::max_listen_connections);
  if (argc > 3)
    accept<Echo>(acceptor, contexts);
  else
    accept<Session>(acceptor, contexts);
  (void)std::printf("listening on http://127.0.0.1:%d\n", acceptor.local_endpoint().port());
  (void)std::fflush(stdout);
  std::vector<std::jthread> running;
  for (std::size_t i = 1; i < threads; ++i)
    running.emplace_back([&, i] { contexts[i]->run(); });
  contexts.front()->run();
}
