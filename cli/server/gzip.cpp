#include "gzip.hpp"

#include "storage/ascii.hpp"

#include <zlib.h>

#include <algorithm>
#include <new>

namespace snl::cli {

std::shared_ptr<const std::string> gzip(std::string_view text) {
  constexpr int gzip_format = 16;  // added to the size of the window
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + gzip_format,
                   MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  auto packed = std::make_shared<std::string>(deflateBound(&stream, text.size()), '\0');
  std::string unpacked(text);  // zlib's interface takes no constant bytes
  stream.next_in = reinterpret_cast<Bytef*>(unpacked.data());
  stream.avail_in = static_cast<uInt>(unpacked.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed->data());
  stream.avail_out = static_cast<uInt>(packed->size());
  (void)deflate(&stream, Z_FINISH);  // the room is enough for any text
  packed->resize(stream.total_out);
  (void)deflateEnd(&stream);
  return packed;
}

bool accepts_gzip(std::string_view accept_encoding) {
  bool any = false;
  while (!accept_encoding.empty()) {
    std::string item = lower_case(accept_encoding.substr(0, accept_encoding.find(',')));
    accept_encoding.remove_prefix(std::min(item.size() + 1, accept_encoding.size()));
    std::erase_if(item, [](char c) { return c == ' ' || c == '\t'; });
    const std::string name = item.substr(0, item.find(';'));
    const std::size_t weight = item.find(";q=");
    const bool is_allowed =
        weight == std::string::npos || item.find_first_of("123456789", weight) != std::string::npos;
    if (name == "gzip") return is_allowed;
    if (name == "*") any = is_allowed;
  }
  return any;
}

}  // namespace snl::cli
