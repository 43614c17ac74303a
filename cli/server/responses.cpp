#include "responses.hpp"

#include "tokens.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>

namespace snl::cli {

namespace json = boost::json;

Route require_route(const HttpRequest& request) {
  auto route = route_of(path_of(request.target));
  if (!route) throw HttpProblem(404, "not-found", "there is nothing at this path");
  return *std::move(route);
}

void require_method(const HttpRequest& request, const Route& route) {
  if (allows(route.resource, request.method)) return;
  const std::string allowed(allowed_methods(route.resource));
  throw HttpProblem(405, "method-not-allowed", "this path takes " + allowed)
      .with_header("Allow", allowed);
}

void throw_no_such_game() {
  throw HttpProblem(404, "not-found", "there is no game of this ID");
}

void throw_forbidden() {
  throw HttpProblem(403, "forbidden", "this token may not do that here");
}

void require_place(const Route& route, const GameView& view) {
  if (!view.hosted) return;  // it has no seats and takebacks: callers refuse that otherwise
  const auto& seats = view.hosted->seats;
  const auto refuse = [](const std::string& detail) {
    throw HttpProblem(404, "not-found", detail);
  };
  const bool is_seat = std::cmp_less(route.number, seats.size());
  switch (route.resource) {
    case Route::Resource::seat_token:
    case Route::Resource::seat_auto:
      if (is_seat && !seats[static_cast<std::size_t>(route.number)])
        refuse(fmt::format("nobody sits in seat {}", route.number));
      [[fallthrough]];
    case Route::Resource::seat:
      if (!is_seat)
        refuse(fmt::format("this game has no seat {}: its seats are 0 to {}", route.number,
                           seats.size() - 1));
      return;
    case Route::Resource::takeback:
      if (!view.question || route.number < 1 || route.number > view.question->question.id)
        refuse(fmt::format("nobody has asked for takeback {}", route.number));
      return;
    default:
      return;
  }
}

Caller find_caller(const HttpRequest& request, const GameView& view) {
  const auto token = token_of(request);
  if (!token || !view.hosted) return {};
  const Hash hash = hash_of(*token);
  Caller caller{.is_host = hash == view.hosted->host()};
  for (std::size_t seat = 0; seat < view.hosted->seats.size(); ++seat)
    if (view.hosted->seats[seat] && view.hosted->seats[seat]->token == hash)
      caller.seat = static_cast<Seat>(seat);
  caller.has_token = caller.is_host || caller.seat;
  return caller;
}

Caller caller_of(const HttpRequest& request, const GameView& view) {
  const Caller caller = find_caller(request, view);
  if (!caller.has_token && token_of(request)) throw_forbidden();
  return caller;
}

HttpResponse json_response(unsigned status, const json::value& body) {
  return {.status = status,
          .headers = {{"Content-Type", "application/json"}},
          .body = std::make_shared<const std::string>(json::serialize(body))};
}

void add_cache_headers(HttpResponse& response, const HttpRequest& request, const GameView& view) {
  response.headers.emplace_back("ETag", entity_tag(view, token_of(request)));
  response.headers.emplace_back("Vary", "Authorization");
  const bool is_for_one = token_of(request) || view.is_private() || request.method == "POST";
  response.headers.emplace_back("Cache-Control", is_for_one ? "no-store" : "no-cache");
}

HttpResponse response_of_failure(const ReportFailure& report_failure, std::string_view why) {
  report_failure(why);
  return response_of(
      HttpProblem(503, "unavailable", "the store doesn't answer; send the same request again")
          .with_header("Retry-After", "1"));
}

HttpResponse responded(const std::function<HttpResponse()>& work,
                       const ReportFailure& report_failure) {
  try {
    return work();
  } catch (const HttpProblem& problem) {
    return response_of(problem);
  } catch (const std::exception& error) {
    return response_of_failure(report_failure, error.what());
  }
}

}  // namespace snl::cli
