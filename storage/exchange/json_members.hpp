// The members of one JSON object, each as text: a line of an export, read without a tree of what is
// in it, so that memory is never more than the line's own size explains.
#pragma once

#include <expected>
#include <map>
#include <string>
#include <string_view>

namespace snl {

struct JsonMember {
  bool is_string = false;
  /// What a string reads; of anything else its JSON, without blanks and unneeded escapes.
  std::string text;
};

using JsonMembers = std::map<std::string, JsonMember, std::less<>>;

/// The members of the object that the text is; an error is a sentence. A name may be there once.
std::expected<JsonMembers, std::string> read_json_members(std::string_view json);

}  // namespace snl
