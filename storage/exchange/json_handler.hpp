// The handler that boost::json::basic_parser needs, with functions that skip everything. A reader
// derives from it and hides the functions for the values that it wants.
#pragma once

#include <boost/json/error.hpp>
#include <boost/json/string_view.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace snl {

struct JsonHandler {
  using Text = boost::json::string_view;
  using Error = boost::json::error_code;

  // So the only limit is the parser's own, on depth: 32 lists and objects.
  static constexpr std::size_t max_object_size = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t max_array_size = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t max_key_size = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t max_string_size = std::numeric_limits<std::size_t>::max();

  bool on_document_begin(Error& /*error*/) { return true; }
  bool on_document_end(Error& /*error*/) { return true; }
  bool on_array_begin(Error& /*error*/) { return true; }
  bool on_array_end(std::size_t /*size*/, Error& /*error*/) { return true; }
  bool on_object_begin(Error& /*error*/) { return true; }
  bool on_object_end(std::size_t /*size*/, Error& /*error*/) { return true; }
  bool on_int64(std::int64_t /*number*/, Text /*text*/, Error& /*error*/) { return true; }
  bool on_uint64(std::uint64_t /*number*/, Text /*text*/, Error& /*error*/) { return true; }
  bool on_double(double /*number*/, Text /*text*/, Error& /*error*/) { return true; }
  bool on_bool(bool /*value*/, Error& /*error*/) { return true; }
  bool on_null(Error& /*error*/) { return true; }

  // A string or a key comes in parts; the last part goes to the function without "part" in its
  // name.
  bool on_string_part(Text /*part*/, std::size_t /*size*/, Error& /*error*/) { return true; }
  bool on_string(Text /*end*/, std::size_t /*size*/, Error& /*error*/) { return true; }
  bool on_key_part(Text /*part*/, std::size_t /*size*/, Error& /*error*/) { return true; }
  bool on_key(Text /*end*/, std::size_t /*size*/, Error& /*error*/) { return true; }

  bool on_number_part(Text /*part*/, Error& /*error*/) { return true; }
  bool on_comment_part(Text /*part*/, Error& /*error*/) { return true; }
  bool on_comment(Text /*end*/, Error& /*error*/) { return true; }
};

}  // namespace snl
