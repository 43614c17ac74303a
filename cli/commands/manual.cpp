#include "manual.hpp"

#include "cli/manual/roff.hpp"
#include "cli/session/failure.hpp"
#include "cli/session/next_step.hpp"
#include "embedded_server_guide.hpp"  // written by the build
#include "examples.hpp"
#include "storage/ascii.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace snl::cli {
namespace {

struct Told {
  std::string_view what;
  std::string_view about;
};

constexpr std::array exit_codes{
    Told{"0", "Done."},
    Told{"1", "Failed: I/O, a full disk, a store that can't be opened or is busy."},
    Told{"2", "Usage: bad arguments, an invalid board, impossible dice, a turn out of range."},
    Told{"3", "No such game, no such player, or an ambiguous ID."},
    Told{"4",
         "What was read is not sound. audit, import, db backup, db copy, db restore, and export as "
         "jsonl or html prove every command; db check and db compact prove the file as a database, "
         "not the games in it."},
    Told{"5", "A conflict: the game is at another version than was expected, an ID is taken."},
    Told{"6", "Refused, and nothing recorded: INVALID MOVE, GAME COMPLETED, nothing to undo."},
    Told{"130", "Interrupted by Ctrl-C. What was recorded stays recorded."},
};

constexpr std::array variables{
    Told{"SNL_DB", "The store, where there is no --db."},
    Told{"XDG_DATA_HOME, HOME",
         "Without either the store is snl/snl.db in the first, or in .local/share of the second."},
    Told{"NO_COLOR, TERM", "Text has no colours where NO_COLOR is set or TERM is dumb."},
    Told{"COLORTERM", "Says that a terminal has more than eight colours."},
    Told{"LC_ALL, LC_CTYPE, LANG",
         "The first that is set says whether boards may be drawn in Unicode."},
    Told{"SNL_PAGER, PAGER",
         "What output that is longer than the terminal goes through: the first that is set, else "
         "less -FRX. None where it is empty or cat."},
    Told{"LESS", "If it isn't set, the pager gets it as FRX."},
};

constexpr Told store_file{"~/.local/share/snl/snl.db", "The store: every game, and nothing else."};

/// A command and the words that name it.
struct Page {
  const CLI::App& command;
  std::string words;  // "board show"; none for the program itself

  std::string name() const {
    std::string joined = words.empty() ? "snl" : "snl-" + words;
    std::ranges::replace(joined, ' ', '-');
    return joined;
  }
  /// What runs until it is stopped is a matter of who looks after a machine.
  std::string_view section() const { return words == "serve" ? "8" : "1"; }
};

std::vector<const CLI::App*> parts_of(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App*) { return true; });
}

/// A page for each command, the program's first.
void collect(const CLI::App& command, const std::string& words, std::vector<Page>& pages) {
  pages.push_back({command, words});
  for (const CLI::App* part : parts_of(command))
    collect(*part, words.empty() ? part->get_name() : words + ' ' + part->get_name(), pages);
}

std::string definition(std::string_view term, std::string_view about) {
  return fmt::format(".TP\n{}\n{}\n", term, roff(about));
}

std::string section_of(std::string_view title, std::span<const Told> rows) {
  std::string text = fmt::format(".SH {}\n", title);
  for (const auto& [what, about] : rows)
    text += definition(bold(what), about);
  return text;
}

std::string reference_to(const Page& page) {
  return fmt::format(".BR {} ({})", roff(page.name()), page.section());
}

// ---- Options and operands

/// "HOST:PORT"; with the words that a value is one of, "FORMAT" and "a,b" of "FORMAT:{a,b}".
std::pair<std::string, std::string> type_and_words(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t words = type.find(":{");
  if (words == std::string::npos) return {type, ""};
  return {type.substr(0, words), type.substr(words + 2, type.rfind('}') - words - 2)};
}

std::string names_in_bold(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames())
    names.push_back(bold("-" + name));
  for (const std::string& name : option.get_lnames())
    names.push_back(bold("--" + name));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// " Excludes: --cells, --size." in the order in which the command has these; nothing of none.
std::string related(std::string_view how, const CLI::App& command,
                    const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    if (std::ranges::find(options, option) != options.end()) names.push_back(option->get_name());
  return names.empty() ? "" : fmt::format(" {}: {}.", how, fmt::join(names, ", "));
}

/// What help says of an option, in sentences.
std::string described(const CLI::App& command, const CLI::Option& option) {
  std::string about = option.get_description();
  if (!about.ends_with('.')) about += '.';
  const std::string words = type_and_words(option).second;
  if (!words.empty()) about += " One of: ";
  for (const char c : words)
    about += c == ',' ? std::string(", ") : std::string(1, c);
  if (!words.empty()) about += '.';
  if (option.nonpositional() && option.get_required()) about += " Required.";
  return about + related("Needs", command, option.get_needs()) +
         related("Excludes", command, option.get_excludes());
}

std::string definition_of(const CLI::App& command, const CLI::Option& option) {
  if (!option.nonpositional())
    return definition(italic(option.get_name(true)), described(command, option));
  const bool takes_value = option.get_items_expected_max() > 0;
  const std::string type = type_and_words(option).first;
  const std::string value = takes_value ? ' ' + italic(type) : "";
  return definition(names_in_bold(option) + value, described(command, option));
}

std::string operands_and_options(const Page& page) {
  std::string operands;
  std::string options;
  for (const CLI::Option* option : page.command.get_options())
    (option->nonpositional() ? options : operands) += definition_of(page.command, *option);
  // Options of the program go with every command.
  if (page.command.get_parent() != nullptr)
    options += fmt::format(".TP\n{}, {}, {}\nAs with every command: see\n.BR snl (1).\n",
                           bold("--db"), bold("--color"), bold("--no-pager"));
  if (!operands.empty()) operands = ".SH OPERANDS\n" + operands;
  return operands + ".SH OPTIONS\n" + options;
}

// ---- A page

/// What stands behind "Usage: snl new" in the help.
std::string synopsis(const Page& page) {
  std::string usage = ".SH SYNOPSIS\n" + bold(page.words.empty() ? "snl" : "snl " + page.words);
  usage += page.command.get_parent() == nullptr ? roff(" [OPTIONS] COMMAND …") : roff(" [OPTIONS]");
  if (page.command.get_parent() != nullptr && !parts_of(page.command).empty())
    usage += roff(" COMMAND …");
  for (const CLI::Option* option : page.command.get_options())
    if (!option->nonpositional()) {
      std::string operand = option->get_name(true);
      if (option->get_items_expected_max() > 1) operand += "…";
      usage += ' ' + (option->get_required() ? italic(operand) : "[" + italic(operand) + "]");
    }
  return usage + '\n';
}

std::string examples_section(const Page& page) {
  std::vector<Example> examples = examples_of(page.words);
  for (const CLI::App* part : parts_of(page.command))
    if (!page.words.empty())
      for (const Example& example : examples_of(page.words + ' ' + part->get_name()))
        examples.push_back(example);
  std::string text;
  for (const Example& example : examples)
    text += fmt::format("{}\n{}\n{}", text.empty() ? ".SH EXAMPLES" : ".PP", roff(example.about),
                        verbatim_block(example.line));
  return text;
}

std::string with_full_stop(std::string text) {
  if (!text.ends_with('.')) text += '.';
  return text;
}

std::string description(const Page& page) {
  return ".SH DESCRIPTION\n" + roff(with_full_stop(page.command.get_description())) + '\n' +
         paragraphs(page.command.get_footer());
}

std::string commands_section(const std::vector<Page>& pages, const Page& page) {
  std::string text;
  for (const Page& other : pages)
    if (other.command.get_parent() == &page.command)
      text += fmt::format(".TP\n{}\n{}\n", reference_to(other),
                          roff(with_full_stop(other.command.get_description())));
  return text.empty() ? text : ".SH COMMANDS\n" + text;
}

std::string see_also(const std::vector<Page>& pages, const Page& page) {
  std::string text = ".SH SEE ALSO\n";
  if (page.words.empty()) return text + ".BR snl\\-store (5),\n.BR snl\\-serve (8)\n";
  for (const Page& other : pages)
    if (&other.command == page.command.get_parent() && !other.words.empty())
      text += reference_to(other) + ",\n";
  return text + ".BR snl (1),\n.BR snl\\-store (5)\n";
}

/// What the server's README has for who runs one.
std::string_view guide_to_serving() {
  constexpr std::string_view first = "## A class in one room\n";
  constexpr std::string_view next = "## What fair dice prove\n";
  constexpr std::size_t begin = server_readme.find(first);
  constexpr std::size_t end = server_readme.find(next);
  static_assert(begin < end && end != std::string_view::npos);
  return server_readme.substr(begin, end - begin);
}

std::string text_of(const std::vector<Page>& pages, const Page& page) {
  const std::string name = page.name();
  std::string about = page.command.get_description();
  about.front() = lower_case(about.front());
  if (about.ends_with('.')) about.pop_back();
  const bool service = page.section() == "8";
  std::string text = page_head({.name = name,
                                .section = page.section(),
                                .volume = service ? "System Administration" : "User Commands",
                                .version = SNL_RELEASE,
                                .date = SNL_RELEASED},
                               about);
  text += synopsis(page) + examples_section(page) + description(page);
  text += commands_section(pages, page) + operands_and_options(page);
  if (service) text += roff_of_markdown(guide_to_serving());
  text += section_of("EXIT STATUS", exit_codes);
  if (page.words.empty())
    text += section_of("ENVIRONMENT", variables) + section_of("FILES", std::span(&store_file, 1));
  return text + see_also(pages, page);
}

}  // namespace

void write_manual(const CLI::App& app, const std::string& folder) {
  std::vector<Page> pages;
  collect(app, "", pages);
  for (const Page& page : pages) {
    const std::string path =
        fmt::format("{}/man{}/{}.{}", folder, page.section(), page.name(), page.section());
    std::ofstream file(path);
    file << text_of(pages, page);
    file.close();
    if (!file)
      throw Failure(Exit::failed,
                    fmt::format("{}: it can't be written: {}", path, reason_and_next_step(errno)));
  }
}

}  // namespace snl::cli
