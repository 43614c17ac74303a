// Requests and responses of HTTP as values, so that the server's library needs no sockets. The
// shell is the code with the sockets around it: network/.
#pragma once

#include "storage/event_store.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace snl::cli {

/// Names and values, in order. Names of a request are in lower case.
using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

/// A refusal to make one more game for an address, and when to ask again.
struct GameRefusal {
  std::string why;
  int seconds = 0;
};

struct HttpRequest {
  std::string method;  // as sent: "GET"
  std::string target;  // path and query as sent: "/api/games?limit=5"
  HttpHeaders headers = {};
  std::string body = {};
  std::string address = {};  // the client's
  bool is_loopback = false;
  std::optional<GameRefusal> no_new_game = {};  // for a request that may make a game, or find it

  /// The value of the first header of this (lower-case) name; none if there is none.
  std::optional<std::string_view> header(std::string_view name) const;
};

/// The response's head begins a stream: see GameFeed.
struct StreamOpening {
  std::string game;
  Version from = 1;    // the first version to be sent
  Hash head{};         // of the version before it, if the client named it
  bool reset = false;  // the game's log no longer has the version that the client names
  friend bool operator==(const StreamOpening&, const StreamOpening&) = default;
};

struct HttpResponse {
  unsigned status = 200;
  /// With Content-Type if there is a body; the shell adds Content-Length.
  HttpHeaders headers = {};
  /// May be shared with other responses. Null or empty: none. HEAD has the response of GET; the
  /// shell leaves out the body.
  std::shared_ptr<const std::string> body = nullptr;
  /// The body as gzip, if it is kept: the shell sends it to clients that accept it.
  std::shared_ptr<const std::string> gzipped = nullptr;
  std::optional<StreamOpening> stream = std::nullopt;

  std::string_view text() const { return body ? std::string_view(*body) : std::string_view(); }
  std::optional<std::string_view> header(std::string_view name) const;  // of any case
};

/// Whether a request is for the writer: POST, PUT and DELETE.
bool is_write(const HttpRequest& request);

/// Whether a header's list of entity tags is "*", or names one for which `is_it` is true. The
/// comparison is weak (RFC 9110, 13.1): `is_it` sees each tag in its quotes, without W/.
bool names_tag(std::string_view list, const std::function<bool(std::string_view tag)>& is_it);
/// Whether a request's If-None-Match names this tag: its client has the response already (304).
bool client_has(const HttpRequest& request, std::string_view tag);

/// A target's path, without its query.
std::string_view path_of(std::string_view target);

/// The byte that a text's beginning, %XX, stands for; none if it begins otherwise.
std::optional<char> escaped_byte(std::string_view text);

/// The parts of a target's query, with %XX and + decoded; none if that can't be done.
std::optional<HttpHeaders> query_of(std::string_view target);

}  // namespace snl::cli
