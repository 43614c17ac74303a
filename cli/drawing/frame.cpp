#include "frame.hpp"

#include "terminal_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace snl::cli {
namespace {

/// The part of a style that is written. Two styles with equal parts are written alike.
Style written(Style style, Colours colours) {
  if (colours == Colours::none) return {};
  if (colours == Colours::palette && (style.ink != 0 || style.paper != 0))
    return {.bold = style.bold, .ink = style.ink, .paper = style.paper};
  style.ink = style.paper = 0;
  return style;
}

/// Turns a style on, whatever style was on before.
std::string sgr(Style style, Colours colours) {
  const std::string parameters = sgr_parameters(style, colours);
  return parameters.empty() ? "\x1b[0m" : "\x1b[0;" + parameters + "m";
}

/// Writes spots, and moves the cursor only where it isn't in place already.
class Writer {
 public:
  explicit Writer(Colours colours) : colours_(colours) {}

  void write(int column, int row, const Frame::Spot& spot) {
    if (column != column_ || row != row_) text_ += fmt::format("\x1b[{};{}H", row + 1, column + 1);
    if (const Style style = written(spot.style, colours_); style != style_)
      text_ += sgr(style_ = style, colours_);
    text_ += spot.text;
    row_ = row;
    // Terminals differ in how wide they draw unusual characters.
    column_ = spot.columns == 1 && is_plain(spot.text) ? column + 1 : nowhere;
  }

  std::string text() && {
    if (style_ != Style{}) text_ += "\x1b[0m";
    return std::move(text_);
  }

 private:
  static constexpr int nowhere = -1;

  /// Whether it is ASCII, or a character that screens are drawn with (U+2190 to U+28FF).
  static bool is_plain(std::string_view text) {
    return text.size() == 1 ||
           (text.size() == 3 && text[0] == '\xE2' && text[1] >= '\x86' && text[1] <= '\xA3');
  }

  Colours colours_;
  std::string text_;
  int column_ = nowhere;
  int row_ = nowhere;
  Style style_ = {};
};

}  // namespace

std::string sgr_parameters(Style style, Colours colours) {
  std::string parameters;
  const auto add = [&](std::string_view parameter) {
    parameters.append(parameters.empty() ? "" : ";").append(parameter);
  };
  style = written(style, colours);
  if (style.bold) add("1");
  if (style.ink != 0 || style.paper != 0) {
    if (style.ink != 0) add("38;5;" + std::to_string(style.ink));
    if (style.paper != 0) add("48;5;" + std::to_string(style.paper));
    return parameters;
  }
  if (style.faint) add("2");
  if (style.reverse) add("7");
  if (style.colour != Colour::usual) add("3" + std::to_string(static_cast<int>(style.colour)));
  return parameters;
}

Frame::Frame(Size size)
    : size_{.columns = std::max(1, size.columns), .rows = std::max(1, size.rows)},
      spots_(static_cast<std::size_t>(size_.columns) * static_cast<std::size_t>(size_.rows)) {}

/// If this cuts a wide character in half, the rest of it becomes a blank.
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
  if (is_ascii(text)) {
    for (const char character : text) {
      if (column >= 0 && column < last)
        put_spot(column, row, {.text = std::string(1, character), .style = style});
      ++column;
    }
    return column;
  }
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

Frame Frame::cut_out(int column, int row, Size area) const {
  Frame part(area);
  for (int y = 0; y < area.rows; ++y)
    for (int x = 0; x < area.columns; ++x)
      part.spots_[part.index(x, y)] = at(column + x, row + y);
  return part;
}

void Frame::paste(int column, int row, const Frame& part) {
  for (int y = 0; y < part.size_.rows; ++y)
    for (int x = 0; x < part.size_.columns; ++x)
      spots_[index(column + x, row + y)] = part.at(x, y);
}

std::string Frame::text(int row) const {
  std::string text;
  for (int column = 0; column < size_.columns; ++column)
    text += at(column, row).text;
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string changes(const Frame& shown, const Frame& wanted, Colours colours) {
  Writer writer(colours);
  const auto same = [&](const Frame::Spot& a, const Frame::Spot& b) {
    return a.text == b.text && written(a.style, colours) == written(b.style, colours);
  };
  for (int row = 0; row < wanted.size().rows; ++row)
    for (int column = 0; column < wanted.size().columns; ++column) {
      const Frame::Spot& spot = wanted.at(column, row);
      if (spot.columns > 0 && !same(spot, shown.at(column, row))) writer.write(column, row, spot);
    }
  return std::move(writer).text();
}

std::string whole(const Frame& wanted, Colours colours) {
  return "\x1b[H\x1b[2J" + changes(Frame(wanted.size()), wanted, colours);
}

}  // namespace snl::cli
