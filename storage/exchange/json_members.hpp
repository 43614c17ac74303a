// The members of one JSON object, each as text. A line of an export is read this way, without a
// tree of its values, so that memory stays in proportion to the line.
#pragma once

#include <expected>
#include <map>
#include <string>
#include <string_view>

namespace snl {

struct JsonMember {
  bool is_string = false;
  /// The contents of a string; for any other value its JSON, without blanks and unneeded escapes.
  std::string text;
};

using JsonMembers = std::map<std::string, JsonMember, std::less<>>;

/// The members of the object in a text. The error is a sentence. A name may appear once.
std::expected<JsonMembers, std::string> read_json_members(std::string_view json);

}  // namespace snl
