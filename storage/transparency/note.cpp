#include "note.hpp"

#include <openssl/asn1.h>

#include <algorithm>

namespace snl::transparency {
namespace {

constexpr std::string_view dash = "\u2014 ";
constexpr std::size_t most_bytes = 1'000'000;
constexpr std::size_t most_signatures = 128;

bool is_line_of_text(char c) {
  return static_cast<unsigned char>(c) >= 0x20 || c == '\n';
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    unsigned long character = 0;
    const int bytes = UTF8_getc(reinterpret_cast<const unsigned char*>(text.data()),
                                static_cast<int>(text.size()), &character);
    if (bytes <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(bytes));
  }
  return true;
}

std::string SignatureLine::text() const {
  Bytes bytes(id.begin(), id.end());
  bytes.insert(bytes.end(), signature.begin(), signature.end());
  return std::string(dash) + name + ' ' + to_base64(bytes) + '\n';
}

std::optional<SignatureLine> SignatureLine::parse(std::string_view line) {
  if (!line.starts_with(dash)) return std::nullopt;
  line.remove_prefix(dash.size());
  const std::size_t space = line.find(' ');
  if (space == 0 || space == std::string_view::npos) return std::nullopt;
  const auto bytes = from_base64(line.substr(space + 1));
  SignatureLine parsed{.name = std::string(line.substr(0, space)), .id = {}, .signature = {}};
  if (!bytes || bytes->size() <= parsed.id.size() || parsed.name.contains('+')) return std::nullopt;
  const auto signature = bytes->begin() + static_cast<std::ptrdiff_t>(parsed.id.size());
  std::copy(bytes->begin(), signature, parsed.id.begin());
  parsed.signature.assign(signature, bytes->end());
  return parsed;
}

std::string Note::to_string() const {
  std::string whole = text + '\n';
  for (const SignatureLine& line : signatures)
    whole += line.text();
  return whole;
}

std::optional<Note> Note::parse(std::string_view text) {
  const std::size_t blank = text.rfind("\n\n");
  if (text.size() > most_bytes || blank == std::string_view::npos || !text.ends_with('\n') ||
      !std::ranges::all_of(text, is_line_of_text) || !is_utf8(text))
    return std::nullopt;
  Note note{.text = std::string(text.substr(0, blank + 1)), .signatures = {}};
  for (std::string_view rest = text.substr(blank + 2); !rest.empty();) {
    const std::size_t end = rest.find('\n');
    auto line = SignatureLine::parse(rest.substr(0, end));
    if (!line || note.signatures.size() == most_signatures) return std::nullopt;
    note.signatures.push_back(*std::move(line));
    rest.remove_prefix(end + 1);
  }
  if (note.signatures.empty()) return std::nullopt;
  return note;
}

SignatureLine signed_by(const SigningKey& key, std::string_view text) {
  const Signature signature = key.sign(text);
  return {.name = key.verifier().name,
          .id = key.verifier().id(),
          .signature = Bytes(signature.begin(), signature.end())};
}

Signed signed_by(const Note& note, const VerifierKey& key) {
  Signed found = Signed::no;
  for (const SignatureLine& line : note.signatures) {
    if (!line.is_of(key)) continue;
    Signature signature{};
    if (line.signature.size() != signature.size()) return Signed::wrong;
    std::ranges::copy(line.signature, signature.begin());
    if (!is_signature(signature, key.key, note.text)) return Signed::wrong;
    found = Signed::yes;
  }
  return found;
}

}  // namespace snl::transparency
