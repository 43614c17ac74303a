// Signed notes (C2SP signed-note): a text, and who signed it.
#pragma once

#include "keys.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] snl {
namespace transparency {

/// A line after a note's text: "— NAME BASE64", which encodes the key's ID and the signature.
struct SignatureLine {
  std::string name;
  KeyId id{};
  Bytes signature;

  bool is_of(const VerifierKey& key) const { return name == key.name && id == key.id(); }
  /// With a line feed.
  std::string text() const;
  /// Reads a line without its line feed.
  static std::optional<SignatureLine> parse(std::string_view line);
};

/// A note. Parsing verifies nothing.
struct Note {
  std::string text;  // ends with a line feed
  std::vector<SignatureLine> signatures;

  std::string to_string() const;
  /// None for a text that is no note: without a signature or with more than 128, with control
  /// characters, not UTF-8, or too long (1 MB).
  static std::optional<Note> parse(std::string_view text);
};

/// Whether a text is UTF-8, as notes and policies have to be.
bool is_utf8(std::string_view text);

SignatureLine signed_by(const SigningKey& key, std::string_view text);

/// A key's relation to a note: it hasn't signed it; its signature verifies; or its signature
/// doesn't.
enum class Signed : std::uint8_t { no, yes, wrong };
/// For a key of type `log`, which signs the text.
Signed signed_by(const Note& note, const VerifierKey& key);

}  // namespace transparency
}  // namespace snl
