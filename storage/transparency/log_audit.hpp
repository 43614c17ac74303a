// Holding a store against what was signed of it.
#pragma once

#include "log_store.hpp"
#include "policy.hpp"
#include "storage/problem.hpp"

#include <optional>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] snl {
namespace transparency {

/// What an auditor knows from elsewhere.
struct LogExpectations {
  std::vector<SignedCheckpoint> kept;  // checkpoints
  std::optional<Policy> policy;        // whom he trusts
  UnixSeconds now = 0;                 // cosignatures of a later time don't count
};

/// What a store's log says, and whether that is so: of what was signed last, or where the policy
/// asks for witnesses, of what was published last.
struct LogAudit {
  std::string origin;
  TreeSize size = 0;  // that was signed
  Hash root{};
  TreeSize later = 0;  // commits that came after
  bool held = false;   // the store's first commits are those that were signed
  // None without a policy:
  std::optional<bool> signature;  // it is by the policy's key
  std::optional<bool> quorum;
  std::vector<Cosigner> witnesses;
};

/// Reads every commit's hash. Adds what is wrong to `problems`: of kind "log", and "tree" of a node
/// that isn't what the commits make. None of a store without a checkpoint, where none was kept
/// either.
std::optional<LogAudit> audit_log(LogReader& store, const LogExpectations& expected,
                                  std::vector<Problem>& problems);

/// "cosigned by NAME, NAME", or by nobody.
std::string cosigners_of(const Policy::Quorum& quorum);

}  // namespace transparency
}  // namespace snl
