// The files that commands about a store's log read, and the errors about them.
#pragma once

#include "cli/session/failure.hpp"
#include "storage/commit.hpp"
#include "storage/transparency/log_store.hpp"
#include "storage/transparency/policy.hpp"
#include "storage/transparency/proof.hpp"

#include <string>

namespace snl::cli {

// Each throws Failure if the file can't be read, or holds something else.
transparency::Policy read_policy(const std::string& file);
std::string read_policy_text(const std::string& file);
transparency::SignedCheckpoint read_checkpoint(const std::string& file);
transparency::LogProof read_log_proof(const std::string& file);

/// No published checkpoint covers the log's first `size` commits. `what` names what they hold.
Failure not_published_yet(transparency::LogReader& log, const std::string& what,
                          transparency::TreeSize size);
/// No published checkpoint covers the commit.
Failure not_published_yet(transparency::LogReader& log, const Commit& commit);

/// Throws Failure unless a policy from a file names the log of a key file.
void require_log_of(const transparency::Policy& policy, const std::string& policy_file,
                    const std::string& key_file);

/// Throws Failure unless the policy's key signed the checkpoint and its quorum is reached.
transparency::Policy::Quorum require_policy(const transparency::SignedCheckpoint& checkpoint,
                                            const transparency::Policy& policy);

}  // namespace snl::cli
