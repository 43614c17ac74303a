// The text of `snl help teach`.
#pragma once

#include <string_view>

namespace snl::cli {

/// Questions that a class can ask, and the commands that answer them, on two screens.
inline constexpr std::string_view lesson =
    R"(A lesson: questions for a class, and the commands that answer them.
Guess before you look.

What is the least number of turns, with dice of your choice?
  snl board solve milton-bradley --json

How many turns does a piece take? Play ten games; then ten thousand. How far
apart are the means, and how far are those of another seed?
  snl simulate --players 1 --games 10 --seed 1
  snl simulate --players 1 --games 10000 --seed 1

What is the mean exactly? It solves one equation for each cell: a fraction.
  snl board analyze milton-bradley --players 1 --exact

Are half of all pieces home by the mean, or more? Why? When are nine in ten?
  snl board analyze milton-bradley --players 1 --quantiles 0.5,0.9

What does that look like? Draw the table's two columns in a spreadsheet.
  snl board analyze milton-bradley --distribution > turns.csv

Is it fair to begin? Is it better to begin, or to stand on cell 3?
  snl board analyze milton-bradley
  snl board analyze milton-bradley --positions 0,3

Which board is the slowest? Was it its cells, its snakes or its rules?
  snl board analyze class milton-bradley geeks30 empty

Does it take longer if a throw past the end bounces back? And with two dice?
  snl board analyze milton-bradley --finish bounce
  snl board analyze milton-bradley --dice 2

Who was lucky in this match, and with which turn was it decided?
  snl new Ann Bob --seed 13 --id lesson
  snl roll lesson --all
  snl analyze lesson

Were the dice fair? How often did each face fall?
  snl audit lesson
  snl export --all -f csv --chances > all-turns.csv

Can you make a board that is fairer to the second player? Change this one.
  snl board random --size 6 --snakes 3 --ladders 3 --seed 1 > mine.json
  snl board analyze mine.json
)";

}  // namespace snl::cli
