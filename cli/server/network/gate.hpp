// The gate that every request passes before it is handled, and every response before it is sent. It
// checks the sender, the host name, the origin and the rate. Knows no socket.
#pragma once

#include "address.hpp"
#include "cli/server/http.hpp"
#include "limits.hpp"
#include "rate_limit.hpp"
#include "storage/bounded_map.hpp"

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snl::cli {

struct GateSettings {
  std::optional<PublicUrl> url;
  std::vector<std::string> allowed_origins;  // as browsers send them: "https://example.org"
  std::vector<Network> trusted_proxies;
  Limits limits;
};

/// The argument of --allow-origin; none for a text that no browser would send as an Origin.
std::optional<std::string> parse_origin(std::string_view text);

/// The hashes of tokens that were accepted lately. For any number of threads.
class AcceptedTokens {
 public:
  void accept(const std::string& token);
  void refuse(const std::string& token);
  bool has(const std::string& token) const;

 private:
  mutable std::mutex mutex_;
  BoundedMap<std::string, bool> tokens_{65'536};
};

/// For any number of threads.
class Gate {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit Gate(GateSettings settings);

  /// Fills in the sender of a request, and makes its target a path with a query. Answers it by
  /// itself with 400, 421 or 429, and a browser's preflight request with 204.
  std::optional<HttpResponse> admit(HttpRequest& request, const IpAddress& peer, Time now);

  /// To be called with the response to a request that was admitted. Remembers an accepted token,
  /// counts a refused guess, and gives back counts that turned out to be needless.
  void settle(const HttpRequest& request, const HttpResponse& response, Time now);

  /// Answers 429 to an export if its address has had its share of work. Call it when the export's
  /// turn has come: only then are the exports before it paid for.
  std::optional<HttpResponse> admit_export(const HttpRequest& request, Time now);
  /// Charges an export's work to its address.
  void charge_export(const HttpRequest& request, std::chrono::milliseconds work, Time now);

  /// The shares of an address besides that of exports, each as large as that one. Those who have
  /// had one aren't refused: their requests wait in a queue of their own.
  enum class Share : std::uint8_t { states, pages };  // pages of games, and lists
  /// Whether the address has lately taken more work than its share.
  bool has_had(Share share, const HttpRequest& request, Time now);
  /// Charges the work of a request to its address, except for what a usual one takes.
  void charge(Share share, const HttpRequest& request, std::chrono::microseconds work, Time now);

  /// Adds the fields that every response has.
  void let_out(const HttpRequest& request, HttpResponse& response) const;

  bool is_trusted_proxy(const IpAddress& peer) const;

 private:
  std::optional<std::string_view> allowed_origin(const HttpRequest& request) const;
  std::optional<HttpResponse> limited(HttpRequest& request, Time now);
  std::optional<int> take_write(const HttpRequest& request, Time now);

  GateSettings settings_;
  AcceptedTokens accepted_;
  RateLimit writes_;         // of a token that was accepted, or of an address
  RateLimit introductions_;  // of an address: writes with other tokens
  RateLimit refusals_;       // of an address: guesses, each with another token
  RateLimit games_;          // of an address
  RateLimit export_work_;    // of an address, in milliseconds
  RateLimit state_work_;     // the same, of states
  RateLimit page_work_;      // the same, of lists and pages of games
};

/// Declares that the response depends on this field of the request, too.
void add_vary(HttpResponse& response, std::string_view name);

/// Adds the fields that keep a browser from mistaking a response for something else, unless the
/// response has them already.
void add_security_fields(HttpResponse& response);

}  // namespace snl::cli
