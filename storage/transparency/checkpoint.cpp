#include "checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace snl::transparency {
namespace {

/// Removes the next line from `text` and returns it; none at the end.
std::optional<std::string_view> take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

std::string cosigned_message(std::string_view text, UnixSeconds time) {
  return fmt::format("cosignature/v1\ntime {}\n{}", time, text);
}

constexpr std::size_t time_bytes = 8;

Bytes big_endian(UnixSeconds time) {
  Bytes bytes(time_bytes);
  for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte, time /= 256)
    *byte = static_cast<std::uint8_t>(time % 256);
  return bytes;
}

/// Zero, which stands for none, if the time is too large.
UnixSeconds from_big_endian(std::span<const std::uint8_t, time_bytes> bytes) {
  if (bytes.front() > 0x7F) return 0;
  UnixSeconds time = 0;
  for (const std::uint8_t byte : bytes)
    time = time * 256 + byte;
  return time;
}

}  // namespace

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const char* const begin = text.data();
  const auto [stop, error] = std::from_chars(begin, begin + text.size(), number);
  if (error != std::errc() || stop != begin + text.size() || fmt::to_string(number) != text)
    return std::nullopt;
  return number;
}

std::string Checkpoint::text() const {
  return fmt::format("{}\n{}\n{}\n", origin, size, to_base64(root));
}

std::optional<Checkpoint> Checkpoint::parse(std::string_view text) {
  const auto origin = take_line(text);
  const auto number = take_line(text);
  const auto base64 = take_line(text);
  if (!origin || origin->empty() || !number || !base64) return std::nullopt;
  const auto size = parse_number(*number);
  const auto root = array_from_base64<32>(*base64);
  if (!size || !root) return std::nullopt;
  while (!text.empty()) {
    const auto extension = take_line(text);
    if (!extension || extension->empty()) return std::nullopt;
  }
  return Checkpoint{.origin = std::string(*origin), .size = *size, .root = *root};
}

std::optional<SignedCheckpoint> SignedCheckpoint::parse(std::string_view text) {
  auto note = Note::parse(text);
  if (!note) return std::nullopt;
  auto checkpoint = Checkpoint::parse(note->text);
  if (!checkpoint) return std::nullopt;
  return SignedCheckpoint{.checkpoint = *std::move(checkpoint), .note = *std::move(note)};
}

SignedCheckpoint signed_by(const SigningKey& log, const Checkpoint& checkpoint) {
  const std::string text = checkpoint.text();
  return {.checkpoint = checkpoint, .note = {.text = text, .signatures = {signed_by(log, text)}}};
}

SignatureLine cosignature(const SigningKey& witness, std::string_view text, UnixSeconds time) {
  SignatureLine line{.name = witness.verifier().name,
                     .id = witness.verifier().id(),
                     .signature = big_endian(time)};
  const Signature signature = witness.sign(cosigned_message(text, time));
  line.signature.insert(line.signature.end(), signature.begin(), signature.end());
  return line;
}

std::optional<UnixSeconds> cosigned(const Note& note, const VerifierKey& witness,
                                    UnixSeconds latest) {
  VerifierKey key = witness;
  key.type = KeyType::witness;
  for (const SignatureLine& line : note.signatures) {
    Signature signature{};
    if (!line.is_of(key) || line.signature.size() != time_bytes + signature.size()) continue;
    const std::span<const std::uint8_t> bytes(line.signature);
    const UnixSeconds time = from_big_endian(bytes.first<time_bytes>());
    std::ranges::copy(bytes.subspan(time_bytes), signature.begin());
    if (time > 0 && time <= latest &&
        is_signature(signature, key.key, cosigned_message(note.text, time)))
      return time;
  }
  return std::nullopt;
}

}  // namespace snl::transparency
