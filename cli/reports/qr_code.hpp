// A text as a QR code, which a phone reads.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace snl::cli {

struct QrCode {
  std::size_t side = 0;    // in modules, without the light ones that must surround it
  std::vector<bool> dark;  // by module, row by row
  bool is_dark(std::size_t row, std::size_t column) const { return dark[row * side + column]; }
};

/// The number of light modules that a code needs on each side.
inline constexpr std::size_t quiet_modules = 4;

/// None if the text is too long: a code holds at most 2,953 bytes.
std::optional<QrCode> qr_code_of(std::string_view text);

}  // namespace snl::cli
