// SHA-256 hashes and the chain that binds a game's commits (storage/format.md, "Hashes").
#pragma once

#include "domain/language.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace [[gnu::visibility("default")]] snl {

using Hash = std::array<std::uint8_t, 32>;

/// 64 lower-case hex digits, and back; none for any other text.
std::string to_hex(const Hash& hash);
std::optional<Hash> hash_from_hex(std::string_view text);

/// Bytes as a text, to hash them.
inline std::string_view as_text(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Hashes one message after another with one reused digest context: begin, then update any number
/// of times, then finish. A new object has begun already. Only the constructor can throw:
/// std::bad_alloc.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void begin();
  void update(std::string_view bytes);
  Hash finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// The SHA-256 of one message.
Hash hash_of(std::string_view bytes);

/// Makes the hash of each commit of a game from the one before it.
class HashChain {
 public:
  /// The hash before a game's first commit.
  static constexpr Hash origin{};

  /// `time` is the exported text (time.hpp). `command` and `events` are the JSON exactly as stored.
  Hash next(const Hash& previous, std::string_view game, std::string_view time,
            std::string_view command, std::string_view events);

 private:
  Sha256 sha256_;
  std::string message_;  // its tail may be left over from a longer message
};

/// The head of a whole store. Add every game in the order of their IDs (as bytes), then finish.
class StoreHead {
 public:
  void add(std::string_view game, const Hash& head);
  Hash finish();

 private:
  Sha256 sha256_;
};

}  // namespace snl
