// The commands. Each function adds one or a few to the command line; they run when it is parsed.
#pragma once

#include "cli/session/session.hpp"

#include <CLI/CLI.hpp>

namespace snl::cli {

void add_game_commands(CLI::App& app, Session& session);       // new, show, list, branch
void add_play_commands(CLI::App& app, Session& session);       // play, roll, undo, redo
void add_history_commands(CLI::App& app, Session& session);    // replay, watch, log
void add_analyze_command(CLI::App& app, Session& session);     // analyze
void add_audit_command(CLI::App& app, Session& session);       // audit
void add_exchange_commands(CLI::App& app, Session& session);   // export, import
void add_simulate_command(CLI::App& app, Session& session);    // simulate
void add_tournament_command(CLI::App& app, Session& session);  // tournament
void add_board_command(CLI::App& app, Session& session);       // board …
void add_db_command(CLI::App& app, Session& session);          // db …

// Parts of `board`.
void add_board_analyze(CLI::App& board, Session& session);  // board analyze
void add_board_form_commands(CLI::App& board);              // board convert, board random
void add_board_solve(CLI::App& board);                      // board solve

/// A command that takes the game it is about as its first word, and perhaps --json.
struct GameArgument {
  std::string game;
  bool json = false;
  void add_to(CLI::App& command);
};

}  // namespace snl::cli
