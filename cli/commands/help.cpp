// help

#include "help.hpp"

#include "cli/session/failure.hpp"
#include "cli/session/output.hpp"
#include "commands.hpp"

#include <fmt/format.h>

#include <memory>

namespace snl::cli {

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

void add_help(CLI::App& app, Session& /*session*/) {
  auto* help = app.add_subcommand("help", "Show the help of a command");
  auto words = std::make_shared<std::vector<std::string>>();
  help->add_option("COMMAND", *words, "The command, such as: board show");
  help->callback([&app, words] { print(help_of(app, *words)); });
}

}  // namespace snl::cli
