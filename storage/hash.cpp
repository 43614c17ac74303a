#include "hash.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <new>

namespace snl {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

/// Four bytes of length, big-endian, and the bytes.
void append_field(std::string& message, std::string_view bytes) {
  const std::size_t size = bytes.size();
  const std::array length{static_cast<char>(size >> 24U), static_cast<char>(size >> 16U),
                          static_cast<char>(size >> 8U), static_cast<char>(size)};
  message.append(length.data(), length.size());
  message += bytes;
}

std::string_view as_bytes(const Hash& hash) {
  return {reinterpret_cast<const char*>(hash.data()), hash.size()};
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
  EVP_MD_CTX* context = nullptr;
  EVP_MD* algorithm = nullptr;

  Context() {
    // Without a look at OpenSSL's configuration file: it costs a millisecond and changes nothing.
    OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
    algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    context = EVP_MD_CTX_new();
    if (context == nullptr || algorithm == nullptr) throw std::bad_alloc();
  }
  ~Context() {
    EVP_MD_CTX_free(context);
    EVP_MD_free(algorithm);
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  Context(Context&&) = delete;
  Context& operator=(Context&&) = delete;
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::begin() {
  if (EVP_DigestInit_ex2(context_->context, context_->algorithm, nullptr) != 1)
    throw std::bad_alloc();
}

void Sha256::update(std::string_view bytes) {
  if (EVP_DigestUpdate(context_->context, bytes.data(), bytes.size()) != 1) throw std::bad_alloc();
}

Hash Sha256::finish() {
  Hash hash{};
  if (EVP_DigestFinal_ex(context_->context, hash.data(), nullptr) != 1) throw std::bad_alloc();
  return hash;
}

Hash HashChain::next(const Hash& previous, std::string_view game, std::string_view time,
                     std::string_view command, std::string_view events) {
  message_.assign(as_bytes(previous));
  for (const std::string_view field : {game, time, command, events})
    append_field(message_, field);
  sha256_.begin();
  sha256_.update(message_);
  return sha256_.finish();
}

void StoreHead::add(std::string_view game, const Hash& head) {
  std::string message;
  append_field(message, game);
  message += as_bytes(head);
  sha256_.update(message);
}

Hash StoreHead::finish() {
  return sha256_.finish();
}

}  // namespace snl
