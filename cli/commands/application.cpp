#include "application.hpp"

#include "cli/completion/completion.hpp"
#include "cli/session/failure.hpp"
#include "cli/session/session.hpp"
#include "commands.hpp"

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>
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

/// A stream that the caller has closed must not become the store's file. Reading and writing it
/// still fail: stdin is opened to be written, the others to be read.
void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1 && errno == EBADF)
      (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/// The help of the command that these words name.
std::string help_of(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  std::string path = app.get_name();
  for (const std::string& word : words) {
    try {
      command = command->get_subcommand(word);
    } catch (const CLI::OptionNotFound&) {
      throw Failure(Exit::usage,
                    fmt::format("no command is called \"{}\"; snl help lists them", word));
    }
    path += ' ' + word;
  }
  // Not CLI::App::help(), which tells of the command that was given instead.
  return app.get_formatter()->make_help(command, path, CLI::AppFormatMode::Normal);
}

/// `snl help [COMMAND…]`
void add_help_command(CLI::App& app) {
  auto* help = app.add_subcommand("help", "Show the help of a command");
  auto words = std::make_shared<std::vector<std::string>>();
  help->add_option("COMMAND", *words, "The command, such as: board show");
  help->callback([&app, words] { print(help_of(app, *words)); });
}

/// `snl completion SHELL`
void add_completion_command(CLI::App& app) {
  auto* completion =
      app.add_subcommand("completion", "Print a script by which a shell completes commands");
  auto shell = std::make_shared<std::string>();
  completion->add_option("SHELL", *shell, "The shell")
      ->check(CLI::IsMember(completion_shells()))
      ->required();
  completion->footer(
      "It completes commands, options, their values, named boards and the IDs of games.\n"
      "  bash  source <(snl completion bash)      this line in ~/.bashrc\n"
      "  zsh   snl completion zsh > \"${fpath[1]}/_snl\"      then start zsh anew\n"
      "  fish  snl completion fish > ~/.config/fish/completions/snl.fish");
  completion->callback([&app, shell] { print(completion_script(app, *shell)); });
}

/// A command, and what adds it, with others of its kind.
struct NamedCommand {
  std::string_view name;
  void (*add)(CLI::App&, Session&);
};

/// In the order in which help lists them.
constexpr std::array all_commands{
    NamedCommand{"new", add_game_commands},
    NamedCommand{"show", add_game_commands},
    NamedCommand{"list", add_game_commands},
    NamedCommand{"branch", add_game_commands},
    NamedCommand{"play", add_play_commands},
    NamedCommand{"roll", add_play_commands},
    NamedCommand{"undo", add_play_commands},
    NamedCommand{"redo", add_play_commands},
    NamedCommand{"replay", add_history_commands},
    NamedCommand{"watch", add_history_commands},
    NamedCommand{"log", add_history_commands},
    NamedCommand{"analyze", add_analyze_command},
    NamedCommand{"audit", add_audit_command},
    NamedCommand{"export", add_exchange_commands},
    NamedCommand{"import", add_exchange_commands},
    NamedCommand{"tournament", add_tournament_command},
    NamedCommand{"board", add_board_command},
    NamedCommand{"simulate", add_simulate_command},
    NamedCommand{"db", add_db_command},
};

/// Adds the command that `word` is, the first on the command line, and those of its kind; where it
/// is none, all there are. All of them take as long as the rest of a short command's start.
void add_commands(CLI::App& app, Session& session, std::string_view word) {
  const auto* const named = std::ranges::find(all_commands, word, &NamedCommand::name);
  if (named != all_commands.end()) return named->add(app, session);
  void (*added)(CLI::App&, Session&) = nullptr;
  for (const NamedCommand& command : all_commands)
    if (std::exchange(added, command.add) != command.add) command.add(app, session);
  add_completion_command(app);
  add_help_command(app);
}

void build(CLI::App& app, Session& session, std::string_view first_word) {
  app.name("snl");
  app.set_version_flag("--version", "snl " SNL_VERSION);
  app.set_help_flag("-h,--help", "Show this help");
  app.require_subcommand(1);
  app.fallthrough();
  app.add_option("--db", session.db_option, "The store ($SNL_DB, else ~/.local/share/snl/snl.db)")
      ->type_name("FILE");
  app.add_option("--color", session.color_option, "When to use colour: auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
  add_commands(app, session, first_word);
  app.footer(
      "Turn 0 is the start. A game is an ID, a unique prefix of one, @ (the newest) or @-1.\n"
      "snl help COMMAND tells more.");
}

// CLI11 takes a word such as [A,B] for a list of two, ++ for the end of a command, and gives up on
// -- where it has seen a word that would do. A mark in front makes any of them a word like others;
// it is removed from every value before anybody sees it. And --db= with nothing after it would take
// the next word for its value: it has an empty one, which is refused.
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
    if (!only_words && word.starts_with("--") && word.find('=') == word.size() - 1) {
      words.push_back(word.substr(0, word.size() - 1));
      words.emplace_back();
      continue;
    }
    const bool misread = only_words || word.starts_with('[') || word == "++";
    words.push_back(misread ? word_mark + word : word);
  }
  std::ranges::reverse(words);  // the order in which CLI11 wants them
  return words;
}

/// An empty value would be taken for none.
std::string refuse_empty(const std::string& word) {
  return word.empty() ? "an empty value isn't one" : "";
}

/// What goes for every option of every command.
void finish_options(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) option->check(refuse_empty);
    if (!option->get_positional() && option->get_items_expected_max() == 1 &&
        option->get_allow_extra_args())
      option->take_last();
    option->transform([](const std::string& word) {
      return word.starts_with(word_mark) ? word.substr(1) : word;
    });
  }
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    finish_options(*command);
}

/// The commands that were given, from the outermost in.
std::vector<std::string> given_commands(const CLI::App& app) {
  std::vector<std::string> names;
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    names.push_back(command->get_name());
  }
  return names;
}

/// A command that is missing may be one that was misspelt.
std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const auto unknown = app.remaining(true);
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && !unknown.empty())
    return fmt::format("\"{}\" is no command or option of snl", unknown.front());
  return error.what();
}

/// One line of a message that a library may have written over several, without our marks.
std::string one_line(std::string message) {
  std::erase(message, word_mark);
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
    print(help_of(app, given_commands(app)));
  } catch (const CLI::CallForVersion& version) {
    print_line(version.what());
  } catch (const CLI::ParseError& error) {
    warn(one_line(explain(app, error)) + "; see snl help");
    return code_of(Exit::usage);
  }
  flush();
  return code_of(Exit::done);
}

}  // namespace

int run(int argc, const char* const* argv) {
  occupy_closed_streams();
  // Past a limit on the size of files (ulimit -f) a write shall fail, and be told.
  (void)std::signal(SIGXFSZ, SIG_IGN);
  // A shell has background commands ignore it.
  if (std::signal(SIGINT, leave_at_once) == SIG_IGN) (void)std::signal(SIGINT, SIG_IGN);
  try {
    Session session;
    CLI::App app("Snakes and Ladders: play, keep, replay and prove games.");
    build(app, session, argc > 1 ? argv[1] : "");
    finish_options(app);
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
