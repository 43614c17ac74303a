#include "cosigning.hpp"

#include "storage/time.hpp"
#include "witness_client.hpp"

#include <boost/beast/core/string.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace snl::cli {

using transparency::Contradiction;
using transparency::LogReader;
using transparency::LogStore;
using transparency::Policy;
using transparency::PolicyKey;
using transparency::SignatureLine;
using transparency::SignedCheckpoint;
using transparency::StoredLog;
using transparency::TreeSize;
using transparency::WitnessRequest;

namespace {

StoredLog log_of(StoreAdmin& store) {
  StoredLog log;
  store.read_log([&](LogReader& reader) {
    auto logs = reader.logs();
    log = logs.empty() ? StoredLog{} : std::move(logs.back());
  });
  return log;
}

Contradiction somebody_else(const PolicyKey& witness, std::string_view what) {
  const std::string message = fmt::format(
      "witness {} has seen {} under this key: somebody else signs with it, or an older "
      "store was put in place",
      witness.name, what);
  return Contradiction{message};
}

/// The size in a witness's 409.
std::optional<TreeSize> size_in(const WitnessReply& reply) {
  std::string_view digits = reply.body;
  if (digits.ends_with('\n')) digits.remove_suffix(1);
  if (!boost::beast::iequals(reply.type, "text/x.tlog.size")) return std::nullopt;
  return transparency::parse_number(digits);
}

class Question {
 public:
  Question(StoreAdmin& store, const PolicyKey& witness, const SignedCheckpoint& checkpoint)
      : store_(store), witness_(witness), checkpoint_(checkpoint) {}

  /// The lines of the response that cosigns the checkpoint. Throws WitnessSilent, Contradiction.
  std::string ask(const std::stop_token& stop) {
    const TreeSize size = checkpoint_.checkpoint.size;
    TreeSize old = known_size();
    if (old > size) throw_of_more(old);
    for (bool is_last = false;; is_last = true) {
      status_ = 0;
      const WitnessReply reply =
          ask_witness(witness_.url, request_of(store_, checkpoint_, old), stop);
      status_ = reply.status;
      if (reply.status == 200) return reply.body;
      if (reply.status == 422) throw somebody_else(witness_, "another history");
      if (reply.status != 409) throw WitnessSilent(fmt::format("it answers {}", reply.status));
      const auto seen = size_in(reply);
      if (!seen) throw WitnessSilent("it answers 409 without a size");
      if (*seen > size) throw_of_more(*seen);
      if (*seen == old && old == size) throw somebody_else(witness_, "another history");
      if (is_last) throw WitnessSilent("it answers 409 again");
      old = *seen;
    }
  }

  /// The status of the last response; 0 without one.
  unsigned status() const { return status_; }

 private:
  /// The size of the checkpoint that was published last, if the witness has cosigned it; else 0.
  TreeSize known_size() const {
    const auto published = log_of(store_).published;
    return published && has_cosigned(witness_, *published) ? published->checkpoint.size : 0;
  }

  /// Another process may have signed more of this store meanwhile.
  [[noreturn]] void throw_of_more(TreeSize seen) const {
    const auto newest = log_of(store_).last_signed;
    if (newest && newest->checkpoint.origin == checkpoint_.checkpoint.origin &&
        newest->checkpoint.size >= seen)
      throw WitnessSilent("it has seen a newer one, which was signed meanwhile");
    throw somebody_else(witness_, fmt::format("{} commits", seen));
  }

  StoreAdmin& store_;
  const PolicyKey& witness_;
  const SignedCheckpoint& checkpoint_;
  unsigned status_ = 0;
};

bool is_cosignature(const SignatureLine& line, const SignedCheckpoint& checkpoint,
                    const Policy& policy) {
  return !policy.quorum_of({.text = checkpoint.note.text, .signatures = {line}}, seconds_now())
              .cosigners.empty();
}

}  // namespace

transparency::UnixSeconds seconds_now() {
  constexpr UnixMilliseconds second = 1000;
  return system_time() / second;
}

SignedNow sign_all(StoreAdmin& store, const std::string& key_file, ReadFirst first) {
  const transparency::KeyFile key(key_file, transparency::KeyType::log);
  transparency::Signing signing(key);
  if (first == ReadFirst::commits) store.read_log([&](LogReader& log) { signing.verify(log); });
  if (first == ReadFirst::nodes) store.read_log([&](LogReader& log) { signing.verify_nodes(log); });
  std::optional<SignedCheckpoint> newest;
  while (!newest)
    store.write_log([&](LogStore& log) { newest = signing.step(log); });
  return {.checkpoint = *std::move(newest), .ended = signing.ended()};
}

WitnessRequest request_of(StoreAdmin& store, const SignedCheckpoint& checkpoint, TreeSize old) {
  WitnessRequest request{.old = old, .proof = {}, .checkpoint = checkpoint};
  store.read_log([&](LogReader& log) {
    request.proof = transparency::prove_consistency(log, checkpoint.checkpoint, old,
                                                    checkpoint.checkpoint.size);
  });
  return request;
}

bool has_cosigned(const PolicyKey& witness, const SignedCheckpoint& checkpoint) {
  const auto latest = seconds_now() + transparency::seconds_ahead;
  return transparency::cosigned(checkpoint.note, witness.key, latest).has_value();
}

bool take_cosignatures(SignedCheckpoint& checkpoint, std::string_view text, const Policy& policy) {
  bool is_any = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const auto line = SignatureLine::parse(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line || !is_cosignature(*line, checkpoint, policy)) continue;
    auto& lines = checkpoint.note.signatures;
    std::erase_if(lines, [&](const SignatureLine& other) {
      return other.name == line->name && other.id == line->id;
    });
    lines.push_back(*line);
    is_any = true;
  }
  return is_any;
}

Asked ask_to_cosign(StoreAdmin& store, const Policy& policy, const PolicyKey& witness,
                    SignedCheckpoint& checkpoint, const std::stop_token& stop) {
  Question question(store, witness, checkpoint);
  Asked asked;
  try {
    const std::string lines = question.ask(stop);
    if (!take_cosignatures(checkpoint, lines, policy))
      asked.silence = "its answer is no cosignature";
  } catch (const WitnessSilent& silent) {
    asked.silence = silent.what();
  } catch (const Contradiction& error) {
    asked.silence = error.what();
    asked.contradiction = error;
  }
  asked.status = question.status();
  return asked;
}

void AskingWaits::failed(Time now) {
  constexpr std::chrono::seconds longest{60};
  constexpr std::chrono::seconds first{1};
  wait_ = std::clamp(2 * wait_, first, longest);
  due_ = now + wait_;
}

}  // namespace snl::cli
