#include "keys.hpp"

#include "storage/hash.hpp"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <new>
#include <utility>

namespace snl::transparency {
namespace {

struct FreeKey {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using OwnedKey = std::unique_ptr<EVP_PKEY, FreeKey>;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

/// OpenSSL can fail here only for lack of memory: the sizes are right.
template <class Pointer>
Pointer require(Pointer pointer) {
  if (!pointer) throw std::bad_alloc();
  return pointer;
}

std::string hex(const KeyId& id) {
  return fmt::format("{:02x}{:02x}{:02x}{:02x}", id[0], id[1], id[2], id[3]);
}

/// Memory that is wiped when it is no longer used.
template <std::size_t size>
struct Wiped {
  std::array<unsigned char, size> bytes{};
  Wiped() = default;
  Wiped& operator=(Wiped&&) = delete;
  ~Wiped() { OPENSSL_cleanse(bytes.data(), size); }
};

constexpr std::size_t typed_bytes = 33;  // a byte for the type, and the key
constexpr std::size_t typed_characters = 44;
using TypedKey = Wiped<typed_bytes>;
using TypedText = Wiped<typed_characters + 1>;  // OpenSSL ends it with a zero

/// Adds a key with its type as base64, and leaves no other copy of it.
void append_typed(std::string& text, KeyType type, std::span<const std::uint8_t, 32> key) {
  TypedKey typed;
  typed.bytes.front() = static_cast<unsigned char>(type);
  std::ranges::copy(key, typed.bytes.begin() + 1);
  TypedText base64;
  EVP_EncodeBlock(base64.bytes.data(), typed.bytes.data(), typed_bytes);
  text.append(base64.bytes.begin(), base64.bytes.begin() + typed_characters);
}

/// "NAME+ID+BASE64", with its decoded last part.
struct KeyText {
  std::string_view name;
  std::string_view id;
  TypedKey typed;
  KeyType type() const { return static_cast<KeyType>(typed.bytes.front()); }
  std::span<const std::uint8_t, 32> key() const {
    return std::span(typed.bytes).subspan<1, typed_bytes - 1>();
  }

  bool parse(std::string_view text) {
    const std::size_t first = text.find('+');
    const std::size_t second = text.find('+', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) return false;
    name = text.substr(0, first);
    id = text.substr(first + 1, second - first - 1);
    const std::string_view base64 = text.substr(second + 1);
    if (base64.size() != typed_characters ||
        EVP_DecodeBlock(typed.bytes.data(), bytes_of(base64), typed_characters) != typed_bytes)
      return false;
    TypedText again;  // OpenSSL ignores blanks
    EVP_EncodeBlock(again.bytes.data(), typed.bytes.data(), typed_bytes);
    return std::equal(base64.begin(), base64.end(), again.bytes.begin()) && is_key_name(name) &&
           (type() == KeyType::log || type() == KeyType::witness);
  }
};

}  // namespace

std::string to_base64(std::span<const std::uint8_t> bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');  // OpenSSL ends it with a zero
  const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes.data(),
                                     static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(length));
  return text;
}

std::optional<Bytes> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  Bytes bytes(text.size() / 4 * 3);
  if (EVP_DecodeBlock(bytes.data(), bytes_of(text), static_cast<int>(text.size())) < 0)
    return std::nullopt;
  const std::size_t padding = text.size() - std::min(text.find('='), text.size());
  if (padding > 2) return std::nullopt;
  bytes.resize(bytes.size() - padding);
  // OpenSSL ignores blanks and unused bits, but only one text is the right one for these bytes.
  if (to_base64(bytes) != text) return std::nullopt;
  return bytes;
}

KeyId key_id(std::string_view name, KeyType type, const PublicKey& key) {
  const std::array<char, 2> between{'\n', static_cast<char>(type)};
  Sha256 sha256;
  sha256.update(name);
  sha256.update({between.data(), between.size()});
  sha256.update(as_text(key));
  const Hash hash = sha256.finish();
  KeyId id{};
  std::copy_n(hash.begin(), id.size(), id.begin());
  return id;
}

bool is_key_name(std::string_view name) {
  constexpr std::size_t longest = 200;
  constexpr std::string_view allowed =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_/:";
  return !name.empty() && name.size() <= longest &&
         name.find_first_not_of(allowed) == std::string_view::npos;
}

std::string VerifierKey::text() const {
  std::string text = fmt::format("{}+{}+", name, hex(id()));
  append_typed(text, type, key);
  return text;
}

std::optional<VerifierKey> VerifierKey::parse(std::string_view text) {
  KeyText parsed;
  if (!parsed.parse(text)) return std::nullopt;
  VerifierKey key{.name = std::string(parsed.name), .type = parsed.type(), .key = {}};
  std::ranges::copy(parsed.key(), key.key.begin());
  if (hex(key.id()) != parsed.id) return std::nullopt;
  return key;
}

bool is_signature(const Signature& signature, const PublicKey& key, std::string_view message) {
  const OwnedKey known(
      EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, key.data(), key.size()));
  if (!known) return false;  // no point of the curve
  const auto context = require(std::unique_ptr<EVP_MD_CTX, FreeContext>(EVP_MD_CTX_new()));
  return EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, known.get()) == 1 &&
         EVP_DigestVerify(context.get(), signature.data(), signature.size(), bytes_of(message),
                          message.size()) == 1;
}

struct SigningKey::Key {
  OwnedKey pkey;  // OpenSSL wipes it as it is freed
};

SigningKey::SigningKey(std::string name, KeyType type, std::span<const std::uint8_t, 32> seed)
    : key_(std::make_unique<Key>(Key{require(OwnedKey(
          EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, seed.data(), seed.size())))})),
      verifier_{.name = std::move(name), .type = type, .key = {}} {
  std::size_t size = verifier_.key.size();
  EVP_PKEY_get_raw_public_key(key_->pkey.get(), verifier_.key.data(), &size);
}

SigningKey::~SigningKey() = default;
SigningKey::SigningKey(SigningKey&&) noexcept = default;
SigningKey& SigningKey::operator=(SigningKey&&) noexcept = default;

Signature SigningKey::sign(std::string_view message) const {
  const auto context = require(std::unique_ptr<EVP_MD_CTX, FreeContext>(EVP_MD_CTX_new()));
  Signature signature{};
  std::size_t size = signature.size();
  if (EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_->pkey.get()) != 1 ||
      EVP_DigestSign(context.get(), signature.data(), &size, bytes_of(message), message.size()) !=
          1)
    throw std::bad_alloc();
  return signature;
}

std::string private_text(const VerifierKey& verifier, const SigningKey::Seed& seed) {
  const std::string beginning =
      fmt::format("{}{}+{}+", private_prefix, verifier.name, hex(verifier.id()));
  std::string text;
  text.reserve(beginning.size() + typed_characters + 1);  // a reallocation would leave a copy
  text += beginning;
  append_typed(text, verifier.type, seed);
  return text;
}

std::optional<SigningKey> parse_private(std::string_view text) {
  if (!text.starts_with(private_prefix)) return std::nullopt;
  KeyText parsed;
  if (!parsed.parse(text.substr(private_prefix.size()))) return std::nullopt;
  SigningKey key(std::string(parsed.name), parsed.type(), parsed.key());
  if (hex(key.verifier().id()) != parsed.id) return std::nullopt;
  return key;
}

void wipe(std::span<char> text) {
  OPENSSL_cleanse(text.data(), text.size());
}

}  // namespace snl::transparency
