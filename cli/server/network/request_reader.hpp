// Bytes in, requests out: HTTP/1.1 as a connection brings it, piece by piece. Knows no socket.
//
// If two readers could understand a request differently, it is refused rather than guessed at: a
// proxy in front and this server must agree where each request ends. It refuses a length twice or
// beside Transfer-Encoding, a coding other than chunked, folded lines, line ends without CR, white
// space before a colon, and a field twice that may be there once.
#pragma once

#include "cli/server/http.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace snl::cli {

/// A request as it was sent; the connection adds the sender.
struct ReceivedRequest : HttpRequest {
  bool keep_alive = true;
  bool expects_continue = false;  // the client waits for 100 Continue before it sends the body
};

/// Why a request is refused; the connection can't be used any more.
struct RequestFault {
  unsigned status;     // 400, 408, 413, 417, 429, 431 or 505
  std::string detail;  // a sentence for people, without any text of the request
};

/// Reads the requests of one connection, one after another.
class RequestReader {
 public:
  static constexpr std::size_t max_head = std::size_t{16} * 1024;  // bytes
  static constexpr std::size_t max_body = std::size_t{64} * 1024;
  static constexpr std::size_t max_fields = 100;
  static constexpr std::size_t max_skipped = 64;  // of empty lines before a request

  /// The part that is needed next.
  enum class Progress : std::uint8_t { head, body, done, failed };

  RequestReader();
  ~RequestReader();
  RequestReader& operator=(RequestReader&&) = delete;

  /// Takes the bytes that came. Those after the request's end are kept for the next one.
  Progress feed(std::string_view bytes);
  Progress progress() const { return progress_; }
  /// Whether the request goes on with bytes that haven't come yet.
  bool needs_more() const { return progress_ == Progress::head || progress_ == Progress::body; }

  /// Whether any byte of a request is here.
  bool has_begun() const { return progress_ != Progress::head || !unread_.empty(); }

  /// The request as far as it is known: all of it when done, its head before that.
  const ReceivedRequest& request() const { return request_; }
  const RequestFault& fault() const { return fault_; }

  /// The request, once it is done; goes on with the bytes after it, which may be the next one.
  ReceivedRequest take();

 private:
  class BodyParser;

  Progress advance();
  Progress read_head();
  Progress read_body();
  Progress fail(unsigned status, std::string detail);
  Progress finish();

  Progress progress_ = Progress::head;
  std::string unread_;
  std::size_t skipped_ = 0;   // bytes of empty lines before the head
  std::size_t searched_ = 0;  // bytes without the end of the head
  ReceivedRequest request_;
  RequestFault fault_{};
  std::unique_ptr<BodyParser> parser_;  // while a request is under way
};

}  // namespace snl::cli
