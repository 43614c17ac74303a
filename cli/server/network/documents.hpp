// What a server answers besides games and pages: whether it is alive, what it counts, what its
// interface is.
#pragma once

#include "cli/server/http.hpp"

#include <string>
#include <string_view>

namespace snl::cli {

/// Whether a path is one of /healthz, /readyz, /metrics and /api/openapi.json.
bool is_document(std::string_view path);

/// To /healthz and /api/openapi.json: to GET, HEAD, or with If-None-Match what it says.
HttpResponse document(std::string_view path, const HttpRequest& request);

/// To /readyz, and to /metrics.
HttpResponse readiness_document(bool is_ready);
HttpResponse metrics_document(std::string text);

/// To any other method.
HttpResponse wrong_method_for_document();

}  // namespace snl::cli
