// How a checkpoint comes to be signed, cosigned and published: what `snl checkpoint` does once, and
// a server again and again.
#pragma once

#include "storage/store_admin.hpp"
#include "storage/transparency/signing.hpp"
#include "storage/transparency/witness.hpp"

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace snl::cli {

transparency::UnixSeconds seconds_now();

struct SignedNow {
  transparency::SignedCheckpoint checkpoint;
  std::string ended;  // the log that ended by it; empty if none did
};
/// Signs all that a store holds. The key is held meanwhile, and no longer. Throws as
/// transparency::Signing does.
SignedNow sign_all(StoreAdmin& store, const std::string& key_file);

/// What a witness is to be sent that saw `old` commits last. Throws Contradiction where the store
/// doesn't hold the checkpoint.
transparency::WitnessRequest request_of(StoreAdmin& store,
                                        const transparency::SignedCheckpoint& checkpoint,
                                        transparency::TreeSize old);

bool has_cosigned(const transparency::PolicyKey& witness,
                  const transparency::SignedCheckpoint& checkpoint);

/// Adds those lines of a text that are cosignatures by a policy's witnesses, of each witness one.
/// Answers whether there is any.
bool take_cosignatures(transparency::SignedCheckpoint& checkpoint, std::string_view text,
                       const transparency::Policy& policy);

/// What came of asking a witness.
struct Asked {
  unsigned status = 0;  // of its last answer; 0 without one
  std::string silence;  // why it has cosigned nothing, in a sentence; empty if it has
  /// It saw what only somebody else can have signed by this key.
  std::optional<transparency::Contradiction> contradiction = std::nullopt;
};
/// Has a witness that has a URL cosign what the store signed: from what it cosigned last as far as
/// that is known, and where that is wrong, once more. Adds its cosignature.
Asked ask_to_cosign(StoreAdmin& store, const transparency::Policy& policy,
                    const transparency::PolicyKey& witness,
                    transparency::SignedCheckpoint& checkpoint, const std::stop_token& stop = {});

/// When a witness is asked that didn't cosign: again after 1, 2, 4 … 32 seconds, then each 60.
class AskingWaits {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// From when on it may be asked.
  Time due() const { return due_; }
  void failed(Time now);
  void cosigned() { *this = {}; }

 private:
  Time due_;
  std::chrono::seconds wait_{0};
};

}  // namespace snl::cli
