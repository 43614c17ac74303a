#include "terminal_text.hpp"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace snl::cli {
namespace {

/// What text begins with: a character and its bytes, or one byte that begins none.
struct Decoded {
  std::optional<char32_t> character;
  std::size_t bytes;
};

/// `text` isn't empty.
Decoded decode(std::string_view text) {
  utf8proc_int32_t character = 0;
  const auto* const bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const utf8proc_ssize_t length =
      utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size()), &character);
  if (length < 1) return {std::nullopt, 1};
  return {static_cast<char32_t>(character), static_cast<std::size_t>(length)};
}

/// Calls `visit` with every piece of `text` and what it decodes to.
void for_each_character(std::string_view text, const auto& visit) {
  while (!text.empty()) {
    const Decoded decoded = decode(text);
    visit(text.substr(0, decoded.bytes), decoded.character);
    text.remove_prefix(decoded.bytes);
  }
}

const utf8proc_property_t& property_of(char32_t character) {
  return *utf8proc_get_property(static_cast<utf8proc_int32_t>(character));
}

/// 0, 1 or 2 columns.
int width_of(char32_t character) {
  const utf8proc_property_t& property = property_of(character);
  // Hangul vowels and finals are drawn into the syllable before them.
  if (property.boundclass == UTF8PROC_BOUNDCLASS_V || property.boundclass == UTF8PROC_BOUNDCLASS_T)
    return 0;
  // Marks that take room beside their letter, which utf8proc counts as none.
  if (property.category == UTF8PROC_CATEGORY_MC) return 1;
  return utf8proc_charwidth(static_cast<utf8proc_int32_t>(character));
}

/// What Unicode keeps for characters that aren't shown, with or without one there by now.
bool is_kept_for_unseen(char32_t character) {
  return character == 0x2065 || (character >= 0xFFF0 && character <= 0xFFFB) ||
         (character >= 0xE0000 && character <= 0xE0FFF);
}

/// For internal use by programs: never a character of a text.
bool is_noncharacter(char32_t character) {
  return (character & 0xFFFEU) == 0xFFFE || (character >= 0xFDD0 && character <= 0xFDEF);
}

/// Steers the terminal, or the order or the end of the line that it stands in, or can't be seen:
/// two names that differ by it alone would look the same.
bool is_unsafe(char32_t character) {
  const utf8proc_property_t& property = property_of(character);
  switch (property.category) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
      return true;
    default:
      return property.ignorable != 0 || is_kept_for_unseen(character) || is_noncharacter(character);
  }
}

std::string escaped(char32_t character) {
  const auto code = static_cast<std::uint32_t>(character);
  if (code < 0x100) return fmt::format("\\x{:02x}", code);
  return code < 0x10000 ? fmt::format("\\u{:04x}", code) : fmt::format("\\U{:08x}", code);
}

std::string escaped_in_json(char32_t character) {
  const auto code = static_cast<std::uint32_t>(character);
  if (code < 0x10000) return fmt::format("\\u{:04x}", code);
  const std::uint32_t rest = code - 0x10000;
  return fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10U), 0xDC00 + (rest & 0x3FFU));
}

/// A byte that begins no character is escaped as one of its number.
std::string printable_by(std::string_view utf8, std::string (*escape)(char32_t)) {
  std::string text;
  for_each_character(utf8, [&](std::string_view bytes, std::optional<char32_t> character) {
    if (!character)
      text += escape(static_cast<unsigned char>(bytes[0]));
    else if (is_unsafe(*character))
      text += escape(*character);
    else
      text += bytes;
  });
  return text;
}

}  // namespace

std::string printable(std::string_view utf8) {
  return printable_by(utf8, escaped);
}

std::string printable_json(std::string_view json) {
  return printable_by(json, escaped_in_json);
}

int display_width(std::string_view printable) {
  int width = 0;
  for_each_character(printable, [&](std::string_view, std::optional<char32_t> character) {
    width += character ? width_of(*character) : 1;
  });
  return width;
}

int number_width(std::int64_t number) {
  return static_cast<int>(std::to_string(number).size());
}

std::vector<Character> characters_of(std::string_view printable) {
  std::vector<Character> characters;
  for_each_character(printable, [&](std::string_view bytes, std::optional<char32_t> character) {
    const int columns = character ? width_of(*character) : 1;
    if (columns > 0)
      characters.push_back({bytes, columns});
    else if (!characters.empty())  // bytes follow those of the character before
      characters.back().text = {characters.back().text.data(),
                                characters.back().text.size() + bytes.size()};
  });
  return characters;
}

std::string shortened(std::string_view printable, int columns, std::string_view mark) {
  if (display_width(printable) <= columns) return std::string(printable);
  std::string text;
  int width = 0;
  bool full = false;
  for_each_character(printable, [&](std::string_view bytes, std::optional<char32_t> character) {
    width += character ? width_of(*character) : 1;
    full = full || width > columns - 1;
    if (!full) text += bytes;
  });
  return text.append(mark);
}

std::string fitted(std::string_view printable, int columns, std::string_view mark) {
  std::string text = shortened(printable, columns, mark);
  return text.append(static_cast<std::size_t>(columns - display_width(text)), ' ');
}

std::vector<std::string> wrapped(std::string_view printable, int columns, int indent,
                                 std::string_view mark) {
  const std::string margin(static_cast<std::size_t>(std::clamp(indent, 0, columns - 1)), ' ');
  std::vector<std::string> lines;
  std::string line;
  bool begun = false;  // a word stands on the line
  while (!printable.empty()) {
    const std::string_view word = printable.substr(0, printable.find(' '));
    printable.remove_prefix(std::min(word.size() + 1, printable.size()));
    if (begun && display_width(line) + 1 + display_width(word) > columns) {
      lines.push_back(std::exchange(line, margin));
      begun = false;
    }
    line += begun ? " " : "";
    line += shortened(word, columns - display_width(line), mark);
    begun = true;
  }
  lines.push_back(line);
  return lines;
}

std::vector<std::string> folded(std::string_view printable, int columns, int indent) {
  const int margin = std::clamp(indent, 0, columns - 1);
  std::vector<std::string> lines(1);
  int used = 0;
  for (const Character& character : characters_of(printable)) {
    if (used + character.columns > columns) {
      lines.emplace_back(static_cast<std::size_t>(margin), ' ');
      used = margin;
    }
    lines.back() += character.text;
    used += character.columns;
  }
  return lines;
}

}  // namespace snl::cli
