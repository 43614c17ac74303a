#include "proof_in_log.hpp"

#include "storage/transparency/signing.hpp"

#include <limits>

namespace snl::cli {

using transparency::LogProof;
using transparency::LogReader;

std::optional<ProofInLog> proof_in_log(StoreAdmin& store, const Commit& commit,
                                       const std::optional<transparency::Policy>& policy) {
  std::optional<LogProof> proof;
  ProofInLog data;
  store.read_log([&](LogReader& log) {
    const auto own = transparency::verified_log(log);
    if (!own || !own->published) return;
    data.vkey = own->vkey;
    proof = transparency::prove_commit(log, *own->published, commit);
  });
  if (!proof) return std::nullopt;
  data.proof = proof->text();
  if (policy)
    for (const transparency::PolicyKey& witness : policy->witnesses())
      if (cosigned(proof->signed_checkpoint.note, witness.key,
                   std::numeric_limits<transparency::UnixSeconds>::max()))
        data.witnesses.push_back(transparency::VerifierKey{
            witness.key.name, transparency::KeyType::witness, witness.key.key}
                                     .text());
  return data;
}

}  // namespace snl::cli
