// Bytes as a connection delivers them: through the reader of requests, the gate and the router, to
// the games of a store in memory. The first byte selects the sizes of the pieces.
#include "../storage/hosted_games_in_memory.hpp"
#include "cli/server/game_reader.hpp"
#include "cli/server/game_writer.hpp"
#include "cli/server/network/gate.hpp"
#include "cli/server/network/request_log.hpp"
#include "cli/server/network/request_reader.hpp"
#include "storage/memory/memory_store.hpp"
#include "target.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/json.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snl::test {
namespace {

using cli::HttpRequest;
using cli::HttpResponse;
using cli::RequestReader;

/// The requests that were read from some bytes, until a refusal.
struct ReadBytes {
  std::vector<cli::ReceivedRequest> requests;
  unsigned refused = 0;
};

ReadBytes read_in_pieces(std::string_view bytes, std::size_t size) {
  ReadBytes read;
  RequestReader reader;
  while (!bytes.empty() && reader.progress() != RequestReader::Progress::failed) {
    reader.feed(bytes.substr(0, size));
    bytes.remove_prefix(std::min(size, bytes.size()));
    while (reader.progress() == RequestReader::Progress::done)
      read.requests.push_back(reader.take());
  }
  if (reader.progress() == RequestReader::Progress::failed) read.refused = reader.fault().status;
  return read;
}

bool are_same(const ReadBytes& one, const ReadBytes& other) {
  return one.refused == other.refused &&
         std::ranges::equal(one.requests, other.requests, [](const auto& a, const auto& b) {
           return a.method == b.method && a.target == b.target && a.headers == b.headers &&
                  a.body == b.body && a.keep_alive == b.keep_alive;
         });
}

Hash secret_of_games() {
  Hash bytes{};
  bytes.fill(0xA5);
  return bytes;
}

/// A store with an open game and a running one, whose secrets and tokens are known.
class Games {
 public:
  Games()
      : reader_(store_, *hosted_games_, known_, settings()),
        writer_(store_, *hosted_games_, known_, settings()),
        gate_({.url = {}, .allowed_origins = {"https://a"}, .trusted_proxies = {}, .limits = {}}) {}

  HttpResponse answer(HttpRequest request) {
    if (auto refused = gate_.admit(request, boost::asio::ip::make_address("127.0.0.1"), now_))
      return *std::move(refused);
    now_ += std::chrono::hours(1);
    HttpResponse answer = cli::is_write(request) ? writer_.response(std::span(&request, 1)).front()
                                                 : reader_.response(request);
    gate_.settle(request, answer, now_);
    gate_.let_out(request, answer);
    return answer;
  }

 private:
  static cli::GameSettings settings() {
    cli::GameSettings settings;
    settings.clock = [] { return UnixMilliseconds{1'800'000'000'000}; };
    settings.random = [next = secret_of_games()]() mutable {
      const Hash bytes = next;
      ++next[0];
      return bytes;
    };
    return settings;
  }

  std::unique_ptr<HostedGameStore> hosted_games_ = hosted_games_in_memory();
  MemoryStore store_{hosted_games_.get()};
  cli::KnownGames known_;
  cli::GameReader reader_;
  cli::GameWriter writer_;
  cli::Gate gate_;
  cli::Gate::Time now_{};
};

void check_answer(const HttpResponse& answer) {
  require(answer.status >= 200 && answer.status < 500, "nothing that is sent makes a server fail");
  for (const auto& [name, value] : answer.headers)
    require((name + value).find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos,
            "no field ends before it does");
  if (answer.status < 400) return;
  boost::system::error_code error;
  const auto problem = boost::json::parse(answer.text(), error);
  require(!error && problem.is_object(), "what is refused is told as a problem");
  require(problem.at("status").to_number<unsigned>() == answer.status, "which says its status");
}

void check_log(const HttpRequest& request) {
  const std::string line = cli::log_line(
      {.address = "a", .method = request.method, .target = request.target}, cli::LogFormat::json);
  boost::system::error_code error;
  require(boost::json::parse(line, error).is_object() && !error, "a line of the log is JSON");
}

void check(std::string_view bytes) {
  if (bytes.empty()) return;
  const std::size_t size = static_cast<unsigned char>(bytes.front()) % 16 + 1;
  bytes.remove_prefix(1);
  const ReadBytes read = read_in_pieces(bytes, size);
  require(are_same(read, read_in_pieces(bytes, bytes.size())), "pieces don't matter");
  if (read.requests.empty()) return;
  Games games;
  for (const auto& request : read.requests) {
    check_log(request);
    check_answer(games.answer(request));
  }
}

}  // namespace
}  // namespace snl::test

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  snl::test::check(snl::test::text_of(data, size));
  return 0;
}
