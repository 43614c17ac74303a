// Texts made smaller: for documents that never change and go to many clients.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace snl::cli {

/// The text as Content-Encoding: gzip has it. Always the same for the same text. Takes a
/// millisecond for 50 KB, so callers keep the result.
std::shared_ptr<const std::string> gzip(std::string_view text);

/// Whether an Accept-Encoding (RFC 9110, 12.5.3) allows it.
bool accepts_gzip(std::string_view accept_encoding);

}  // namespace snl::cli
