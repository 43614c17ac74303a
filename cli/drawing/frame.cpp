#include "frame.hpp"

#include "terminal_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace snl::cli {
namespace {

/// Turns a style on, whatever was on.
std::string sgr(Style style) {
  const std::string parameters = sgr_parameters(style);
  return parameters.empty() ? "\x1b[0m" : "\x1b[0;" + parameters + "m";
}

/// Writes spots, and moves the cursor only where it isn't there anyway.
class Writer {
 public:
  explicit Writer(bool colour) : colour_(colour) {}

  void write(int column, int row, const Frame::Spot& spot) {
    if (column != column_ || row != row_) text_ += fmt::format("\x1b[{};{}H", row + 1, column + 1);
    if (colour_ && spot.style != style_) text_ += sgr(style_ = spot.style);
    text_ += spot.text;
    row_ = row;
    // How wide a terminal draws characters out of the ordinary is its own affair.
    column_ = spot.columns == 1 && is_plain(spot.text) ? column + 1 : nowhere;
  }

  std::string text() && {
    if (colour_ && style_ != Style{}) text_ += "\x1b[0m";
    return std::move(text_);
  }

 private:
  static constexpr int nowhere = -1;

  /// ASCII, or one of the characters that screens are drawn with (U+2190 to U+28FF).
  static bool is_plain(std::string_view text) {
    return text.size() == 1 ||
           (text.size() == 3 && text[0] == '\xE2' && text[1] >= '\x86' && text[1] <= '\xA3');
  }

  bool colour_;
  std::string text_;
  int column_ = nowhere;
  int row_ = nowhere;
  Style style_ = {};
};

}  // namespace

std::string sgr_parameters(Style style) {
  std::string parameters;
  const auto add = [&](std::string_view parameter) {
    parameters.append(parameters.empty() ? "" : ";").append(parameter);
  };
  if (style.bold) add("1");
  if (style.faint) add("2");
  if (style.reverse) add("7");
  if (style.colour != Colour::usual) add("3" + std::to_string(static_cast<int>(style.colour)));
  return parameters;
}

Frame::Frame(Size size)
    : size_{.columns = std::max(1, size.columns), .rows = std::max(1, size.rows)},
      spots_(static_cast<std::size_t>(size_.columns) * static_cast<std::size_t>(size_.rows)) {}

/// Whatever wide character it cuts in half becomes a blank.
void Frame::put_spot(int column, int row, Spot spot) {
  const auto blank = [&](int where) {
    Spot& half = spots_[index(where, row)];
    half = Spot{.style = half.style};
  };
  const int end = column + spot.columns;
  if (at(column, row).columns == 0) blank(column - 1);
  if (end < size_.columns && at(end, row).columns == 0) blank(end);
  for (int half = column + 1; half < end; ++half)
    spots_[index(half, row)] = Spot{.text = "", .columns = 0, .style = spot.style};
  spots_[index(column, row)] = std::move(spot);
}

int Frame::put(int column, int row, std::string_view text, Style style, int end) {
  if (row < 0 || row >= size_.rows) return column + display_width(text);
  const int last = std::min(end, size_.columns);
  for (const auto& [character, columns] : characters_of(text)) {
    if (column >= 0 && column + columns <= last)
      put_spot(column, row, {.text = std::string(character), .columns = columns, .style = style});
    else
      for (int half = std::max(0, column); half < std::min(column + columns, last); ++half)
        put_spot(half, row, {.style = style});
    column += columns;
  }
  return column;
}

void Frame::clear(int column, int row, Size area) {
  const std::string blanks(static_cast<std::size_t>(std::max(0, area.columns)), ' ');
  for (int i = 0; i < area.rows; ++i)
    put(column, row + i, blanks);
}

std::string Frame::text(int row) const {
  std::string text;
  for (int column = 0; column < size_.columns; ++column)
    text += at(column, row).text;
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string changes(const Frame& shown, const Frame& wanted, bool colour) {
  Writer writer(colour);
  const auto same = [&](const Frame::Spot& a, const Frame::Spot& b) {
    return a.text == b.text && (!colour || a.style == b.style);
  };
  for (int row = 0; row < wanted.size().rows; ++row)
    for (int column = 0; column < wanted.size().columns; ++column) {
      const Frame::Spot& spot = wanted.at(column, row);
      if (spot.columns > 0 && !same(spot, shown.at(column, row))) writer.write(column, row, spot);
    }
  return std::move(writer).text();
}

std::string whole(const Frame& wanted, bool colour) {
  return "\x1b[H\x1b[2J" + changes(Frame(wanted.size()), wanted, colour);
}

}  // namespace snl::cli
