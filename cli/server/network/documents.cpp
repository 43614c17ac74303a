#include "documents.hpp"

#include "cli/server/gzip.hpp"
#include "cli/server/problem.hpp"
#include "embedded_openapi.hpp"
#include "storage/hash.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace snl::cli {
namespace {

constexpr std::array<std::string_view, 4> paths{"/healthz", "/readyz", "/metrics",
                                                "/api/openapi.json"};

HttpResponse text_response(std::string text, std::string_view type) {
  return {.status = 200,
          .headers = {{"Content-Type", std::string(type)}, {"Cache-Control", "no-store"}},
          .body = std::make_shared<const std::string>(std::move(text))};
}

/// The description of the API, which never changes while the program runs.
HttpResponse openapi(const HttpRequest& request) {
  static const auto body = std::make_shared<const std::string>(openapi_json);
  static const auto gzipped = gzip(openapi_json);
  static const std::string tag = "\"" + to_hex(hash_of(*body)).substr(0, 16) + "\"";
  const HttpHeaders headers{{"ETag", "W/" + tag}, {"Cache-Control", "no-cache"}};
  if (client_has(request, tag)) return {.status = 304, .headers = headers};
  HttpResponse response{.status = 200, .headers = headers, .body = body, .gzipped = gzipped};
  response.headers.emplace_back("Content-Type", "application/json");
  return response;
}

}  // namespace

bool is_document(std::string_view path) {
  return std::ranges::find(paths, path) != paths.end();
}

HttpResponse document(std::string_view path, const HttpRequest& request) {
  if (path == "/api/openapi.json") return openapi(request);
  return text_response("alive\n", "text/plain; charset=utf-8");
}

HttpResponse readiness_document(bool is_ready) {
  if (is_ready) return text_response("ready\n", "text/plain; charset=utf-8");
  return response_of(
      HttpProblem(503, "unavailable", "the store doesn't answer").with_header("Retry-After", "1"));
}

HttpResponse metrics_document(std::string text) {
  return text_response(std::move(text), "text/plain; version=0.0.4; charset=utf-8");
}

HttpResponse wrong_method_for_document() {
  return response_of(
      HttpProblem(405, "method-not-allowed", "nothing but GET and HEAD is answered here")
          .with_header("Allow", "GET, HEAD"));
}

}  // namespace snl::cli
