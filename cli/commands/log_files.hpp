// What commands about a store's log read from files, and how they tell of it.
#pragma once

#include "storage/transparency/policy.hpp"
#include "storage/transparency/proof.hpp"

#include <string>

namespace snl::cli {

// Each throws Failure where the file can't be read, or isn't one.
transparency::Policy read_policy(const std::string& file);
std::string read_policy_text(const std::string& file);
transparency::SignedCheckpoint read_checkpoint(const std::string& file);
transparency::LogProof read_log_proof(const std::string& file);

/// Throws Failure unless a policy that was read from a file names the log of a key file.
void require_log_of(const transparency::Policy& policy, const std::string& policy_file,
                    const std::string& key_file);

/// Throws Failure unless a checkpoint is signed by the policy's key, and enough witnesses saw it.
transparency::Policy::Quorum require_policy(const transparency::SignedCheckpoint& checkpoint,
                                            const transparency::Policy& policy);

}  // namespace snl::cli
