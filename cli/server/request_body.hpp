// The JSON object of a request's body, read strictly: each member is known, and of its type.
#pragma once

#include "http.hpp"
#include "storage/hash.hpp"

#include <boost/json.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snl::cli {

inline constexpr std::size_t most_body_bytes = std::size_t{64} << 10U;

/// Each call throws HttpProblem 400 for a member of another type.
class RequestBody {
 public:
  /// Throws HttpProblem: 415 for what isn't said to be JSON, 413 for too much of it, 400 for what
  /// is none, and for a member that isn't among the known ones.
  RequestBody(const HttpRequest& request, std::initializer_list<std::string_view> known);
  /// A member that is an object itself.
  RequestBody(boost::json::object members, std::initializer_list<std::string_view> known);

  bool has(std::string_view name) const { return members_.contains(name); }
  const boost::json::value* find(std::string_view name) const { return members_.if_contains(name); }
  std::optional<std::string> text(std::string_view name) const;
  std::optional<std::int64_t> number(std::string_view name) const;
  std::optional<bool> boolean(std::string_view name) const;
  std::optional<std::vector<std::string>> texts(std::string_view name) const;
  std::optional<std::vector<std::int64_t>> numbers(std::string_view name) const;

  /// One of two members, or both, are missing or there: a sentence for 400.
  [[noreturn]] static void refuse(const std::string& why);

  /// The same for the same members with the same values, in whatever order.
  Hash fingerprint() const;

 private:
  boost::json::object members_;
};

/// 32 bytes as 64 lower-case hex digits; throws HttpProblem 422 for another text.
Hash require_bytes(std::string_view name, const std::string& hex);

}  // namespace snl::cli
