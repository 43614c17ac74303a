#include "named_boards.hpp"

#include <array>

namespace snl {
namespace {

constexpr std::array milton_bradley_snakes{Jump{16, 6},  Jump{47, 26}, Jump{49, 11}, Jump{56, 53},
                                           Jump{62, 19}, Jump{64, 60}, Jump{87, 24}, Jump{93, 73},
                                           Jump{95, 75}, Jump{98, 78}};

constexpr std::array milton_bradley_ladders{Jump{1, 38},  Jump{4, 14},  Jump{9, 31},
                                            Jump{21, 42}, Jump{28, 84}, Jump{36, 44},
                                            Jump{51, 67}, Jump{71, 91}, Jump{80, 100}};

constexpr std::array milton_bradley_48_snakes{
    Jump{16, 6},  Jump{48, 26}, Jump{49, 11}, Jump{56, 53}, Jump{62, 19},
    Jump{64, 60}, Jump{87, 24}, Jump{93, 73}, Jump{95, 75}, Jump{98, 78}};

constexpr std::array lld_ladders{Jump{1, 38},  Jump{4, 14},  Jump{9, 31},
                                 Jump{21, 42}, Jump{28, 84}, Jump{36, 44},
                                 Jump{51, 67}, Jump{71, 91}, Jump{80, 99}};

constexpr std::array class_snakes{Jump{17, 7}, Jump{54, 34}, Jump{62, 19}, Jump{98, 79}};

constexpr std::array class_ladders{Jump{3, 22}, Jump{5, 8}, Jump{11, 26}, Jump{20, 29}};

constexpr std::array geeks30_snakes{Jump{17, 4}, Jump{19, 7}, Jump{21, 9}, Jump{27, 1}};

constexpr std::array party_snakes{Jump{22, 9}, Jump{38, 17}, Jump{47, 30}, Jump{61, 40}};

constexpr std::array party_ladders{Jump{3, 19}, Jump{12, 28}, Jump{25, 44}, Jump{34, 50},
                                   Jump{43, 59}};

constexpr std::array party_powers{
    PowerCell{6, {PowerKind::again}},    PowerCell{10, {PowerKind::shield, 1}},
    PowerCell{15, {PowerKind::skip, 1}}, PowerCell{20, {PowerKind::swap}},
    PowerCell{27, {PowerKind::again}},   PowerCell{31, {PowerKind::shield, 2}},
    PowerCell{36, {PowerKind::skip, 2}}, PowerCell{41, {PowerKind::again}},
    PowerCell{46, {PowerKind::restart}}, PowerCell{49, {PowerKind::swap}},
    PowerCell{54, {PowerKind::skip, 1}}, PowerCell{56, {PowerKind::again}},
    PowerCell{60, {PowerKind::restart}}};

constexpr std::array boards{
    NamedBoard{"milton-bradley",
               "Chutes and Ladders as analysed by Althoen, King and Schilling, The Mathematical "
               "Gazette 77 (1993), 71-76; chute 47-26",
               "milton-bradley", 100, 10, milton_bradley_snakes, milton_bradley_ladders},
    NamedBoard{"milton-bradley-48",
               "the same board as most later analyses give it (DataGenetics 2011; possiblywrong "
               "2015); chute 48-26",
               "milton-bradley", 100, 10, milton_bradley_48_snakes, milton_bradley_ladders},
    NamedBoard{"lld", "the fixed board of the low-level design; ladder 80-99, a ladder on cell 1",
               "lld", 100, 10, milton_bradley_snakes, lld_ladders},
    NamedBoard{"class", "example 1 of the SnakeAndLadderGame class", "standard", 100, 10,
               class_snakes, class_ladders},
    NamedBoard{"geeks30", "the 30-cell board of the fewest-throws problem", "standard", 30, 6,
               geeks30_snakes, class_ladders},
    NamedBoard{"party", "a short board with every power: again, skip, restart, shield and swap",
               "standard", 64, 8, party_snakes, party_ladders, party_powers},
    NamedBoard{"empty", "100 cells with no snake and no ladder", "standard", 100, 10, {}, {}},
};

std::vector<DescribedJump> described(std::span<const Jump> jumps) {
  std::vector<DescribedJump> descriptions;
  for (const Jump jump : jumps)
    descriptions.push_back({jump.from, jump.to});
  return descriptions;
}

}  // namespace

Board NamedBoard::board() const {
  BoardDescription description{
      .cells = cells, .width = width, .snakes = described(snakes), .ladders = described(ladders)};
  for (const auto& [cell, power] : powers)
    description.powers.push_back(described(cell, power));
  return *Board::make(description);
}

std::span<const NamedBoard> named_boards() {
  return boards;
}

const NamedBoard* find_named_board(std::string_view name) {
  for (const NamedBoard& board : boards)
    if (board.name == name) return &board;
  return nullptr;
}

const NamedBoard* find_named_board(const Board& board) {
  for (const NamedBoard& named : boards)
    if (named.cells == board.cells() && named.board() == board) return &named;
  return nullptr;
}

}  // namespace snl
