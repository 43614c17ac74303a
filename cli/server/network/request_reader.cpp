#include "request_reader.hpp"

#include "storage/ascii.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace snl::cli {
namespace {

namespace http = boost::beast::http;

/// Fields that a request has at most once: of two, nobody could say which counts.
constexpr std::array<std::string_view, 13> single_fields{"host",
                                                         "content-length",
                                                         "transfer-encoding",
                                                         "content-type",
                                                         "authorization",
                                                         "if-match",
                                                         "if-none-match",
                                                         "idempotency-key",
                                                         "origin",
                                                         "last-event-id",
                                                         "expect",
                                                         "content-encoding",
                                                         "access-control-request-method"};

bool is_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Whether a line ends without CR, or has one elsewhere. This is checked as the bytes come, since
/// the end of such a head would never be found.
bool has_odd_line_end(std::string_view text, std::size_t from) {
  for (std::size_t i = from; i < text.size(); ++i) {
    if (text[i] == '\n' && (i == 0 || text[i - 1] != '\r')) return true;
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] != '\n') return true;
  }
  return false;
}

bool is_control(char c) {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == '\x7F';
}

/// The part of a head that two readers could understand differently; empty if there is none. The
/// head's lines end with CRLF, the last is empty.
std::string_view fault_of_lines(std::string_view head) {
  std::size_t at = head.find("\r\n") + 2;
  const std::string_view first = head.substr(0, at);
  if (first.find('\t') != std::string_view::npos || std::ranges::count(first, ' ') != 2)
    return "the first line isn't a method, a path and a version with a space between";
  while (at + 2 < head.size()) {
    const std::size_t end = head.find("\r\n", at);
    const std::string_view line = head.substr(at, end - at);
    if (line.starts_with(' ') || line.starts_with('\t')) return "a field goes on in the next line";
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) return "a line is no field";
    if (line.substr(0, colon).find_first_of(" \t") != std::string_view::npos)
      return "there is white space in the name of a field";
    if (std::ranges::any_of(line, is_control)) return "a field has a control character in it";
    at = end + 2;
  }
  return {};
}

/// The same for the length that the request claims.
std::string_view fault_of_framing(const ReceivedRequest& request, int version) {
  for (const std::string_view name : single_fields)
    if (std::ranges::count(request.headers, name, &HttpHeaders::value_type::first) > 1)
      return "a field that may come only once comes twice";
  const auto coding = request.header("transfer-encoding");
  const auto length = request.header("content-length");
  if (coding && length) return "there are both Content-Length and Transfer-Encoding";
  if (coding && (version < 11 || lower_case(*coding) != "chunked"))
    return "Transfer-Encoding may be nothing but chunked, in HTTP/1.1";
  if (length && !is_digits(*length)) return "Content-Length is no number";
  if (version >= 11 && !request.header("host")) return "there is no Host";
  return {};
}

}  // namespace

class RequestReader::BodyParser : public http::request_parser<http::string_body> {};

RequestReader::RequestReader() = default;
RequestReader::~RequestReader() = default;

RequestReader::Progress RequestReader::feed(std::string_view bytes) {
  unread_ += bytes;
  return advance();
}

ReceivedRequest RequestReader::take() {
  ReceivedRequest taken = std::exchange(request_, {});
  progress_ = Progress::head;
  if (unread_.empty()) unread_.shrink_to_fit();
  advance();
  return taken;
}

RequestReader::Progress RequestReader::advance() {
  if (progress_ == Progress::head) read_head();
  if (progress_ == Progress::body) read_body();
  return progress_;
}

RequestReader::Progress RequestReader::read_head() {
  std::size_t empty = 0;  // bytes of empty lines, which some clients send after a body
  while (std::string_view(unread_).substr(empty).starts_with("\r\n"))
    empty += 2;
  unread_.erase(0, empty);
  skipped_ += empty;
  if (skipped_ > max_skipped) return fail(400, "there are too many empty lines before a request");
  const std::size_t from = searched_ < 3 ? 0 : searched_ - 3;
  const std::size_t blank = unread_.find("\r\n\r\n", from);
  const std::size_t end = blank == std::string::npos ? unread_.size() : blank + 4;
  if (has_odd_line_end(std::string_view(unread_).substr(0, end), from))
    return fail(400, "a line doesn't end with CRLF");
  if (end > max_head) return fail(431, "the first line and the fields are longer than 16 KB");
  searched_ = end;
  if (blank == std::string::npos) return progress_;
  searched_ = skipped_ = 0;

  const std::string_view head = std::string_view(unread_).substr(0, end);
  if (const std::string_view fault = fault_of_lines(head); !fault.empty())
    return fail(400, std::string(fault));
  parser_ = std::make_unique<BodyParser>();
  parser_->header_limit(static_cast<std::uint32_t>(max_head));
  parser_->body_limit(max_body);
  boost::system::error_code error;
  parser_->put(boost::asio::buffer(head), error);
  if (error == http::error::bad_version) return fail(505, "this is no HTTP/1.1 or HTTP/1.0");
  if (error == http::error::body_limit) return fail(413, "the body is longer than 64 KB");
  if (error || !parser_->is_header_done())
    return fail(400, "the first line and the fields can't be read");
  unread_.erase(0, end);

  const auto& message = parser_->get();
  if (message.version() != 10 && message.version() != 11)
    return fail(505, "this is no HTTP/1.1 or HTTP/1.0");
  request_.method = message.method_string();
  request_.target = message.target();
  request_.keep_alive = message.keep_alive();
  for (const auto& field : message)
    request_.headers.emplace_back(lower_case(field.name_string()), field.value());
  if (request_.headers.size() > max_fields) return fail(431, "there are more than 100 fields");
  const auto version = static_cast<int>(message.version());
  if (const std::string_view fault = fault_of_framing(request_, version); !fault.empty())
    return fail(400, std::string(fault));
  const auto expected = request_.header("expect");
  if (expected && lower_case(*expected) != "100-continue")
    return fail(417, "nothing but 100-continue can be expected");
  if (parser_->content_length() && *parser_->content_length() > max_body)
    return fail(413, "the body is longer than 64 KB");
  request_.expects_continue = expected && version >= 11;
  parser_->eager(true);
  progress_ = Progress::body;
  if (parser_->is_done()) return finish();
  return progress_;
}

RequestReader::Progress RequestReader::read_body() {
  while (!parser_->is_done() && !unread_.empty()) {
    boost::system::error_code error;
    const std::size_t used = parser_->put(boost::asio::buffer(unread_), error);
    unread_.erase(0, used);
    if (error == http::error::body_limit) return fail(413, "the body is longer than 64 KB");
    if (error && error != http::error::need_more) return fail(400, "the body can't be read");
    if (error == http::error::need_more || used == 0) break;
  }
  if (parser_->is_done()) return finish();
  // A chunk's line, or the fields after the last chunk.
  if (unread_.size() > max_head) return fail(400, "the body can't be read");
  return progress_;
}

RequestReader::Progress RequestReader::finish() {
  request_.body = std::move(parser_->get().body());
  parser_.reset();
  return progress_ = Progress::done;
}

RequestReader::Progress RequestReader::fail(unsigned status, std::string detail) {
  fault_ = {status, std::move(detail)};
  parser_.reset();
  return progress_ = Progress::failed;
}

}  // namespace snl::cli
