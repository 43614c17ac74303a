// The query of a request, as a path takes it.
#pragma once

#include "http.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace snl::cli {

/// A query's parts: each is known, and there is one of each. Throws HttpProblem 400.
class Query {
 public:
  Query(const HttpRequest& request, std::initializer_list<std::string_view> known);

  std::optional<std::string> text(std::string_view name) const;
  std::optional<std::int64_t> number(std::string_view name) const;

 private:
  HttpHeaders parts_;
};

}  // namespace snl::cli
