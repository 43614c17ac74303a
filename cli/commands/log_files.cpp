#include "log_files.hpp"

#include "cli/session/input_file.hpp"
#include "cli/session/next_step.hpp"
#include "cli/witness/cosigning.hpp"
#include "storage/transparency/log_audit.hpp"
#include "storage/transparency/signing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>

namespace snl::cli {

using transparency::LogProof;
using transparency::Policy;
using transparency::SignedCheckpoint;

namespace {

constexpr std::size_t longest_file = std::size_t{1} << 20U;

template <class Parsed>
Parsed read_parsed(const std::string& file, const char* what) {
  auto parsed = Parsed::parse(read_file(file, longest_file));
  if (!parsed) throw Failure(Exit::usage, fmt::format("{}: {}", name_of_input(file), what));
  return *std::move(parsed);
}

Policy parse_policy(const std::string& file, std::string_view text) {
  auto policy = Policy::parse(text);
  if (!policy)
    throw Failure(Exit::usage,
                  fmt::format("{}: {}; correct it", name_of_input(file), policy.error()));
  return *std::move(policy);
}

}  // namespace

Policy read_policy(const std::string& file) {
  return parse_policy(file, read_file(file, longest_file));
}

std::string read_policy_text(const std::string& file) {
  std::string text = read_file(file, longest_file);
  std::ignore = parse_policy(file, text);
  return text;
}

SignedCheckpoint read_checkpoint(const std::string& file) {
  return read_parsed<SignedCheckpoint>(file, "it isn't a checkpoint; snl checkpoint prints one");
}

LogProof read_log_proof(const std::string& file) {
  return read_parsed<LogProof>(file, "it isn't a proof; snl prove GAME makes one");
}

Failure not_published_yet(transparency::LogReader& log, const std::string& what,
                          transparency::TreeSize size) {
  const auto own = transparency::verified_log(log);
  const bool is_signed = own && own->last_signed && own->last_signed->checkpoint.size >= size;
  const std::string checkpoint = snl_command({"checkpoint"});
  return {Exit::failed,
          is_signed ? fmt::format("{} is signed, but not published: not enough witnesses have "
                                  "cosigned it; {} --request prints what to send them",
                                  what, checkpoint)
                    : fmt::format("{} is not signed yet; {} with --log-key signs all that is "
                                  "recorded",
                                  what, checkpoint)};
}

Failure not_published_yet(transparency::LogReader& log, const Commit& commit) {
  return not_published_yet(log, fmt::format("version {} of game {}", commit.version, commit.game),
                           log.index_of(commit.position) + 1);
}

void require_log_of(const Policy& policy, const std::string& policy_file,
                    const std::string& key_file) {
  const auto vkey = transparency::read_verifier(key_file);
  if (std::ranges::find(policy.logs(), vkey, &transparency::PolicyKey::key) == policy.logs().end())
    throw Failure(Exit::usage,
                  fmt::format("{}: it doesn't name the log {} with this key; correct it",
                              policy_file, vkey.name));
}

Policy::Quorum require_policy(const SignedCheckpoint& checkpoint, const Policy& policy) {
  if (policy.signature_of(checkpoint) != transparency::Signed::yes)
    throw Failure(Exit::unsound,
                  fmt::format("the signature of {} is not that of the checkpoint; check the policy",
                              checkpoint.checkpoint.origin));
  auto quorum = policy.quorum_of(checkpoint.note, seconds_now());
  if (!quorum.reached)
    throw Failure(
        Exit::unsound,
        fmt::format(
            "the quorum is not reached: {}; ask for a proof that more witnesses have cosigned",
            transparency::cosigners_of(quorum)));
  return quorum;
}

}  // namespace snl::cli
