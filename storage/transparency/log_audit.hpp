// Comparing a store with the checkpoints that were signed of it.
#pragma once

#include "log_store.hpp"
#include "policy.hpp"
#include "storage/problem.hpp"

#include <optional>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] snl {
namespace transparency {

/// An auditor's knowledge from elsewhere.
struct LogExpectations {
  std::vector<SignedCheckpoint> kept;  // checkpoints
  std::optional<Policy> policy;        // the keys that the auditor trusts
  UnixSeconds now = 0;                 // cosignatures with a later time don't count
};

/// The claims of a store's log, and whether they hold. They are those of the checkpoint that was
/// signed last; or, if the policy asks for witnesses, of the one that was published last.
struct LogAudit {
  std::string origin;
  TreeSize size = 0;  // the signed one
  Hash root{};
  TreeSize later = 0;  // commits that came after
  bool held = false;   // the store's first commits are the signed ones
  // None without a policy:
  std::optional<bool> signature;  // the policy's key made it
  std::optional<bool> quorum;
  std::vector<Cosigner> witnesses;
};

/// Reads every commit's hash. Adds faults to `problems`: of kind "tree" for a node that the commits
/// don't make, of kind "log" for all others, also damage. Returns none if no checkpoint is stored
/// or kept, or if damage keeps the log from being read. Throws StoreError for other failures.
std::optional<LogAudit> audit_log(LogReader& store, const LogExpectations& expected,
                                  std::vector<Problem>& problems);

/// "cosigned by NAME, NAME", or by nobody.
std::string cosigners_of(const Policy::Quorum& quorum);

}  // namespace transparency
}  // namespace snl
