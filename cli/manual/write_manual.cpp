// Writes the manual as Markdown: a page for each command, from the sources of its help, and
// snl-store(5) and snl-board(5), from the documents that specify these formats.
//   snl_write_manual SOURCES FOLDER VERSION DATE
#include "cli/commands/application.hpp"
#include "cli/commands/examples.hpp"
#include "cli/completion/suggestions.hpp"
#include "cli/session/session.hpp"
#include "storage/ascii.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace snl::cli {
namespace {

struct Item {
  std::string_view what;
  std::string_view about;
};

constexpr std::array exit_codes{
    Item{"0", "Done."},
    Item{"1", "Failed: I/O, a full disk, a store that can't be opened or is busy."},
    Item{"2", "Usage: bad arguments, an invalid board, impossible dice, a turn out of range."},
    Item{"3", "No such game, player, tournament or checkpoint, or an ambiguous ID."},
    Item{"4",
         "The store, the export or the proof is not sound. Every command of a game is "
         "proved by audit, import, db backup, db copy, db restore, and export as jsonl or html. "
         "The commands db check and db compact prove the file as a database, not the games in it. "
         "From audit, checkpoint, prove, verify and serve it can also mean that the log signed "
         "something else."},
    Item{"5",
         "A conflict: the game is at another version than expected, or an ID or a log's name is "
         "taken."},
    Item{"6", "Refused, and nothing recorded: INVALID MOVE, GAME COMPLETED, nothing to undo."},
    Item{"130", "Interrupted by Ctrl-C. Everything recorded so far stays."},
};

constexpr std::array variables{
    Item{"SNL_DB", "The store, if there is no --db."},
    Item{"XDG_DATA_HOME, HOME",
         "Without --db and SNL_DB, the store is snl/snl.db in the first, else in .local/share of "
         "the second."},
    Item{"NO_COLOR, TERM", "Text has no colours if NO_COLOR is set or TERM is dumb."},
    Item{"COLORTERM", "Says that a terminal has more than eight colours."},
    Item{"LC_ALL, LC_CTYPE, LANG",
         "The first one that is set decides whether boards are drawn in Unicode."},
    Item{"SNL_PAGER, PAGER",
         "The pager for output longer than the terminal: the first one that is set, else less "
         "-FRX. If it is empty or cat, there is no pager."},
    Item{"LESS", "If it isn't set, the pager gets it with the value FRX."},
};

constexpr Item store_file{"~/.local/share/snl/snl.db",
                          "The store: every game, and the checkpoints of its log."};

struct Page {
  const CLI::App& command;
  std::string words;  // "board show"; empty for the program itself

  std::string name() const {
    std::string joined = words.empty() ? "snl" : "snl-" + words;
    std::ranges::replace(joined, ' ', '-');
    return joined;
  }
  /// A server is a matter for the administrator of a machine.
  std::string_view section() const { return words == "serve" ? "8" : "1"; }
};

/// A page for each command, the program's first.
void collect(const CLI::App& command, const std::string& words, std::vector<Page>& pages) {
  pages.push_back({command, words});
  for (const CLI::App* part : subcommands_of(command))
    collect(*part, words.empty() ? part->get_name() : words + ' ' + part->get_name(), pages);
}

std::string reference_to(const Page& page) {
  return fmt::format("`{}`({})", page.name(), page.section());
}

/// Text to be shown to the letter.
std::string escaped(std::string_view text) {
  std::string markdown;
  for (const char c : text) {
    if (std::string_view("\\`*_[]<>|#").contains(c)) markdown += '\\';
    markdown += c;
  }
  return markdown;
}

/// Rows of a term, in Markdown, and its definition.
class Definitions {
 public:
  void add(std::string_view term, std::string_view about) {
    rows_ += fmt::format("| {} | {} |\n", term, about);
  }
  /// The rows under a heading; empty if there are none.
  std::string section(std::string_view title) const {
    return rows_.empty() ? "" : fmt::format("## {}\n\n| | |\n| --- | --- |\n{}\n", title, rows_);
  }

 private:
  std::string rows_;
};

std::string section_of(std::string_view title, std::span<const Item> rows) {
  Definitions definitions;
  for (const auto& [what, about] : rows)
    definitions.add(fmt::format("`{}`", what), escaped(about));
  return definitions.section(title);
}

// ---- Options and operands

/// " Excludes: --cells, --size." in the command's order; empty if there are none.
std::string related(std::string_view how, const CLI::App& command,
                    const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    if (std::ranges::find(options, option) != options.end()) names.push_back(option->get_name());
  return names.empty() ? "" : fmt::format(" {}: {}.", how, fmt::join(names, ", "));
}

/// The help on an option, in sentences.
std::string described(const CLI::App& command, const CLI::Option& option) {
  std::string about = option.get_description();
  if (!about.ends_with('.')) about += '.';
  const std::vector<std::string> words = value_type(option).words;
  if (!words.empty()) about += fmt::format(" One of: {}.", fmt::join(words, ", "));
  if (option.nonpositional() && option.get_required()) about += " Required.";
  return about + related("Needs", command, option.get_needs()) +
         related("Excludes", command, option.get_excludes());
}

std::string term_of(const CLI::Option& option) {
  if (!option.nonpositional()) return fmt::format("*{}*", escaped(option.get_name(true)));
  std::string term = fmt::format("`{}`", fmt::join(names_of(option), "`, `"));
  if (option.get_items_expected_max() > 0)
    term += fmt::format(" *{}*", escaped(value_type(option).name));
  return term;
}

std::string operands_and_options(const Page& page) {
  Definitions operands;
  Definitions options;
  for (const CLI::Option* option : page.command.get_options())
    (option->nonpositional() ? options : operands)
        .add(term_of(*option), escaped(described(page.command, *option)));
  // Options of the program go with every command.
  if (page.command.get_parent() != nullptr)
    options.add("`--db`, `--color`, `--no-pager`", "As with every command: see `snl`(1).");
  return operands.section("OPERANDS") + options.section("OPTIONS");
}

// ---- The page of a command

/// The words after "Usage: snl new" in the help.
std::string synopsis(const Page& page) {
  const bool is_program = page.command.get_parent() == nullptr;
  std::string usage =
      fmt::format("## SYNOPSIS\n\n`snl{}{}` \\[OPTIONS\\]", is_program ? "" : " ", page.words);
  if (!subcommands_of(page.command).empty()) usage += " COMMAND …";
  for (const CLI::Option* option : page.command.get_options())
    if (!option->nonpositional()) {
      const std::string operand = fmt::format("*{}{}*", escaped(option->get_name(true)),
                                              option->get_items_expected_max() > 1 ? "…" : "");
      usage += option->get_required() ? ' ' + operand : fmt::format(" \\[{}\\]", operand);
    }
  return usage + "\n\n";
}

std::string examples_section(const Page& page) {
  std::vector<Example> examples = examples_of(page.words);
  for (const CLI::App* part : subcommands_of(page.command))
    if (!page.words.empty())
      for (const Example& example : examples_of(page.words + ' ' + part->get_name()))
        examples.push_back(example);
  std::string text = examples.empty() ? "" : "## EXAMPLES\n\n";
  for (const Example& example : examples)
    text += fmt::format("{}\n```\n{}\n```\n", escaped(example.about), example.line);
  return text;
}

std::string with_full_stop(std::string text) {
  if (!text.ends_with('.')) text += '.';
  return text;
}

/// Prose; lines that begin with a blank stay as they are.
std::string with_kept_lines(const std::string& text) {
  std::string markdown;
  bool kept = false;
  for (const std::string& line : CLI::detail::split(text + "\n", '\n')) {
    if (kept != line.starts_with(' ')) markdown += "```\n";
    kept = line.starts_with(' ');
    markdown += (kept ? line : escaped(line)) + '\n';
  }
  return kept ? markdown + "```\n" : markdown;
}

std::string description(const Page& page) {
  return fmt::format("## DESCRIPTION\n\n{}\n\n{}\n",
                     escaped(with_full_stop(page.command.get_description())),
                     with_kept_lines(page.command.get_footer()));
}

std::string commands_section(const std::vector<Page>& pages, const Page& page) {
  Definitions commands;
  for (const Page& other : pages)
    if (other.command.get_parent() == &page.command)
      commands.add(reference_to(other), escaped(with_full_stop(other.command.get_description())));
  return commands.section("COMMANDS");
}

std::string see_also(const std::vector<Page>& pages, const Page& page) {
  std::string text = "## SEE ALSO\n\n";
  if (page.words.empty()) return text + "`snl-board`(5), `snl-store`(5), `snl-serve`(8)\n";
  for (const Page& other : pages)
    if (&other.command == page.command.get_parent() && !other.words.empty())
      text += reference_to(other) + ", ";
  if (page.words.starts_with("board")) return text + "`snl`(1), `snl-board`(5)\n";
  return text + "`snl`(1), `snl-store`(5)\n";
}

std::string about(const Page& page) {
  std::string text = page.command.get_description();
  // The program's text begins with the game's name.
  if (!page.words.empty()) text.front() = lower_case(text.front());
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string text_of(const std::vector<Page>& pages, const Page& page,
                    std::string_view guide_to_serving) {
  std::string text = synopsis(page) + examples_section(page) + description(page) +
                     commands_section(pages, page) + operands_and_options(page);
  if (page.words == "serve") text += guide_to_serving;
  text += section_of("EXIT STATUS", exit_codes);
  if (page.words.empty())
    text += section_of("ENVIRONMENT", variables) + section_of("FILES", std::span(&store_file, 1));
  return text + see_also(pages, page);
}

// ---- All pages

/// A document's lines from the heading `first` on, up to one that begins with `next`.
std::string part_of(const std::filesystem::path& document, const std::string& first,
                    const std::string& next) {
  const std::ifstream file(document);
  std::ostringstream text;
  text << file.rdbuf();
  const std::string lines = '\n' + text.str();
  const std::size_t begin = lines.find('\n' + first + '\n');
  if (!file || begin == std::string::npos)
    throw std::runtime_error(document.string() + " can't be read, or has no part \"" + first + '"');
  const std::size_t end = lines.find('\n' + next, begin + 1);
  return lines.substr(begin + 1, end - begin);
}

std::string without_heading(const std::string& part) {
  return part.substr(part.find('\n') + 1);
}

std::string text_of_format(const std::filesystem::path& storage) {
  return "## DESCRIPTION\n" +
         without_heading(part_of(storage / "format.md", "# The format", "# ")) +
         part_of(storage / "proving.md", "## Audit", "# ") +
         part_of(storage / "sqlite/README.md", "## Where a store may live", "## ") +
         "## A store on PostgreSQL\n" +
         without_heading(part_of(storage / "postgres/README.md", "## For operators", "## ")) +
         "## SEE ALSO\n\n`snl`(1), `snl-audit`(1), `snl-export`(1), `snl-serve`(8)\n";
}

std::string text_of_board_files(const std::filesystem::path& storage) {
  return "## DESCRIPTION\n" +
         without_heading(part_of(storage / "exchange/README.md", "## Board files", "## ")) +
         "## SEE ALSO\n\n`snl`(1), `snl-board-check`(1), `snl-board-convert`(1), "
         "`snl-board-list`(1), `snl-store`(5)\n";
}

/// The place of a page in the manual.
struct PageTitle {
  std::string_view name;     // snl-new
  std::string_view section;  // 1
  std::string_view volume;   // in its page header: "User Commands"
  std::string_view about;    // a line without a full stop
};

std::string upper(std::string_view name) {
  std::string text(name);
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

void write_page(const std::filesystem::path& folder, const PageTitle& title,
                std::string_view footer, std::string_view text) {
  const auto path = folder / fmt::format("{}.{}.md", title.name, title.section);
  std::ofstream file(path);
  file << fmt::format("---\ntitle: {}\nsection: {}\nheader: {}\n{}---\n## NAME\n\n{} - {}\n\n",
                      upper(title.name), title.section, title.volume, footer, title.name,
                      escaped(title.about))
       << text;
  file.close();
  if (!file) throw std::runtime_error("can't write " + path.string());
}

void write_manual(const std::filesystem::path& sources, const std::filesystem::path& folder,
                  std::string_view version, std::string_view date) {
  Session session;
  CLI::App app;
  declare_all(app, session);
  std::vector<Page> pages;
  collect(app, "", pages);
  const std::string release = fmt::format("footer: snl {}\ndate: {}\n", version, date);
  const std::string guide =
      part_of(sources / "cli/server/README.md", "## A class in one room", "## Proof of fair dice");
  for (const Page& page : pages) {
    const std::string_view volume =
        page.section() == "8" ? "System Administration" : "User Commands";
    const std::string name = page.name();
    write_page(folder, {name, page.section(), volume, about(page)}, release,
               text_of(pages, page, guide));
  }
  write_page(
      folder,
      {"snl-store", "5", "File Formats", "the format of the store of snl, and of its exports"},
      release, text_of_format(sources / "storage"));
  write_page(folder, {"snl-board", "5", "File Formats", "the files of boards that snl reads"},
             release, text_of_board_files(sources / "storage"));
}

}  // namespace
}  // namespace snl::cli

int main(int argc, char** argv) {
  try {
    if (argc != 5) throw std::runtime_error("usage: SOURCES FOLDER VERSION DATE");
    snl::cli::write_manual(argv[1], argv[2], argv[3], argv[4]);
    return 0;
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "snl_write_manual: %s\n", error.what());
    return 1;
  }
}
