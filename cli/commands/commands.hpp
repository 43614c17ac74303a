// The commands. Each function adds the command that its file is named for; parsing runs it.
// To add a command: write such a file, declare its function here, and name it in application.cpp.
#pragma once

#include "cli/session/session.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <utility>

namespace snl::cli {

/// Adds a command. Its options live as long as it does; it runs options.run(session).
template <class Options>
std::pair<CLI::App&, Options&> add_command(CLI::App& parent, Session& session, const char* name,
                                           const char* about) {
  CLI::App& command = *parent.add_subcommand(name, about);
  const auto options = std::make_shared<Options>();
  command.callback([options, &session] { options->run(session); });
  return {command, *options};
}

void add_new(CLI::App& app, Session& session);
void add_show(CLI::App& app, Session& session);
void add_list(CLI::App& app, Session& session);
void add_branch(CLI::App& app, Session& session);
void add_play(CLI::App& app, Session& session);
void add_roll(CLI::App& app, Session& session);
void add_undo(CLI::App& app, Session& session);
void add_redo(CLI::App& app, Session& session);
void add_replay(CLI::App& app, Session& session);
void add_watch(CLI::App& app, Session& session);
void add_log(CLI::App& app, Session& session);
void add_analyze(CLI::App& app, Session& session);
void add_audit(CLI::App& app, Session& session);
void add_key(CLI::App& app, Session& session);
void add_checkpoint(CLI::App& app, Session& session);
void add_prove(CLI::App& app, Session& session);
void add_verify(CLI::App& app, Session& session);
void add_witness(CLI::App& app, Session& session);
void add_export(CLI::App& app, Session& session);
void add_import(CLI::App& app, Session& session);
void add_tournament(CLI::App& app, Session& session);
void add_simulate(CLI::App& app, Session& session);
void add_serve(CLI::App& app, Session& session);
void add_db(CLI::App& app, Session& session);
void add_completion(CLI::App& app, Session& session);
void add_help(CLI::App& app, Session& session);

void add_board(CLI::App& app, Session& session);
// The commands below `board`.
void add_board_list(CLI::App& board, Session& session);
void add_board_show(CLI::App& board, Session& session);
void add_board_check(CLI::App& board, Session& session);
void add_board_analyze(CLI::App& board, Session& session);
void add_board_convert(CLI::App& board, Session& session);
void add_board_random(CLI::App& board, Session& session);
void add_board_solve(CLI::App& board, Session& session);

}  // namespace snl::cli
