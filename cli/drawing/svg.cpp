#include "svg.hpp"

#include "domain/names.hpp"
#include "terminal_text.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <ranges>

namespace snl::cli {

std::string escaped(std::string_view utf8) {
  static constexpr std::array entities{NamedValue{"&amp;", '&'}, NamedValue{"&lt;", '<'},
                                       NamedValue{"&gt;", '>'}, NamedValue{"&quot;", '"'},
                                       NamedValue{"&#39;", '\''}};
  std::string text;
  for (const char character : printable(utf8)) {
    const std::string_view entity = name_of(entities, character);
    text += entity.empty() ? std::string_view(&character, 1) : entity;
  }
  return text;
}

namespace {

double ems_of(const Character& character) {
  if (character.columns != 1) return 1.1 * character.columns;
  const char letter = character.text.front();
  const auto is_in = [&](std::string_view letters) { return letters.contains(letter); };
  if (static_cast<unsigned char>(letter) >= 0x80) return 0.9;
  if (is_in("ijlI.,:;'|! ")) return 0.4;
  if (is_in("frt()[]{}-/\\\"`")) return 0.53;
  if (is_in("mwMW@%")) return 1.11;
  if ((letter >= 'A' && letter <= 'Z') || is_in("+<=>~^#&")) return 0.87;
  return 0.72;
}

}  // namespace

double ems_of(std::string_view printable) {
  double ems = 0;
  for (const Character& character : characters_of(printable))
    ems += ems_of(character);
  return ems;
}

std::string shortened_to(double ems, std::string_view printable) {
  constexpr double mark = 1;  // the width of "…"
  if (ems_of(printable) <= ems) return std::string(printable);
  std::string text;
  double width = mark;
  for (const Character& part : uncut_parts_of(printable)) {
    width += ems_of(part.text);
    if (width > ems) break;
    text += part.text;
  }
  return text + "…";
}

std::vector<std::string> wrapped_to(double ems, std::string_view printable) {
  std::vector<std::string> lines(1);
  for (const auto part : std::views::split(printable, ' ')) {
    const std::string word = shortened_to(ems, std::string_view(part));
    std::string& line = lines.back();
    if (line.empty())
      line = word;
    else if (ems_of(line) + ems_of(" ") + ems_of(word) <= ems)
      line.append(" ").append(word);
    else
      lines.push_back(word);
  }
  return lines;
}

SvgPath::Rounded SvgPath::rounded(Point point) const {
  const auto steps = static_cast<double>(steps_);
  return {std::llround(point.x * steps), std::llround(point.y * steps)};
}

void SvgPath::command(char letter) {
  if (letter == last_command_) return;
  text_ += letter;
  last_command_ = letter;
  separate_ = false;
}

void SvgPath::number(std::int64_t steps) {
  if (steps < 0)
    text_ += '-';
  else if (separate_)
    text_ += ' ';
  const std::int64_t size = std::abs(steps);
  if (size >= steps_ || size == 0) text_ += std::to_string(size / steps_);
  if (size % steps_ != 0) text_.append(".").append(std::to_string(size % steps_));
  separate_ = true;
}

void SvgPath::offset(Rounded from, Rounded to) {
  number(to.x - from.x);
  number(to.y - from.y);
}

SvgPath& SvgPath::move_to(Point point) {
  const Rounded to = rounded(point);
  last_command_ = ' ';
  command('m');
  offset(text_.size() == 1 ? Rounded{} : pen_, to);
  pen_ = start_ = to;
  return *this;
}

SvgPath& SvgPath::line_to(Point point) {
  const Rounded to = rounded(point);
  command('l');
  offset(pen_, to);
  pen_ = to;
  return *this;
}

SvgPath& SvgPath::curve_to(Point control1, Point control2, Point point) {
  const Rounded to = rounded(point);
  command('c');
  offset(pen_, rounded(control1));
  offset(pen_, rounded(control2));
  offset(pen_, to);
  pen_ = to;
  return *this;
}

SvgPath& SvgPath::smooth_through(std::span<const Point> points) {
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Point before = points[i == 0 ? 0 : i - 1];
    const Point from = points[i];
    const Point to = points[i + 1];
    const Point after = points[i + 2 < points.size() ? i + 2 : i + 1];
    curve_to({from.x + (to.x - before.x) / 6, from.y + (to.y - before.y) / 6},
             {to.x - (after.x - from.x) / 6, to.y - (after.y - from.y) / 6}, to);
  }
  return *this;
}

SvgPath& SvgPath::curve_through(std::span<const CurvePoint> points) {
  for (std::size_t i = 1; i < points.size(); ++i) {
    const auto& [from, leaving] = points[i - 1];
    const auto& [to, coming] = points[i];
    const Point control{to.x - coming.x / 3, to.y - coming.y / 3};
    if (i == 1) {
      curve_to({from.x + leaving.x / 3, from.y + leaving.y / 3}, control, to);
      continue;
    }
    command('s');  // the other control point mirrors the last one
    offset(pen_, rounded(control));
    offset(pen_, rounded(to));
    pen_ = rounded(to);
  }
  return *this;
}

SvgPath& SvgPath::close() {
  text_ += 'z';
  last_command_ = 'z';
  separate_ = false;
  pen_ = start_;
  return *this;
}

std::string svg_text(const SvgDocument& document) {
  const std::string width = svg_number(document.width);
  const std::string height = svg_number(document.height);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\"{} role=\"img\" "
      "aria-labelledby=\"title desc\" font-family=\"'DejaVu Sans',Verdana,sans-serif\">\n"
      "<title id=\"title\">{}</title>\n<desc id=\"desc\">{}</desc>\n<style>{}</style>\n"
      "<rect class=\"page\" width=\"{}\" height=\"{}\"/>\n{}</svg>\n",
      width, height, document.size, escaped(document.title), escaped(document.description),
      document.style, width, height, document.body);
}

std::string svg_number(double value) {
  return fmt::format("{}", static_cast<double>(std::llround(value * 10)) / 10);
}

}  // namespace snl::cli
