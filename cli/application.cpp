#include "application.hpp"

#include "commands.hpp"
#include "failure.hpp"
#include "session.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <vector>

namespace snl::cli {
namespace {

int code_of(Exit exit) {
  return static_cast<int>(exit);
}

/// What was recorded stays recorded: a store is whole whenever its process ends.
extern "C" void leave_at_once(int /*signal*/) {
  _exit(code_of(Exit::interrupted));
}

const CLI::App* subcommand_of(const CLI::App& app, const std::string& name) {
  try {
    return app.get_subcommand(name);
  } catch (const CLI::OptionNotFound&) {
    throw Failure(Exit::usage,
                  fmt::format("no command is called \"{}\"; snl help lists them", name));
  }
}

/// `snl help [COMMAND…]`
void add_help_command(CLI::App& app) {
  auto* help = app.add_subcommand("help", "Show the help of a command");
  auto words = std::make_shared<std::vector<std::string>>();
  help->add_option("COMMAND", *words, "The command, such as: board show");
  help->callback([&app, words] {
    const CLI::App* command = &app;
    for (const std::string& word : *words)
      command = subcommand_of(*command, word);
    print(command->help());
  });
}

void build(CLI::App& app, Session& session) {
  app.name("snl");
  app.set_version_flag("--version", "snl " SNL_VERSION);
  app.set_help_flag("-h,--help", "Show this help");
  app.require_subcommand(1);
  app.fallthrough();
  app.add_option("--db", session.db_option, "The store [$SNL_DB, else ~/.local/share/snl/snl.db]")
      ->type_name("FILE");
  app.add_option("--color", session.color_option, "When to use colour: auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
  add_game_commands(app, session);
  add_play_commands(app, session);
  add_history_commands(app, session);
  add_audit_command(app, session);
  add_exchange_commands(app, session);
  add_board_command(app, session);
  add_db_command(app, session);
  add_help_command(app);
  app.footer(
      "Turn 0 is the start. A game is an ID, a unique prefix of one, @ (the newest) or @-1.\n"
      "snl help COMMAND tells more.");
}

// CLI11 takes a word such as [A,B] for a list of two, ++ for the end of a command, and gives up on
// -- where it has seen a word that would do. A mark in front makes any of them a word like others;
// it is removed from every value before anybody sees it.
constexpr char word_mark = '\x1F';

std::vector<std::string> marked_words(int argc, const char* const* argv) {
  std::vector<std::string> words;
  bool only_words = false;  // after --
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (!only_words && word == "--") {
      only_words = true;
      continue;
    }
    const bool misread = only_words || word.starts_with('[') || word == "++";
    words.push_back(misread ? word_mark + word : word);
  }
  std::ranges::reverse(words);  // the order in which CLI11 wants them
  return words;
}

void remove_marks(CLI::App& app) {
  for (CLI::Option* option : app.get_options())
    option->transform([](const std::string& word) {
      return word.starts_with(word_mark) ? word.substr(1) : word;
    });
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    remove_marks(*command);
}

/// One line of a message that a library may have written over several.
std::string one_line(std::string message) {
  std::ranges::replace(message, '\n', ' ');
  while (message.ends_with(' '))
    message.pop_back();
  return message;
}

int parse_and_run(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(marked_words(argc, argv));
    flush();
    return code_of(Exit::done);
  } catch (const CLI::CallForHelp&) {
    const CLI::App* command = &app;
    while (!command->get_subcommands().empty())
      command = command->get_subcommands().front();
    print(command->help());
  } catch (const CLI::CallForVersion& version) {
    print_line(version.what());
  } catch (const CLI::ParseError& error) {
    warn(one_line(error.what()) + "; see snl help");
    return code_of(Exit::usage);
  }
  flush();
  return code_of(Exit::done);
}

}  // namespace

int run(int argc, const char* const* argv) {
  (void)std::signal(SIGINT, leave_at_once);
  try {
    Session session;
    CLI::App app("Snakes and Ladders: play, keep, replay and prove games.");
    build(app, session);
    remove_marks(app);
    return parse_and_run(app, argc, argv);
  } catch (const Failure& failure) {
    (void)std::fflush(stdout);
    if (*failure.what() != '\0') warn(one_line(failure.what()));
    return code_of(failure.code());
  } catch (const StoreError& error) {
    (void)std::fflush(stdout);
    warn(one_line(error.what()));
    return code_of(Exit::failed);
  } catch (const std::bad_alloc&) {
    warn("out of memory");
  } catch (const std::exception& error) {
    warn(one_line(error.what()));
  }
  return code_of(Exit::failed);
}

}  // namespace snl::cli
