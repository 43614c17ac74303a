// One client's connection: bytes in, requests to a handler, responses and streams out. Each belongs
// to one EventLoop, whose thread alone touches it.
//
// A slow client costs nobody else anything. It has a limited time to send a request and to read a
// response, and only max_unsent bytes may wait for a stream's client. A connection that waits holds
// no buffer: it reads into the loop's.
#pragma once

#include "address.hpp"
#include "request_reader.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace snl::cli {

class ClientConnection;
class EventLoop;

/// Bytes that are made once for any number of connections.
using SharedBytes = std::shared_ptr<const std::string>;

/// The source of a connection's stream. The loop's thread calls it.
class StreamSource {
 public:
  StreamSource() = default;
  virtual ~StreamSource() = default;
  StreamSource& operator=(StreamSource&&) = delete;

  /// All offered bytes are sent: there is room for more.
  virtual void drained(ClientConnection& connection) = 0;
  /// The last words of a stream when the server stops.
  virtual std::string farewell() = 0;
};

/// Answers requests. The loop's thread calls it, and has other connections to serve.
class RequestHandler {
 public:
  RequestHandler() = default;
  virtual ~RequestHandler() = default;
  RequestHandler& operator=(RequestHandler&&) = delete;

  /// Makes `connection` answer, once, now or later, on its loop's thread.
  virtual void handle(const std::shared_ptr<ClientConnection>& connection,
                      ReceivedRequest request) = 0;

  /// The response to bytes that are no request: status 400, 408, 413, 417, 429, 431 or 505.
  virtual HttpResponse response_to_fault(const RequestFault& fault) = 0;

  /// A response, or a stream's beginning, is sent; `request` is as it came, without its body.
  virtual void responded(const ClientConnection& connection, const HttpRequest& request,
                         unsigned status, std::size_t bytes,
                         std::chrono::steady_clock::duration took) = 0;

  enum class Event : std::uint8_t { timed_out, slow_stream };
  virtual void happened(const ClientConnection& connection, Event event) = 0;

  /// The connection is gone.
  virtual void closed(ClientConnection& connection) = 0;
};

/// The times that a connection waits.
struct ClientTimeouts {
  std::chrono::milliseconds head{10'000};  // from a request's first byte to the end of its head
  std::chrono::milliseconds body{10'000};  // from there to the end of its body
  std::chrono::milliseconds idle{60'000};  // for the next request; for a client that reads nothing
  std::chrono::milliseconds comment{15'000};  // of silence, before a stream sends a comment
  std::chrono::milliseconds linger{2'000};    // for a client to read a last response
};

class ClientConnection : public std::enable_shared_from_this<ClientConnection> {
 public:
  using Socket = boost::asio::ip::tcp::socket;
  using Time = std::chrono::steady_clock::time_point;

  /// A stream's client may leave this much unread; then the stream is closed.
  static constexpr std::size_t max_unsent = std::size_t{256} * 1024;  // bytes

  /// Whether the client is served, or told that there are too many.
  enum class Welcome : std::uint8_t { served, turned_away };

  /// The limit of connections counts it as `counted_as`; empty if it doesn't count.
  ClientConnection(EventLoop& loop, Socket socket, IpAddress peer, std::string counted_as,
                   Welcome welcome);
  ~ClientConnection();
  ClientConnection& operator=(ClientConnection&&) = delete;

  EventLoop& loop() const { return loop_; }
  const IpAddress& peer() const { return peer_; }
  const std::string& counted_as() const { return counted_as_; }
  Welcome welcome() const { return welcome_; }
  /// For the request that is handled, gives the address of the client behind a proxy.
  void know_client(std::string address) { request_.address = std::move(address); }
  bool is_open() const { return state_ != State::closed; }

  /// Reads the first request; or tells the client that it isn't served, and closes.
  void start();

  /// Answers the request that was handled last. Does nothing if the connection has been closed.
  void respond(const HttpResponse& response);

  /// Answers it with a stream: this head, then all bytes that are offered, until end_stream(). The
  /// source lives as long as the stream does.
  void begin_stream(const HttpResponse& head, std::unique_ptr<StreamSource> source);
  StreamSource* stream() const { return source_.get(); }

  /// More of the stream. False if the client has left too much unread: the stream is closed.
  bool offer(const SharedBytes& bytes);
  std::size_t unsent() const { return unsent_; }
  /// Whether so many bytes more can be offered.
  bool has_room_for(std::size_t bytes) const {
    return unsent_ == 0 || unsent_ + bytes <= max_unsent;
  }
  /// Closes once all is sent.
  void end_stream();

  /// If something took too long, refuses or closes; sends the comment of a stream that is due.
  void check(Time now);

  /// Answers the request that is under way and closes; a stream says farewell.
  void stop();

  void close();

 private:
  enum class State : std::uint8_t {
    idle,        // between requests
    reading,     // in the middle of one
    handling,    // the handler has it
    responding,  // bytes of the response are still to be sent
    streaming,
    ending,     // closes once the queue is sent
    lingering,  // all is sent: waits for the client to close
    closed,
  };

  void wait_to_read();
  bool reads() const;
  void on_readable();
  void take(std::string_view bytes);
  void go_on();
  void handle_request();
  void refuse(const RequestFault& fault);
  void queue(SharedBytes bytes);
  void flush();
  void drop_sent(std::size_t sent);
  void wait_to_write();
  void all_sent();
  void report_response();
  void linger();
  std::string head_of(const HttpResponse& response, bool with_length) const;
  void expire(std::chrono::milliseconds after);
  void allow_time_to_read();

  static constexpr std::size_t max_unwanted = std::size_t{256} * 1024;  // bytes

  EventLoop& loop_;
  Socket socket_;
  IpAddress peer_;
  std::string counted_as_;
  Welcome welcome_;
  State state_ = State::idle;
  bool stopping_ = false;
  bool keep_alive_ = true;
  bool waits_to_read_ = false;
  bool waits_to_write_ = false;
  bool continued_ = false;                 // the client was asked to send the body
  std::unique_ptr<RequestReader> reader_;  // none between requests
  HttpRequest request_;                    // the one that is answered, without its body
  std::unique_ptr<StreamSource> source_;
  std::vector<SharedBytes> unsent_bytes_;  // in order
  std::size_t sent_of_first_ = 0;
  std::size_t unsent_ = 0;
  std::size_t unwanted_ = 0;  // bytes that were read and thrown away
  unsigned status_ = 0;       // of the response
  std::size_t body_size_ = 0;
  Time begun_{};  // when the request's first byte came
  Time deadline_{};
  Time next_comment_{};
};

}  // namespace snl::cli
