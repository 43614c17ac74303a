// The keys that somebody trusts (C2SP tlog-policy): logs, witnesses, and how many of the witnesses
// must have seen a checkpoint.
#pragma once

#include "checkpoint.hpp"

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] snl {
namespace transparency {

/// A log or a witness of a policy.
struct PolicyKey {
  std::string name;  // in the policy; a log's is its origin
  VerifierKey key;
  std::string url;  // empty without one
};

/// A witness that has cosigned.
struct Cosigner {
  std::string name;  // its key's
  UnixSeconds time = 0;
  friend bool operator==(const Cosigner&, const Cosigner&) = default;
};

class Policy {
 public:
  /// The error says why a text is no policy, with the line's number.
  static std::expected<Policy, std::string> parse(std::string_view text);

  const std::vector<PolicyKey>& logs() const { return logs_; }
  const std::vector<PolicyKey>& witnesses() const { return witnesses_; }
  bool needs_witnesses() const { return quorum_.has_value(); }

  struct Quorum {
    std::vector<Cosigner> cosigners;  // all of them, in the order of the policy
    std::vector<Cosigner> ahead;      // those whose times are later, which don't count
    bool reached = false;
  };
  /// The quorum of a note's cosignatures, with times up to `seconds_ahead` after `now`.
  Quorum quorum_of(const Note& note, UnixSeconds now) const;

  /// Whether the key that the policy has for a checkpoint's origin signed it.
  Signed signature_of(const SignedCheckpoint& checkpoint) const;

 private:
  /// A witness, which has no members, or a group. Members come before their group.
  struct Member {
    std::string name;
    std::size_t witness = 0;
    std::vector<std::size_t> members;
    std::size_t threshold = 1;
  };
  class Reader;

  std::vector<PolicyKey> logs_;
  std::vector<PolicyKey> witnesses_;
  std::vector<Member> members_;
  std::optional<std::size_t> quorum_;  // none: no witness is needed
};

}  // namespace transparency
}  // namespace snl
