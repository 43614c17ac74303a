// Words that the page shows as it opens. Once its script shows another turn, the same words come
// from the page's data. They stand here once.
#pragma once

#include <string_view>

namespace snl::cli::words {

inline constexpr std::string_view off_the_board = "off the board";
inline constexpr std::string_view on_cell = "on ";     // "Ann on 12"
inline constexpr std::string_view misses = "misses ";  // "misses 2 turns"
inline constexpr std::string_view to_move = "to move";
inline constexpr std::string_view winner = "winner";
inline constexpr std::string_view the_start = "The start";
inline constexpr std::string_view start_after = ": the start";  // "Turn 0: the start"
inline constexpr std::string_view to_move_after =
    " to move after ";  // "Ann to move after 3 turns."
inline constexpr std::string_view wins_after = " wins after ";
inline constexpr std::string_view undone = " (undone)";
inline constexpr std::string_view taken_back = " (what followed was taken back)";

inline constexpr std::string_view luckiest_throw = "’s luckiest throw: turn ";

/// Beside chances that don't add up to 100 %.
inline constexpr std::string_view perhaps_nobody =
    "The chances add up to less than 100 %: it may be that nobody ever wins.";
inline constexpr std::string_view nobody =
    "Nobody can win any more: from where the pieces stand, no dice lead to the last cell.";

}  // namespace snl::cli::words
