#include "keys.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <optional>
#include <system_error>
#include <utility>

namespace snl::cli {
namespace {

using Code = Key::Code;

/// A key and its number of bytes; none if its end hasn't come in yet.
using Parsed = std::optional<std::pair<Key, std::size_t>>;

constexpr bool is_parameter(char c) {
  return c >= 0x20 && c <= 0x3F;
}

/// A sequence that a terminal sends, and its key.
template <class Sent>
struct SentKey {
  Sent sent;
  Code code;
};

template <class Sent, std::size_t count>
Code code_sent(Sent sent, const std::array<SentKey<Sent>, count>& keys) {
  const auto* const found = std::ranges::find(keys, sent, &SentKey<Sent>::sent);
  return found == keys.end() ? Code::other : found->code;
}

constexpr std::array<SentKey<char>, 7> control_keys{{{'\r', Code::enter},
                                                     {'\n', Code::enter},
                                                     {'\b', Code::backspace},
                                                     {0x7F, Code::backspace},
                                                     {0x03, Code::interrupt},
                                                     {0x1A, Code::suspend},
                                                     {0x0C, Code::redraw}}};
/// CSI C; rxvt sends CSI c for the right arrow with Shift.
constexpr std::array<SentKey<char>, 8> arrow_keys{{{'A', Code::up},
                                                   {'B', Code::down},
                                                   {'C', Code::right},
                                                   {'D', Code::left},
                                                   {'c', Code::far_right},
                                                   {'d', Code::far_left},
                                                   {'H', Code::home},
                                                   {'F', Code::end}}};
/// CSI 1~ and the like (DEC VT220).
constexpr std::array<SentKey<std::string_view>, 6> numbered_keys{{{"1", Code::home},
                                                                  {"7", Code::home},
                                                                  {"4", Code::end},
                                                                  {"8", Code::end},
                                                                  {"5", Code::far_left},
                                                                  {"6", Code::far_right}}};

/// CSI 1;2C is the right arrow with Shift.
Code arrow(char last, bool shifted) {
  const Code code = code_sent(last, arrow_keys);
  if (!shifted) return code;
  if (code == Code::right) return Code::far_right;
  return code == Code::left ? Code::far_left : code;
}

/// The numbers of "<0;10;5", from CSI < 0 ; 10 ; 5 M: the button with its bits, the column and the
/// row from 1. None for any other text.
std::optional<std::array<int, 3>> mouse_numbers(std::string_view parameters) {
  if (!parameters.starts_with('<')) return std::nullopt;
  parameters.remove_prefix(1);
  std::array<int, 3> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto separator = parameters.find(';');
    const bool is_last = separator == std::string_view::npos;
    const std::string_view number = parameters.substr(0, separator);
    const char* const begin = number.data();
    const char* const end = begin + number.size();
    const auto [stop, error] = std::from_chars(begin, end, numbers[i]);
    if (error != std::errc{} || stop != end || numbers[i] < 0 ||
        is_last != (i + 1 == numbers.size()))
      return std::nullopt;
    if (!is_last) parameters.remove_prefix(separator + 1);
  }
  return numbers;
}

/// CSI < button ; column ; row, then M, or m where the button comes up (xterm, "SGR mouse mode").
Key mouse(std::string_view parameters, char last) {
  constexpr int motion = 32;
  constexpr int wheel = 64;
  constexpr int modifiers = 4 + 8 + 16;
  const auto numbers = mouse_numbers(parameters);
  if (!numbers || (*numbers)[1] < 1 || (*numbers)[2] < 1) return {};
  const bool up = last == 'm';
  const auto code = [&] {
    switch ((*numbers)[0] & ~modifiers) {
      case 0:
        return up ? Code::release : Code::press;
      case motion:
        return up ? Code::release : Code::drag;
      case wheel:
        return up ? Code::other : Code::wheel_up;
      case wheel + 1:
        return up ? Code::other : Code::wheel_down;
      default:
        return Code::other;
    }
  }();
  if (code == Code::other) return {};
  return {.code = code, .column = (*numbers)[1] - 1, .row = (*numbers)[2] - 1};
}

/// `bytes` begins with ESC.
Parsed sequence(std::string_view bytes) {
  if (bytes.size() < 2) return std::nullopt;
  if (bytes[1] == '\x1b') return std::pair(Key{.code = Code::escape}, std::size_t{1});
  if (bytes[1] != '[' && bytes[1] != 'O') return std::pair(Key{}, std::size_t{2});
  const auto* const begin = bytes.begin() + 2;
  const auto* const last = std::find_if_not(begin, bytes.end(), is_parameter);
  if (last == bytes.end()) return std::nullopt;
  const std::string_view parameters(begin, last);
  const auto length = static_cast<std::size_t>(last + 1 - bytes.begin());
  if (parameters.empty() && *last == 'M' && bytes[1] == '[') {
    // A mouse report without mode 1006: the three bytes after it are no keys.
    constexpr std::size_t bytes_of_a_mouse = 3;
    if (bytes.size() < length + bytes_of_a_mouse) return std::nullopt;
    return std::pair(Key{}, length + bytes_of_a_mouse);
  }
  if (parameters.starts_with('<') && (*last == 'M' || *last == 'm'))
    return std::pair(mouse(parameters, *last), length);
  if (*last < 0x40) return std::pair(Key{}, length - 1);  // this byte breaks the sequence off
  const Code code = *last == '~' ? code_sent(parameters, numbered_keys)
                                 : arrow(*last, parameters.ends_with(";2"));
  return std::pair(Key{.code = code}, length);
}

/// `bytes` isn't empty.
Parsed parse(std::string_view bytes) {
  const char first = bytes[0];
  if (first == '\x1b') return sequence(bytes);
  if (first >= 0x20 && first < 0x7F) return std::pair(typed(first), std::size_t{1});
  const int ones = std::countl_one(static_cast<unsigned char>(first));
  const std::size_t length = ones >= 2 && ones <= 4 ? static_cast<std::size_t>(ones) : 1;
  if (length > bytes.size()) return std::nullopt;
  return std::pair(Key{.code = code_sent(first, control_keys)}, length);
}

}  // namespace

std::vector<Key> KeyReader::read(std::string_view bytes) {
  pending_ += bytes;
  std::vector<Key> keys;
  std::string_view rest = pending_;
  while (!rest.empty()) {
    const Parsed parsed = parse(rest);
    if (!parsed) break;
    keys.push_back(parsed->first);
    rest.remove_prefix(parsed->second);
  }
  constexpr std::size_t longest = 64;
  pending_ = rest.size() <= longest ? std::string(rest) : std::string();
  return keys;
}

std::vector<Key> KeyReader::give_up() {
  const std::string begun = std::exchange(pending_, {});
  if (begun == "\x1b") return {Key{.code = Code::escape}};
  return {};
}

}  // namespace snl::cli
