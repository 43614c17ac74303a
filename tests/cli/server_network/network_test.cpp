// The decisions of the server's network layer, without sockets: the client's address, the parsing
// of requests, rate limits, and the contents of the server's log.
#include "cli/server/network/gate.hpp"
#include "cli/server/network/limits.hpp"
#include "cli/server/network/metrics.hpp"
#include "cli/server/network/rate_limit.hpp"
#include "cli/server/network/request_log.hpp"
#include "cli/server/network/request_reader.hpp"
#include "cli/server/network/work_queue.hpp"
#include "cli/server/tokens.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace snl::cli;
using namespace std::chrono_literals;
using namespace std::string_literals;
namespace data = boost::unit_test::data;

namespace {

IpAddress ip(const char* text) {
  return boost::asio::ip::make_address(text);
}

const RateLimit::Time begin{};

}  // namespace

BOOST_AUTO_TEST_SUITE(telling_who_a_client_is)

BOOST_AUTO_TEST_CASE(places_to_listen_at) {
  const auto local = parse_host_and_port("127.0.0.1:8080");
  BOOST_REQUIRE(local);
  BOOST_TEST(local->host == "127.0.0.1");
  BOOST_TEST(local->port == 8080);
  const auto six = parse_host_and_port("[::1]:0");
  BOOST_REQUIRE(six);
  BOOST_TEST(six->host == "::1");
  BOOST_TEST(to_text(ip("::1"), 80) == "[::1]:80");
  for (const auto* text : {"", ":80", "a", "a:", "a:b", "a:65536", "::1:80", "[::1]", "[a]:1",
                           "a b:1", "a:1 ", "a:-1", "[127.0.0.1]:1"})
    BOOST_TEST(!parse_host_and_port(text), text);
}

BOOST_AUTO_TEST_CASE(networks_contain_their_addresses) {
  const auto net = Network::parse("10.1.0.0/16");
  BOOST_REQUIRE(net);
  BOOST_TEST(net->contains(ip("10.1.255.255")));
  BOOST_TEST(net->contains(ip("::ffff:10.1.2.3")));
  BOOST_TEST(!net->contains(ip("10.2.0.0")));
  BOOST_TEST(!net->contains(ip("::1")));
  BOOST_TEST(Network::parse("0.0.0.0/0")->contains(ip("203.0.113.9")));
  BOOST_TEST(Network::parse("::1")->contains(ip("::1")));
  BOOST_TEST(Network::parse("2001:db8::/33")->contains(ip("2001:db8:7fff::1")));
  BOOST_TEST(!Network::parse("2001:db8::/33")->contains(ip("2001:db8:8000::1")));
  for (const auto* text : {"", "10.0.0.0/33", "10.0.0.1/8", "a/8", "10.0.0.0/", "10.0.0.0/-1"})
    BOOST_TEST(!Network::parse(text), text);
}

BOOST_AUTO_TEST_CASE(the_last_address_that_no_trusted_proxy_has_is_the_client) {
  const std::vector trusted{*Network::parse("10.0.0.0/8"), *Network::parse("127.0.0.1")};
  const auto client = [&](const char* peer, std::string_view list) {
    const auto address = client_address(ip(peer), list, trusted);
    return address ? address->to_string() : "nobody knows";
  };
  BOOST_TEST(client("203.0.113.9", "198.51.100.1") == "203.0.113.9");
  BOOST_TEST(client("127.0.0.1", "") == "127.0.0.1");
  BOOST_TEST(client("127.0.0.1", "198.51.100.1") == "198.51.100.1");
  BOOST_TEST(client("127.0.0.1", "6.6.6.6, 198.51.100.1 , 10.1.1.1") == "198.51.100.1");
  BOOST_TEST(client("127.0.0.1", "10.0.0.1,10.0.0.2") == "10.0.0.1");
  BOOST_TEST(client("127.0.0.1", "198.51.100.1:55") == "198.51.100.1");
  BOOST_TEST(client("127.0.0.1", "[2001:db8::1]:443, 10.0.0.2:80") == "2001:db8::1");
  for (const auto* list :
       {"198.51.100.1, nonsense, 10.0.0.2", "unknown", "1.2.3.4, garbage", ",", "_a:1"})
    BOOST_TEST(client("127.0.0.1", list) == "nobody knows", list);
  BOOST_TEST(client("127.0.0.1", "nonsense, 198.51.100.1") == "198.51.100.1");
  BOOST_TEST(client("::ffff:127.0.0.1", "2001:db8::1") == "2001:db8::1");
}

BOOST_AUTO_TEST_CASE(a_subscriber_s_addresses_are_counted_as_one) {
  BOOST_TEST(counted_as(ip("203.0.113.9")) == "203.0.113.9");
  BOOST_TEST(counted_as(ip("2001:db8:1:2:3::4")) == "2001:db8:1:2::/64");
}

BOOST_AUTO_TEST_CASE(hosts_that_are_ours) {
  const auto url = PublicUrl::parse("https://Snl.Example.org:8443/");
  BOOST_REQUIRE(url);
  BOOST_TEST(url->host == "snl.example.org");
  for (const auto* host : {"localhost", "localhost:80", "LOCALHOST", "127.0.0.1", "203.0.113.9:1",
                           "[::1]:80", "snl.example.org", "SNL.example.org:1"})
    BOOST_TEST(is_our_host(host, url), host);
  for (const auto* host : {"", "example.org", "localhost.evil.example", "127.0.0.1.evil.example",
                           "snl.example.org.evil.example", "evil.example:80", "localhost:x",
                           "localhost@evil.example", "[::1", "[localhost]"})
    BOOST_TEST(!is_our_host(host, url), host);
  for (const auto* text : {"", "example.org", "ftp://a", "http://", "http://a/b", "http://a b"})
    BOOST_TEST(!PublicUrl::parse(text), text);
}

BOOST_AUTO_TEST_SUITE_END()

// ---- Requests

namespace {

struct Sent {
  std::string bytes;
  RequestReader reader = {};
  /// In pieces of this number of bytes.
  RequestReader::Progress in_pieces(std::size_t size) {
    auto progress = RequestReader::Progress::head;
    for (std::size_t at = 0; at < bytes.size(); at += size) {
      progress = reader.feed(std::string_view(bytes).substr(at, size));
      if (progress == RequestReader::Progress::failed) return progress;
    }
    return progress;
  }
};

struct Fault {
  std::string bytes;
  unsigned status;
};
std::ostream& operator<<(std::ostream& out, const Fault& fault) {
  return out << fault.bytes.substr(0, 100);
}

std::string post(const std::string& fields, const std::string& body = "") {
  return "POST /api/games HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n" + body;
}

/// Some clients send an empty line after a body. The server skips a few of them.
std::string empty_lines(int count) {
  std::string lines;
  for (int i = 0; i < count; ++i)
    lines += "\r\n";
  return lines;
}

const std::vector<Fault> faults{
    {empty_lines(100) + "GET / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {empty_lines(30'000), 400},
    {"\r\n\r\nGET\r\n\r\n", 400},
    {"GET /\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\n\r\n", 400},  // no Host
    {"GET / HTTP/1.1\nHost: a\n\n", 400},
    {"GET / HTTP/1.1\r\nHost: a\n\r\n", 400},
    {"GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", 400},
    {"GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"GET / x HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\nHost: a\r\n\tfolded\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\nHost: a\r\nb\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\nHost: a\r\nX: \x01\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\nHost: a\r\nX: a"s + '\0' + "\r\n\r\n", 400},
    {"GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505},
    {"GET / HTTP/1.2\r\nHost: a\r\n\r\n", 505},
    {"PRI * HTTP/2.0\r\n\r\n", 505},
    {post("Content-Length: 3\r\nContent-Length: 3\r\n", "{}\n"), 400},
    {post("Content-Length: 3\r\nContent-Length: 4\r\n", "{}\n"), 400},
    {post("Content-Length: 3, 3\r\n", "{}\n"), 400},
    {post("Content-Length: +3\r\n", "{}\n"), 400},
    {post("Content-Length: -1\r\n"), 400},
    {post("Content-Length: 0x3\r\n", "{}\n"), 400},
    {post("Content-Length: 18446744073709551616\r\n"), 400},
    {post("Content-Length:\r\n"), 400},
    {post("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), 400},
    {post("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "0\r\n\r\n"), 400},
    {post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), 400},
    {post("Transfer-Encoding: identity\r\n"), 400},
    {post("Transfer-Encoding: gzip, chunked\r\n"), 400},
    {post("Transfer-Encoding: xchunked\r\n"), 400},
    {post("Transfer-Encoding: chunked, identity\r\n"), 400},
    {"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
    {post("Transfer-Encoding: chunked\r\n", "zz\r\n"), 400},
    {post("Transfer-Encoding: chunked\r\n", "3\r\n{}\nX\r\n0\r\n\r\n"), 400},
    {post("Transfer-Encoding: chunked\r\n", "fffffffffffffffff\r\n"), 400},
    {post("Content-Length: 65537\r\n"), 413},
    {post("Content-Length: 9223372036854775807\r\n"), 413},
    {post("Transfer-Encoding: chunked\r\n", "10001\r\n" + std::string(65537, ' ')), 413},
    {post("Transfer-Encoding: chunked\r\n", "1;" + std::string(20000, 'x')), 400},
    {post("Expect: 200-ok\r\nContent-Length: 2\r\n"), 417},
    {post("Authorization: Bearer a\r\nAuthorization: Bearer b\r\n"), 400},
    {post("Idempotency-Key: a\r\nIdempotency-Key: a\r\n"), 400},
    {"GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(20000, 'x') + "\r\n\r\n", 431},
    {"GET /" + std::string(20000, 'x') + " HTTP/1.1\r\nHost: a\r\n\r\n", 431},
    {std::string(20000, 'x'), 431},
    {"GET / HTTP/1.1\r\nHost: a\r\n" +
         [] {
           std::string fields;
           for (int i = 0; i < 101; ++i)
             fields += "X: y\r\n";
           return fields;
         }() +
         "\r\n",
     431},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(reading_requests)

BOOST_DATA_TEST_CASE(what_could_be_understood_in_two_ways_is_refused, data::make(faults)) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{7}, sample.bytes.size()}) {
    Sent sent{sample.bytes};
    BOOST_TEST((sent.in_pieces(size) == RequestReader::Progress::failed), "pieces of " << size);
    BOOST_TEST(sent.reader.fault().status == sample.status, sent.reader.fault().detail);
  }
}

BOOST_AUTO_TEST_CASE(requests_follow_one_another) {
  const std::string bytes = "\r\nGET /a?b HTTP/1.1\r\nHOST: x\r\nX-A: 1\r\nX-a:2 \r\n\r\n" +
                            post("Content-Length: 4\r\n", "GET ") +
                            post("Transfer-Encoding: Chunked\r\n",
                                 "2;x=y\r\n{}\r\n0\r\nAuthorization: Bearer z\r\n\r\n") +
                            "GET / HTTP/1.0\r\n\r\n";
  for (const std::size_t size : {std::size_t{1}, std::size_t{5}, bytes.size()}) {
    RequestReader reader;
    std::vector<ReceivedRequest> requests;
    for (std::size_t at = 0; at < bytes.size(); at += size) {
      reader.feed(std::string_view(bytes).substr(at, size));
      while (reader.progress() == RequestReader::Progress::done)
        requests.push_back(reader.take());
    }
    BOOST_REQUIRE_EQUAL(requests.size(), 4U);
    BOOST_TEST(requests[0].method == "GET");
    BOOST_TEST(requests[0].target == "/a?b");
    BOOST_TEST(requests[0].header("host").value() == "x");
    BOOST_TEST(requests[0].header("x-a").value() == "1");
    BOOST_TEST(requests[0].keep_alive);
    BOOST_TEST(requests[1].body == "GET ");
    BOOST_TEST(requests[2].body == "{}");
    // Bytes after the body are no field of the request.
    BOOST_TEST(!requests[2].header("authorization"));
    BOOST_TEST(!requests[3].keep_alive);
    BOOST_TEST(!reader.has_begun());
  }
}

BOOST_AUTO_TEST_CASE(empty_lines_are_counted_before_each_request_anew) {
  RequestReader reader;
  for (int i = 0; i < 100; ++i) {
    reader.feed(empty_lines(2));
    BOOST_TEST(!reader.has_begun());
    reader.feed("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    BOOST_TEST_REQUIRE((reader.progress() == RequestReader::Progress::done));
    BOOST_TEST(reader.take().target == "/");
  }
}

BOOST_AUTO_TEST_CASE(the_longest_that_is_taken) {
  const std::string body(RequestReader::max_body, ' ');
  Sent sent{post("Content-Length: 65536\r\n", body)};
  BOOST_TEST((sent.in_pieces(1000) == RequestReader::Progress::done));
  BOOST_TEST(sent.reader.take().body.size() == body.size());
  const std::string begin_of_head = "GET / HTTP/1.1\r\nHost: a\r\nX: ";
  Sent head{begin_of_head + std::string(RequestReader::max_head - begin_of_head.size() - 4, 'x') +
            "\r\n\r\n"};
  BOOST_TEST((head.in_pieces(1000) == RequestReader::Progress::done));
}

BOOST_AUTO_TEST_CASE(a_client_may_wait_before_its_body) {
  RequestReader reader;
  reader.feed(post("Expect: 100-continue\r\nContent-Length: 2\r\n"));
  BOOST_TEST((reader.progress() == RequestReader::Progress::body));
  BOOST_TEST(reader.request().expects_continue);
  BOOST_TEST((reader.feed("{}") == RequestReader::Progress::done));
}

BOOST_AUTO_TEST_SUITE_END()

// ---- Limits

BOOST_AUTO_TEST_SUITE(limiting)

BOOST_AUTO_TEST_CASE(limits_have_names) {
  Limits limits;
  BOOST_TEST(set_limit(limits, "writes=0").has_value());
  BOOST_TEST(limits.writes == 0U);
  for (const auto* text : {"", "writes", "writes=", "writes=-1", "writes=1e3", "turns=1",
                           "writes=4294967296", "=1", "writes=1 "})
    BOOST_TEST(!set_limit(limits, text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(a_bucket_is_filled_again) {
  RateLimit limit(2, 1s);
  BOOST_TEST(!limit.take("a", begin));
  BOOST_TEST(!limit.take("a", begin));
  BOOST_TEST(limit.take("a", begin).value() == 1);
  BOOST_TEST(!limit.take("b", begin));
  BOOST_TEST(limit.peek("a", begin + 400ms).has_value());
  BOOST_TEST(!limit.peek("a", begin + 500ms));
  BOOST_TEST(!limit.take("a", begin + 500ms));
  BOOST_TEST(limit.take("a", begin + 500ms).has_value());
  limit.give_back("a", begin + 500ms);
  BOOST_TEST(!limit.take("a", begin + 500ms));
  RateLimit hourly(100, 1h);
  for (int i = 0; i < 100; ++i)
    BOOST_TEST(!hourly.take("a", begin));
  BOOST_TEST(hourly.take("a", begin).value() == 36);
  RateLimit none(0, 1s);
  for (int i = 0; i < 1000; ++i)
    BOOST_TEST(!none.take("a", begin));
}

BOOST_AUTO_TEST_CASE(who_is_gone_is_forgotten) {
  RateLimit limit(1, 1s);
  for (int i = 0; i < 100'000; ++i)
    (void)limit.take(std::to_string(i), begin + i * 1ms);
  BOOST_TEST(limit.size() < 5'000U);
}

BOOST_AUTO_TEST_CASE(what_is_counted_is_given_back) {
  CountLimit limit(2);
  BOOST_TEST(limit.take("a"));
  BOOST_TEST(limit.take("a"));
  BOOST_TEST(!limit.take("a"));
  BOOST_TEST(limit.take("b"));
  limit.give_back("a");
  BOOST_TEST(limit.take("a"));
}

BOOST_AUTO_TEST_SUITE_END()

// ---- The gate

namespace {

HttpRequest request(std::string method, std::string target, HttpHeaders headers = {}) {
  headers.emplace_back("host", "localhost");
  return {.method = std::move(method), .target = std::move(target), .headers = std::move(headers)};
}

GateSettings with_origin() {
  GateSettings settings;
  settings.allowed_origins = {"https://play.example"};
  return settings;
}

unsigned admitted(Gate& gate, HttpRequest asked, const char* peer = "127.0.0.1",
                  Gate::Time now = begin) {
  const auto response = gate.admit(asked, ip(peer), now);
  return response ? response->status : 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(passing_the_gate)

BOOST_AUTO_TEST_CASE(targets_are_paths_of_ours) {
  Gate gate({});
  BOOST_TEST(admitted(gate, request("GET", "/")) == 0U);
  auto absolute = request("GET", "http://127.0.0.1?x");
  BOOST_TEST(!gate.admit(absolute, ip("127.0.0.1"), begin));
  BOOST_TEST(absolute.target == "/?x");
  BOOST_TEST(admitted(gate, request("GET", "HTTP://127.0.0.1/")) == 0U);
  BOOST_TEST(admitted(gate, request("GET", "http://localhost./")) == 0U);
  BOOST_TEST(admitted(gate, request("GET", "HTTP://evil.example/")) == 421U);
  BOOST_TEST(admitted(gate, request("GET", "http://localhost../")) == 421U);
  BOOST_TEST(admitted(gate, request("GET", "http://evil.example/")) == 421U);
  BOOST_TEST(admitted(gate, request("GET", "http://localhost@evil.example/")) == 421U);
  for (const auto* target : {"", "*", "x", "/a b", "/\x80", "/a#b", "//a\"", "ftp://localhost/"})
    BOOST_TEST(admitted(gate, request("GET", target)) == 400U, target);
  BOOST_TEST(admitted(gate, request("OPTIONS", "*")) == 204U);
  BOOST_TEST(admitted(gate, {.method = "GET", .target = "/"}) == 421U);
}

HttpHeaders bearing(std::uint8_t token) {
  return {{"authorization", "Bearer " + token_from(snl::Hash{token})}};
}

/// How many of these requests are admitted before the first refusal. Each is answered at once.
int let_in(Gate& gate, const std::function<HttpRequest(int)>& request, unsigned status) {
  constexpr int most = 1000;
  for (int i = 0; i < most; ++i) {
    HttpRequest sent = request(i);
    if (gate.admit(sent, ip("10.0.0.9"), begin)) return i;
    gate.settle(sent, {.status = status}, begin);
  }
  return most;
}

BOOST_AUTO_TEST_CASE(writes_are_limited_by_token_or_address) {
  Gate gate({});
  for (const std::uint8_t player : {std::uint8_t{1}, std::uint8_t{2}}) {
    HttpRequest seat = request("POST", "/api/games/x/seats", bearing(player));
    BOOST_TEST(!gate.admit(seat, ip("127.0.0.1"), begin));
    gate.settle(seat, {.status = 201}, begin);
  }
  const HttpHeaders ann = bearing(1);
  for (int i = 1; i < 20; ++i)
    BOOST_TEST(admitted(gate, request("POST", "/api/games/x/turns", ann)) == 0U);
  BOOST_TEST(admitted(gate, request("POST", "/api/games/x/turns", ann)) == 429U);
  BOOST_TEST(admitted(gate, request("DELETE", "/api/games/x/seats/0", ann)) == 429U);
  BOOST_TEST(admitted(gate, request("GET", "/api/games/x/export?format=csv", ann)) == 429U);
  const HttpHeaders spelled_otherwise{
      {"authorization", "bEARER   " + token_from(snl::Hash{1}) + " "}};
  BOOST_TEST(admitted(gate, request("POST", "/api/games/x/turns", spelled_otherwise)) == 429U);
  BOOST_TEST(admitted(gate, request("GET", "/api/games/x", ann)) == 0U);
  BOOST_TEST(admitted(gate, request("POST", "/api/games/x/turns", bearing(2))) == 0U);
  BOOST_TEST(
      admitted(gate, request("POST", "/api/games/x/turns", ann), "127.0.0.1", begin + 60ms) == 0U);
  for (int i = 0; i < 20; ++i)
    BOOST_TEST(admitted(gate, request("POST", "/api/games/x/seats"), "10.0.0.1") == 0U);
  BOOST_TEST(admitted(gate, request("POST", "/api/games/x/seats"), "10.0.0.1") == 429U);
  BOOST_TEST(admitted(gate, request("POST", "/api/games/x/seats"), "10.0.0.2") == 0U);
}

BOOST_AUTO_TEST_CASE(a_token_that_nobody_knows_is_no_way_round_a_limit) {
  const auto with_token = [](const char* method, const char* target) {
    return
        [=](int i) { return request(method, target, bearing(static_cast<std::uint8_t>(i % 251))); };
  };
  const auto with_field = [](const char* method, const char* target) {
    return [=](int i) {
      return request(method, target, {{"authorization", "Basic " + std::to_string(i)}});
    };
  };
  // Each gate is new and has no history.
  const auto count = [](const std::function<HttpRequest(int)>& of, unsigned status) {
    Gate gate({});
    return let_in(gate, of, status);
  };
  BOOST_TEST(count(with_token("GET", "/api/games/x/export"), 200) == 20);
  BOOST_TEST(count(with_field("GET", "/api/games/x/export"), 200) == 20);
  BOOST_TEST(count(with_field("POST", "/api/games/x/seats"), 409) == 20);
  BOOST_TEST(count(with_token("POST", "/api/games/x/seats"), 409) == 200);
  const auto ann = [](int) { return request("POST", "/api/games/x/turns", bearing(1)); };
  BOOST_TEST(count(ann, 409) == 20);
  BOOST_TEST(count(ann, 404) == 200);
  // A client that the game admits doesn't count against others at its address.
  BOOST_TEST(count(with_token("POST", "/api/games/x/seats"), 201) == 1000);
}

BOOST_AUTO_TEST_CASE(a_token_that_is_no_longer_one_is_known_no_longer) {
  Gate gate({});
  const auto responded = [&](unsigned status) {
    HttpRequest turn = request("POST", "/api/games/x/turns", bearing(1));
    BOOST_TEST_REQUIRE(!gate.admit(turn, ip("10.0.0.9"), begin));
    gate.settle(turn, {.status = status}, begin);
  };
  responded(201);
  responded(403);
  const auto exported = [](int) { return request("GET", "/api/games/x/export", bearing(1)); };
  for (int i = 0; i < 20; ++i)
    BOOST_TEST(admitted(gate, request("POST", "/api/games/x/seats"), "10.0.0.9") == 0U);
  BOOST_TEST(let_in(gate, exported, 200) == 0);
}

BOOST_AUTO_TEST_CASE(guesses_are_limited_whatever_token_they_bring) {
  Gate gate({});
  unsigned last = 0;
  int guesses = 0;
  for (; guesses < 100 && last != 429; ++guesses) {
    HttpRequest guess = request("POST", "/api/games/x/turns",
                                {{"authorization", "Bearer " + std::to_string(guesses)}});
    const auto refused = gate.admit(guess, ip("10.0.0.1"), begin);
    last = refused ? refused->status : 0;
    const HttpResponse response{.status = 403};
    if (!refused) gate.settle(guess, response, begin);
  }
  BOOST_TEST(guesses == 21);
}

BOOST_AUTO_TEST_CASE(guesses_of_an_address_take_no_turn_from_its_players) {
  Gate gate({});
  HttpRequest seat = request("POST", "/api/games/x/seats", bearing(1));
  BOOST_TEST_REQUIRE(!gate.admit(seat, ip("10.0.0.9"), begin));
  gate.settle(seat, {.status = 201}, begin);
  const auto guess = [](int) { return request("POST", "/api/games/x/turns", bearing(2)); };
  BOOST_TEST(let_in(gate, guess, 403) == 20);
  for (int turn = 1; turn < 20; ++turn)
    BOOST_TEST(admitted(gate, request("POST", "/api/games/x/turns", bearing(1)), "10.0.0.9") == 0U);
  BOOST_TEST(admitted(gate, request("POST", "/api/games/x/turns", bearing(2)), "10.0.0.9") == 429U);
}

BOOST_AUTO_TEST_CASE(exports_are_paid_for_by_their_work) {
  Gate gate({});
  HttpRequest exported = request("GET", "/api/games/x/export?format=cast");
  HttpRequest elsewhere = exported;
  BOOST_TEST_REQUIRE(!gate.admit(exported, ip("10.0.0.1"), begin));
  BOOST_TEST_REQUIRE(!gate.admit(elsewhere, ip("10.0.0.2"), begin));
  for (int i = 0; i < 2; ++i) {
    BOOST_TEST(!gate.admit_export(exported, begin));
    gate.charge_export(exported, 1500ms, begin);
  }
  // The wait is 1 second more than its 2: half a minute's share, and a millisecond's.
  const auto refused = gate.admit_export(exported, begin);
  BOOST_TEST_REQUIRE(refused.has_value());
  BOOST_TEST(refused->status == 429U);
  BOOST_TEST(refused->header("Retry-After").value() == "31");
  BOOST_TEST(gate.admit_export(exported, begin + 30s).has_value());
  BOOST_TEST(!gate.admit_export(exported, begin + 31s));
  BOOST_TEST(!gate.admit_export(elsewhere, begin));
}

BOOST_AUTO_TEST_CASE(pages_of_an_address_that_took_much_work_wait_behind_exports) {
  using enum Gate::Share;
  Gate gate({});
  HttpRequest page = request("GET", "/g/x");
  HttpRequest elsewhere = page;
  BOOST_TEST_REQUIRE(!gate.admit(page, ip("10.0.0.1"), begin));
  BOOST_TEST_REQUIRE(!gate.admit(elsewhere, ip("10.0.0.2"), begin));
  for (int i = 0; i < 1000; ++i)  // all pupils of a class open the pages
    gate.charge(pages, page, 50ms, begin);
  BOOST_TEST(!gate.has_had(pages, page, begin));
  for (int i = 0; i < 2; ++i)
    gate.charge(pages, page, 1550ms, begin);
  BOOST_TEST(gate.has_had(pages, page, begin));
  BOOST_TEST(gate.has_had(pages, page, begin + 30s));
  BOOST_TEST(!gate.has_had(pages, page, begin + 31s));
  BOOST_TEST(!gate.has_had(pages, elsewhere, begin));
  BOOST_TEST(!gate.has_had(states, page, begin), "states have a share of their own");
  for (int i = 0; i < 1000; ++i)
    gate.charge(states, page, 2ms, begin);
  BOOST_TEST(!gate.has_had(states, page, begin));
  gate.charge(states, page, 2002ms, begin);
  BOOST_TEST(gate.has_had(states, page, begin));
  BOOST_TEST(!gate.admit_export(page, begin), "exports have a share of their own");
}

BOOST_AUTO_TEST_CASE(new_games_are_limited_and_repetitions_are_free) {
  GateSettings settings;
  settings.limits.games = 2;
  settings.limits.writes = 0;
  Gate gate(std::move(settings));
  const auto make = [&](unsigned status) {
    HttpRequest asked = request("POST", "/api/games");
    BOOST_TEST(!gate.admit(asked, ip("10.0.0.1"), begin), "the writer may find that it makes none");
    gate.settle(asked, {.status = asked.no_new_game ? 429U : status}, begin);
    return asked.no_new_game.has_value();
  };
  BOOST_TEST(!make(201));
  for (int i = 0; i < 5; ++i)
    BOOST_TEST(!make(200));
  BOOST_TEST(!make(201));
  BOOST_TEST(make(201));
  BOOST_TEST(make(200));
  BOOST_TEST(make(201), "a request that could make none gives nothing back");
}

BOOST_AUTO_TEST_CASE(only_allowed_origins_are_told_anything) {
  Gate gate(with_origin());
  const auto headers_for = [&](Gate& at, const char* origin) {
    HttpRequest asked = request("GET", "/api/games", {{"origin", origin}});
    HttpResponse response{.status = 200};
    at.let_out(asked, response);
    return response;
  };
  const HttpResponse ours = headers_for(gate, "https://play.example");
  BOOST_TEST(ours.header("access-control-allow-origin").value() == "https://play.example");
  BOOST_TEST(ours.header("vary").value() == "Origin");
  BOOST_TEST(!ours.header("access-control-allow-credentials"));
  BOOST_TEST(!headers_for(gate, "https://evil.example").header("access-control-allow-origin"));
  Gate closed({});
  BOOST_TEST(!headers_for(closed, "https://play.example").header("access-control-allow-origin"));
  const HttpHeaders preflight{{"origin", "https://play.example"},
                              {"access-control-request-method", "POST"}};
  BOOST_TEST(admitted(gate, request("OPTIONS", "/api/games", preflight)) == 204U);
  BOOST_TEST(admitted(closed, request("OPTIONS", "/api/games", preflight)) == 0U);
  for (const auto* text : {"", "*", "null", "https://a/", "https://a?b", "a", "https://"})
    BOOST_TEST(!parse_origin(text), text);
}

BOOST_AUTO_TEST_CASE(loopback_is_nobody_who_came_by_a_proxy) {
  Gate plain({});
  HttpRequest asked = request("GET", "/metrics");
  BOOST_TEST(!plain.admit(asked, ip("127.0.0.1"), begin));
  BOOST_TEST(asked.is_loopback);
  HttpRequest forwarded = request("GET", "/metrics", {{"x-forwarded-for", "127.0.0.1"}});
  BOOST_TEST(!plain.admit(forwarded, ip("127.0.0.1"), begin));
  BOOST_TEST(!forwarded.is_loopback);
  GateSettings settings;
  settings.trusted_proxies = {*Network::parse("127.0.0.1")};
  Gate behind(std::move(settings));
  HttpRequest far = request("GET", "/metrics", {{"x-forwarded-for", "203.0.113.9"}});
  BOOST_TEST(!behind.admit(far, ip("127.0.0.1"), begin));
  BOOST_TEST(!far.is_loopback);
  BOOST_TEST(far.address == "203.0.113.9");
}

BOOST_AUTO_TEST_SUITE_END()

// ---- Logs, metrics, queues

BOOST_AUTO_TEST_SUITE(telling_what_happens)

BOOST_AUTO_TEST_CASE(a_log_keeps_secrets) {
  const std::string id = "0123456789abcdef0123456789abcdef";
  const std::string token = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE";
  BOOST_TEST(shown_path("/api/games/" + id + "/turns?token=x") == "/api/games/012345.../turns");
  BOOST_TEST(shown_path("/g/" + token) == "/g/AbCdEf...");
  BOOST_TEST(shown_path("/g/%41" + token.substr(1)) == "/g/AbCdEf...");
  BOOST_TEST(shown_path("/g/k3v9#seat=x") == "/g/k3v9");
  BOOST_TEST(shown_path("/\x1b[2J\"\n\xff") == "/%1B[2J%22%0A%FF");
  BOOST_TEST(shown_path("/%1b%22%zz%") == "/%1B%22%zz%");
  BOOST_TEST(shown_path("/" + std::string(1000, '.')).size() < 220U);
}

BOOST_AUTO_TEST_CASE(what_a_server_tells_of_itself_has_no_private_id_in_it) {
  const std::string id = "6237c941f8f0c934f0793ac258bbba24";
  for (const LogFormat format : {LogFormat::text, LogFormat::json}) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
    RequestLog(fileno(file.get()), format).note("game " + id + ", version 3: see snl audit " + id);
    std::rewind(file.get());
    std::string said(1000, ' ');
    said.resize(std::fread(said.data(), 1, said.size(), file.get()));
    BOOST_TEST(said.find("game 6237c9..., version 3: see snl audit 6237c9...") !=
               std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(latencies_are_counted_up_to_each_bound) {
  LatencyHistogram latencies;
  latencies.add(1ms);
  latencies.add(2ms);
  latencies.add(10s);
  const std::string text = latencies.text("x");
  BOOST_TEST(text.contains("x_bucket{le=\"0.0005\"} 0\n"));
  BOOST_TEST(text.contains("x_bucket{le=\"0.001\"} 1\n"));
  BOOST_TEST(text.contains("x_bucket{le=\"0.0025\"} 2\n"));
  BOOST_TEST(text.contains("x_bucket{le=\"5\"} 2\n"));
  BOOST_TEST(text.contains("x_bucket{le=\"+Inf\"} 3\nx_sum 10.003000000\nx_count 3\n"));
}

BOOST_AUTO_TEST_CASE(a_queue_gives_what_waits_in_its_order) {
  WorkQueue<int> queue(3);
  BOOST_TEST(!queue.put(1).has_value());
  BOOST_TEST(!queue.put(2).has_value());
  BOOST_TEST(!queue.put(3).has_value());
  BOOST_TEST((queue.put(4) == 4));
  BOOST_TEST(queue.take(2) == (std::vector{1, 2}), boost::test_tools::per_element());
  queue.close();
  BOOST_TEST(queue.put(5).has_value());
  BOOST_TEST(queue.take(2) == std::vector{3}, boost::test_tools::per_element());
  BOOST_TEST(queue.take(2).empty());
}

BOOST_AUTO_TEST_SUITE_END()
