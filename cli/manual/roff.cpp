#include "roff.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <span>
#include <vector>

namespace snl::cli {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' '))
    text.remove_prefix(1);
  while (text.ends_with(' '))
    text.remove_suffix(1);
  return text;
}

/// A line that began with one of these would be a request.
std::string guarded(std::string line) {
  return line.starts_with('.') || line.starts_with('\'') ? "\\&" + line : line;
}

/// Text that means itself, to the letter: nothing in it is a request, a dash is the dash that is
/// typed.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char c : text)
    switch (c) {
      case '\\':
        escaped += "\\e";
        break;
      case '-':
        escaped += "\\-";
        break;
      case '~':
        escaped += "\\(ti";
        break;
      case '^':
        escaped += "\\(ha";
        break;
      case '`':
        escaped += "\\(ga";
        break;
      default:
        escaped += c;
    }
  return escaped;
}

/// `text` in a font, and the one of prose again.
std::string in_font(char font, std::string_view text) {
  return std::string("\\f") + font + std::string(text) + "\\fR";
}

// ---- What stands in a line of Markdown

/// What stands between a mark at `at` and the next one; moves `at` behind it. Empty: it is none.
std::string_view between(std::string_view line, std::size_t& at, std::string_view mark) {
  if (!line.substr(at).starts_with(mark)) return {};
  const std::size_t begin = at + mark.size();
  const std::size_t end = line.find(mark, begin);
  if (end == std::string_view::npos || end == begin || line[begin] == ' ') return {};
  at = end + mark.size();
  return line.substr(begin, end - begin);
}

/// The words of a link that begins at `at`; moves `at` behind its address.
std::string_view words_of_link(std::string_view line, std::size_t& at) {
  if (line[at] != '[') return {};
  const std::size_t end = line.find("](", at);
  const std::size_t close = end == std::string_view::npos ? end : line.find(')', end);
  if (close == std::string_view::npos) return {};
  const std::string_view words = line.substr(at + 1, end - at - 1);
  if (words.contains('[')) return {};
  at = close + 1;
  return words;
}

std::string inline_text(std::string_view line) {
  std::string text;
  std::size_t plain = 0;
  const auto take_plain = [&](std::size_t end) { text += roff(line.substr(plain, end - plain)); };
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t begin = at;
    std::string marked;
    if (const auto code = between(line, at, "`"); !code.empty())
      marked = in_font('B', roff(code));
    else if (const auto strong = between(line, at, "**"); !strong.empty())
      marked = in_font('B', inline_text(strong));
    else if (const auto stressed = between(line, at, "*"); !stressed.empty())
      marked = in_font('I', roff(stressed));
    else if (const auto words = words_of_link(line, at); !words.empty())
      marked = inline_text(words);
    if (marked.empty()) {
      ++at;
      continue;
    }
    take_plain(begin);
    text += marked;
    plain = at;
  }
  take_plain(line.size());
  return text;
}

// ---- Its blocks

bool is_blank(std::string_view line) {
  return trimmed(line).empty();
}

/// How long the mark of a list's item is, with the blank after it; 0 if the line begins none.
std::size_t item_mark(std::string_view line) {
  if (line.starts_with("- ")) return 2;
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  return digits > 0 && line.substr(digits).starts_with(". ") ? digits + 2 : 0;
}

bool begins_block(std::string_view line) {
  return is_blank(line) || line.starts_with('#') || line.starts_with("```") ||
         line.starts_with('|') || item_mark(line) > 0;
}

std::vector<std::string> cells_of(std::string_view row) {
  std::vector<std::string> cells(1);
  row = trimmed(row);
  row.remove_prefix(1);
  if (row.ends_with('|')) row.remove_suffix(1);
  for (std::size_t at = 0; at < row.size(); ++at) {
    if (row.substr(at).starts_with("\\|"))
      cells.back() += row[++at];
    else if (row[at] == '|')
      cells.emplace_back();
    else
      cells.back() += row[at];
  }
  for (std::string& cell : cells)
    cell = inline_text(trimmed(cell));
  return cells;
}

/// Text of a narrow column: a long number or hash may be broken anywhere.
std::string breakable(std::string_view text) {
  constexpr std::size_t long_word = 16;
  constexpr std::size_t part = 8;
  std::string broken;
  while (!text.empty()) {
    const auto is_in_word = [](unsigned char c) { return std::isalnum(c) != 0; };
    const auto word =
        static_cast<std::size_t>(std::ranges::find_if_not(text, is_in_word) - text.begin());
    for (std::size_t at = 0; at < word; ++at) {
      if (word > long_word && at > 0 && at % part == 0) broken += "\\:";
      broken += text[at];
    }
    if (word < text.size()) broken += text[word];
    text.remove_prefix(std::min(word + 1, text.size()));
  }
  return broken;
}

class Converter {
 public:
  explicit Converter(std::span<const std::string_view> lines) : lines_(lines) {}

  std::string convert() {
    while (!lines_.empty())
      add_block();
    return std::move(page_);
  }

 private:
  std::string_view take() {
    const std::string_view line = lines_.front();
    lines_ = lines_.subspan(1);
    return line;
  }

  /// A heading begins a paragraph by itself.
  void begin_paragraph() {
    const std::size_t line = page_.empty() ? 0 : page_.rfind('\n', page_.size() - 2) + 1;
    if (!page_.empty() && page_.compare(line, 2, ".S") != 0) page_ += ".PP\n";
  }

  void add_line(std::string line) { page_ += guarded(std::move(line)) + '\n'; }

  void add_block() {
    const std::string_view line = lines_.front();
    if (is_blank(line)) {
      take();
      after_blank_ = true;
      return;
    }
    if (line.starts_with("```"))
      add_fenced();
    else if (line.starts_with('#'))
      add_heading();
    else if (line.starts_with('|'))
      add_table();
    else if (item_mark(line) > 0)
      add_item();
    else if (line.starts_with(' '))
      add_indented();
    else
      add_paragraph();
    after_blank_ = false;
  }

  void add_heading() {
    const std::string_view line = take();
    const std::size_t level = line.find_first_not_of('#');
    page_ += level <= 2 ? ".SH " : ".SS ";
    page_ += inline_text(trimmed(line.substr(level))) + '\n';
  }

  void add_fenced() {
    take();
    std::string block;
    while (!lines_.empty() && !lines_.front().starts_with("```"))
      (block += take()) += '\n';
    if (!lines_.empty()) take();
    add_kept(block);
  }

  void add_indented() {
    std::string block;
    while (!lines_.empty() && lines_.front().starts_with(' '))
      (block += take()) += '\n';
    add_kept(block);
  }

  /// In the paragraph that was begun, if there is no blank line between.
  void add_kept(std::string_view block) {
    if (after_blank_) begin_paragraph();
    page_ += ".RS 4\n.EX\n";
    for (const std::string_view line : lines_of(block))
      add_line(roff(line));
    page_ += ".EE\n.RE\n";
  }

  void add_paragraph() {
    begin_paragraph();
    do
      add_line(inline_text(trimmed(take())));
    while (!lines_.empty() && !begins_block(lines_.front()) && !lines_.front().starts_with(' '));
  }

  void add_item() {
    const std::string_view line = take();
    const std::size_t mark = item_mark(line);
    page_ += line.starts_with('-') ? ".IP \\(bu 2\n"
                                   : ".IP " + std::string(line.substr(0, mark - 1)) + " 4\n";
    add_line(inline_text(line.substr(mark)));
    while (!lines_.empty() && !begins_block(lines_.front()))
      add_line(inline_text(trimmed(take())));
  }

  /// Two columns are what something is called and what it is; more are a table.
  void add_table() {
    std::vector<std::vector<std::string>> rows;
    while (!lines_.empty() && lines_.front().starts_with('|'))
      rows.push_back(cells_of(take()));
    const std::vector<std::string> head = rows.front();
    rows.erase(rows.begin(), rows.begin() + std::min<std::ptrdiff_t>(2, std::ssize(rows)));
    if (head.size() == 2) return add_definitions(rows);
    begin_paragraph();
    page_ += ".TS\n";
    for (std::size_t column = 0; column + 1 < head.size(); ++column)
      page_ += "lb ";
    page_ += "lb\n";
    for (std::size_t column = 0; column + 1 < head.size(); ++column)
      page_ += "l ";
    page_ += "lx.\n";
    add_row(head);
    for (const auto& row : rows)
      add_row(row);
    page_ += ".TE\n";
  }

  void add_definitions(const std::vector<std::vector<std::string>>& rows) {
    for (const auto& row : rows) {
      page_ += ".TP\n";
      add_line(row.front());
      add_line(row.size() > 1 ? row[1] : "");
    }
  }

  void add_row(const std::vector<std::string>& row) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      if (column > 0) page_ += '\t';
      page_ += "T{\n" + guarded(breakable(row[column])) + "\nT}";
    }
    page_ += '\n';
  }

  std::span<const std::string_view> lines_;
  std::string page_;
  bool after_blank_ = false;
};

std::string upper(std::string_view name) {
  std::string text(name);
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

}  // namespace

std::string page_head(const PageTitle& title, std::string_view about) {
  // The first line has tables laid out before anything else is.
  std::string head = "'\\\" t\n.TH " + upper(title.name) + ' ' + std::string(title.section);
  head += " \"" + std::string(title.date) + "\" \"snl " + std::string(title.version) + "\" \"" +
          std::string(title.volume) + "\"\n";
  head += ".ad l\n.nh\n";  // columns and commands are no prose to be stretched or hyphenated
  return head + ".SH NAME\n" + roff(title.name) + " \\- " + roff(about) + '\n';
}

std::string roff_of_markdown(std::string_view markdown) {
  const auto lines = lines_of(markdown);
  return Converter(lines).convert();
}

}  // namespace snl::cli
