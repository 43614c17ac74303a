// The problem of a request, as RFC 9457 has it: application/problem+json.
#pragma once

#include "http.hpp"

#include <boost/json.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace snl::cli {

/// Ends a request. Nothing was recorded.
struct HttpProblem : std::runtime_error {
  /// `of_type` follows "urn:snl:"; `with_detail` is a sentence for people, with the way out.
  HttpProblem(unsigned of_status, std::string_view of_type, const std::string& with_detail)
      : std::runtime_error(with_detail), status(of_status), type(of_type), detail(with_detail) {}

  HttpProblem with_value(boost::json::value named) && {
    value = std::move(named);
    return std::move(*this);
  }
  HttpProblem with_value(const std::string& named) && {
    return std::move(*this).with_value(boost::json::value(boost::json::string(named)));
  }
  HttpProblem with_result(std::string_view response) && {
    result = response;
    return std::move(*this);
  }
  HttpProblem with_header(std::string name, std::string text) && {
    headers.emplace_back(std::move(name), std::move(text));
    return std::move(*this);
  }

  unsigned status;
  std::string type;
  std::string detail;                                      // what() ends at a client's zero byte
  std::optional<boost::json::value> value = std::nullopt;  // the wrong one
  std::optional<std::string> result = std::nullopt;        // "INVALID MOVE", "GAME COMPLETED"
  HttpHeaders headers = {};
};

/// A problem whose reason is the game's state.
inline HttpProblem conflict(std::string_view type, const std::string& why) {
  return {409, type, why};
}

/// The response that reports it. Also for the shell's own refusals: 413, 421, 429, 431, 503.
HttpResponse response_of(const HttpProblem& problem);

}  // namespace snl::cli
