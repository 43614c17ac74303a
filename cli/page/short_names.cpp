#include "short_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace snl::cli {
namespace {

enum class Kind : std::uint8_t { space, word, private_name, other };

struct ScriptPart {
  std::string_view text;
  Kind kind;
  char within;  // the innermost bracket that is open: ( [ { or none
};

bool begins_word(char character) {
  return std::isalpha(static_cast<unsigned char>(character)) != 0 || character == '_' ||
         character == '$';
}

bool is_in_word(char character) {
  return begins_word(character) || std::isdigit(static_cast<unsigned char>(character)) != 0;
}

/// Takes a script apart. All texts, one after another, are the script.
class ScriptParts {
 public:
  explicit ScriptParts(std::string_view script) : script_(script) {
    while (at_ < script_.size())
      take();
  }
  std::vector<ScriptPart> all;

 private:
  void take() {
    if (!open_.empty() && open_.back() == '`') return take_template();
    const char character = script_[at_];
    if (character == ' ' || character == '\n') return add(Kind::space, 1);
    if (character == '"') return add(Kind::other, quoted('"'));
    if (character == '/' && begins_regular_expression())
      return add(Kind::other, regular_expression());
    if (character == '#' && is_in_word(next())) return add(Kind::private_name, 1 + word(1));
    if (begins_word(character)) return add(Kind::word, word(0));
    if (is_in_word(character)) return add(Kind::other, word(0));
    for (const std::string_view sign : {"...", "?."})
      if (script_.substr(at_).starts_with(sign)) return add(Kind::other, sign.size());
    const bool closes = character == '}' || character == ')' || character == ']';
    if (closes && !open_.empty()) open_.pop_back();
    add(Kind::other, 1);
    if (character == '{' || character == '(' || character == '[' || character == '`')
      open_.push_back(character);
  }

  /// Up to its end, or to an expression in it.
  void take_template() {
    std::size_t length = 0;
    while (script_[at_ + length] != '`' && !script_.substr(at_ + length).starts_with("${"))
      length += script_[at_ + length] == '\\' ? 2 : 1;
    const bool ends = script_[at_ + length] == '`';
    add(Kind::other, length + (ends ? 1 : 2));
    if (ends)
      open_.pop_back();
    else
      open_.push_back('$');
  }

  /// Divisions stand behind a value.
  bool begins_regular_expression() const {
    const auto last = std::ranges::find_if(all.rbegin(), all.rend(), [](const ScriptPart& token) {
      return token.kind != Kind::space;
    });
    return last == all.rend() || std::string_view("(,=:[!&|?{};>").contains(last->text.back());
  }

  std::size_t quoted(char quote) const {
    std::size_t length = 1;
    while (script_[at_ + length] != quote)
      length += script_[at_ + length] == '\\' ? 2 : 1;
    return length + 1;
  }

  /// Up to the slash that ends it: one in a class, as in /[/]/, doesn't.
  std::size_t regular_expression() const {
    std::size_t length = 1;
    for (bool in_class = false; in_class || script_[at_ + length] != '/';) {
      const char character = script_[at_ + length];
      if (character == '[') in_class = true;
      if (character == ']') in_class = false;
      length += character == '\\' ? 2 : 1;
    }
    return length + 1;
  }

  std::size_t word(std::size_t from) const {
    std::size_t length = 0;
    while (at_ + from + length < script_.size() && is_in_word(script_[at_ + from + length]))
      ++length;
    return length;
  }

  char next() const { return at_ + 1 < script_.size() ? script_[at_ + 1] : ' '; }

  void add(Kind kind, std::size_t length) {
    all.push_back({script_.substr(at_, length), kind, open_.empty() ? ' ' : open_.back()});
    at_ += length;
  }

  std::string_view script_;
  std::size_t at_ = 0;
  std::vector<char> open_;  // brackets; ` a template, $ an expression in one
};

/// A word among others, all but spaces.
struct Use {
  std::string_view before;
  std::string_view word;
  std::string_view after;
  char within;
};

std::vector<Use> uses_of_words(const std::vector<ScriptPart>& tokens) {
  std::vector<ScriptPart> dense;
  std::ranges::copy_if(tokens, std::back_inserter(dense),
                       [](const ScriptPart& token) { return token.kind != Kind::space; });
  std::vector<Use> uses;
  for (std::size_t i = 1; i + 1 < dense.size(); ++i)
    if (dense[i].kind == Kind::word)
      uses.push_back({dense[i - 1].text, dense[i].text, dense[i + 1].text, dense[i].within});
  return uses;
}

template <std::size_t count>
bool is_one_of(std::string_view text, const std::array<std::string_view, count>& all) {
  return std::ranges::find(all, text) != all.end();
}

bool is_declaration(const Use& use) {
  constexpr std::array<std::string_view, 4> words{"const", "let", "function", "class"};
  return is_one_of(use.before, words);
}

/// Whether a word may be a property, a key or a method there.
bool may_be_member(const Use& use) {
  constexpr std::array<std::string_view, 7> before_method{"{",   "}",      ";",    "get",
                                                          "set", "static", "async"};
  constexpr std::array<std::string_view, 2> before_key{"{", ","};
  constexpr std::array<std::string_view, 3> after_key{"}", ",", "="};
  if (use.before == "." || use.before == "?." || use.after == ":") return true;
  if (use.within != '{') return false;
  if (is_one_of(use.before, before_key) && is_one_of(use.after, after_key)) return true;
  return is_one_of(use.before, before_method) &&
         (use.after == "(" || use.after == "=" || use.after == ";");
}

/// What may be renamed, with how many bytes it takes in all.
std::map<std::string_view, std::size_t> renamable(const std::vector<ScriptPart>& tokens) {
  const std::vector<Use> uses = uses_of_words(tokens);
  std::set<std::string_view> declared;
  std::set<std::string_view> kept{"Player", "Game"};
  for (const Use& use : uses) {
    if (is_declaration(use)) declared.insert(use.word);
    if (may_be_member(use)) kept.insert(use.word);
  }
  std::map<std::string_view, std::size_t> sizes;
  for (const ScriptPart& token : tokens)
    if (token.kind == Kind::private_name ||
        (token.kind == Kind::word && declared.contains(token.text) && !kept.contains(token.text)))
      sizes[token.text] += token.text.size();
  return sizes;
}

/// "a", …, "Z", "aa", …: after a sign that no other name here begins with.
std::string short_name(char sign, std::size_t number) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string name(1, sign);
  if (number >= letters.size()) name += letters[number / letters.size() - 1];
  return name + letters[number % letters.size()];
}

}  // namespace

std::string with_short_names(std::string_view script) {
  const std::vector<ScriptPart> tokens = ScriptParts(script).all;
  const auto sizes = renamable(tokens);
  std::vector<std::pair<std::string_view, std::size_t>> ranked(sizes.begin(), sizes.end());
  std::ranges::sort(ranked, [](const auto& one, const auto& other) {
    return one.second != other.second ? one.second > other.second : one.first < other.first;
  });
  std::map<std::string_view, std::string> names;
  std::size_t privates = 0;
  std::size_t others = 0;
  for (const auto& [name, size] : ranked)
    names.emplace(name,
                  name.front() == '#' ? short_name('#', privates++) : short_name('_', others++));
  std::string text;
  for (const ScriptPart& token : tokens) {
    const auto found = names.find(token.text);
    const bool is_name = token.kind == Kind::word || token.kind == Kind::private_name;
    text += is_name && found != names.end() ? std::string_view(found->second) : token.text;
  }
  return text;
}

}  // namespace snl::cli
