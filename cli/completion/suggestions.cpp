#include "suggestions.hpp"

#include "domain/named_boards.hpp"

#include <algorithm>
#include <utility>

namespace snl::cli {

// ---- The parts of the command line

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames())
    names.push_back("-" + name);
  for (const std::string& name : option.get_lnames())
    names.push_back("--" + name);
  return names;
}

// CLI11 keeps both in one text: FORMAT:{a,b}.
ValueType value_type(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t words = type.find(":{");
  if (words == std::string::npos) return {type, {}};
  const std::size_t begin = words + 2;
  return {type.substr(0, words),
          CLI::detail::split(type.substr(begin, type.rfind('}') - begin), ',')};
}

std::vector<const CLI::App*> subcommands_of(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App*) { return true; });
}

namespace {

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}

/// --help and --version, which are about the command in front of them.
bool is_about_a_command(const CLI::Option& option) {
  return option.check_lname("help") || option.check_lname("version");
}

/// A command's own options, and those of the commands above it that it takes too.
std::vector<const CLI::Option*> options_of(const CLI::App& command) {
  std::vector<const CLI::Option*> options;
  for (const CLI::Option* option : command.get_options())
    if (option->nonpositional()) options.push_back(option);
  for (const CLI::App* above = command.get_parent(); above != nullptr; above = above->get_parent())
    for (const CLI::Option* option : above->get_options())
      if (option->nonpositional() && !is_about_a_command(*option)) options.push_back(option);
  return options;
}

std::vector<const CLI::Option*> operands_of(const CLI::App& command) {
  std::vector<const CLI::Option*> operands;
  for (const CLI::Option* option : command.get_options())
    if (!option->nonpositional()) operands.push_back(option);
  return operands;
}

const CLI::App* find_subcommand(const CLI::App& command, std::string_view name) {
  for (const CLI::App* subcommand : subcommands_of(command))
    if (subcommand->get_name() == name) return subcommand;
  return nullptr;
}

const CLI::Option* find_option_with_value(const CLI::App& command, std::string_view name) {
  for (const CLI::Option* option : options_of(command))
    if (takes_value(*option) && std::ranges::count(names_of(*option), name) > 0) return option;
  return nullptr;
}

/// The name of a value in the help.
std::string called(const CLI::Option& option) {
  const std::string type = value_type(option).name;
  return option.get_positional() && type == "TEXT" ? option.get_name(true) : type;
}

// ---- The words of the line

/// The words before the one at the cursor.
class Typed {
 public:
  Typed(const CLI::App& app, std::span<const std::string> words) : command_(&app) {
    for (const std::string& word : words)
      read(word);
  }

  const CLI::App& command() const { return *command_; }
  /// The operands so far.
  const std::vector<std::string>& given() const { return given_; }
  /// An option that still waits for its value; null if there is none.
  const CLI::Option* waiting() const { return waiting_; }
  /// Whether -- has ended the options.
  bool only_words() const { return only_words_; }
  const std::string& db() const { return db_; }

 private:
  void read(const std::string& word) {
    const bool may_be_option = !only_words_ && word.size() > 1 && word.front() == '-';
    if (waiting_ != nullptr) {
      if (waiting_->check_lname("db")) db_ = word;
      waiting_ = nullptr;
    } else if (may_be_option && word == "--") {
      only_words_ = true;
    } else if (may_be_option && word.starts_with("--db=")) {
      db_ = word.substr(word.find('=') + 1);
    } else if (may_be_option) {
      waiting_ = find_option_with_value(*command_, word);
    } else if (const CLI::App* subcommand =
                   given_.empty() ? find_subcommand(*command_, word) : nullptr) {
      command_ = subcommand;
    } else {
      given_.push_back(word);
    }
  }

  const CLI::App* command_;
  std::vector<std::string> given_;
  const CLI::Option* waiting_ = nullptr;
  bool only_words_ = false;
  std::string db_;
};

// ---- The suggestions

/// Collects suggestions that begin like the word at the cursor.
class Collector {
 public:
  Collector(const Typed& typed, const RecordedNames& recorded, std::string_view current)
      : typed_(typed), recorded_(recorded), current_(current) {}

  void add_all() {
    const std::size_t equals = current_.find('=');
    if (typed_.waiting() != nullptr)
      add_values(*typed_.waiting());
    else if (!typed_.only_words() && current_.starts_with("--") && equals != std::string::npos)
      add_values_after(equals);
    else if (!typed_.only_words() && current_.starts_with('-'))
      add_options();
    else if (!subcommands_of(typed_.command()).empty())
      add_subcommands();
    else
      add_operand();
  }

  Suggestions suggestions() && { return std::move(suggestions_); }

 private:
  void add(const std::string& word, const std::string& about = "") {
    if (word.starts_with(current_)) suggestions_.words.push_back({prefix_ + word, about});
  }

  void add_values_after(std::size_t equals) {
    const CLI::Option* option =
        find_option_with_value(typed_.command(), current_.substr(0, equals));
    prefix_ = current_.substr(0, equals + 1);
    current_.erase(0, equals + 1);
    if (option != nullptr) add_values(*option);
  }

  void add_options() {
    for (const CLI::Option* option : options_of(typed_.command()))
      for (const std::string& name : names_of(*option))
        add(name, option->get_description());
  }

  void add_commands(const CLI::App& command) {
    for (const CLI::App* subcommand : subcommands_of(command))
      add(subcommand->get_name(), subcommand->get_description());
  }

  void add_subcommands() {
    if (typed_.given().empty()) add_commands(typed_.command());
  }

  void add_operand() {
    const auto operands = operands_of(typed_.command());
    const std::size_t number = typed_.given().size();
    const bool last_repeats = !operands.empty() && operands.back()->get_items_expected_max() > 1;
    if (number < operands.size())
      add_values(*operands[number]);
    else if (last_repeats)
      add_values(*operands.back());
    else if (current_.empty() && !typed_.only_words())
      add_options();
  }

  void add_values(const CLI::Option& option) {
    for (const std::string& word : value_type(option).words)
      add(word);
    const std::string kind = called(option);
    if (kind == "GAME") add_games();
    if (kind == "PLAYER") add_players(option);
    if (kind == "BOARD" || kind == "NAME|FILE") add_boards();
    if (kind == "FILE" || kind == "FILE|DATABASE" || kind == "BOARD" || kind == "NAME|FILE")
      suggestions_.files = true;
    if (kind == "COMMAND") add_commands_of_help();
  }

  void add_boards() {
    for (const NamedBoard& board : named_boards())
      add(std::string(board.name), std::string(board.source));
  }

  void add_games() {
    add("@", "the newest game");
    for (const auto& [id, about] : recorded_.games(typed_.db(), current_))
      add(id, about);
  }

  /// Adds the players of the game on the line, or of any game for an option. A new game can have
  /// any players.
  void add_players(const CLI::Option& option) {
    const auto operands = operands_of(typed_.command());
    const bool of_a_game = !operands.empty() && called(*operands.front()) == "GAME";
    if (of_a_game ? typed_.given().empty() : !option.nonpositional()) return;
    const std::string game = of_a_game ? typed_.given().front() : "";
    for (const auto& [name, about] : recorded_.players(typed_.db(), game))
      add(name, about);
  }

  /// `help board so…`
  void add_commands_of_help() {
    const CLI::App* command = typed_.command().get_parent();
    for (const std::string& word : typed_.given())
      if (command != nullptr) command = find_subcommand(*command, word);
    if (command != nullptr) add_commands(*command);
  }

  const Typed& typed_;
  const RecordedNames& recorded_;
  std::string current_;
  std::string prefix_;  // before the value of an option: --status=
  Suggestions suggestions_;
};

}  // namespace

Suggestions suggestions_for(const CLI::App& app, std::span<const std::string> words,
                            const RecordedNames& recorded) {
  if (words.empty()) return {};
  const Typed typed(app, words.first(words.size() - 1));
  Collector collector(typed, recorded, words.back());
  collector.add_all();
  return std::move(collector).suggestions();
}

}  // namespace snl::cli
