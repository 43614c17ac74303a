// prove

#include "cli/session/failure.hpp"
#include "cli/session/output_file.hpp"
#include "cli/session/rejection.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "log_files.hpp"
#include "storage/transparency/signing.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

namespace snl::cli {
namespace {

using transparency::LogProof;
using transparency::LogReader;
using transparency::SignedCheckpoint;

struct Prove {
  std::string game;
  std::optional<Version> version;
  std::string since;
  std::string policy_file;
  std::string output = "-";
  Occupied occupied = Occupied::refuse;

  void run(Session& session) const {
    if (game.empty() == since.empty())
      throw Failure(
          Exit::usage,
          "a proof is of one thing; name a game, or give --since and a checkpoint that you kept");
    if (!since.empty() && (policy_file.empty() || version))
      throw Failure(
          Exit::usage,
          fmt::format(
              "--since {}: its signature must be verified; give a --policy, and no --version",
              since));
    if (since.empty() && !policy_file.empty())
      throw Failure(
          Exit::usage,
          fmt::format("--policy {}: snl verify checks the proof of a game; give the policy there",
                      policy_file));
    check_not_read(output, {since, policy_file});
    OutputFile file(session, output, occupied);
    const std::string text = since.empty() ? proof_of_game(session) : proof_since(session);
    file.write(text);
    file.commit();
  }

 private:
  static std::optional<SignedCheckpoint> published(LogReader& log) {
    auto own = transparency::verified_log(log);
    return own ? std::move(own->published) : std::nullopt;
  }

  Commit wanted_commit(Session& session) const {
    StoreReader& store = session.store_to_read(game);
    const std::string id = session.resolve(store, game);
    const Version last = store.head(id).value().version;
    if (version && (*version < 1 || *version > last))
      throw Failure(Exit::usage,
                    fmt::format("--version {}: game {} has versions 1 to {}; give one of them",
                                *version, id, last));
    return store.commit(id, version.value_or(last)).value();
  }

  std::string proof_of_game(Session& session) const {
    const Commit commit = wanted_commit(session);
    std::optional<LogProof> proof;
    session.present_admin()->read_log([&](LogReader& log) {
      if (const auto now = published(log)) proof = transparency::prove_commit(log, *now, commit);
      if (!proof) throw not_published_yet(log, commit);
    });
    return proof->text();
  }

  std::string proof_since(Session& session) const {
    const SignedCheckpoint kept = read_checkpoint(since);
    const transparency::Policy policy = read_policy(policy_file);
    if (policy.signature_of(kept) != transparency::Signed::yes)
      throw Failure(
          Exit::unsound,
          fmt::format("{}: the signature of {} is not that of the checkpoint; check the policy",
                      since, kept.checkpoint.origin));
    std::vector<Hash> proof;
    session.present_admin()->read_log([&](LogReader& log) {
      transparency::require_held(log, kept.checkpoint);
      const auto old = kept.checkpoint.size;
      const auto now = published(log);
      if (!now) throw not_published_yet(log, "the store", old);
      require_policy(*now, policy);
      const auto size = now->checkpoint.size;
      if (old > size)
        throw not_published_yet(log, fmt::format("a checkpoint of {} commits or more", old), old);
      proof = transparency::prove_consistency(log, now->checkpoint, old, size);
    });
    return transparency::lines_of(proof);
  }
};

}  // namespace

void add_prove(CLI::App& app, Session& session) {
  auto [command, options] = add_command<Prove>(
      app, session, "prove", "Prove that a game is in the store's log, or that the log goes on");
  command.add_option("GAME", options.game, "The game");
  add_value(command, "--version", options.version, "V",
            "The version to prove (default: the last one)");
  add_value(command, "--since", options.since, "FILE",
            "A kept checkpoint: prove that the log goes on from it");
  add_value(command, "--policy", options.policy_file, "FILE",
            "With --since: names the key that signed the checkpoint");
  add_value(command, "-o,--output", options.output, "FILE", "A file to write (stdout)");
  add_force_flag(command, options.occupied);
}

}  // namespace snl::cli
