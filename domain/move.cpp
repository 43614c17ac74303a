#include "move.hpp"

#include "names.hpp"

#include <array>

namespace snl {
namespace {

constexpr std::array outcome_names{
    NamedValue{"moved", Outcome::moved}, NamedValue{"blocked", Outcome::blocked},
    NamedValue{"forfeited", Outcome::forfeited}, NamedValue{"waiting", Outcome::waiting},
    NamedValue{"won", Outcome::won}};

/// Folds a target past the end back onto cells 1 to `last`, turning at each of the two.
Cell bounce(std::int32_t last, std::int32_t target) {
  const std::int32_t period = 2 * (last - 1);
  const std::int32_t back = (target - last) % period;
  return back < last ? last - back : back - last + 2;
}

}  // namespace

Move move_piece(const Board& board, const Rules& rules, Cell from, std::int32_t distance) {
  if (distance == 0) return {from, from, Outcome::forfeited};
  const Cell last = board.cells();
  Cell landed = from + distance;
  if (landed > last) {
    switch (rules.finish) {
      case Finish::exact:
        return {from, from, Outcome::blocked};
      case Finish::overshoot:
        landed = last;
        break;
      case Finish::bounce:
        landed = bounce(last, landed);
        break;
    }
  }
  const Cell to = board.landing(landed);
  return {landed, to, to == last ? Outcome::won : Outcome::moved};
}

std::string_view to_string(Outcome outcome) {
  return name_of(outcome_names, outcome);
}

std::optional<Outcome> outcome_named(std::string_view name) {
  return value_named(outcome_names, name);
}

}  // namespace snl
