// Ed25519 keys with names, as C2SP's signed-note writes them, by OpenSSL.
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

/// What a key signs: the byte that stands before it where it is written.
enum class KeyType : std::uint8_t {
  log = 1,      // a note's text
  witness = 4,  // a checkpoint and when it was seen (tlog-cosignature)
};

/// RFC 4648, section 4. Reading takes the one form that writing has.
std::string to_base64(std::span<const std::uint8_t> bytes);
std::optional<Bytes> from_base64(std::string_view text);
/// The same of so many bytes.
template <std::size_t size>
std::optional<std::array<std::uint8_t, size>> array_from_base64(std::string_view text);

/// The first bytes of SHA-256(name ‖ 0x0A ‖ type ‖ key).
KeyId key_id(std::string_view name, KeyType type, const PublicKey& key);

/// 1 to 200 of A-Z a-z 0-9 . - _ / :
bool is_key_name(std::string_view name);

/// What signatures of a name are verified by, "NAME+ID+BASE64": a vkey.
struct VerifierKey {
  std::string name;
  KeyType type = KeyType::log;
  PublicKey key{};

  KeyId id() const { return key_id(name, type, key); }
  std::string text() const;
  /// None for another text, another type, or an ID that isn't that of name and key.
  static std::optional<VerifierKey> parse(std::string_view text);
  friend bool operator==(const VerifierKey&, const VerifierKey&) = default;
};

bool is_signature(const Signature& signature, const PublicKey& key, std::string_view message);

/// A key that signs, "PRIVATE+KEY+NAME+ID+BASE64". What it is made of is wiped once it is gone.
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

/// Without the line feed, for which there is room. To be wiped by its holder.
std::string private_text(const VerifierKey& verifier, const SigningKey::Seed& seed);
/// None for what private_text() doesn't write.
std::optional<SigningKey> parse_private(std::string_view text);
/// Overwrites what must not be left in memory.
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
