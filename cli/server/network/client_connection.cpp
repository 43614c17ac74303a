#include "client_connection.hpp"

#include "event_loop.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/beast/http/status.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace snl::cli {
namespace {

namespace asio = boost::asio;
using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t most_buffers = 16;  // for one system call

/// A comment in a stream, so that no proxy takes it for dead.
const SharedBytes& comment() {
  static const SharedBytes bytes = std::make_shared<const std::string>(":\n\n");
  return bytes;
}

bool may_have_body(unsigned status) {
  return status >= 200 && status != 204 && status != 304;
}

bool would_block(const boost::system::error_code& error) {
  return error == asio::error::would_block || error == asio::error::try_again;
}

}  // namespace

ClientConnection::ClientConnection(EventLoop& loop, Socket socket, IpAddress peer,
                                   std::string counted_as, Welcome welcome)
    : loop_(loop),
      socket_(std::move(socket)),
      peer_(std::move(peer)),
      counted_as_(std::move(counted_as)),
      welcome_(welcome) {}

ClientConnection::~ClientConnection() = default;

void ClientConnection::start() {
  boost::system::error_code error;
  (void)socket_.non_blocking(true, error);
  (void)socket_.set_option(asio::ip::tcp::no_delay(true), error);
  begun_ = SteadyClock::now();
  expire(loop_.timeouts().idle);
  if (welcome_ == Welcome::turned_away)
    return refuse({429, "there are too many connections from this address"});
  wait_to_read();
}

// ---- Reading

void ClientConnection::wait_to_read() {
  if (waits_to_read_ || state_ == State::closed) return;
  waits_to_read_ = true;
  socket_.async_wait(Socket::wait_read,
                     [self = shared_from_this()](const boost::system::error_code& error) {
                       self->waits_to_read_ = false;
                       if (!error) self->on_readable();
                     });
}

/// Whether the client's bytes are of use now. While a whole request is here, the bytes after it
/// stay in the system's buffer, so a client that sends faster than it is answered waits.
bool ClientConnection::reads() const {
  switch (state_) {
    case State::handling:
    case State::responding:
    case State::closed:
      return false;
    case State::reading:
      return reader_->needs_more();
    default:
      return true;
  }
}

/// If it doesn't read now, all_sent() waits again once the response is sent.
void ClientConnection::on_readable() {
  if (!reads()) return;
  auto& scratch = loop_.scratch();
  boost::system::error_code error;
  const std::size_t size = socket_.read_some(asio::buffer(scratch), error);
  if (error && !would_block(error)) return close();
  if (size > 0) take({scratch.data(), size});
  if (reads()) wait_to_read();
}

void ClientConnection::take(std::string_view bytes) {
  if (state_ != State::idle && state_ != State::reading) {
    // Bytes from a stream's client, or from one that is to close, are thrown away.
    unwanted_ += bytes.size();
    if (unwanted_ > max_unwanted) close();
    return;
  }
  if (!reader_) reader_ = std::make_unique<RequestReader>();
  if (state_ == State::idle) {
    state_ = State::reading;
    begun_ = SteadyClock::now();
    expire(loop_.timeouts().head);
  }
  const auto before = reader_->progress();
  reader_->feed(bytes);
  if (before == RequestReader::Progress::head &&
      reader_->progress() == RequestReader::Progress::body)
    expire(loop_.timeouts().body);
  go_on();
}

/// Goes on with the bytes that the reader has.
void ClientConnection::go_on() {
  switch (reader_->progress()) {
    case RequestReader::Progress::done:
      return handle_request();
    case RequestReader::Progress::failed:
      return refuse(reader_->fault());
    case RequestReader::Progress::body:
      if (reader_->request().expects_continue && !continued_) {
        continued_ = true;
        queue(std::make_shared<const std::string>("HTTP/1.1 100 Continue\r\n\r\n"));
        flush();
      }
      return;
    case RequestReader::Progress::head:
      if (!reader_->has_begun()) {  // only empty lines came
        state_ = State::idle;
        expire(loop_.timeouts().idle);
      }
      return;
  }
}

void ClientConnection::handle_request() {
  state_ = State::handling;
  continued_ = false;
  ReceivedRequest request = reader_->take();
  if (!reader_->has_begun()) reader_.reset();
  keep_alive_ = request.keep_alive && !stopping_;
  request_.method = request.method;
  request_.target = request.target;
  request_.address.clear();
  loop_.handler().handle(shared_from_this(), std::move(request));
}

void ClientConnection::refuse(const RequestFault& fault) {
  request_.method = reader_ ? reader_->request().method : "";
  request_.target = reader_ ? reader_->request().target : "";
  state_ = State::handling;
  keep_alive_ = false;
  respond(loop_.handler().response_to_fault(fault));
}

// ---- Responding

std::string ClientConnection::head_of(const HttpResponse& response, bool with_length) const {
  namespace http = boost::beast::http;
  const auto reason = http::obsolete_reason(static_cast<http::status>(response.status));
  std::string head;
  head.reserve(512);
  head += fmt::format("HTTP/1.1 {} {}\r\nDate: {}\r\n", response.status,
                      std::string_view(reason.data(), reason.size()), loop_.date());
  for (const auto& [name, value] : response.headers) {
    head += name;
    head += ": ";
    head += value;
    head += "\r\n";
  }
  if (with_length)
    head += fmt::format("Content-Length: {}\r\n", response.body ? response.body->size() : 0);
  head += keep_alive_ ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
  return head;
}

void ClientConnection::respond(const HttpResponse& response) {
  if (state_ != State::handling) return;
  if (stopping_) keep_alive_ = false;
  const bool with_body = may_have_body(response.status) && request_.method != "HEAD";
  status_ = response.status;
  body_size_ = with_body && response.body ? response.body->size() : 0;
  const bool with_length = may_have_body(response.status) && !response.stream;
  queue(std::make_shared<const std::string>(head_of(response, with_length)));
  if (body_size_ > 0) queue(response.body);
  state_ = State::responding;
  expire(loop_.timeouts().idle);
  flush();
}

void ClientConnection::begin_stream(const HttpResponse& head,
                                    std::unique_ptr<StreamSource> source) {
  if (state_ != State::handling) return;
  // The connection ends with the stream.
  keep_alive_ = false;
  status_ = head.status;
  reader_.reset();
  source_ = std::move(source);
  // The system's buffer for a client that doesn't read is bounded, too.
  boost::system::error_code error;
  (void)socket_.set_option(asio::socket_base::send_buffer_size(64 * 1024), error);
  state_ = State::streaming;
  next_comment_ = SteadyClock::now() + loop_.timeouts().comment;
  report_response();
  queue(std::make_shared<const std::string>(head_of(head, false)));
  flush();
  if (state_ == State::closed) return;
  wait_to_read();
  if (stopping_) stop();
}

bool ClientConnection::offer(const SharedBytes& bytes) {
  if (state_ != State::streaming) return false;
  if (!has_room_for(bytes->size())) {
    loop_.handler().happened(*this, RequestHandler::Event::slow_stream);
    close();
    return false;
  }
  next_comment_ = SteadyClock::now() + loop_.timeouts().comment;
  queue(bytes);
  if (!waits_to_write_) flush();
  return state_ == State::streaming;
}

void ClientConnection::end_stream() {
  if (state_ != State::streaming) return;
  state_ = State::ending;
  expire(loop_.timeouts().idle);
  if (!waits_to_write_) flush();
}

void ClientConnection::queue(SharedBytes bytes) {
  if (unsent_ == 0) allow_time_to_read();
  unsent_ += bytes->size();
  body_size_ += state_ == State::streaming ? bytes->size() : 0;
  unsent_bytes_.push_back(std::move(bytes));
}

void ClientConnection::flush() {
  while (!unsent_bytes_.empty()) {
    std::array<asio::const_buffer, most_buffers> buffers;
    const std::size_t count = std::min(most_buffers, unsent_bytes_.size());
    for (std::size_t i = 0; i < count; ++i)
      buffers[i] = asio::buffer(*unsent_bytes_[i]) + (i == 0 ? sent_of_first_ : 0);
    boost::system::error_code error;
    const std::size_t sent = socket_.write_some(buffers, error);
    if (would_block(error)) return wait_to_write();
    if (error) return close();
    allow_time_to_read();
    drop_sent(sent);
  }
  all_sent();
}

void ClientConnection::drop_sent(std::size_t sent) {
  unsent_ -= sent;
  sent += sent_of_first_;
  auto first = unsent_bytes_.begin();
  while (first != unsent_bytes_.end() && sent >= (*first)->size()) {
    sent -= (*first)->size();
    ++first;
  }
  unsent_bytes_.erase(unsent_bytes_.begin(), first);
  sent_of_first_ = sent;
  if (unsent_bytes_.empty()) unsent_bytes_.shrink_to_fit();
}

void ClientConnection::wait_to_write() {
  if (waits_to_write_) return;
  waits_to_write_ = true;
  socket_.async_wait(Socket::wait_write,
                     [self = shared_from_this()](const boost::system::error_code& error) {
                       self->waits_to_write_ = false;
                       if (!error && self->state_ != State::closed) self->flush();
                     });
}

void ClientConnection::all_sent() {
  switch (state_) {
    case State::streaming:
      if (source_) source_->drained(*this);
      return;
    case State::responding:
      report_response();
      if (!keep_alive_) return linger();
      state_ = State::idle;
      expire(loop_.timeouts().idle);
      if (stopping_) return close();
      if (reader_) {
        // The next request is here already. Other connections come first.
        state_ = State::reading;
        begun_ = SteadyClock::now();
        expire(loop_.timeouts().head);
        loop_.post([self = shared_from_this()] {
          if (self->state_ == State::reading && self->reader_) self->go_on();
        });
      }
      return wait_to_read();
    case State::ending:
      return linger();
    default:
      return;
  }
}

void ClientConnection::report_response() {
  loop_.handler().responded(*this, request_, status_, body_size_, SteadyClock::now() - begun_);
}

/// Tells the client that nothing more comes, and waits for it to close. While the client is still
/// sending, closing at once would throw away bytes that it hasn't read yet.
void ClientConnection::linger() {
  boost::system::error_code error;
  (void)socket_.shutdown(Socket::shutdown_send, error);
  if (error || stopping_) return close();
  state_ = State::lingering;
  expire(loop_.timeouts().linger);
  wait_to_read();
}

// ---- Time

void ClientConnection::expire(std::chrono::milliseconds after) {
  deadline_ = SteadyClock::now() + after;
}

/// For the bytes that are sent. An interim response gives the client no more time for its request.
void ClientConnection::allow_time_to_read() {
  if (state_ != State::reading) expire(loop_.timeouts().idle);
}

void ClientConnection::check(Time now) {
  if (state_ == State::streaming && unsent_ == 0) {
    if (now >= next_comment_) offer(comment());
    return;
  }
  if (state_ == State::handling || now < deadline_) return;
  if (state_ == State::reading) {
    loop_.handler().happened(*this, RequestHandler::Event::timed_out);
    return refuse({408, "the request didn't come to its end in time"});
  }
  if (state_ == State::responding)
    loop_.handler().happened(*this, RequestHandler::Event::timed_out);
  if (state_ == State::streaming)
    loop_.handler().happened(*this, RequestHandler::Event::slow_stream);
  close();
}

void ClientConnection::stop() {
  stopping_ = true;
  switch (state_) {
    case State::streaming:
      if (source_ && offer(std::make_shared<const std::string>(source_->farewell()))) end_stream();
      return;
    case State::handling:
    case State::responding:
    case State::ending:
      return;
    default:
      return close();
  }
}

void ClientConnection::close() {
  if (state_ == State::closed) return;
  state_ = State::closed;
  boost::system::error_code error;
  (void)socket_.close(error);
  unsent_bytes_.clear();
  loop_.handler().closed(*this);
  loop_.forget(shared_from_this());
}

}  // namespace snl::cli
