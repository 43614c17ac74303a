#include "qr_code.hpp"

#include <qrencode.h>

#include <memory>

namespace snl::cli {

std::optional<QrCode> qr_code_of(std::string_view text) {
  const std::vector<unsigned char> bytes(text.begin(), text.end());
  const std::unique_ptr<QRcode, decltype(&QRcode_free)> made(
      QRcode_encodeData(static_cast<int>(bytes.size()), bytes.data(), 0, QR_ECLEVEL_L),
      QRcode_free);
  if (made == nullptr) return std::nullopt;
  QrCode code{.side = static_cast<std::size_t>(made->width), .dark = {}};
  for (std::size_t module = 0; module < code.side * code.side; ++module)
    code.dark.push_back((made->data[module] & 1U) != 0);
  return code;
}

}  // namespace snl::cli
