#include "board_text.hpp"

#include "blanks.hpp"
#include "domain/faults.hpp"
#include "domain/whole_number.hpp"
#include "storage/ascii.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace snl {
namespace {

using DescribedText = std::expected<BoardDescription, Faults>;

constexpr std::int32_t cells_of_texts = 100;
constexpr std::size_t most_jumps = cells_of_texts - 1;

/// At most 40 bytes of the text, for a message.
std::string shown_in_quotes(std::string_view found) {
  constexpr std::size_t longest = 40;
  return found.size() <= longest ? fmt::format("\"{}\"", found)
                                 : fmt::format("\"{}…\"", found.substr(0, longest));
}

std::string sentence_about(std::size_t line, std::string_view what, std::string_view found) {
  return fmt::format("line {}: {}, not {}", line, what,
                     found.empty() ? "the end of the text" : shown_in_quotes(found));
}

std::unexpected<Faults> fault_in_line(std::size_t line, std::string_view what,
                                      std::string_view found) {
  return std::unexpected(Faults{sentence_about(line, what, found)});
}

/// A text's words, one after another, with their lines.
class TextWords {
 public:
  explicit TextWords(std::string_view text) : left_(text) {}

  /// Empty at the end.
  std::string_view next() {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t begin = std::min(left_.find_first_not_of(blanks), left_.size());
    line_ += static_cast<std::size_t>(std::ranges::count(left_.substr(0, begin), '\n'));
    left_.remove_prefix(begin);
    const std::string_view word = left_.substr(0, left_.find_first_of(blanks));
    left_.remove_prefix(word.size());
    return word;
  }
  std::size_t line() const { return line_; }

 private:
  std::string_view left_;
  std::size_t line_ = 1;
};

/// Reads a cell, or a count.
std::expected<std::int64_t, Faults> next_whole_number(TextWords& words) {
  const std::string_view word = words.next();
  if (const auto number = whole_number(word)) return *number;
  return fault_in_line(words.line(), "a whole number is expected", word);
}

std::expected<DescribedJump, Faults> next_pair(TextWords& words) {
  const auto from = next_whole_number(words);
  if (!from) return std::unexpected(from.error());
  const auto to = next_whole_number(words);
  if (!to) return std::unexpected(to.error());
  return DescribedJump{*from, *to};
}

std::expected<std::vector<DescribedJump>, Faults> next_pairs(TextWords& words,
                                                             std::string_view what) {
  const auto count = next_whole_number(words);
  if (!count) return std::unexpected(count.error());
  if (*count < 0 || *count > std::int64_t{most_jumps})
    return fault_in_line(words.line(), fmt::format("a number of {} is 0 to {}", what, most_jumps),
                         std::to_string(*count));
  std::vector<DescribedJump> pairs;
  for (std::int64_t i = 0; i < *count; ++i) {
    const auto pair = next_pair(words);
    if (!pair) return std::unexpected(pair.error());
    pairs.push_back(*pair);
  }
  return pairs;
}

DescribedText read_counted(std::string_view text) {
  TextWords words(text);
  const auto boards = next_whole_number(words);
  if (!boards) return std::unexpected(boards.error());
  if (*boards != 1)
    return fault_in_line(words.line(), "a file holds 1 board, and its text begins with that number",
                         std::to_string(*boards));
  auto ladders = next_pairs(words, "ladders");
  if (!ladders) return std::unexpected(std::move(ladders).error());
  auto snakes = next_pairs(words, "snakes");
  if (!snakes) return std::unexpected(std::move(snakes).error());
  if (const std::string_view more = words.next(); !more.empty())
    return fault_in_line(words.line(), "the text ends after the snakes", more);
  BoardDescription board;
  board.cells = cells_of_texts;
  board.snakes = *std::move(snakes);
  board.ladders = *std::move(ladders);
  return board;
}

bool is_kind(std::string_view word) {
  return word.size() == 1 && std::string_view("lcs").contains(lower_case(word.front()));
}

DescribedText read_lines(std::string_view text) {
  BoardDescription board;
  board.cells = cells_of_texts;
  FaultList faults;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = without_outer_blanks(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    if (line.empty() || line.starts_with('#')) continue;
    TextWords words(line);
    const std::string_view kind = words.next();
    const auto jump = next_pair(words);
    const auto refuse = [&](std::string_view what) {
      faults.add([&] { return sentence_about(number, what, line); });
    };
    if (!is_kind(kind) || !jump || !words.next().empty()) {
      refuse("a ladder such as L 1 38 or a chute such as C 6 16 is expected");
      continue;
    }
    const auto [low, high] = std::minmax({jump->from, jump->to});
    const bool is_ladder = lower_case(kind.front()) == 'l';
    auto& jumps = is_ladder ? board.ladders : board.snakes;
    if (jumps.size() == most_jumps)
      refuse(fmt::format("a board of {} cells has no more jumps", cells_of_texts));
    else
      jumps.push_back(is_ladder ? DescribedJump{low, high} : DescribedJump{high, low});
  }
  if (!faults.empty()) return std::unexpected(std::move(faults).take());
  return board;
}

}  // namespace

std::optional<DescribedText> read_board_text(std::string_view text) {
  TextWords words(text);
  const std::string_view first = words.next();
  if (is_kind(first) || first.starts_with('#')) return read_lines(text);
  const bool are_numbers = whole_number(first) && whole_number(words.next());
  if (are_numbers) return read_counted(text);
  return std::nullopt;
}

}  // namespace snl
