#include "http.hpp"

#include "storage/ascii.hpp"
#include "storage/exchange/blanks.hpp"

#include <algorithm>
#include <charconv>

namespace snl::cli {
namespace {

/// The decoded part of a query; none if a % isn't followed by two hex digits.
std::optional<std::string> decoded(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '+') {
      plain += ' ';
    } else if (text[at] != '%') {
      plain += text[at];
    } else {
      const auto byte = escaped_byte(text.substr(at));
      if (!byte) return std::nullopt;
      plain += *byte;
      at += 2;
    }
  }
  return plain;
}

}  // namespace

std::optional<std::string_view> HttpRequest::header(std::string_view name) const {
  const auto found = std::ranges::find(headers, name, &HttpHeaders::value_type::first);
  return found == headers.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

std::optional<std::string_view> HttpResponse::header(std::string_view name) const {
  const auto found = std::ranges::find_if(
      headers, [&](const auto& header) { return same_but_for_case(header.first, name); });
  return found == headers.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

bool is_write(const HttpRequest& request) {
  return request.method == "POST" || request.method == "DELETE" || request.method == "PUT";
}

bool names_tag(std::string_view list, const std::function<bool(std::string_view tag)>& is_it) {
  while (!list.empty()) {
    std::string_view one = list.substr(0, list.find(','));
    list.remove_prefix(std::min(one.size() + 1, list.size()));
    one = without_outer_blanks(one);
    if (one.starts_with("W/")) one.remove_prefix(2);
    if (one == "*" || is_it(one)) return true;
  }
  return false;
}

bool client_has(const HttpRequest& request, std::string_view tag) {
  const auto known = request.header("if-none-match");
  return known && names_tag(*known, [tag](std::string_view one) { return one == tag; });
}

std::string_view path_of(std::string_view target) {
  return target.substr(0, target.find_first_of("?#"));
}

std::optional<char> escaped_byte(std::string_view text) {
  if (text.size() < 3 || text.front() != '%') return std::nullopt;
  const char* const end = text.data() + 3;
  unsigned char byte = 0;
  if (std::from_chars(text.data() + 1, end, byte, 16).ptr != end) return std::nullopt;
  return static_cast<char>(byte);
}

std::optional<HttpHeaders> query_of(std::string_view target) {
  HttpHeaders parts;
  const std::size_t mark = target.find('?');
  std::string_view left = mark == std::string_view::npos ? "" : target.substr(mark + 1);
  left = left.substr(0, left.find('#'));
  while (!left.empty()) {
    const std::string_view part = left.substr(0, left.find('&'));
    left.remove_prefix(std::min(part.size() + 1, left.size()));
    if (part.empty()) continue;
    const std::size_t equals = std::min(part.find('='), part.size());
    auto name = decoded(part.substr(0, equals));
    auto value = decoded(part.substr(std::min(equals + 1, part.size())));
    if (!name || !value) return std::nullopt;
    parts.emplace_back(*std::move(name), *std::move(value));
  }
  return parts;
}

}  // namespace snl::cli
