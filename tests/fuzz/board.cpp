// Board files of every form.
#include "storage/exchange/board_json.hpp"
#include "target.hpp"

#include <algorithm>

namespace snl::test {
namespace {

void check_form(const Board& board, BoardForm form) {
  const auto written = board_to_json(board, form);
  if (!written) return;
  const auto again = parse_board(*written);
  require(again.has_value(), "a board that was written can be read");
  require(again->form == form, "its form is told by its shape");
  require(again->board.cells() == board.cells(), "it has the same cells");
  require(std::ranges::equal(again->board.snakes(), board.snakes()), "it has the same snakes");
  require(std::ranges::equal(again->board.ladders(), board.ladders()), "it has the same ladders");
  require(form == BoardForm::moves || again->board == board, "it is the same board");
}

void check(std::string_view text) {
  const auto file = parse_board(text);
  const bool one_cell = is_one_cell_board(text);
  if (!file) {
    require(!file.error().empty(), "what is refused is refused for a reason");
    return;
  }
  require(!one_cell, "a board has two cells or more");
  constexpr std::int32_t largest = 1 << 16;  // larger boards take long to write
  if (file->board.cells() > largest) return;
  for (const BoardForm form :
       {BoardForm::snl, BoardForm::matrix, BoardForm::moves, BoardForm::entries})
    check_form(file->board, form);
}

}  // namespace
}  // namespace snl::test

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  snl::test::check(snl::test::text_of(data, size));
  return 0;
}
