#include "json_members.hpp"

#include "json_handler.hpp"
#include "storage/codec.hpp"

#include <boost/json/basic_parser_impl.hpp>
#include <fmt/format.h>

#include <utility>
#include <vector>

namespace snl {
namespace {

/// Writes a member's values as compact JSON.
class MembersHandler : public JsonHandler {
 public:
  bool on_array_begin(Error& error) { return begin('[', error); }
  bool on_array_end(std::size_t /*size*/, Error& /*error*/) { return end(']'); }
  bool on_object_begin(Error& error) {
    if (is_first_.empty()) return open();
    return begin('{', error);
  }
  bool on_object_end(std::size_t /*size*/, Error& /*error*/) { return end('}'); }

  bool on_key_part(Text part, std::size_t /*size*/, Error& /*error*/) {
    string_ += part;
    return true;
  }
  bool on_key(Text last, std::size_t /*size*/, Error& error) {
    string_ += last;
    const std::string key = std::exchange(string_, {});
    if (is_first_.size() > 1) {
      separate();
      append_json_string(member_->text, key);
      member_->text += ':';
      follows_key_ = true;
      return true;
    }
    const auto [member, is_new] = members_.try_emplace(key);
    member_ = &member->second;
    if (!is_new) return fail(fmt::format("\"{}\" appears twice", key), error);
    return true;
  }

  bool on_string_part(Text part, std::size_t /*size*/, Error& /*error*/) {
    string_ += part;
    return true;
  }
  bool on_string(Text last, std::size_t /*size*/, Error& error) {
    string_ += last;
    const std::string text = std::exchange(string_, {});
    if (is_first_.size() != 1) {
      if (!begin_value(error)) return false;
      append_json_string(member_->text, text);
      return true;
    }
    *member_ = {.is_string = true, .text = text};
    return true;
  }

  bool on_int64(std::int64_t number, Text /*text*/, Error& error) {
    return write(fmt::format_int(number).str(), error);
  }
  bool on_uint64(std::uint64_t number, Text /*text*/, Error& error) {
    return write(fmt::format_int(number).str(), error);
  }
  bool on_double(double /*number*/, Text text, Error& error) { return write(text, error); }
  bool on_bool(bool value, Error& error) { return write(value ? "true" : "false", error); }
  bool on_null(Error& error) { return write("null", error); }

  const std::string& fault() const { return fault_; }
  JsonMembers take() { return std::move(members_); }

 private:
  bool fail(std::string fault, Error& error) {
    fault_ = std::move(fault);
    error = boost::json::error::syntax;
    return false;
  }

  bool open() {
    is_first_.push_back(true);
    return true;
  }

  /// Writes the comma between two values of a list, or two members of an object.
  void separate() {
    if (std::exchange(follows_key_, false) || is_first_.size() == 1) return;
    if (!is_first_.back()) member_->text += ',';
    is_first_.back() = false;
  }

  bool begin_value(Error& error) {
    if (is_first_.empty()) return fail("this isn't a JSON object", error);
    separate();
    return true;
  }
  bool write(std::string_view text, Error& error) {
    if (!begin_value(error)) return false;
    member_->text += text;
    return true;
  }
  bool begin(char bracket, Error& error) { return write({&bracket, 1}, error) && open(); }
  bool end(char bracket) {
    is_first_.pop_back();
    if (!is_first_.empty()) member_->text += bracket;
    return true;
  }

  JsonMembers members_;
  JsonMember* member_ = nullptr;  // the member under way
  std::vector<bool> is_first_;    // for each open list and object: it is still empty
  bool follows_key_ = false;
  std::string string_;  // the part that has come so far
  std::string fault_;
};

}  // namespace

std::expected<JsonMembers, std::string> read_json_members(std::string_view json) {
  boost::json::basic_parser<MembersHandler> parser(boost::json::parse_options{});
  boost::json::error_code error;
  const std::size_t read = parser.write_some(false, json.data(), json.size(), error);
  if (!parser.handler().fault().empty()) return std::unexpected(parser.handler().fault());
  if (error || json.find_first_not_of(" \t\r\n", read) != std::string_view::npos)
    return std::unexpected("this isn't a JSON object");
  return parser.handler().take();
}

}  // namespace snl
