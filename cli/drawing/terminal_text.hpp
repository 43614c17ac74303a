// Text from other people, made safe for a terminal, and measured in a terminal's columns.
//
// Nothing here depends on the process's locale. Text is UTF-8; utf8proc's tables of Unicode say
// what a character is and how wide it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// Text as JSON may hold it: U+FFFD replaces each byte that isn't UTF-8.
std::string valid_utf8(std::string_view text);

/// `utf8`, in which every character that could steer a terminal, disorder its line or not be seen
/// is shown instead of sent. These are controls (C0, DEL, C1), and with them escape sequences;
/// controls of the writing direction; separators of lines and paragraphs; fillers, noncharacters
/// and other characters without a picture. They, and bytes that aren't UTF-8, become ASCII like
/// `\x1b`, `\u202e`. Joiners and non-joiners between letters or emoji stay, and so does the
/// selector after an emoji: a family, a Persian or an Indian word is another one without them.
std::string printable(std::string_view utf8);

/// A line of JSON with the same characters as JSON's escapes: it stays JSON of the same value.
std::string printable_json(std::string_view json);

/// Whether text has only ASCII's printable characters, each one column wide.
bool is_ascii(std::string_view text);

/// The columns that printable text takes. A wide East Asian character or an emoji takes two, and so
/// do emoji that joiners make one picture of. Combining and invisible characters take none. A
/// terminal that draws joined emoji one by one takes more.
int display_width(std::string_view printable);

/// The columns that a number (≥ 0) takes.
int number_width(std::int64_t number);

/// A character of a text with its combining marks, and the columns that it takes.
struct Character {
  std::string_view text;
  int columns;
};

/// Printable text, character by character. A combining mark with nothing before it is left out.
std::vector<Character> characters_of(std::string_view printable);

/// Printable text in the parts that may be cut apart: characters with their combining marks, emoji
/// that a joiner makes one picture of, and whole escapes.
std::vector<Character> uncut_parts_of(std::string_view printable);

/// At most `columns` (≥ 1) of printable text. If it was cut, `mark` (one column wide) ends it.
std::string shortened(std::string_view printable, int columns, std::string_view mark = "~");

/// Exactly `columns` (≥ 1): shortened, or filled with blanks on the right.
std::string fitted(std::string_view printable, int columns, std::string_view mark = "~");

/// Printable text, broken between words into lines of at most `columns` (≥ 1). All lines but the
/// first begin with `indent` blanks. A word that is longer than a line is shortened.
std::vector<std::string> wrapped(std::string_view printable, int columns, int indent,
                                 std::string_view mark = "~");

/// Printable text to the letter, cut into lines wherever `columns` (≥ 1) are full. All lines but
/// the first begin with `indent` blanks. Texts that differ look different.
std::vector<std::string> folded(std::string_view printable, int columns, int indent);

}  // namespace cli
}  // namespace snl
