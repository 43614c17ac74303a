#include "query.hpp"

#include "cli/drawing/terminal_text.hpp"
#include "domain/whole_number.hpp"
#include "problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace snl::cli {

Query::Query(const HttpRequest& request, std::initializer_list<std::string_view> known) {
  auto parts = query_of(request.target);
  if (!parts) throw HttpProblem(400, "unreadable", "the query can't be read");
  parts_ = *std::move(parts);
  for (const auto& [name, value] : parts_) {
    if (valid_utf8(name + value) != name + value)
      throw HttpProblem(400, "unreadable", "the query isn't UTF-8");
    if (std::ranges::find(known, name) == known.end())
      throw HttpProblem(400, "unreadable", "this path doesn't know the parameter").with_value(name);
    if (std::ranges::count(parts_, name, &HttpHeaders::value_type::first) > 1)
      throw HttpProblem(400, "unreadable", "the parameter appears twice").with_value(name);
  }
}

std::optional<std::string> Query::text(std::string_view name) const {
  const auto found = std::ranges::find(parts_, name, &HttpHeaders::value_type::first);
  return found == parts_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::int64_t> Query::number(std::string_view name) const {
  const auto value = text(name);
  if (!value) return std::nullopt;
  const auto number = whole_number(*value);
  if (!number)
    throw HttpProblem(400, "unreadable", fmt::format("{} is a whole number", name))
        .with_value(*value);
  return number;
}

}  // namespace snl::cli
