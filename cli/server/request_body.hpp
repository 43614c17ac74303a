// The JSON object of a request's body, read strictly: each member is known and has its type.
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
  /// Throws HttpProblem: 415 for a body that isn't declared as JSON, 413 for one that is too long.
  /// 400 is for one that is no JSON object, and for an unknown member.
  RequestBody(const HttpRequest& request, std::initializer_list<std::string_view> known);
  /// A member that is an object itself.
  RequestBody(boost::json::object members, std::initializer_list<std::string_view> known);

  const boost::json::value* find(std::string_view name) const { return members_.if_contains(name); }
  std::optional<std::string> text(std::string_view name) const;
  std::optional<std::int64_t> number(std::string_view name) const;
  std::optional<bool> boolean(std::string_view name) const;
  std::optional<std::vector<std::string>> texts(std::string_view name) const;
  std::optional<std::vector<std::int64_t>> numbers(std::string_view name) const;

  /// Throws HttpProblem 400 with this sentence: members are missing, or exclude each other.
  [[noreturn]] static void refuse(const std::string& why);

  /// The same for the same members with the same values, in any order.
  Hash fingerprint() const;

 private:
  boost::json::object members_;
};

/// 32 bytes as 64 lower-case hex digits; throws HttpProblem 422 for another text.
Hash require_bytes(std::string_view name, const std::string& hex);

}  // namespace snl::cli
