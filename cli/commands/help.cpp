// help

#include "help.hpp"

#include "cli/session/failure.hpp"
#include "cli/session/near_word.hpp"
#include "cli/session/output.hpp"
#include "commands.hpp"
#include "examples.hpp"
#include "lesson.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace snl::cli {
namespace {

/// Shows a command's examples first, before its words and options: most readers look for one.
class HelpWithExamples : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* command, std::string path) const override {
    const std::size_t space = path.find(' ');
    const std::string words = space == std::string::npos ? "" : path.substr(space + 1);
    std::string text = CLI::Formatter::make_usage(command, std::move(path));
    const std::vector<Example> examples =
        words.empty() ? std::vector<Example>{} : examples_of(words);
    if (!examples.empty()) text += "\nExamples:\n";
    for (const Example& example : examples)
      text += fmt::format("  {}\n      {}\n", example.line, example.about);
    return text;
  }
};

}  // namespace

void show_examples_in_help(CLI::App& app) {
  app.formatter(std::make_shared<HelpWithExamples>());
}

namespace {

/// `help` is the command that shows the help of `above`, which may have no commands below it.
Failure no_such_command(const CLI::App& above, const std::string& word, std::string_view help) {
  std::vector<std::string> names;
  for (const CLI::App* command : above.get_subcommands({}))
    names.push_back(command->get_name());
  return {Exit::usage,
          fmt::format("no command is called \"{}\"{}; {} {}", word, suggestion(word, names), help,
                      names.empty() ? "tells what it takes" : "lists them")};
}

}  // namespace

std::string help_of(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  std::string path = app.get_name();
  for (const std::string& word : words) {
    try {
      command = command->get_subcommand(word);
    } catch (const CLI::OptionNotFound&) {
      throw no_such_command(*command, word, "snl help" + path.substr(app.get_name().size()));
    }
    path += ' ' + word;
  }
  // Not CLI::App::help(): that describes the command on the line instead.
  return app.get_formatter()->make_help(command, path, CLI::AppFormatMode::Normal);
}

void add_help(CLI::App& app, Session& /*session*/) {
  auto* help = app.add_subcommand("help", "Show the help of a command");
  auto words = std::make_shared<std::vector<std::string>>();
  help->add_option("COMMAND", *words, "A command, such as: board show");
  help->callback([&app, words] {
    const bool asks_for_lesson = *words == std::vector<std::string>{"teach"};
    print(asks_for_lesson ? std::string(lesson) : help_of(app, *words));
  });
  help->footer("snl help teach is a lesson: questions for a class, and commands that answer them.");
}

}  // namespace snl::cli
