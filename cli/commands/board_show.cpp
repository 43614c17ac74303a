// board show

#include "chosen_board.hpp"
#include "cli/drawing/board_picture.hpp"
#include "cli/drawing/board_svg.hpp"
#include "cli/reports/board_poster.hpp"
#include "cli/session/failure.hpp"
#include "cli/session/output.hpp"
#include "cli/session/output_file.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "rules_options.hpp"
#include "storage/exchange/board_json.hpp"

#include <fmt/format.h>

#include <string>

namespace snl::cli {
namespace {

/// A page to print.
struct PosterOptions {
  bool svg = false;
  std::string paper = std::string(paper_names.front().name);
  bool mono = false;
  std::string output = "-";
  Occupied occupied = Occupied::refuse;
  RulesOptions rules;

  void add_to(CLI::App& command, CLI::Option* json) {
    CLI::Option* const picture =
        command.add_flag("--svg", svg, "Draw a page for a wall, as an SVG picture")->excludes(json);
    add_word(command, "--paper", paper, names_in(paper_names), "SIZE",
             "The paper to print the page on (default: a4)");
    command.add_flag("--mono", mono, "Draw in black and greys");
    add_value(command, "-o,--output", output, "FILE", "The page's file (default: stdout)");
    add_force_flag(command, occupied);
    rules.add_to(command);
    for (const char* name : {"--paper", "--mono", "--output", "--force"})
      command.get_option(name)->needs(picture);
    for (CLI::Option* rule : command.get_options(
             [](const CLI::Option* option) { return option->get_group() == "Rules"; }))
      rule->needs(picture);
  }
};

struct ShowBoard {
  std::string board;
  PosterOptions poster;
  OutputForm form = OutputForm::words;

  void run(const Session& session) const {
    const ChosenBoard chosen = board_from(board);
    if (poster.svg) return print_poster(session, chosen);
    if (form == OutputForm::json) return print_line(board_to_json(chosen.board));
    print(draw_board(chosen.board, session.picture()));
  }

 private:
  void print_poster(const Session& session, const ChosenBoard& chosen) const {
    const Rules rules = poster.rules.chosen(chosen.rules);
    check_safe_cells(rules, chosen.board);
    if (chosen.board.cells() > most_svg_cells)
      throw Failure(Exit::usage, fmt::format("a picture has at most {} cells: the board has {}",
                                             most_svg_cells, chosen.board.cells()));
    const std::string file = board_to_json(chosen.board);
    if (!fits_code(file))
      warn(
          fmt::format("the board's file has {} bytes, too many for a QR code: the picture has none",
                      file.size()));
    check_not_read(poster.output, {file_of_board(board)});
    OutputFile picture(session, poster.output, poster.occupied);
    picture.write(board_poster_svg({.board = chosen.board,
                                    .rules = rules,
                                    .name = chosen.name,
                                    .file = file,
                                    .paper = value_named(paper_names, poster.paper).value(),
                                    .ink = poster.mono ? Ink::black : Ink::colours}));
    picture.commit();
  }
};

}  // namespace

void add_board_show(CLI::App& board, Session& session) {
  auto [command, options] = add_command<ShowBoard>(board, session, "show", "Draw a board");
  CLI::Option* const json = add_json_flag(command, options.form);
  command.add_option("BOARD", options.board, "A name or a JSON file; - is stdin")->required();
  options.poster.add_to(command, json);
  command.footer(
      R"(With --svg the board is a page to print, A4 or letter, with the rules of the game. Its QR code
holds the board file: snl reads the text that a phone's camera finds there.)");
}

}  // namespace snl::cli
