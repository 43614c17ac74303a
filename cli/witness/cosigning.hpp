// The steps by which a checkpoint is signed, cosigned and published: `snl checkpoint` takes them
// once, a server again and again.
#pragma once

#include "storage/store_admin.hpp"
#include "storage/transparency/signing.hpp"
#include "storage/transparency/witness.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace snl::cli {

transparency::UnixSeconds seconds_now();

struct SignedNow {
  transparency::SignedCheckpoint checkpoint;
  std::string ended;  // the log that this ended; empty if none
};
/// The part of the store that is read before anything is signed: the nodes that make the last root,
/// all nodes over the signed commits, or these commits.
enum class ReadFirst : std::uint8_t { root, nodes, commits };
/// Signs all that a store holds. It holds the key meanwhile, and no longer. Throws as
/// transparency::Signing does.
SignedNow sign_all(StoreAdmin& store, const std::string& key_file, ReadFirst first);

/// The request to a witness that saw `old` commits last. Throws Contradiction if the store doesn't
/// hold the checkpoint.
transparency::WitnessRequest request_of(StoreAdmin& store,
                                        const transparency::SignedCheckpoint& checkpoint,
                                        transparency::TreeSize old);

bool has_cosigned(const transparency::PolicyKey& witness,
                  const transparency::SignedCheckpoint& checkpoint);

/// Adds the lines of a text that are cosignatures by a policy's witnesses, one of each witness.
/// Returns whether there is any.
bool take_cosignatures(transparency::SignedCheckpoint& checkpoint, std::string_view text,
                       const transparency::Policy& policy);

/// The outcome of asking a witness.
struct Asked {
  unsigned status = 0;  // of its last response; 0 without one
  std::string silence;  // why it has cosigned nothing, in a sentence; empty if it has
  /// It saw a checkpoint that only somebody else can have signed with this key.
  std::optional<transparency::Contradiction> contradiction = std::nullopt;
};
/// Asks a witness that has a URL to cosign the store's checkpoint, from the last one that it is
/// known to have cosigned. If it has cosigned another, asks once more. Adds its cosignature.
Asked ask_to_cosign(StoreAdmin& store, const transparency::Policy& policy,
                    const transparency::PolicyKey& witness,
                    transparency::SignedCheckpoint& checkpoint, const std::stop_token& stop = {});

/// The times to ask a witness again that didn't cosign: after 1, 2, 4 … 32 seconds, then every 60.
class AskingWaits {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// The earliest time to ask it.
  Time due() const { return due_; }
  /// Whether it was asked in vain since it last cosigned.
  bool has_failed() const { return wait_.count() > 0; }
  void failed(Time now);
  void cosigned() { *this = {}; }

 private:
  Time due_;
  std::chrono::seconds wait_{0};
};

}  // namespace snl::cli
