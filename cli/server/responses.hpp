// Parts that reading and writing share: finding the game and the caller of a request, and making
// responses.
#pragma once

#include "game_view.hpp"
#include "http.hpp"
#include "problem.hpp"
#include "routes.hpp"
#include "storage/store_error.hpp"

#include <boost/json.hpp>

#include <functional>
#include <string_view>

namespace snl::cli {

/// The route of a request; throws HttpProblem 404.
Route require_route(const HttpRequest& request);
/// Throws HttpProblem 405.
void require_method(const HttpRequest& request, const Route& route);
[[noreturn]] void throw_no_such_game();
/// Throws HttpProblem 404 if a game hasn't the seat or the takeback that a path names.
void require_place(const Route& route, const GameView& view);

/// By the request's token. If that isn't of this game, a caller without a token.
Caller find_caller(const HttpRequest& request, const GameView& view);
/// The same; throws HttpProblem 403 for a token that isn't of this game.
Caller caller_of(const HttpRequest& request, const GameView& view);

[[noreturn]] void throw_forbidden();

/// A JSON response about a game.
HttpResponse json_response(unsigned status, const boost::json::value& body);
/// Adds what caches must know: STATE's entity tag, Vary, and whether it may be stored.
void add_cache_headers(HttpResponse& response, const HttpRequest& request, const GameView& view);

using ReportFailure = std::function<void(std::string_view why)>;

/// The response of `work`. If it throws, the exception as a response: a problem, or else 503.
HttpResponse responded(const std::function<HttpResponse()>& work,
                       const ReportFailure& report_failure);
/// 503, with Retry-After; notifies the operator of the reason.
HttpResponse response_of_failure(const ReportFailure& report_failure, std::string_view why);

}  // namespace snl::cli
