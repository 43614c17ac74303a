// OpenSSL recommends fetching digests from a provider. That lookup by name costs a process that
// plays one turn more than all the rest of the turn, and each digest takes longer, with no gain:
// SHA-256 won't change.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "hash.hpp"

#include <openssl/sha.h>

#include <algorithm>

namespace snl {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

constexpr std::size_t length_bytes = 4;

/// Writes the length in four bytes, big-endian, and the bytes. There must be room. Returns the end.
char* put_field(char* at, std::string_view bytes) {
  const std::size_t size = bytes.size();
  const std::array length{static_cast<char>(size >> 24U), static_cast<char>(size >> 16U),
                          static_cast<char>(size >> 8U), static_cast<char>(size)};
  return std::ranges::copy(bytes, std::ranges::copy(length, at).out).out;
}

void append_field(std::string& message, std::string_view bytes) {
  const std::size_t before = message.size();
  message.resize(before + length_bytes + bytes.size());
  put_field(message.data() + before, bytes);
}

}  // namespace

std::string to_hex(const Hash& hash) {
  std::string text;
  text.reserve(2 * hash.size());
  for (const std::uint8_t byte : hash) {
    text += hex_digits[byte >> 4U];
    text += hex_digits[byte & 0xFU];
  }
  return text;
}

std::optional<Hash> hash_from_hex(std::string_view text) {
  Hash hash{};
  if (text.size() != 2 * hash.size()) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t digit = hex_digits.find(text[i]);
    if (digit == std::string_view::npos) return std::nullopt;
    hash[i / 2] = static_cast<std::uint8_t>(static_cast<std::size_t>(hash[i / 2]) << 4U | digit);
  }
  return hash;
}

struct Sha256::Context {
  SHA256_CTX state;
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  begin();
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

// None of these three can fail.

void Sha256::begin() {
  SHA256_Init(&context_->state);
}

void Sha256::update(std::string_view bytes) {
  SHA256_Update(&context_->state, bytes.data(), bytes.size());
}

Hash Sha256::finish() {
  Hash hash{};
  SHA256_Final(hash.data(), &context_->state);
  return hash;
}

Hash hash_of(std::string_view bytes) {
  Sha256 sha256;
  sha256.update(bytes);
  return sha256.finish();
}

Hash HashChain::next(const Hash& previous, std::string_view game, std::string_view time,
                     std::string_view command, std::string_view events) {
  const std::array fields{game, time, command, events};
  std::size_t size = previous.size();
  for (const std::string_view field : fields)
    size += length_bytes + field.size();
  if (message_.size() < size) message_.resize(size);
  char* end = std::ranges::copy(as_text(previous), message_.data()).out;
  for (const std::string_view field : fields)
    end = put_field(end, field);
  sha256_.begin();
  sha256_.update({message_.data(), size});
  return sha256_.finish();
}

void StoreHead::add(std::string_view game, const Hash& head) {
  std::string message;
  append_field(message, game);
  message += as_text(head);
  sha256_.update(message);
}

Hash StoreHead::finish() {
  return sha256_.finish();
}

}  // namespace snl
