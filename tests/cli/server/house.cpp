#include "house.hpp"

#include "storage/hash.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace snl::test {

namespace json = boost::json;

std::string Reply::problem() const {
  constexpr std::string_view prefix = "urn:snl:";
  const auto* members = body.if_object();
  if (members == nullptr || !members->contains("type")) return "";
  const std::string type(members->at("type").as_string());
  return type.starts_with(prefix) ? type.substr(prefix.size()) : type;
}

cli::GameSettings TestSettings::settings() {
  return {.clock = [this] { return now += 1000; },
          .steady_clock = [this] { return std::chrono::steady_clock::now() + passed_; },
          .random =
              [this] {
                Sha256 sha256;
                sha256.begin();
                sha256.update(fmt::format("drawn {}", ++drawn_));
                return sha256.finish();
              },
          .report_failure = [](std::string_view why) { BOOST_TEST_MESSAGE("503: " << why); }};
}

Desk::Desk(EventStore& store, HostedGameStore& hosted_games, StoreReader& reading,
           HostedGameStore& reading_hosted_games, cli::GameSettings settings)
    : writer(store, hosted_games, known, settings),
      reader(reading, reading_hosted_games, known, settings),
      feed(reading, reading_hosted_games, known) {
  writer.recover();
}

Reply reply_of(HttpResponse response) {
  Reply reply{.response = std::move(response), .body = nullptr};
  json::error_code error;
  json::value body = json::parse(reply.response.text(), error);
  if (!error) reply.body = std::move(body);
  return reply;
}

namespace {

/// Adds an answer to the file that the environment names, if any. test_serve_answers.py checks all
/// of them against openapi.json.
void keep_to_be_judged(const HttpRequest& request, const HttpResponse& response) {
  static std::ofstream file = [] {
    const char* path = std::getenv("SNL_ANSWERS");
    return path == nullptr ? std::ofstream() : std::ofstream(path, std::ios::trunc);
  }();
  if (!file.is_open()) return;
  // For anything but JSON, openapi.json describes only the content type.
  const bool is_json = response.header("Content-Type").value_or("json").ends_with("json");
  json::object headers;
  for (const auto& [name, value] : response.headers)
    headers[name] = value;
  file << json::serialize(json::object{{"method", request.method},
                                       {"path", cli::path_of(request.target)},
                                       {"status", response.status},
                                       {"headers", std::move(headers)},
                                       {"body", is_json ? response.text() : "not kept"}})
       << '\n'
       << std::flush;
}

}  // namespace

Reply Desk::send(const HttpRequest& request) {
  Reply reply = reply_of(cli::is_write(request) ? writer.response(std::span(&request, 1)).front()
                                                : reader.response(request));
  keep_to_be_judged(request, reply.response);
  published += fmt::format("\n{}\n", reply.response.text());
  for (const auto& [name, value] : reply.response.headers)
    published += fmt::format("{}: {}\n", name, value);
  return reply;
}

HttpRequest request_of(std::string method, std::string target, const json::value& body,
                       const std::string& token, HttpHeaders headers) {
  HttpRequest request{
      .method = std::move(method), .target = std::move(target), .headers = std::move(headers)};
  if (!body.is_null()) {
    request.body = json::serialize(body);
    request.headers.emplace_back("content-type", "application/json");
  }
  if (!token.empty()) request.headers.emplace_back("authorization", "Bearer " + token);
  return request;
}

Reply Desk::get(const std::string& target, const std::string& token, HttpHeaders headers) {
  return send(request_of("GET", target, nullptr, token, std::move(headers)));
}

Reply Desk::post(const std::string& target, const json::value& body, const std::string& token,
                 HttpHeaders headers) {
  return send(request_of("POST", target, body, token, std::move(headers)));
}

Reply Desk::remove(const std::string& target, const std::string& token) {
  return send(request_of("DELETE", target, nullptr, token));
}

std::string Desk::stream(const std::string& game, Version from) {
  std::string all;
  cli::FeedPlace place = place_before(from);
  while (true) {
    const auto notifications = feed.notifications(game, place);
    if (!notifications) return all + "gone";
    for (const auto& part : notifications->parts)
      all += *part;
    place = notifications->place;
    if (notifications->has_ended || !notifications->has_more) break;
  }
  published += all;
  return all;
}

namespace {

Reply require(Reply reply, unsigned status) {
  if (reply.status() != status)
    throw std::runtime_error(fmt::format("status {}: {}", reply.status(), reply.response.text()));
  return reply;
}

}  // namespace

Table seated(Desk& desk, const std::vector<std::string>& players, json::object more) {
  more["players"] = json::array(players.begin(), players.end());
  more.emplace("board", "empty");
  const Reply made = require(desk.post("/api/games", more), 201);
  Table table{.id = made.text("/id"), .path = {}, .host = made.text("/token"), .seats = {}};
  table.path = "/api/games/" + table.id;
  for (const json::value& seat : made.at("/seats").as_array())
    table.seats.emplace_back(seat.at("token").as_string());
  return table;
}

Table opened(Desk& desk, const std::vector<std::string>& players, json::object more) {
  more["open"] = players.size();
  more.emplace("board", "empty");
  const Reply made = require(desk.post("/api/games", more), 201);
  Table table{.id = made.text("/id"), .path = {}, .host = made.text("/token"), .seats = {}};
  table.path = "/api/games/" + table.id;
  std::uint8_t byte = 0;
  for (const std::string& name : players) {
    json::object taken{{"name", name}};
    taken["entropy_hash"] = entropy_hash_of(hex_of(++byte));
    const Reply seat = require(desk.post(table.path + "/seats", taken), 201);
    table.seats.push_back(seat.text("/token"));
  }
  byte = 0;
  for (const std::string& token : table.seats)
    require(desk.post(table.path + "/entropy", json::object{{"entropy", hex_of(++byte)}}, token),
            200);
  return table;
}

std::string hex_of(std::uint8_t byte) {
  std::string hex;
  constexpr int bytes = 32;
  for (int i = 0; i < bytes; ++i)
    hex += fmt::format("{:02x}", byte);
  return hex;
}

std::string entropy_hash_of(const std::string& hex) {
  const Hash bytes = hash_from_hex(hex).value();
  Sha256 sha256;
  sha256.begin();
  for (const std::uint8_t byte : bytes) {
    const char letter = static_cast<char>(byte);
    sha256.update(std::string_view(&letter, 1));
  }
  return to_hex(sha256.finish());
}

void play_out(Desk& desk, const Table& table) {
  constexpr int most = 2000;
  for (int turn = 0; turn < most; ++turn) {
    const Reply state = require(desk.get(table.path), 200);
    if (state.text("/status") != "in-progress") return;
    std::size_t seat = 0;
    while (state.at("/players").as_array()[seat].at("name") != state.at("/next"))
      ++seat;
    require(desk.post(table.path + "/turns", nullptr, table.seats[seat]), 200);
  }
  throw std::runtime_error("nobody wins");
}

}  // namespace snl::test
