// checkpoint

#include "cli/session/failure.hpp"
#include "cli/session/input_file.hpp"
#include "cli/session/next_step.hpp"
#include "cli/session/output_file.hpp"
#include "cli/witness/cosigning.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "log_files.hpp"
#include "number_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace snl::cli {
namespace {

using transparency::LogReader;
using transparency::LogStore;
using transparency::Policy;
using transparency::Publication;
using transparency::SignedCheckpoint;
using transparency::StoredLog;

struct CheckpointCommand {
  std::string log_key;
  std::string policy_file;
  std::string added;
  std::string output = "-";
  Occupied occupied = Occupied::refuse;
  OutputForm form = OutputForm::words;
  std::optional<std::int64_t> old_size;
  bool is_request = false;

  void run(Session& session) const {
    check_options();
    OutputFile file(session, output, occupied);
    if (is_request) {
      file.write(request(session));
      return file.commit();
    }
    std::optional<transparency::Contradiction> contradiction;
    const Publication now = result(session, contradiction);
    if (form == OutputForm::json) {
      print_json(json_of(now));
    } else {
      file.write(now.checkpoint.note.to_string());
      file.commit();
    }
    if (contradiction) throw transparency::Contradiction(*contradiction);
    require_reached(now);
  }

 private:
  /// The checkpoint to print. Sets `contradiction` if a witness saw another history: run() throws
  /// it once the checkpoint is printed.
  Publication result(Session& session,
                     std::optional<transparency::Contradiction>& contradiction) const {
    const std::optional<Policy> policy =
        policy_file.empty() ? std::nullopt : std::optional(read_policy(policy_file));
    if (!log_key.empty()) return sign(session, policy, contradiction);
    return added.empty() ? published(session, policy) : add_cosignatures(session, *policy);
  }

  void check_options() const {
    if (is_request && (!log_key.empty() || !policy_file.empty() || form == OutputForm::json))
      throw Failure(
          Exit::usage,
          "--request goes with none of --log-key, --policy and --json; give it without them");
    if (old_size && !is_request)
      throw Failure(
          Exit::usage,
          fmt::format("--old {}: this is the size that a witness saw; give --request with it",
                      *old_size));
    if (!added.empty() && policy_file.empty())
      throw Failure(
          Exit::usage,
          fmt::format("--add {}: its cosignatures must be verified; give a --policy", added));
    if (!added.empty() && !log_key.empty())
      throw Failure(Exit::usage, "--add and --log-key can't be given together; give one of them");
    if (form == OutputForm::json && output != "-")
      throw Failure(
          Exit::usage,
          fmt::format("--json and -o {} can't be given together; give one of them", output));
    check_not_read(output, {log_key, log_key + ".signed", policy_file, added});
  }

  static Policy no_witnesses() { return Policy::parse("quorum none\n").value(); }

  static Failure nothing_signed() {
    return {Exit::no_such,
            fmt::format("the store has no checkpoint yet; {} with --log-key signs one",
                        snl_command({"checkpoint"}))};
  }

  /// The store's log. Throws Failure unless it has signed something.
  static StoredLog last_log(LogReader& store) {
    auto log = transparency::verified_log(store);
    if (!log || !log->last_signed) throw nothing_signed();
    return *std::move(log);
  }

  static Publication published(const Session& session, const std::optional<Policy>& policy) {
    std::optional<SignedCheckpoint> found;
    session.present_admin()->read_log([&](LogReader& store) {
      const StoredLog log = last_log(store);
      transparency::require_held(store, log.last_signed->checkpoint);
      found = log.published;
    });
    if (!found)
      throw Failure(
          Exit::no_such,
          "the newest checkpoint is signed, but isn't published: not enough witnesses have seen "
          "it; give --request to print what to send them");
    auto quorum = policy ? require_policy(*found, *policy)
                         : Policy::Quorum{.cosigners = {}, .ahead = {}, .reached = true};
    return {.checkpoint = *found, .quorum = std::move(quorum), .is_published = true};
  }

  Publication sign(Session& session, const std::optional<Policy>& policy,
                   std::optional<transparency::Contradiction>& contradiction) const {
    const auto newest = signed_now(session, policy);
    if (newest.checkpoint.size == 0)
      throw Failure(Exit::no_such,
                    "nothing is recorded yet, so there is nothing to sign; play a game first");
    note_done("the checkpoint is signed", snl_command({"checkpoint"}));
    if (!policy) {
      warn_of_witnesses(session);
      return store_cosigned(session, newest, no_witnesses());
    }
    SignedCheckpoint cosigned = newest;
    for (const transparency::PolicyKey& witness : policy->witnesses()) {
      if (witness.url.empty() || has_cosigned(witness, cosigned)) continue;
      const Asked asked = ask_to_cosign(*session.present_admin(), *policy, witness, cosigned);
      if (asked.contradiction)
        contradiction = asked.contradiction;
      else if (!asked.silence.empty())
        warn(fmt::format("witness {} ({}): {}", witness.name, witness.url, asked.silence));
    }
    return store_cosigned(session, cosigned, *policy);
  }

  SignedCheckpoint signed_now(const Session& session, const std::optional<Policy>& policy) const {
    if (policy) require_log_of(*policy, policy_file, log_key);
    const SignedNow now = sign_all(*session.present_admin(), log_key, ReadFirst::nodes);
    if (!now.ended.empty())
      warn(fmt::format("the log {} of this store has ended; its log is {} now", now.ended,
                       now.checkpoint.checkpoint.origin));
    return now.checkpoint;
  }

  /// Warns if witnesses saw the published checkpoint, and now none is asked.
  static void warn_of_witnesses(const Session& session) {
    session.present_admin()->read_log([&](LogReader& log) {
      const auto published = last_log(log).published;
      if (published && published->note.signatures.size() > 1)
        warn(
            "no witness is asked, though some cosigned earlier checkpoints; give --policy to ask "
            "them");
    });
  }

  static Publication store_cosigned(const Session& session, const SignedCheckpoint& checkpoint,
                                    const Policy& policy) {
    Publication now;
    session.present_admin()->write_log([&](LogStore& log) {
      now = transparency::publish_checkpoint(log, checkpoint, policy, seconds_now());
    });
    return now;
  }

  static void require_reached(const Publication& now) {
    if (now.quorum.reached) return;
    forget_done();  // this failure says it
    throw Failure(Exit::failed,
                  fmt::format("the checkpoint is {}: the quorum is not reached: {}; "
                              "{} with --request prints what to send a witness",
                              now.is_published ? "already published, but wouldn't be by this policy"
                                               : "signed, but not published",
                              transparency::cosigners_of(now.quorum), snl_command({"checkpoint"})));
  }

  /// The given checkpoint, or else the newest, with the signatures that the store has. An earlier
  /// checkpoint that the store lacks keeps its log's signature alone: no other is verified yet.
  static SignedCheckpoint stored(StoredLog log, std::optional<SignedCheckpoint> given) {
    if (!given || given->checkpoint == log.last_signed->checkpoint) return *log.last_signed;
    if (log.published && given->checkpoint == log.published->checkpoint) return *log.published;
    auto& lines = given->note.signatures;
    const auto key = transparency::VerifierKey::parse(log.vkey);
    const auto of_log = std::ranges::find_if(
        lines, [&](const transparency::SignatureLine& line) { return key && line.is_of(*key); });
    if (of_log != lines.end()) lines = {*of_log};  // without it, none of them is taken
    return *std::move(given);
  }

  /// Takes a witness's lines, alone or with their checkpoint, which needn't be the newest.
  Publication add_cosignatures(const Session& session, const Policy& policy) const {
    const std::string text = read_file(added, transparency::longest_request);
    SignedCheckpoint checkpoint;
    session.present_admin()->read_log([&](LogReader& store) {
      const StoredLog log = last_log(store);
      auto given = SignedCheckpoint::parse(text);
      if (given && given->checkpoint.origin != log.origin)
        throw Failure(Exit::unsound,
                      fmt::format("{}: its checkpoint is of {}, and the log of this store is {}; "
                                  "ask the witness to cosign this one",
                                  name_of_input(added), given->checkpoint.origin, log.origin));
      checkpoint = stored(log, std::move(given));
    });
    if (!take_cosignatures(checkpoint, text, policy))
      throw Failure(Exit::unsound,
                    fmt::format("{}: none of its lines is the cosignature of a witness of {} to "
                                "the checkpoint of {} commits; ask the witness again",
                                name_of_input(added), policy_file, checkpoint.checkpoint.size));
    note_done("the cosignature is kept", snl_command({"checkpoint"}));
    return store_cosigned(session, checkpoint, policy);
  }

  std::string request(const Session& session) const {
    std::optional<SignedCheckpoint> newest;
    session.present_admin()->read_log(
        [&](LogReader& store) { newest = last_log(store).last_signed; });
    const auto old = static_cast<std::uint64_t>(old_size.value_or(0));
    if (old > newest->checkpoint.size)
      throw Failure(Exit::usage,
                    fmt::format("--old {}: the checkpoint has {} commits; give 0 up to that", old,
                                newest->checkpoint.size));
    return request_of(*session.present_admin(), *newest, old).text();
  }

  static boost::json::object json_of(const Publication& now) {
    boost::json::array witnesses;
    for (const auto& [name, time] : now.quorum.cosigners)
      witnesses.push_back(boost::json::object{{"name", name}, {"time", time}});
    const auto& [checkpoint, note] = now.checkpoint;
    return {{"origin", checkpoint.origin},     {"size", checkpoint.size},
            {"root", to_hex(checkpoint.root)}, {"note", note.to_string()},
            {"published", now.is_published},   {"witnesses", witnesses}};
  }
};

}  // namespace

void add_checkpoint(CLI::App& app, Session& session) {
  auto [command, options] = add_command<CheckpointCommand>(
      app, session, "checkpoint", "Sign the store's log, or print the checkpoint published last");
  add_value(command, "--log-key", options.log_key, "FILE",
            "Sign all commits with this key; another name begins another log");
  add_value(command, "--policy", options.policy_file, "FILE",
            "Publish once the policy's witnesses have cosigned (default: none)");
  command.add_flag("--request", options.is_request, "Print what to send to a witness");
  add_number(command, "--old", options.old_size,
             "With --request: the size that the witness saw last (0)", 0);
  add_value(command, "--add", options.added, "FILE",
            "A witness's answer to take, alone or with its checkpoint");
  add_value(command, "-o,--output", options.output, "FILE", "A file to write (stdout)");
  add_force_flag(command, options.occupied);
  add_json_flag(command, options.form);
}

}  // namespace snl::cli
