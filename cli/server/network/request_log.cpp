#include "request_log.hpp"

#include "cli/server/http.hpp"
#include "storage/ascii.hpp"
#include "storage/held_signals.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace snl::cli {
namespace {

constexpr std::size_t shown_of_secret = 6;  // characters
constexpr std::size_t least_secret = 32;    // characters
constexpr std::size_t longest_shown = 200;  // bytes
constexpr std::size_t longest_method = 16;  // bytes

std::string percent_decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = escaped_byte(text.substr(i));
    plain += byte.value_or(text[i]);
    if (byte) i += 2;
  }
  return plain;
}

bool is_of_secret(char c) {
  return is_letter_or_digit(c) || c == '-' || c == '_';
}

/// The text with each word cut that is as long as a secret.
std::string without_secrets(std::string_view text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_of_secret(text[end]))
      ++end;
    if (end == i) {
      shown += text[i++];
      continue;
    }
    const bool secret = end - i >= least_secret;
    shown += text.substr(i, secret ? shown_of_secret : end - i);
    if (secret) shown += "...";
    i = end;
  }
  return shown;
}

/// Visible ASCII as it is; all else, and the separators of a line, as %XX.
std::string visible(std::string_view text, std::size_t longest) {
  std::string shown;
  for (const char c : text) {
    if (shown.size() >= longest) return shown + "...";
    if (c > ' ' && c < '\x7F' && c != '"' && c != '\\')
      shown += c;
    else
      shown += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return shown;
}

double milliseconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

}  // namespace

std::string shown_path(std::string_view target) {
  return visible(without_secrets(percent_decoded(target.substr(0, target.find_first_of("?#")))),
                 longest_shown);
}

std::string log_line(const LoggedRequest& request, LogFormat format) {
  const std::string path = shown_path(request.target);
  const std::string method = visible(without_secrets(request.method), longest_method);
  const std::string_view form =
      format == LogFormat::text
          ? "{} {} {} {} {} {} bytes {:.3f} ms"
          : R"({{"time":"{}","address":"{}","method":"{}","path":"{}","status":{},"bytes":{},"ms":{:.3f}}})";
  return fmt::format(fmt::runtime(form), format_time(request.time), request.address, method, path,
                     request.status, request.bytes, milliseconds(request.took));
}

RequestLog::RequestLog(int descriptor, LogFormat format)
    : descriptor_(descriptor), format_(format) {
  const HeldSignals held;  // the thread leaves them to others
  thread_ = std::jthread([this] { run(); });
}

RequestLog::~RequestLog() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  came_.notify_all();
}

void RequestLog::add(const LoggedRequest& request) {
  add_line(log_line(request, format_));
}

void RequestLog::note(std::string_view message) {
  const std::string time = format_time(system_time());
  const std::string shown = without_secrets(message);
  if (format_ == LogFormat::text) return add_line(fmt::format("{} {}", time, shown));
  add_line(boost::json::serialize(boost::json::object{{"time", time}, {"message", shown}}));
}

void RequestLog::add_line(std::string line) {
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() + line.size() > most_waiting) {
      ++left_out_;
      return;
    }
    first = waiting_.empty();
    waiting_ += line;
    waiting_ += '\n';
  }
  if (first) came_.notify_one();
}

/// Writes the first line at once, and lines that follow soon together: waking for each would take
/// longer than some requests.
void RequestLog::run() {
  constexpr std::chrono::milliseconds between_writes{10};
  std::chrono::steady_clock::time_point next_write;
  std::unique_lock lock(mutex_);
  while (true) {
    came_.wait(lock, [&] { return stopping_ || !waiting_.empty(); });
    came_.wait_until(lock, next_write, [&] { return stopping_.load(); });
    next_write = std::chrono::steady_clock::now() + between_writes;
    if (waiting_.empty()) return;
    const std::string lines = std::exchange(waiting_, {});
    const std::uint64_t left_out = std::exchange(left_out_, 0);
    lock.unlock();
    const bool written = write_all(lines);
    lock.lock();
    if (!written) return;
    if (left_out == 0) continue;
    lock.unlock();
    note(fmt::format("{} lines of the log are left out: nobody read it", left_out));
    lock.lock();
  }
}

/// False if the reader is gone; or if it is slow, and the server is about to end.
bool RequestLog::write_all(std::string_view text) const {
  constexpr int patience_ms = 100;
  while (!text.empty()) {
    pollfd ready{.fd = descriptor_, .events = POLLOUT, .revents = 0};
    const int found = poll(&ready, 1, patience_ms);
    if (found == 0 && stopping_) return false;
    if (found <= 0) continue;
    const ssize_t written =
        write(descriptor_, text.data(), std::min<std::size_t>(text.size(), 4096));
    if (written < 0 && errno != EINTR && errno != EAGAIN) return false;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace snl::cli
