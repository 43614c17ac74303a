#include "application.hpp"

#include "cli/session/failure.hpp"
#include "cli/session/near_word.hpp"
#include "cli/session/next_step.hpp"
#include "cli/session/output.hpp"
#include "cli/session/session.hpp"
#include "commands.hpp"
#include "completion.hpp"
#include "examples.hpp"
#include "help.hpp"
#include "storage/store_error.hpp"
#include "storage/transparency/signing.hpp"
#include "version.hpp"

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snl::cli {
namespace {

constexpr const char* about_program = "Snakes and Ladders: play, keep, replay and prove games.";

int code_of(Exit exit) {
  return static_cast<int>(exit);
}

/// Ctrl-C loses nothing that was recorded: a store is whole whenever its process ends.
extern "C" void leave_at_once(int /*signal*/) {
  _exit(code_of(Exit::interrupted));
}

/// Keeps the store's file from taking the place of a stream that the caller has closed. Reading or
/// writing that stream still fails: stdin is opened for writing, the others for reading.
void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1 && errno == EBADF)
      (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

struct NamedCommand {
  std::string_view name;
  void (*add)(CLI::App&, Session&);
};

/// The commands, in the order of the help.
constexpr std::array all_commands{
    NamedCommand{"new", add_new},
    NamedCommand{"show", add_show},
    NamedCommand{"list", add_list},
    NamedCommand{"branch", add_branch},
    NamedCommand{"play", add_play},
    NamedCommand{"roll", add_roll},
    NamedCommand{"undo", add_undo},
    NamedCommand{"redo", add_redo},
    NamedCommand{"replay", add_replay},
    NamedCommand{"watch", add_watch},
    NamedCommand{"log", add_log},
    NamedCommand{"analyze", add_analyze},
    NamedCommand{"audit", add_audit},
    NamedCommand{"key", add_key},
    NamedCommand{"checkpoint", add_checkpoint},
    NamedCommand{"prove", add_prove},
    NamedCommand{"verify", add_verify},
    NamedCommand{"witness", add_witness},
    NamedCommand{"export", add_export},
    NamedCommand{"import", add_import},
    NamedCommand{"tournament", add_tournament},
    NamedCommand{"board", add_board},
    NamedCommand{"simulate", add_simulate},
    NamedCommand{"serve", add_serve},
    NamedCommand{"db", add_db},
    NamedCommand{"completion", add_completion},
    NamedCommand{"help", add_help},
};

/// The word of the command line that names the command, if any does: the first one that is neither
/// an option of the program itself nor the value of one.
std::string_view command_word(std::span<const char* const> words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const bool has_value = word == "--db" || word == "--color";
    if (has_value && ++i == words.size()) break;
    if (std::string_view(words[i]) == "--") break;
    if (!has_value && word != "--no-pager" && !word.starts_with("--db=") &&
        !word.starts_with("--color="))
      return word;
  }
  return "";
}

bool is_command(std::string_view word) {
  return std::ranges::find(all_commands, word, &NamedCommand::name) != all_commands.end();
}

/// Adds the command named `word`. Adds all of them if `word` names none, or a command that needs
/// the others. Adding all takes as long as the rest of a short command's start.
void add_commands(CLI::App& app, Session& session, std::string_view word) {
  const auto* const named = std::ranges::find(all_commands, word, &NamedCommand::name);
  if (named != all_commands.end() && word != "help") return named->add(app, session);
  for (const NamedCommand& command : all_commands)
    command.add(app, session);
}

void build(CLI::App& app, Session& session, std::string_view word) {
  app.name("snl");
  app.set_version_flag("--version", version_text);
  app.set_help_flag("-h,--help", "Show this help");
  app.require_subcommand(1);
  app.fallthrough();
  show_examples_in_help(app);
  app.add_option("--db", session.db_option, "The store ($SNL_DB, else ~/.local/share/snl/snl.db)")
      ->each(advise_store)
      ->type_name("FILE");
  app.add_option("--color", session.color_option, "When to use colour: auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
  app.add_flag_callback("--no-pager", never_page, "Print everything at once, without a pager");
  add_commands(app, session, word);
  app.footer(R"(Turn 0 is the start. A game is an ID, a unique prefix of one, @ (the newest) or @-1.
A store is a file, or a database: postgresql://HOST/NAME, or "host=… dbname=…".
snl help COMMAND tells more.)");
}

// CLI11 gives some words a meaning: it takes [A,B] for a list of two and ++ for the end of a
// command, and at -- it leaves a command that has the words it requires. A mark in front makes each
// an ordinary word; it is removed from every value before a command gets it. With --db= and nothing
// after it, CLI11 would take the next word as the value. Here that is an empty value: an error.
constexpr char word_mark = '\x1F';
constexpr char operand_mark = '\x1E';  // of the words after --, which are no option's value

bool is_marked(std::string_view word) {
  return word.starts_with(word_mark) || word.starts_with(operand_mark);
}

/// The place of an option's value in a word that holds both: --player=Ann, -oFILE.
std::size_t begin_of_value(std::string_view word) {
  if (!word.starts_with("--")) return word.starts_with('-') ? 2 : 0;
  const std::size_t equals = word.find('=');
  return equals == std::string_view::npos ? word.size() : equals + 1;
}

/// Puts a second mark before a word that begins with a mark: only one of them is removed.
std::string with_own_mark_kept(std::string word) {
  const std::size_t begin = begin_of_value(word);
  if (begin < word.size() && is_marked(word.substr(begin))) word.insert(begin, 1, word_mark);
  return word;
}

std::vector<std::string> marked_words(int argc, const char* const* argv) {
  std::vector<std::string> words;
  bool only_words = false;  // after --
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (only_words) {
      words.push_back(operand_mark + word);
    } else if (word == "--") {
      only_words = true;
    } else if (word.starts_with("--") && word.find('=') == word.size() - 1) {
      words.push_back(word.substr(0, word.size() - 1));
      words.emplace_back();
    } else {
      const bool misread = word.starts_with('[') || word == "++";
      words.push_back(misread ? word_mark + word : with_own_mark_kept(word));
    }
  }
  std::ranges::reverse(words);  // the order in which CLI11 wants them
  return words;
}

/// CLI11 would take an empty value for none.
std::string refuse_empty(const std::string& word) {
  return word.empty() ? "an empty value isn't allowed" : "";
}

/// Gives every option of every command the rules that they share.
void finish_options(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) option->check(refuse_empty);
    if (!option->get_positional() && option->get_items_expected_max() == 1 &&
        option->get_allow_extra_args())
      option->take_last();
    option->transform([option](const std::string& word) {
      if (!option->get_positional() && word.starts_with(operand_mark))
        throw CLI::ArgumentMismatch::TypedAtLeast(option->get_name(), 1, option->get_type_name());
      return is_marked(word) ? word.substr(1) : word;
    });
  }
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    finish_options(*command);
}

/// The commands on the command line, from the outermost in.
std::vector<std::string> given_commands(const CLI::App& app) {
  std::vector<std::string> names;
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    names.push_back(command->get_name());
  }
  return names;
}

/// The words of the command that shows the help of the command on the line.
std::vector<std::string> help_command(const CLI::App& app) {
  std::vector<std::string> words = given_commands(app);
  words.insert(words.begin(), {"snl", "help"});
  return words;
}

/// The innermost command on the line, or the program itself.
const CLI::App& innermost(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty())
    command = command->get_subcommands().front();
  return *command;
}

/// The words that are known where an unknown word stands: the commands there, or the options.
std::vector<std::string> known_words(const CLI::App& app, std::string_view unknown) {
  const CLI::App& command = innermost(app);
  std::vector<std::string> known;
  if (!unknown.starts_with('-')) {
    for (const CLI::App* sub : command.get_subcommands({}))
      known.push_back(sub->get_name());
    return known;
  }
  for (const CLI::App* where : {&command, &app})
    for (const CLI::Option* option : where->get_options()) {
      for (const std::string& name : option->get_lnames())
        known.push_back("--" + name);
      for (const std::string& name : option->get_snames())
        if (unknown == "--" + name) known.push_back("-" + name);
    }
  return known;
}

/// "; did you mean …?" for an unknown word that may be misspelt. A word that is known, but stands
/// where it has no meaning, gets its place.
std::string meant_by(const CLI::App& app, const std::string& unknown) {
  const std::string plain = unknown.substr(is_marked(unknown) ? 1 : 0);
  const std::string word = plain.substr(0, plain.find('='));
  const std::vector<std::string> known = known_words(app, word);
  if (std::ranges::find(known, word) == known.end()) return suggestion(word, known);
  if (is_marked(unknown)) return " after --; leave out --";
  return fmt::format("; put {} after {}", word, fmt::join(given_commands(app), " "));
}

std::string no_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> above = given_commands(app);
  above.insert(above.begin(), "snl");
  return fmt::format("\"{}\" isn't a command or option of {}{}", word, fmt::join(above, " "),
                     meant_by(app, word));
}

/// The unknown word where a command was expected: that word itself, or an option before it.
std::optional<std::string> unknown_command(const CLI::App& app) {
  if (innermost(app).get_subcommands({}).empty()) return std::nullopt;
  const auto unknown = app.remaining(true);
  const auto is_word = [](const std::string& word) { return !word.starts_with('-'); };
  if (std::ranges::none_of(unknown, is_word)) return std::nullopt;
  return unknown.front();
}

/// Explains "--db: 1 required FILE missing", CLI11's words for it; for a set of words, "…
/// WHEN:{a,b} …".
std::string missing_value(std::string_view message) {
  const std::string_view option = message.substr(0, message.find(": "));
  const std::size_t words = message.find(":{");
  if (words == std::string_view::npos) return fmt::format("{}: its value is missing", option);
  const std::string listed(message.substr(words + 2, message.rfind('}') - words - 2));
  return fmt::format("{}: its value is missing, one of {}", option,
                     fmt::join(CLI::detail::split(listed, ','), ", "));
}

/// Explains "Could not convert: --speed = abc". Whole numbers never get here: they have a check.
std::string no_number(const CLI::App& app, std::string_view message) {
  constexpr std::string_view before = "Could not convert: ";
  const std::size_t equals = message.find(" = ");
  if (!message.starts_with(before) || equals == std::string_view::npos) return std::string(message);
  const std::string name(message.substr(before.size(), equals - before.size()));
  const CLI::Option* option = innermost(app).get_option_no_throw(name);
  const bool is_flag = option != nullptr && option->get_items_expected_max() == 0;
  const std::string_view value = message.substr(equals + 3);
  if (is_flag) return fmt::format("{} takes no value: {}", name, value);
  return fmt::format("{}: {} isn't a number", name, value);
}

/// Explains "--format: bad not in {jsonl,text}"; none for any other message.
std::optional<std::string> none_of_words(std::string_view message) {
  constexpr std::string_view before_words = " not in {";
  const std::size_t words = message.rfind(before_words);
  if (words == std::string_view::npos || !message.ends_with('}')) return std::nullopt;
  const std::string listed(message.substr(words + before_words.size()));
  return fmt::format("{} isn't one of {}", message.substr(0, words),
                     fmt::join(CLI::detail::split(listed.substr(0, listed.size() - 1), ','), ", "));
}

/// Explains "--cells excludes --size".
std::string not_together(std::string_view message) {
  constexpr std::string_view between = " excludes ";
  const std::size_t at = message.find(between);
  return fmt::format("{} and {} can't be given together", message.substr(0, at),
                     message.substr(at + between.size()));
}

/// Explains "--mono requires --svg".
std::string not_alone(std::string_view message) {
  constexpr std::string_view between = " requires ";
  const std::size_t at = message.find(between);
  return fmt::format("{} works only with {}; add it", message.substr(0, at),
                     message.substr(at + between.size()));
}

/// CLI11's own messages are for programmers. This rewords each one that a user can get to see.
std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const std::string_view message = error.what();
  const auto unknown = app.remaining(true);
  if (!unknown.empty() && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr &&
      !innermost(app).get_subcommands({}).empty())
    return no_command(app, unknown.front());
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
    for (const std::string& word : unknown)
      if (word.starts_with("-"))  // perhaps the one that is missing
        return fmt::format("not expected: {}{}", word, meant_by(app, word));
  if (!unknown.empty() && dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
    return fmt::format("not expected: {}{}", fmt::join(unknown, " "),
                       meant_by(app, unknown.front()));
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr &&
      message.ends_with(" missing"))
    return missing_value(message);
  // "--seed: At Most 1 required but received 2": no option takes two values at once.
  if (const std::size_t at = message.find(": At Most "); at != std::string_view::npos)
    return fmt::format("{} is given {} times; give it once", message.substr(0, at),
                       message.substr(message.rfind(' ') + 1));
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) return not_together(message);
  if (dynamic_cast<const CLI::RequiresError*>(&error) != nullptr) return not_alone(message);
  if (auto words = none_of_words(message)) return *std::move(words);
  if (message == "A subcommand is required") {
    std::vector<std::string> names;
    for (const CLI::App* command : innermost(app).get_subcommands({}))
      names.push_back(command->get_name());
    return fmt::format("a command is missing, one of {}", fmt::join(names, ", "));
  }
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr)
    return no_number(app, error.what());
  return error.what();
}

std::string without_marks(std::string message) {
  std::erase_if(message, [](char c) { return c == word_mark || c == operand_mark; });
  return message;
}

/// A message as one line; a library may have written it over several.
std::string one_line(std::string message) {
  std::ranges::replace(message, '\n', ' ');
  while (message.ends_with(' '))
    message.pop_back();
  return message;
}

/// The page for the program's name alone.
std::string first_page() {
  std::string text = fmt::format("{}\n\n", about_program);
  for (const Example& example : examples_of(""))
    text += fmt::format("  {:30}  {}\n", example.line, example.about);
  return text + "\nsnl help lists all commands, snl help COMMAND tells more of one.\n";
}

/// Answers `snl __complete`: `words` are those after it.
void complete_words(std::span<const char* const> words) {
  Session session;
  CLI::App app;
  build(app, session, words.size() > 1 ? words.front() : "");
  complete(app, session, std::vector<std::string>(words.begin(), words.end()));
}

/// Whether a message already ends with a next step.
bool names_next_step(std::string_view message) {
  constexpr std::array own_words{"; snl ",  ": snl ", "see snl ",     "; correct ", "; give ",
                                 "; name ", "; use ", "; leave out ", "; --force",  "; play it "};
  return std::ranges::any_of(own_words, [&](const char* words) { return message.contains(words); });
}

/// Adds the help to see to an error of usage that names no next step.
Failure with_next_step(const CLI::App& app, const Failure& failure) {
  const std::string message = failure.what();
  if (failure.code() != Exit::usage || message.empty() || names_next_step(message)) return failure;
  return {Exit::usage, fmt::format("{}; see {}", message, fmt::join(help_command(app), " "))};
}

/// Prints the fault of the command line, and the help to see.
int print_usage_error(const CLI::App& app, const std::string& message) {
  warn(fmt::format("{}; see {}", one_line(without_marks(message)),
                   fmt::join(help_command(app), " ")));
  return code_of(Exit::usage);
}

int parse_and_run(CLI::App& app, int argc, const char* const* argv) {
  const std::string first(command_word(std::span(argv, static_cast<std::size_t>(argc)).subspan(1)));
  if (!first.empty() && !first.starts_with('-') && !is_command(first))
    return print_usage_error(app, no_command(app, first));
  try {
    app.parse(marked_words(argc, argv));
    end_output();
    return code_of(Exit::done);
  } catch (const CLI::CallForHelp&) {
    if (const auto word = unknown_command(app))
      return print_usage_error(app, no_command(app, *word));
    print(help_of(app, given_commands(app)));
  } catch (const CLI::CallForVersion& version) {
    print_line(version.what());
  } catch (const Failure& failure) {
    throw with_next_step(app, failure);
  } catch (const CLI::ParseError& error) {
    return print_usage_error(app, explain(app, error));
  }
  end_output();
  return code_of(Exit::done);
}

/// Writes pending output, then reports a failure, unless there are no words for it. If the output
/// can't be written either, the first failure is reported.
int report_failure(Exit code, const std::string& message) {
  try {
    end_output();
  } catch (const Failure&) {
    (void)std::fflush(stdout);
  }
  if (!message.empty()) warn(one_line(message));
  return code_of(code);
}

}  // namespace

void declare_all(CLI::App& app, Session& session) {
  app.description(about_program);
  build(app, session, "");
}

int run(int argc, const char* const* argv) {
  occupy_closed_streams();
  // With a limit on the size of files (ulimit -f), a write must fail and be reported, not end the
  // process.
  (void)std::signal(SIGXFSZ, SIG_IGN);
  // A shell starts background commands with SIGINT ignored; that must stay so.
  if (std::signal(SIGINT, leave_at_once) == SIG_IGN) (void)std::signal(SIGINT, SIG_IGN);
  const std::span words(argv, static_cast<std::size_t>(argc));
  page_output();
  try {
    if (words.size() > 1 && std::string_view(words[1]) == "__complete") {
      never_page();
      complete_words(words.subspan(2));
      return code_of(Exit::done);
    }
    if (words.size() <= 1) {
      print(first_page());
      flush();
      warn("a command is missing; see snl help");
      return code_of(Exit::usage);
    }
    Session session;
    CLI::App app(about_program);
    build(app, session, command_word(words.subspan(1)));
    finish_options(app);
    return parse_and_run(app, argc, argv);
  } catch (const Failure& failure) {
    const std::string message = failure.what();
    const bool says_what_was_done = failure.code() == Exit::failed && !message.empty();
    return report_failure(failure.code(),
                          says_what_was_done ? with_what_was_done(message) : message);
  } catch (const StoreError& error) {
    return report_failure(Exit::failed, with_what_was_done(on_advised_store(error.what())));
  } catch (const transparency::Contradiction& error) {
    return report_failure(Exit::unsound, fmt::format("{}; see {}, and keep the store as it is",
                                                     error.what(), snl_command({"audit"})));
  } catch (const transparency::NameTaken& error) {
    return report_failure(Exit::conflict, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    const std::string file = error.path1().string();
    return report_failure(Exit::failed, with_what_was_done(fmt::format(
                                            "{}: {}", file.empty() ? "the working folder" : file,
                                            reason_and_next_step(error.code().value()))));
  } catch (const std::bad_alloc&) {
    warn(with_what_was_done("out of memory; close other programs, then try again"));
  } catch (const std::exception& error) {
    warn(one_line(with_what_was_done(error.what())));
  }
  return code_of(Exit::failed);
}

}  // namespace snl::cli
