#include "completion.hpp"

#include "completion_engines.hpp"
#include "domain/named_boards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <span>
#include <utility>

namespace snl::cli {
namespace {

// ---- What there is to complete

struct Entry {
  std::string name;
  std::string about;
};

/// The lists of a command: see completion_engines.hpp.
struct Facts {
  std::string path;
  std::vector<Entry> subcommands;
  std::vector<Entry> options;
  std::vector<std::string> values;
  std::vector<std::string> operands;
};

std::vector<std::string> split(const std::string& text, char separator) {
  return CLI::detail::split(text, separator);
}

/// The words that an option or operand is one of, from its validators.
std::vector<std::string> possible_words(const CLI::Option& option) {
  for (const std::string& part : split(option.get_type_name(), ':'))
    if (part.starts_with('{') && part.ends_with('}'))
      return split(part.substr(1, part.size() - 2), ',');
  return {};
}

/// The kind of a value, and the words it may be. What it is called tells the kind.
std::string kind_of(const CLI::Option& option) {
  if (const auto words = possible_words(option); !words.empty())
    return fmt::format("words {}", fmt::join(words, " "));
  const std::string type = split(option.get_type_name(), ':').front();
  const std::string called =
      option.get_positional() && type == "TEXT" ? option.get_name(true) : type;
  if (called == "BOARD" || called == "NAME|FILE")
    return fmt::format("board {}",
                       fmt::join(named_boards() | std::views::transform(&NamedBoard::name), " "));
  if (called == "GAME") return "game";
  if (called == "FILE") return "file";
  if (called == "COMMAND") return "command";
  return "any";
}

void add_option(Facts& facts, const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames())
    names.push_back("-" + name);
  for (const std::string& name : option.get_lnames())
    names.push_back("--" + name);
  for (const std::string& name : names) {
    facts.options.push_back({name, option.get_description()});
    if (option.get_items_expected_max() > 0) facts.values.push_back(name + ' ' + kind_of(option));
  }
}

void add_operand(Facts& facts, const CLI::Option& option) {
  facts.operands.push_back(kind_of(option));
  if (option.get_items_expected_max() > 1) facts.operands.emplace_back("...");
}

/// Every command takes the options of those that it belongs to, but not their help.
void add_inherited_options(Facts& facts, const CLI::App& command) {
  for (const CLI::App* above = command.get_parent(); above != nullptr; above = above->get_parent())
    for (const CLI::Option* option : above->get_options())
      if (option->nonpositional() && option->get_items_expected_max() > 0)
        add_option(facts, *option);
}

/// The facts of a command, and of all below it.
void collect(std::vector<Facts>& all, const CLI::App& command, const std::string& path) {
  const auto subcommands = command.get_subcommands([](const CLI::App*) { return true; });
  Facts facts{.path = path, .subcommands = {}, .options = {}, .values = {}, .operands = {}};
  for (const CLI::App* subcommand : subcommands)
    facts.subcommands.push_back({subcommand->get_name(), subcommand->get_description()});
  for (const CLI::Option* option : command.get_options()) {
    if (option->nonpositional())
      add_option(facts, *option);
    else
      add_operand(facts, *option);
  }
  add_inherited_options(facts, command);
  all.push_back(std::move(facts));
  for (const CLI::App* subcommand : subcommands)
    collect(all, *subcommand, path + (path.empty() ? "" : " ") + subcommand->get_name());
}

// ---- The scripts

/// How a shell writes the table.
struct Shell {
  std::string_view name;
  std::string_view first_line;
  std::string_view begin;          // of the function
  std::string_view begin_command;  // {}: its words, quoted
  std::string_view begin_list;     // {}: the name of the list
  std::string_view begin_item;     // before each item
  std::string_view end_list;
  std::string_view end_command;
  std::string_view end;
  std::string_view quote_in_quotes;
  std::string_view backslash_in_quotes;
  bool tells_about;  // with what each option is for
};

constexpr Shell bash{
    .name = "bash",
    .first_line = "# Completion of snl in bash: source <(snl completion bash)",
    .begin =
        "_snl_about() {\n"
        "  subcommands=() option_names=() values=() operands=()\n"
        "  case $1 in\n",
    .begin_command = "    ({})\n",
    .begin_list = "      {}=(",
    .begin_item = "\n        ",
    .end_list = ")\n",
    .end_command = "      ;;\n",
    .end = "  esac\n}\n",
    .quote_in_quotes = R"('\'')",
    .backslash_in_quotes = R"(\)",
    .tells_about = false,
};

constexpr Shell zsh = [] {
  Shell shell = bash;
  shell.name = "zsh";
  shell.first_line =
      "#compdef snl\n"
      "# Completion of snl in zsh: snl completion zsh > \"${fpath[1]}/_snl\"";
  shell.tells_about = true;
  return shell;
}();

constexpr Shell fish{
    .name = "fish",
    .first_line =
        "# Completion of snl in fish: "
        "snl completion fish > ~/.config/fish/completions/snl.fish",
    .begin =
        "function __snl_about --no-scope-shadowing\n"
        "    set subcommands\n"
        "    set option_names\n"
        "    set values\n"
        "    set operands\n"
        "    switch $argv[1]\n",
    .begin_command = "        case {}\n",
    .begin_list = "            set {}",
    .begin_item = " \\\n                ",
    .end_list = "\n",
    .end_command = "",
    .end = "    end\nend\n",
    .quote_in_quotes = R"(\')",
    .backslash_in_quotes = R"(\\)",
    .tells_about = true,
};

constexpr std::array shells{bash, zsh, fish};

/// Writes the lists of all commands.
class TableWriter {
 public:
  explicit TableWriter(const Shell& shell) : shell_(shell) {}

  std::string write(std::span<const Facts> commands) {
    text_ = shell_.begin;
    for (const Facts& command : commands) {
      text_ += fmt::format(fmt::runtime(shell_.begin_command), quoted(command.path));
      add_list("subcommands", lines(command.subcommands));
      add_list("option_names", lines(command.options));
      add_list("values", command.values);
      add_list("operands", command.operands);
      text_ += shell_.end_command;
    }
    text_ += shell_.end;
    return std::move(text_);
  }

 private:
  /// A word in which the shell expands nothing.
  std::string quoted(std::string_view word) const {
    std::string text = "'";
    for (const char letter : word) {
      if (letter == '\'')
        text += shell_.quote_in_quotes;
      else if (letter == '\\')
        text += shell_.backslash_in_quotes;
      else
        text += letter;
    }
    return text + "'";
  }

  std::vector<std::string> lines(std::span<const Entry> entries) const {
    std::vector<std::string> all;
    for (const Entry& entry : entries)
      all.push_back(shell_.tells_about ? entry.name + '\t' + entry.about : entry.name);
    return all;
  }

  void add_list(std::string_view name, std::span<const std::string> items) {
    if (items.empty()) return;
    text_ += fmt::format(fmt::runtime(shell_.begin_list), name);
    for (const std::string& item : items) {
      text_ += shell_.begin_item;
      text_ += quoted(item);
    }
    text_ += shell_.end_list;
  }

  const Shell& shell_;
  std::string text_;
};

}  // namespace

std::vector<std::string> completion_shells() {
  std::vector<std::string> names(shells.size());
  std::ranges::transform(shells, names.begin(), [](const Shell& shell) { return shell.name; });
  return names;
}

std::string completion_script(const CLI::App& app, std::string_view shell) {
  std::vector<Facts> commands;
  collect(commands, app, "");
  const Shell& wanted = *std::ranges::find(shells, shell, &Shell::name);
  return fmt::format("{}\n\n# The lists of a command.\n{}{}", wanted.first_line,
                     TableWriter(wanted).write(commands), completion_engine(shell));
}

}  // namespace snl::cli
