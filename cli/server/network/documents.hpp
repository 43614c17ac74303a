// A server's documents besides games and pages: its health, its metrics, the description of its
// API.
#pragma once

#include "cli/server/http.hpp"

#include <string>
#include <string_view>

namespace snl::cli {

/// Whether a path is one of /healthz, /readyz, /metrics and /api/openapi.json.
bool is_document(std::string_view path);

/// The response to GET or HEAD of /healthz and /api/openapi.json, with respect to If-None-Match.
HttpResponse document(std::string_view path, const HttpRequest& request);

/// The responses to /readyz and to /metrics.
HttpResponse readiness_document(bool is_ready);
HttpResponse metrics_document(std::string text);

/// The response to any other method.
HttpResponse wrong_method_for_document();

}  // namespace snl::cli
