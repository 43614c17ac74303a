// Checkpoints (C2SP tlog-checkpoint): notes that a log signs, which state the size and the root of
// its tree. And cosignatures (tlog-cosignature), by which a witness states when it saw a checkpoint
// that goes on from all that it saw before.
#pragma once

#include "merkle.hpp"
#include "note.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace [[gnu::visibility("default")]] snl {
namespace transparency {

struct Checkpoint {
  std::string origin;  // the log's name
  TreeSize size = 0;
  Hash root{};

  /// The text of a note.
  std::string text() const;
  /// Ignores lines that extend the format.
  static std::optional<Checkpoint> parse(std::string_view text);
  friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

/// A note that is a checkpoint. Parsing verifies nothing.
struct SignedCheckpoint {
  Checkpoint checkpoint;
  Note note;

  static std::optional<SignedCheckpoint> parse(std::string_view text);
};

SignedCheckpoint signed_by(const SigningKey& log, const Checkpoint& checkpoint);

using UnixSeconds = std::int64_t;

/// The line by which a witness states that it saw a note's text at a time.
SignatureLine cosignature(const SigningKey& witness, std::string_view text, UnixSeconds time);

/// How far a witness's clock may be ahead of ours.
inline constexpr UnixSeconds seconds_ahead = 300;

/// When the witness with this key saw the note: the time of the first cosignature that verifies and
/// has a time after 0 and up to `latest`. A key of type `log` is taken as a witness key.
std::optional<UnixSeconds> cosigned(const Note& note, const VerifierKey& witness,
                                    UnixSeconds latest);

/// Reads a number as these formats write it: decimal, without leading zeros.
std::optional<std::uint64_t> parse_number(std::string_view text);

}  // namespace transparency
}  // namespace snl
