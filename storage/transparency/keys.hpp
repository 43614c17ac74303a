// Ed25519 keys with names, in the form of C2SP's signed-note. OpenSSL does the work.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] snl {
namespace transparency {

using PublicKey = std::array<std::uint8_t, 32>;
using Signature = std::array<std::uint8_t, 64>;
using KeyId = std::array<std::uint8_t, 4>;
using Bytes = std::vector<std::uint8_t>;

/// A key's type says what it signs. The number is the byte that precedes the key where it is
/// written.
enum class KeyType : std::uint8_t {
  log = 1,      // a note's text
  witness = 4,  // a checkpoint, with the time at which it was seen (tlog-cosignature)
};

/// Base64 by RFC 4648, section 4. Reading accepts only the form that writing makes.
std::string to_base64(std::span<const std::uint8_t> bytes);
std::optional<Bytes> from_base64(std::string_view text);
/// The same for a fixed number of bytes.
template <std::size_t size>
std::optional<std::array<std::uint8_t, size>> array_from_base64(std::string_view text);

/// The first bytes of SHA-256(name ‖ 0x0A ‖ type ‖ key).
KeyId key_id(std::string_view name, KeyType type, const PublicKey& key);

/// 1 to 200 of A-Z a-z 0-9 . - _ / :
bool is_key_name(std::string_view name);

/// The public key that verifies a name's signatures, "NAME+ID+BASE64": a vkey.
struct VerifierKey {
  std::string name;
  KeyType type = KeyType::log;
  PublicKey key{};

  KeyId id() const { return key_id(name, type, key); }
  std::string text() const;
  /// None for another text or type, or if the ID doesn't belong to the name and key.
  static std::optional<VerifierKey> parse(std::string_view text);
  friend bool operator==(const VerifierKey&, const VerifierKey&) = default;
};

bool is_signature(const Signature& signature, const PublicKey& key, std::string_view message);

/// The beginning of a private key, which no message may repeat.
inline constexpr std::string_view private_prefix = "PRIVATE+KEY+";

/// A key that signs, "PRIVATE+KEY+NAME+ID+BASE64". Its secret bytes are wiped when it is destroyed.
class SigningKey {
 public:
  using Seed = std::array<std::uint8_t, 32>;

  SigningKey(std::string name, KeyType type, std::span<const std::uint8_t, 32> seed);
  ~SigningKey();
  SigningKey(SigningKey&&) noexcept;
  SigningKey& operator=(SigningKey&&) noexcept;
  SigningKey(const SigningKey&) = delete;
  SigningKey& operator=(const SigningKey&) = delete;

  const VerifierKey& verifier() const { return verifier_; }
  Signature sign(std::string_view message) const;

 private:
  struct Key;
  std::unique_ptr<Key> key_;
  VerifierKey verifier_;
};

/// The text of a private key, without a line feed. Adding one leaves no copy in memory. The caller
/// must wipe the text.
std::string private_text(const VerifierKey& verifier, const SigningKey::Seed& seed);
/// None for a text that private_text() doesn't write.
std::optional<SigningKey> parse_private(std::string_view text);
/// Overwrites text that must not stay in memory.
void wipe(std::span<char> text);

// ---- What the header's templates need

template <std::size_t size>
std::optional<std::array<std::uint8_t, size>> array_from_base64(std::string_view text) {
  const auto bytes = from_base64(text);
  if (!bytes || bytes->size() != size) return std::nullopt;
  std::array<std::uint8_t, size> array{};
  for (std::size_t i = 0; i < size; ++i)
    array[i] = (*bytes)[i];
  return array;
}

}  // namespace transparency
}  // namespace snl
