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

/// The beginning of a text: a character and its bytes, or one byte that begins none.
struct Decoded {
  std::optional<char32_t> character;
  std::size_t bytes;
};

/// `text` must not be empty.
Decoded decode(std::string_view text) {
  utf8proc_int32_t character = 0;
  const auto* const bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const utf8proc_ssize_t length =
      utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size()), &character);
  if (length < 1) return {std::nullopt, 1};
  return {static_cast<char32_t>(character), static_cast<std::size_t>(length)};
}

/// Calls `visit` with every piece of `text` and its decoded character.
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

/// The columns of a character: 0, 1 or 2.
int width_of(char32_t character) {
  const utf8proc_property_t& property = property_of(character);
  // Hangul vowels and finals are drawn into the syllable before them.
  if (property.boundclass == UTF8PROC_BOUNDCLASS_V || property.boundclass == UTF8PROC_BOUNDCLASS_T)
    return 0;
  // These marks take room beside their letter, though utf8proc counts them as none.
  if (property.category == UTF8PROC_CATEGORY_MC) return 1;
  return utf8proc_charwidth(static_cast<utf8proc_int32_t>(character));
}

/// Code points that Unicode reserves for invisible characters, assigned or not.
bool is_kept_for_unseen(char32_t character) {
  return character == 0x2065 || (character >= 0xFFF0 && character <= 0xFFFB) ||
         (character >= 0xE0000 && character <= 0xE0FFF);
}

/// Code points for internal use by programs, which are never part of a text.
bool is_noncharacter(char32_t character) {
  return (character & 0xFFFEU) == 0xFFFE || (character >= 0xFDD0 && character <= 0xFDEF);
}

/// Whether a character steers the terminal, changes the order or the end of its line, or can't be
/// seen: two names that differ only by such a character would look the same.
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

constexpr char32_t zero_width_non_joiner = 0x200C;
constexpr char32_t zero_width_joiner = 0x200D;
constexpr char32_t emoji_selector = 0xFE0F;

bool is_pictograph(char32_t character) {
  return property_of(character).boundclass == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

/// Whether it is an emoji, or may follow one: a skin colour, a selector.
bool is_of_emoji(char32_t character) {
  constexpr char32_t first_skin = 0x1F3FB;
  constexpr char32_t last_skin = 0x1F3FF;
  return is_pictograph(character) || character == emoji_selector ||
         (character >= first_skin && character <= last_skin);
}

/// Whether joiners can join it or keep it apart: letters, the marks on them, emoji.
bool is_joinable(char32_t character) {
  const auto category = static_cast<int>(property_of(character).category);
  const bool letter_or_mark =
      category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_ME && !is_unsafe(character);
  return letter_or_mark || is_of_emoji(character);
}

/// Whether a character is invisible but changes its neighbours: a joiner between letters or emoji
/// (families, Persian and Indian words), a selector after an emoji.
bool changes_looks(char32_t character, std::optional<char32_t> before,
                   std::optional<char32_t> after) {
  if (!before) return false;
  if (character == emoji_selector) return is_pictograph(*before);
  const bool joiner = character == zero_width_joiner || character == zero_width_non_joiner;
  return joiner && after && is_joinable(*before) && is_joinable(*after);
}

/// A byte that begins no character is escaped by its number.
std::string printable_by(std::string_view utf8, std::string (*escape)(char32_t)) {
  std::string text;
  std::optional<char32_t> before;
  for_each_character(utf8, [&](std::string_view bytes, std::optional<char32_t> character) {
    const std::string_view rest(bytes.data() + bytes.size(), utf8.data() + utf8.size());
    const auto after = rest.empty() ? std::nullopt : decode(rest).character;
    const bool shown =
        character && (!is_unsafe(*character) || changes_looks(*character, before, after));
    if (shown)
      text += bytes;
    else
      text += escape(character ? *character : static_cast<unsigned char>(bytes[0]));
    before = shown ? character : std::nullopt;
  });
  return text;
}

/// The length of an escape of printable(), if the text begins with one.
std::size_t escape_length(std::string_view text) {
  if (text.size() < 2 || text[0] != '\\') return 0;
  const std::size_t digits = text[1] == 'x' ? 2 : text[1] == 'u' ? 4 : text[1] == 'U' ? 8 : 0;
  const std::string_view number = text.substr(2, digits);
  const bool whole = digits > 0 && number.size() == digits &&
                     number.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  return whole ? 2 + digits : 0;
}

/// The length of the first part that must not be cut. The text must not be empty.
std::size_t uncut_length(std::string_view text) {
  if (const std::size_t escape = escape_length(text); escape > 0) return escape;
  std::size_t length = 0;
  bool joined = true;  // the next character belongs to this one
  while (length < text.size()) {
    const Decoded next = decode(text.substr(length));
    const int width = next.character ? width_of(*next.character) : 1;
    if (!joined && width > 0) break;
    length += next.bytes;
    joined = next.character == zero_width_joiner;
  }
  return length;
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string valid;
  for_each_character(text, [&](std::string_view bytes, std::optional<char32_t> character) {
    valid += character ? bytes : "\uFFFD";
  });
  return valid;
}

std::string printable(std::string_view utf8) {
  return printable_by(utf8, escaped);
}

std::string printable_json(std::string_view json) {
  return printable_by(json, escaped_in_json);
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7F; });
}

int display_width(std::string_view printable) {
  if (is_ascii(printable)) return static_cast<int>(printable.size());
  int width = 0;
  for (const Character& character : characters_of(printable))
    width += character.columns;
  return width;
}

int number_width(std::int64_t number) {
  return static_cast<int>(std::to_string(number).size());
}

std::vector<Character> characters_of(std::string_view printable) {
  std::vector<Character> characters;
  std::optional<char32_t> last;
  bool joins = false;  // the last characters were an emoji and a joiner
  for_each_character(printable, [&](std::string_view bytes, std::optional<char32_t> character) {
    const int columns = character ? width_of(*character) : 1;
    const bool joined = joins && character && is_pictograph(*character);
    if (columns > 0 && !joined)
      characters.push_back({bytes, columns});
    else if (!characters.empty())  // its bytes follow those of the character before
      characters.back().text = {characters.back().text.data(),
                                characters.back().text.size() + bytes.size()};
    joins = character == zero_width_joiner && last && is_of_emoji(*last);
    last = character;
  });
  return characters;
}

std::vector<Character> uncut_parts_of(std::string_view printable) {
  std::vector<Character> parts;
  while (!printable.empty()) {
    const std::string_view part = printable.substr(0, uncut_length(printable));
    parts.push_back({part, display_width(part)});
    printable.remove_prefix(part.size());
  }
  return parts;
}

std::string shortened(std::string_view printable, int columns, std::string_view mark) {
  if (display_width(printable) <= columns) return std::string(printable);
  std::string text;
  int width = 0;
  for (const Character& part : uncut_parts_of(printable)) {
    width += part.columns;
    if (width > columns - 1) break;
    text += part.text;
  }
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
  bool begun = false;  // the line has a word already
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
  const auto add = [&](const Character& part) {
    if (used + part.columns > columns) {
      lines.emplace_back(static_cast<std::size_t>(margin), ' ');
      used = margin;
    }
    lines.back() += part.text;
    used += part.columns;
  };
  for (const Character& part : uncut_parts_of(printable)) {
    if (part.columns <= columns - margin) {
      add(part);
      continue;
    }
    for (const Character& character : characters_of(part.text))
      add(character);
  }
  return lines;
}

}  // namespace snl::cli
