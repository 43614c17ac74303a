#include "problem.hpp"

#include "domain/names.hpp"

#include <array>

namespace snl::cli {
namespace {

namespace json = boost::json;

/// Statuses in words; a problem's title is its type's.
constexpr std::array titles{
    NamedValue{"The request can't be read", 400U},
    NamedValue{"A token is needed", 401U},
    NamedValue{"Not allowed", 403U},
    NamedValue{"Not found", 404U},
    NamedValue{"Method not allowed", 405U},
    NamedValue{"Too slow", 408U},
    NamedValue{"Not possible now", 409U},
    NamedValue{"The game is elsewhere", 412U},
    NamedValue{"Too large", 413U},
    NamedValue{"Not JSON", 415U},
    NamedValue{"Not to be expected", 417U},
    NamedValue{"Not a name of this server", 421U},
    NamedValue{"Not possible", 422U},
    NamedValue{"Too many requests", 429U},
    NamedValue{"Headers too large", 431U},
    NamedValue{"Not this version of HTTP", 505U},
};

std::string_view title_of(unsigned status) {
  const std::string_view title = name_of(titles, status);
  return title.empty() ? "The server can't answer" : title;
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
                    {"detail", shortened(problem.detail, longest_detail)}};
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
