#include "gate.hpp"

#include "cli/server/problem.hpp"
#include "cli/server/tokens.hpp"
#include "storage/ascii.hpp"
#include "storage/hash.hpp"

#include <boost/asio/ip/address.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace snl::cli {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view allowed_methods = "GET, HEAD, POST, PUT, DELETE, OPTIONS";
constexpr std::string_view allowed_fields =
    "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID";
constexpr std::string_view exposed_fields =
    "ETag, Idempotent-Replayed, Link, Location, Retry-After";

bool is_origin_of(std::string_view rest) {
  return !rest.empty() && rest.find_first_of("/?#@ ") == std::string_view::npos;
}

/// A target as a client sends it to a proxy: a host, and the path after it.
struct AbsoluteTarget {
  std::string_view host;
  std::string_view path;
};

std::optional<AbsoluteTarget> absolute(std::string_view target) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!same_but_for_case(target.substr(0, scheme.size()), scheme)) continue;
    const std::string_view rest = target.substr(scheme.size());
    const std::size_t end = std::min(rest.find_first_of("/?"), rest.size());
    return AbsoluteTarget{rest.substr(0, end), rest.substr(end)};
  }
  return std::nullopt;
}

/// Whether a target has only visible ASCII (RFC 3986), and no fragment.
bool is_sound_target(std::string_view target) {
  return target.starts_with('/') && std::ranges::all_of(target, [](char c) {
           return c > ' ' && c < '\x7F' && c != '#' && c != '"' && c != '<' && c != '>' &&
                  c != '\\' && c != '^' && c != '`' && c != '{' && c != '|' && c != '}';
         });
}

/// Exports count as writes: of all public requests they take the most work.
bool counts_as_write(const HttpRequest& request) {
  return is_write(request) || path_of(request.target).ends_with("/export");
}

/// The number of writes with unknown tokens that an address may send for each one without a token:
/// a class joins at once.
constexpr double introductions_a_write = 10;

/// The work of a usual state, and of a usual list or game's page, on a slow machine.
constexpr std::chrono::microseconds usual_state = 2ms;
constexpr std::chrono::microseconds usual_page = 50ms;

bool makes_a_game(const HttpRequest& request) {
  const std::string_view path = path_of(request.target);
  return request.method == "POST" && (path == "/api/games" || path.ends_with("/rematch"));
}

/// The hash by which a request's token is known; none if it has no text that could be a token.
std::optional<std::string> token_hash(const HttpRequest& request) {
  const auto token = token_of(request);
  if (!token || !is_token(*token)) return std::nullopt;
  return to_hex(hash_of(*token));
}

/// Whether a response shows that the request's token is one of the game's. A request that makes a
/// game or takes a seat brings a new token. If any other is refused for its content, its token was
/// right.
bool accepts_token(const HttpRequest& request, unsigned status) {
  if (status >= 200 && status < 300) return true;
  if (makes_a_game(request) || path_of(request.target).ends_with("/seats")) return false;
  return status == 409 || status == 412 || status == 422;
}

HttpResponse too_many(int seconds, const std::string& detail) {
  return response_of(HttpProblem(429, "too-many-requests", detail)
                         .with_header("Retry-After", fmt::to_string(seconds)));
}

void add_if_missing(HttpResponse& response, std::string_view name, std::string_view value) {
  if (!response.header(name)) response.headers.emplace_back(name, value);
}

}  // namespace

void add_vary(HttpResponse& response, std::string_view name) {
  for (auto& [key, value] : response.headers)
    if (key == "Vary") {
      value += ", ";
      value += name;
      return;
    }
  response.headers.emplace_back("Vary", name);
}

std::optional<std::string> parse_origin(std::string_view text) {
  for (const std::string_view scheme : {"http://", "https://"})
    if (text.starts_with(scheme) && is_origin_of(text.substr(scheme.size())) &&
        PublicUrl::parse(text))
      return std::string(text);
  return std::nullopt;
}

void AcceptedTokens::accept(const std::string& token) {
  const std::lock_guard lock(mutex_);
  tokens_.put(token, true);
}

void AcceptedTokens::refuse(const std::string& token) {
  const std::lock_guard lock(mutex_);
  tokens_.erase(token);
}

bool AcceptedTokens::has(const std::string& token) const {
  const std::lock_guard lock(mutex_);
  return tokens_.find(token) != nullptr;
}

Gate::Gate(GateSettings settings)
    : settings_(std::move(settings)),
      writes_(settings_.limits.writes, 1s),
      introductions_(introductions_a_write * settings_.limits.writes, 1s),
      refusals_(settings_.limits.writes, 1s),
      games_(settings_.limits.games, 1h),
      export_work_(1000.0 * settings_.limits.exports, 1min),
      state_work_(1000.0 * settings_.limits.exports, 1min),
      page_work_(1000.0 * settings_.limits.exports, 1min) {}

bool Gate::is_trusted_proxy(const IpAddress& peer) const {
  return std::ranges::any_of(settings_.trusted_proxies,
                             [&](const Network& net) { return net.contains(peer); });
}

std::optional<HttpResponse> Gate::admit(HttpRequest& request, const IpAddress& peer, Time now) {
  std::string forwarded;
  for (const auto& [name, value] : request.headers)
    if (name == "x-forwarded-for") forwarded += (forwarded.empty() ? "" : ",") + value;
  const auto client = client_address(peer, forwarded, settings_.trusted_proxies);
  request.address = counted_as(client.value_or(plain(peer)));
  // A request from a proxy that isn't trusted may come from anywhere.
  request.is_loopback =
      client && client->is_loopback() && (forwarded.empty() || is_trusted_proxy(peer));

  std::string host(request.header("host").value_or(""));
  if (const auto target = absolute(request.target)) {
    host = target->host;
    request.target = target->path.starts_with('/') ? std::string(target->path)
                                                   : fmt::format("/{}", target->path);
  }
  if (!is_our_host(host, settings_.url))
    return response_of(HttpProblem(
        421, "misdirected-request",
        settings_.url ? fmt::format("this server has another name; open {}", settings_.url->text)
                      : "this server has no name; open it by its address, or start it with --url "
                        "http://NAME"));
  if (request.target == "*" && request.method == "OPTIONS")
    return HttpResponse{.status = 204, .headers = {{"Allow", std::string(allowed_methods)}}};
  if (!is_sound_target(request.target))
    return response_of(HttpProblem(400, "unreadable", "the target is no path"));
  if (request.method == "OPTIONS" && request.header("access-control-request-method") &&
      allowed_origin(request))
    return HttpResponse{
        .status = 204,
        .headers = {{"Allow", std::string(allowed_methods)},
                    {"Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, DELETE"},
                    {"Access-Control-Allow-Headers", std::string(allowed_fields)},
                    {"Access-Control-Max-Age", "600"}}};
  return limited(request, now);
}

/// A game that is there already is found even if the address has made too many: only the writer
/// knows whether a new one would be made.
std::optional<HttpResponse> Gate::limited(HttpRequest& request, Time now) {
  if (!counts_as_write(request)) return std::nullopt;
  if (settings_.limits.writes > 0) {
    if (const auto wait = take_write(request, now))
      return too_many(*wait, fmt::format("more than {} writes a second; try again later",
                                         settings_.limits.writes));
  }
  if (!makes_a_game(request)) return std::nullopt;
  if (const auto wait = games_.take(request.address, now))
    request.no_new_game = {
        .why = fmt::format("more than {} new games an hour from one address; try again later",
                           settings_.limits.games),
        .seconds = *wait};
  return std::nullopt;
}

/// Anybody can make up tokens, so only an accepted one has a count of its own. Guesses by others at
/// its address don't count against it.
std::optional<int> Gate::take_write(const HttpRequest& request, Time now) {
  const auto token = token_hash(request);
  if (token && accepted_.has(*token)) return writes_.take(*token, now);
  if (const auto wait = refusals_.peek(request.address, now)) return wait;
  return token && is_write(request) ? introductions_.take(request.address, now)
                                    : writes_.take(request.address, now);
}

std::optional<std::string_view> Gate::allowed_origin(const HttpRequest& request) const {
  const auto origin = request.header("origin");
  if (!origin ||
      std::ranges::find(settings_.allowed_origins, *origin) == settings_.allowed_origins.end())
    return std::nullopt;
  return origin;
}

void Gate::settle(const HttpRequest& request, const HttpResponse& response, Time now) {
  const bool is_refused = response.status == 401 || response.status == 403;
  if (counts_as_write(request) && is_refused) (void)refusals_.take(request.address, now);
  const auto token = is_write(request) ? token_hash(request) : std::nullopt;
  if (token && is_refused) accepted_.refuse(*token);
  if (token && accepts_token(request, response.status) && !accepted_.has(*token)) {
    accepted_.accept(*token);
    introductions_.give_back(request.address, now);
    (void)writes_.take(*token, now);
  }
  if (makes_a_game(request) && !request.no_new_game && response.status != 201)
    games_.give_back(request.address, now);
}

std::optional<HttpResponse> Gate::admit_export(const HttpRequest& request, Time now) {
  const auto wait = export_work_.peek(request.address, now);
  if (!wait) return std::nullopt;
  return too_many(*wait, fmt::format("exports took more than {} seconds of work a minute; try "
                                     "again later",
                                     settings_.limits.exports));
}

void Gate::charge_export(const HttpRequest& request, std::chrono::milliseconds work, Time now) {
  export_work_.charge(request.address, static_cast<double>(work.count()), now);
}

bool Gate::has_had(Share share, const HttpRequest& request, Time now) {
  RateLimit& work = share == Share::states ? state_work_ : page_work_;
  return work.peek(request.address, now).has_value();
}

void Gate::charge(Share share, const HttpRequest& request, std::chrono::microseconds work,
                  Time now) {
  const bool is_state = share == Share::states;
  const std::chrono::duration<double, std::milli> more =
      work - (is_state ? usual_state : usual_page);
  if (more.count() > 0)
    (is_state ? state_work_ : page_work_).charge(request.address, more.count(), now);
}

void Gate::let_out(const HttpRequest& request, HttpResponse& response) const {
  add_security_fields(response);
  if (settings_.allowed_origins.empty()) return;
  add_vary(response, "Origin");
  if (const auto origin = allowed_origin(request)) {
    add_if_missing(response, "Access-Control-Allow-Origin", *origin);
    response.headers.emplace_back("Access-Control-Expose-Headers", exposed_fields);
  }
}

void add_security_fields(HttpResponse& response) {
  add_if_missing(response, "X-Content-Type-Options", "nosniff");
  add_if_missing(response, "Referrer-Policy", "no-referrer");
  add_if_missing(response, "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
}

}  // namespace snl::cli
