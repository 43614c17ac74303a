#include "request_body.hpp"

#include "problem.hpp"
#include "storage/ascii.hpp"
#include "storage/exchange/blanks.hpp"
#include "storage/exchange/json_handler.hpp"
#include "storage/exchange/json_numbers.hpp"
#include "tokens.hpp"

#include <boost/json/basic_parser_impl.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace snl::cli {

namespace json = boost::json;

namespace {

/// JSON in UTF-8, the default if the field names no charset.
bool is_json(std::string_view media_type) {
  const std::string_view type = without_outer_blanks(media_type.substr(0, media_type.find(';')));
  if (!same_but_for_case(type, "application/json")) return false;
  while (media_type.contains(';')) {
    media_type.remove_prefix(media_type.find(';') + 1);
    std::string_view parameter = without_outer_blanks(media_type.substr(0, media_type.find(';')));
    constexpr std::string_view charset = "charset=";
    if (!same_but_for_case(parameter.substr(0, charset.size()), charset)) continue;
    parameter.remove_prefix(charset.size());
    if (!same_but_for_case(parameter, "utf-8") && !same_but_for_case(parameter, "\"utf-8\""))
      return false;
  }
  return true;
}

/// Finds a member that an object has twice, at any depth: a proxy and this server could disagree
/// which of the two counts.
class MembersThereTwice : public JsonHandler {
 public:
  bool on_object_begin(Error& /*error*/) {
    names_.emplace_back();
    return true;
  }
  bool on_object_end(std::size_t /*size*/, Error& /*error*/) {
    names_.pop_back();
    return true;
  }
  bool on_key_part(Text part, std::size_t /*size*/, Error& /*error*/) {
    name_ += part;
    return true;
  }
  bool on_key(Text end, std::size_t /*size*/, Error& error) {
    name_ += end;
    std::string name = std::exchange(name_, {});
    if (names_.back().insert(name).second) return true;
    found_ = std::move(name);
    error = json::error::syntax;
    return false;
  }

  const std::optional<std::string>& found() const { return found_; }

 private:
  std::vector<std::unordered_set<std::string>> names_;  // of each object that is open
  std::string name_;                                    // as much of it as there was
  std::optional<std::string> found_;
};

void require_each_member_once(std::string_view text) {
  json::error_code error;
  json::basic_parser<MembersThereTwice> parser(json::parse_options{});
  parser.write_some(false, text.data(), text.size(), error);
  if (const auto& twice = parser.handler().found())
    throw HttpProblem(400, "unreadable", "the body has a member twice").with_value(*twice);
}

json::object object_of(const HttpRequest& request) {
  if (request.body.empty()) return {};
  if (!is_json(request.header("content-type").value_or("")))
    throw HttpProblem(415, "unsupported-media-type",
                      "a body is JSON in UTF-8: send Content-Type: application/json")
        .with_header("Accept", "application/json");
  const std::string_view coding = request.header("content-encoding").value_or("identity");
  if (!same_but_for_case(without_outer_blanks(coding), "identity"))
    throw HttpProblem(415, "unsupported-media-type",
                      "a body comes as it is: send it without Content-Encoding")
        .with_header("Accept-Encoding", "identity");
  if (request.body.size() > most_body_bytes)
    throw HttpProblem(413, "too-large", "a body has at most 64 KB");
  json::error_code error;
  json::value body = json::parse(request.body, error);
  if (error) throw HttpProblem(400, "unreadable", "the body isn't JSON: " + error.message());
  if (!body.is_object()) throw HttpProblem(400, "unreadable", "the body is a JSON object");
  require_each_member_once(request.body);
  return std::move(body.as_object());
}

[[noreturn]] void refuse_type(std::string_view name, std::string_view wanted,
                              const json::value& value) {
  throw HttpProblem(400, "unreadable", fmt::format("{} is {}", name, wanted)).with_value(value);
}

void append_sorted(std::string& text, const json::value& value) {
  if (const auto* object = value.if_object()) {
    std::vector<std::string_view> names;
    for (const auto& member : *object)
      names.emplace_back(member.key());
    std::ranges::sort(names);
    text += '{';
    for (const std::string_view name : names) {
      text += json::serialize(json::string(name)) + ':';
      append_sorted(text, object->at(name));
      text += ',';
    }
    text += '}';
  } else if (const auto* list = value.if_array()) {
    text += '[';
    for (const json::value& item : *list) {
      append_sorted(text, item);
      text += ',';
    }
    text += ']';
  } else if (const auto number = whole_number(value)) {
    text += std::to_string(*number);
  } else {
    text += json::serialize(value);
  }
}

}  // namespace

RequestBody::RequestBody(const HttpRequest& request, std::initializer_list<std::string_view> known)
    : RequestBody(object_of(request), known) {}

RequestBody::RequestBody(json::object members, std::initializer_list<std::string_view> known)
    : members_(std::move(members)) {
  for (const auto& member : members_)
    if (std::ranges::find(known, std::string_view(member.key())) == known.end())
      throw HttpProblem(400, "unreadable", "this member isn't known here")
          .with_value(json::string(member.key()));
}

void RequestBody::refuse(const std::string& why) {
  throw HttpProblem(400, "unreadable", why);
}

std::optional<std::string> RequestBody::text(std::string_view name) const {
  const json::value* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) refuse_type(name, "a text", *value);
  return std::string(value->as_string());
}

std::optional<std::int64_t> RequestBody::number(std::string_view name) const {
  const json::value* value = find(name);
  if (value == nullptr) return std::nullopt;
  const auto number = whole_number(*value);
  if (!number) refuse_type(name, "a whole number", *value);
  return number;
}

std::optional<bool> RequestBody::boolean(std::string_view name) const {
  const json::value* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_bool()) refuse_type(name, "true or false", *value);
  return value->as_bool();
}

std::optional<std::vector<std::string>> RequestBody::texts(std::string_view name) const {
  const json::value* value = find(name);
  if (value == nullptr) return std::nullopt;
  std::vector<std::string> texts;
  if (!value->is_array()) refuse_type(name, "a list of texts", *value);
  for (const json::value& item : value->as_array()) {
    if (!item.is_string()) refuse_type(name, "a list of texts", *value);
    texts.emplace_back(item.as_string());
  }
  return texts;
}

std::optional<std::vector<std::int64_t>> RequestBody::numbers(std::string_view name) const {
  const json::value* value = find(name);
  if (value == nullptr) return std::nullopt;
  std::vector<std::int64_t> numbers;
  if (!value->is_array()) refuse_type(name, "a list of whole numbers", *value);
  for (const json::value& item : value->as_array()) {
    const auto number = whole_number(item);
    if (!number) refuse_type(name, "a list of whole numbers", *value);
    numbers.push_back(*number);
  }
  return numbers;
}

Hash RequestBody::fingerprint() const {
  std::string text;
  append_sorted(text, members_);
  return hash_of(text);
}

Hash require_bytes(std::string_view name, const std::string& hex) {
  if (const auto bytes = hash_from_hex(hex)) return *bytes;
  throw HttpProblem(422, "invalid-value",
                    fmt::format("{} is 32 bytes: 64 lower-case hex digits", name))
      .with_value(hex);
}

}  // namespace snl::cli
