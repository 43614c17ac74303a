// The proof that a page carries: that its game is in the log of the store that it came from.
#pragma once

#include "cli/page/game_page.hpp"
#include "storage/store_admin.hpp"
#include "storage/transparency/policy.hpp"

#include <optional>

namespace snl::cli {

/// The proof of a commit under the store's published checkpoint; none if that doesn't cover it, or
/// if nothing is published. Its witnesses are those of the policy that cosigned. Throws StoreError
/// and Contradiction.
std::optional<ProofInLog> proof_in_log(StoreAdmin& store, const Commit& commit,
                                       const std::optional<transparency::Policy>& policy);

}  // namespace snl::cli
