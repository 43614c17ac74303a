#include "problem.hpp"

#include <array>

namespace snl::cli {
namespace {

namespace json = boost::json;

/// A status in words; a problem's title is its type's.
std::string_view title_of(unsigned status) {
  switch (status) {
    case 400:
      return "The request can't be read";
    case 401:
      return "A token is needed";
    case 403:
      return "Not allowed";
    case 404:
      return "Not found";
    case 405:
      return "Method not allowed";
    case 408:
      return "Too slow";
    case 409:
      return "Not possible now";
    case 412:
      return "The game is elsewhere";
    case 413:
      return "Too large";
    case 415:
      return "Not JSON";
    case 417:
      return "Not to be expected";
    case 421:
      return "Not a name of this server";
    case 422:
      return "Not possible";
    case 429:
      return "Too many requests";
    case 431:
      return "Headers too large";
    case 505:
      return "Not this version of HTTP";
    default:
      return "The server can't answer";
  }
}

/// A client's text may be as long as a body; the text that quotes it isn't.
std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U)
    --most;
  return std::string(text.substr(0, most)) + "…";
}

/// The value itself; if it is long, a text about it.
json::value shortened(const json::value& value) {
  constexpr std::size_t most = 256;  // bytes
  if (const auto* text = value.if_string()) return json::string(shortened(*text, most));
  const std::string all = json::serialize(value);
  return all.size() <= most ? value : json::value(shortened(all, most));
}

}  // namespace

HttpResponse response_of(const HttpProblem& problem) {
  constexpr std::size_t longest_detail = 4096;  // bytes
  json::object body{{"type", "urn:snl:" + problem.type},
                    {"title", title_of(problem.status)},
                    {"status", problem.status},
                    {"detail", shortened(problem.what(), longest_detail)}};
  if (problem.value) body["value"] = shortened(*problem.value);
  if (problem.result) body["result"] = *problem.result;
  HttpResponse response{
      .status = problem.status,
      .headers = {{"Content-Type", "application/problem+json"}, {"Cache-Control", "no-store"}},
      .body = std::make_shared<const std::string>(json::serialize(body))};
  for (const auto& header : problem.headers)
    response.headers.push_back(header);
  return response;
}

}  // namespace snl::cli
