// Checkpoints (C2SP tlog-checkpoint): what a log signs, a note that says how large its tree is and
// which root it has. And cosignatures (tlog-cosignature): by them a witness says when it saw one
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
  /// Passes over lines that extend it.
  static std::optional<Checkpoint> parse(std::string_view text);
  friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

/// A note that is a checkpoint. Nothing of it has been verified by being read.
struct SignedCheckpoint {
  Checkpoint checkpoint;
  Note note;

  static std::optional<SignedCheckpoint> parse(std::string_view text);
};

SignedCheckpoint signed_by(const SigningKey& log, const Checkpoint& checkpoint);

using UnixSeconds = std::int64_t;

/// The line by which a witness says that it saw a note's text at a time.
SignatureLine cosignature(const SigningKey& witness, std::string_view text, UnixSeconds time);

/// When the witness of this key saw it: of its cosignatures that verify, with a time after 0 and up
/// to `latest`, the first one's. The key's type may be `log` too: what it cosigns by is its witness
/// key.
std::optional<UnixSeconds> cosigned(const Note& note, const VerifierKey& witness,
                                    UnixSeconds latest);

/// A number as these formats write it: decimal, without leading zeros.
std::optional<std::uint64_t> parse_number(std::string_view text);

}  // namespace transparency
}  // namespace snl
