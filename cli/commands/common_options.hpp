// Options and errors that several commands have.
#pragma once

#include "cli/session/failure.hpp"
#include "cli/session/output.hpp"
#include "cli/session/output_file.hpp"
#include "storage/match.hpp"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace snl::cli {

/// The names in a table of NamedValue: the words that an option takes.
std::vector<std::string> names_in(const auto& table) {
  std::vector<std::string> names;
  names.reserve(table.size());
  for (const auto& entry : table)
    names.emplace_back(entry.name);
  return names;
}

/// An option whose value the help calls `type`.
CLI::Option* add_value(CLI::App& command, const std::string& names, auto& target,
                       const std::string& type, const std::string& about) {
  return command.add_option(names, target, about)->type_name(type);
}

/// An option that takes one of `words`.
CLI::Option* add_word(CLI::App& command, const std::string& names, std::string& target,
                      const std::vector<std::string>& words, const std::string& type,
                      const std::string& about);

/// An option that may be given several times, each time with a value.
CLI::Option* add_repeated(CLI::App& command, const std::string& names,
                          std::vector<std::string>& values, const std::string& type,
                          const std::string& about);

/// --json.
CLI::Option* add_json_flag(CLI::App& command, OutputForm& form,
                           const std::string& about = "Print JSON");

/// --csv, for a command that has --json.
CLI::Option* add_csv_flag(CLI::App& command, OutputForm& form,
                          const std::string& about = "Print a table for spreadsheets, as CSV");

/// --distribution, for a command that has --csv: prints another table.
CLI::Option* add_distribution_flag(CLI::App& command, OutputForm& form, bool& distribution);

/// --force.
CLI::Option* add_force_flag(CLI::App& command, Occupied& occupied,
                            const std::string& about = "Overwrite a file that exists");

/// The game that a command is about, as its first operand, and --json.
struct GameArgument {
  std::string game;
  OutputForm form = OutputForm::words;
  void add_to(CLI::App& command);
};

/// --expect-version and --command-id.
struct RequestOptions {
  std::optional<Version> expected_version;
  std::optional<std::string> command_id;

  void add_to(CLI::App& command);
  Request request() const { return {expected_version, command_id}; }
};

/// A failure to work out exact chances, with the reason.
Failure estimates_only(const std::string& why);

}  // namespace snl::cli
