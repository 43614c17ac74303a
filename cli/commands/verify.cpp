// verify

#include "cli/drawing/terminal_text.hpp"
#include "cli/page/page_contents.hpp"
#include "cli/reports/json_output.hpp"
#include "cli/reports/log_report.hpp"
#include "cli/session/failure.hpp"
#include "cli/session/input_file.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "domain/wording.hpp"
#include "log_files.hpp"
#include "storage/exchange/jsonl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace snl::cli {
namespace {

using transparency::LogProof;

struct Verify {
  std::string export_file;
  std::string proof_file;
  std::string policy_file;
  OutputForm form = OutputForm::words;

  void run(Session& /*session*/) const {
    const auto policy = read_policy(policy_file);
    const Export given = read_export();
    const ImportedGame& game = given.game;
    const LogProof proof = proof_of(given);
    const Head proven = head_at(game, version_of(proof, game));
    if (proof_file.empty() && proven.version != game.head.version)
      throw Failure(Exit::unsound,
                    fmt::format("{} is for version {}, not for the last version of its "
                                "page; export the game again",
                                name_of_proof(), proven.version));
    if (!proof.proves(proven.hash))
      throw Failure(Exit::unsound,
                    fmt::format("version {} of game {} is not what {} proves; ask for both again",
                                proven.version, game.game, name_of_proof()));
    const auto quorum = require_policy(proof.signed_checkpoint, policy);
    const auto& checkpoint = proof.signed_checkpoint.checkpoint;
    const auto& origin = game.state.setup->origin;
    if (form == OutputForm::json)
      return print_json({{"ok", true},
                         {"game", game.game},
                         {"version", proven.version},
                         {"last_version", game.head.version},
                         {"head", to_hex(proven.hash)},
                         {"index", proof.index},
                         {"unproven_origins", origin ? 1 : 0},
                         {"log", log_json({.origin = checkpoint.origin,
                                           .size = checkpoint.size,
                                           .root = checkpoint.root,
                                           .later = 0,
                                           .held = true,
                                           .signature = true,
                                           .quorum = true,
                                           .witnesses = quorum.cosigners})}});
    print_line(printable(fmt::format("Game {} is sound: {} in force, {}.", game.game,
                                     counted(game.state.undoable(), "turn"),
                                     proven.version == game.head.version
                                         ? fmt::format("up to its head, version {}", proven.version)
                                         : fmt::format("and proven up to version {} of {}",
                                                       proven.version, game.head.version))));
    print_line(fmt::format("log: it is commit {} of the {} that {} signed", proof.index + 1,
                           checkpoint.size, checkpoint.origin));
    if (given.is_page)
      print_line("page: its export is sound; what the page shows wasn't compared with that");
    print_line("witnesses: " + words_on_witnesses(quorum.cosigners, true));
    if (origin)
      print_line(printable(
          fmt::format("note: it branched off game {}; only the branch itself says where it begins",
                      origin->game)));
  }

 private:
  struct Export {
    ImportedGame game;
    std::optional<std::string> proof;  // of a page, if its game was in a log then
    bool is_page;
  };

  Export read_export() const {
    LineReader lines(export_file, longest_first_line);
    auto line = lines.next();
    lines.allow(longest_export_line);
    JsonlReader reader;
    if (!line || !begins_page(*line)) {
      while (line && reader.add(*line))
        line = lines.next();
      return {.game = game_of(reader), .proof = std::nullopt, .is_page = false};
    }
    std::string text;
    for (; line; line = lines.next())
      text += *line + '\n';
    auto page = read_page(text);
    if (!page)
      throw Failure(Exit::usage,
                    fmt::format("{}: it isn't an exported page; export the game once more, as html",
                                name_of_input(export_file)));
    std::ignore = std::ranges::all_of(page->log, [&](auto& one) { return reader.add(one); });
    return {.game = game_of(reader), .proof = std::move(page->proof), .is_page = true};
  }

  ImportedGame game_of(JsonlReader& reader) const {
    if (reader.fault() || !reader.finish())
      throw Failure(reader.fault()->malformed ? Exit::usage : Exit::unsound,
                    fmt::format("{}: {}; ask for the file again", name_of_input(export_file),
                                reader.fault()->why));
    if (reader.games().size() != 1)
      throw Failure(
          Exit::usage,
          fmt::format("{}: it holds {} games, and a proof is of one; give a file of that game",
                      name_of_input(export_file), reader.games().size()));
    return std::move(reader.games().front());
  }

  std::string name_of_proof() const {
    return proof_file.empty() ? "the proof in " + name_of_input(export_file) : proof_file;
  }

  LogProof proof_of(const Export& given) const {
    if (!proof_file.empty()) return read_log_proof(proof_file);
    if (!given.proof)
      throw Failure(
          Exit::usage,
          fmt::format("{}: {}; give the PROOF that snl prove wrote", name_of_input(export_file),
                      given.is_page ? "its game was in no log when this page was made"
                                    : "only a page has a proof in it"));
    auto proof = LogProof::parse(*given.proof);
    if (!proof)
      throw Failure(Exit::usage,
                    fmt::format("{}: it can't be read; export the page again", name_of_proof()));
    return *std::move(proof);
  }

  /// The version that the proof names; else the last one.
  Version version_of(const LogProof& proof, const ImportedGame& game) const {
    if (!proof.extra) return game.head.version;
    const std::size_t space = std::min(proof.extra->find(' '), proof.extra->size());
    const std::string_view id = std::string_view(*proof.extra).substr(0, space);
    const auto version =
        space < proof.extra->size()
            ? transparency::parse_number(std::string_view(*proof.extra).substr(space + 1))
            : std::nullopt;
    if (id != game.game || !version || *version < 1 ||
        *version > static_cast<std::uint64_t>(game.head.version))
      throw Failure(
          Exit::unsound,
          fmt::format(
              "{} is of another game than {}, or of a version that {} doesn't have; give the proof "
              "of this game",
              name_of_proof(), game.game, name_of_input(export_file)));
    return static_cast<Version>(*version);
  }

  static Head head_at(const ImportedGame& game, Version version) {
    HashChain chain;
    Head head;
    for (const NewCommit& commit : game.commits) {
      if (head.version == version) break;
      head.hash =
          chain.next(head.hash, game.game, time_text(commit.time), commit.command, commit.events);
      ++head.version;
    }
    return head;
  }
};

}  // namespace

void add_verify(CLI::App& app, Session& session) {
  auto [command, options] = add_command<Verify>(
      app, session, "verify", "Verify an export by a proof that it is in a log, without a store");
  command.add_option("EXPORT", options.export_file, "The exported game, as jsonl or as a page")
      ->required();
  command.add_option("PROOF", options.proof_file,
                     "The proof that snl prove wrote (default: the one in the page)");
  add_value(command, "--policy", options.policy_file, "FILE",
            "Keys of logs and witnesses that you trust")
      ->required();
  add_json_flag(command, options.form);
}

}  // namespace snl::cli
