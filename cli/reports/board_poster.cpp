#include "board_poster.hpp"

#include "cli/drawing/board_layout.hpp"
#include "cli/drawing/board_svg.hpp"
#include "cli/drawing/signs.hpp"
#include "cli/drawing/svg.hpp"
#include "cli/drawing/terminal_text.hpp"
#include "domain/narration.hpp"
#include "domain/wording.hpp"

#include <fmt/format.h>
#include <qrencode.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace snl::cli {
namespace {

// ---- The page, in tenths of a millimetre.

struct SheetSize {
  double width;
  double height;
};

constexpr double margin = 100;
constexpr double gap = 50;
constexpr double title_size = 96;
constexpr double subtitle_size = 44;
constexpr double heading_height = 180;
constexpr double line_height = 1.35;  // of the text size
constexpr double caption_size = 30;
constexpr double caption_height = 45;

SheetSize size_of(Paper paper, bool lies) {
  const SheetSize upright = paper == Paper::a4 ? SheetSize{2100, 2970} : SheetSize{2159, 2794};
  return lies ? SheetSize{upright.height, upright.width} : upright;
}

/// A picture's colours as greys of the same brightness (ITU-R BT.601).
std::string in_greys(std::string svg) {
  constexpr std::string_view digits = "0123456789abcdef";
  constexpr std::size_t length = 7;  // of "#3f9b52"
  for (std::size_t at = svg.find('#'); at != std::string::npos; at = svg.find('#', at + 1)) {
    const std::string_view colour = std::string_view(svg).substr(at + 1, length - 1);
    if (colour.size() < length - 1 || colour.find_first_not_of(digits) != std::string_view::npos)
      continue;
    const auto channel = [&](std::size_t first) {
      return static_cast<double>(std::stoi(std::string(colour.substr(first, 2)), nullptr, 16));
    };
    const long grey = std::lround(0.299 * channel(0) + 0.587 * channel(2) + 0.114 * channel(4));
    svg.replace(at, length, fmt::format("#{0:02x}{0:02x}{0:02x}", grey));
  }
  return svg;
}

std::string text_svg(Point at, double size, std::string_view attributes, std::string_view words) {
  return fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}>{}</text>\n", svg_number(at.x),
                     svg_number(at.y), svg_number(size), attributes, escaped(words));
}

/// "pieces start on cell 1" as "Pieces start on cell 1."
std::string sentence(std::string clause) {
  if (clause.front() >= 'a' && clause.front() <= 'z')
    clause.front() = static_cast<char>(clause.front() - 'a' + 'A');
  return clause + ".";
}

std::vector<std::string> how_to_play(const Board& board, const Rules& rules) {
  std::vector<std::string> sentences{
      "Take turns: throw, and move forward by as many cells.",
      "A move that ends at the foot of a ladder goes up it; on the head of a snake, down it.",
      fmt::format("The first on cell {} wins.", board.cells())};
  for (std::string& clause : rules_in_words(rules))
    sentences.push_back(sentence(std::move(clause)));
  for (const PowerKind kind : power_kinds)
    if (std::ranges::any_of(board.powers(),
                            [&](const PowerCell& at) { return at.power.kind == kind; }))
      sentences.push_back(fmt::format("{}: {}.", to_string(kind), about(kind)));
  return sentences;
}

/// A text as a QR code, which a phone reads.
struct QrCode {
  std::size_t side = 0;    // in modules, without the light ones that must surround it
  std::vector<bool> dark;  // by module, row by row
  bool is_dark(std::size_t row, std::size_t column) const { return dark[row * side + column]; }
};

/// The number of light modules that a code needs on each side.
constexpr std::size_t quiet_modules = 4;

/// None if the text is too long: a code holds at most 2,953 bytes.
std::optional<QrCode> qr_code_of(std::string_view text) {
  const std::vector<unsigned char> bytes(text.begin(), text.end());
  const std::unique_ptr<QRcode, decltype(&QRcode_free)> made(
      QRcode_encodeData(static_cast<int>(bytes.size()), bytes.data(), 0, QR_ECLEVEL_L),
      QRcode_free);
  if (made == nullptr) return std::nullopt;
  QrCode code{.side = static_cast<std::size_t>(made->width), .dark = {}};
  for (std::size_t module = 0; module < code.side * code.side; ++module)
    code.dark.push_back((made->data[module] & 1U) != 0);
  return code;
}

/// The code as a square of `side`, with the light modules around it. `corner` is its top left one.
std::string code_svg(const QrCode& code, Point corner, double side) {
  const std::size_t modules = code.side + 2 * quiet_modules;
  std::string path;
  for (std::size_t row = 0; row < code.side; ++row)
    for (std::size_t column = 0; column < code.side; ++column) {
      const std::size_t first = column;
      while (column < code.side && code.is_dark(row, column))
        ++column;
      if (column > first)
        path += fmt::format("M{} {}h{}v1h-{}z", first + quiet_modules, row + quiet_modules,
                            column - first, column - first);
    }
  return fmt::format(
      "<g class=\"code\" transform=\"translate({} {}) scale({:.4})\">"
      "<rect width=\"{}\" height=\"{}\" fill=\"#fff\"/>"
      "<path shape-rendering=\"crispEdges\" d=\"{}\"/></g>\n",
      svg_number(corner.x), svg_number(corner.y), side / static_cast<double>(modules), modules,
      modules, path);
}

class PosterSheet {
 public:
  explicit PosterSheet(const BoardPoster& poster)
      : poster_(poster),
        board_(poster.board),
        page_(size_of(poster.paper, board_.width() > 1.5 * board_.rows())),
        code_(qr_code_of(poster.file)) {
    if (code_) code_side_ = std::clamp(5.5 * static_cast<double>(code_->side), 400.0, 700.0);
    // The largest words that leave most of the page to the board.
    for (const double size : {44., 38., 32., 26.}) {
      words_size_ = size;
      set_words();
      if (foot_height() <= page_.height / 4) break;
    }
  }

  std::string svg() const {
    const std::string name = printable(poster_.name);
    const std::string contents =
        fmt::format("{}, {}", counted(board_.cells(), "cell"), contents_of(board_));
    const std::string about_board = name.empty() ? contents : name + ": " + contents;
    const SheetSize paper{page_.width / 10, page_.height / 10};
    return svg_text({.width = page_.width,
                     .height = page_.height,
                     .title = "Snakes and Ladders: " + (name.empty() ? contents : name),
                     .description = contents + ".",
                     .style = fmt::format(".page{{fill:#fff}}@page{{size:{}mm {}mm;margin:0}}",
                                          svg_number(paper.width), svg_number(paper.height)),
                     .body = heading_svg(about_board) + board_svg() + foot_svg(),
                     .size = fmt::format(" width=\"{}mm\" height=\"{}mm\"", svg_number(paper.width),
                                         svg_number(paper.height))});
  }

 private:
  /// A line of words. The first line of a sentence has a mark.
  struct Line {
    std::string words;
    bool begins;
  };
  double indent() const { return 0.8 * words_size_; }
  double inner_width() const { return page_.width - 2 * margin; }
  double code_height() const { return code_ ? code_side_ + caption_height : 0; }
  double foot_height() const {
    const double lines = static_cast<double>(lines_.size()) * words_size_ * line_height;
    return std::max(lines, code_height());
  }
  double foot_top() const { return page_.height - margin - foot_height(); }

  void set_words() {
    const double width = inner_width() - indent() - (code_ ? code_side_ + gap : 0);
    lines_.clear();
    for (const std::string& sentence : how_to_play(board_, poster_.rules)) {
      bool begins = true;
      for (std::string& words : wrapped_to(width / words_size_, sentence))
        lines_.push_back({std::move(words), std::exchange(begins, false)});
    }
  }

  std::string heading_svg(const std::string& about_board) const {
    return text_svg({margin, margin + 80}, title_size, " font-weight=\"bold\"",
                    "Snakes and Ladders") +
           text_svg({margin, margin + 150}, subtitle_size, "",
                    shortened_to(inner_width() / subtitle_size, about_board));
  }

  /// The board, in the middle of the space between the heading and the foot.
  std::string board_svg() const {
    const SheetSize drawn{cell_units * board_.width(), cell_units * board_.rows()};
    const double top = margin + heading_height;
    const double room = foot_top() - gap - top;
    const double scale = std::min(inner_width() / drawn.width, room / drawn.height);
    const Point corner{(page_.width - scale * drawn.width) / 2,
                       top + (room - scale * drawn.height) / 2};
    std::string art = board_art_svg(board_);
    if (poster_.ink == Ink::black) art = in_greys(std::move(art));
    return fmt::format("<g transform=\"translate({} {}) scale({:.4})\">\n{}</g>\n",
                       svg_number(corner.x), svg_number(corner.y), scale, art);
  }

  std::string foot_svg() const {
    std::string svg;
    double line = foot_top();
    for (const auto& [words, begins] : lines_) {
      line += words_size_ * line_height;
      const double base = line - words_size_ * 0.3;
      if (begins) svg += text_svg({margin, base}, words_size_, "", "•");
      svg += text_svg({margin + indent(), base}, words_size_, " class=\"rule\"", words);
    }
    if (!code_) return svg;
    const double left = page_.width - margin - code_side_;
    return svg + code_svg(*code_, {left, foot_top()}, code_side_) +
           text_svg({left + code_side_ / 2, foot_top() + code_side_ + caption_size}, caption_size,
                    " text-anchor=\"middle\"", "this board’s file");
  }

  const BoardPoster& poster_;
  const Board& board_;
  SheetSize page_;
  std::optional<QrCode> code_;
  double code_side_ = 0;
  double words_size_ = 0;
  std::vector<Line> lines_;
};

}  // namespace

bool fits_code(std::string_view file) {
  return qr_code_of(file).has_value();
}

std::string board_poster_svg(const BoardPoster& poster) {
  return PosterSheet(poster).svg();
}

}  // namespace snl::cli
