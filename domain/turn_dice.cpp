#include "turn_dice.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace snl {
namespace {

std::int32_t count_of(const Dice& dice) {
  return static_cast<std::int32_t>(dice.size());
}

/// Whether the rule allows each die of the list after those before it, and all dice that are thrown
/// at once are there.
bool is_legal(const ThrowingRule& rule, const Dice& dice, std::int32_t faces) {
  if (dice.size() > max_dice || count_of(dice) < rule.at_once) return false;
  std::int32_t thrown = 0;
  std::int32_t last = 0;
  for (const std::int32_t value : dice.values()) {
    if (value < 1 || value > faces || !rule.goes_on(thrown, last)) return false;
    ++thrown;
    last = value;
  }
  return true;
}

/// Adds up the ways to every distance, one die after the other.
class Ways {
 public:
  explicit Ways(const Rules& rules)
      : rules_(rules),
        rule_(throwing_rule(rules)),
        faces_(rules.faces),
        ways_(static_cast<std::size_t>(rule_.most * faces_) + 1) {
    for (std::int32_t die = 0; die < rule_.most; ++die)
      all_ *= faces_;
    throw_next({.enters = rules.enter.empty()}, all_);
  }

  std::vector<ThrowWays> take() const {
    std::vector<ThrowWays> found;
    for (std::size_t distance = 0; distance < ways_.size(); ++distance)
      for (const bool enters : {false, true})
        if (const std::int32_t ways = ways_[distance][enters ? 1 : 0]; ways > 0)
          found.push_back({static_cast<std::int32_t>(distance), enters, ways, all_});
    return found;
  }

 private:
  /// The result of the dice so far.
  struct Sofar {
    std::int32_t thrown = 0;
    std::int32_t sum = 0;
    bool enters;
  };

  /// `ways` is the number of throws of all `most` dice that begin like the dice so far.
  void throw_next(Sofar sofar, std::int32_t ways) {
    for (std::int32_t face = 1; face <= faces_; ++face) {
      const Sofar now{.thrown = sofar.thrown + 1,
                      .sum = sofar.sum + face,
                      .enters = sofar.enters || allow_entry({face}, rules_)};
      if (rule_.goes_on(now.thrown, face)) {
        throw_next(now, ways / faces_);
      } else {
        const bool forfeits = rule_.forfeits(now.thrown, face);
        ways_[forfeits ? 0 : static_cast<std::size_t>(now.sum)][now.enters ? 1 : 0] +=
            ways / faces_;
      }
    }
  }

  const Rules& rules_;
  ThrowingRule rule_;
  std::int32_t faces_;
  std::int32_t all_ = 1;
  std::vector<std::array<std::int32_t, 2>> ways_;  // by distance; without and with a face to enter
};

std::string_view number_word(std::int32_t number) {
  constexpr std::array<std::string_view, 7> words{"no",   "one",  "two", "three",
                                                  "four", "five", "six"};
  return words[static_cast<std::size_t>(number)];
}

/// "one die of 6", "two dice of 1 to 6": the dice that a turn throws at once.
std::string dice_of(const ThrowingRule& rule, const std::string& faces) {
  return std::string(number_word(rule.at_once)) + (rule.at_once == 1 ? " die of " : " dice of ") +
         faces;
}

/// `count` dice. All but the last show the face that rolls again.
Dice rolled_again(const ThrowingRule& rule, std::int32_t count, std::int32_t last) {
  std::array<std::int32_t, max_dice> values{};
  values.fill(rule.again);
  values[static_cast<std::size_t>(count) - 1] = last;
  return Dice(std::span(values).first(static_cast<std::size_t>(count)));
}

}  // namespace

ThrowingRule throwing_rule(const Rules& rules) {
  if (rules.sixes == Sixes::again)
    return {
        .at_once = 1, .most = static_cast<std::int32_t>(max_dice), .again = 6, .another_turn = 0};
  return {.at_once = rules.dice,
          .most = rules.dice,
          .again = 0,
          .another_turn = rules.sixes == Sixes::each ? 6 : 0};
}

std::optional<std::int32_t> distance_of(const Dice& dice, const Rules& rules) {
  const ThrowingRule rule = throwing_rule(rules);
  if (!is_legal(rule, dice, rules.faces)) return std::nullopt;
  if (rule.forfeits(count_of(dice), dice.values().back())) return 0;
  return static_cast<std::int32_t>(dice.sum());
}

bool allow_entry(const Dice& dice, const Rules& rules) {
  if (rules.enter.empty()) return true;
  return std::ranges::any_of(dice.values(), [&](std::int32_t face) {
    return std::ranges::binary_search(rules.enter, face);
  });
}

bool gives_another_turn(std::int32_t distance, const Rules& rules) {
  const std::int32_t six = throwing_rule(rules).another_turn;
  return six != 0 && distance == six;
}

bool is_complete_roll(const Dice& dice, const Rules& rules) {
  const ThrowingRule rule = throwing_rule(rules);
  return is_legal(rule, dice, rules.faces) && !rule.goes_on(count_of(dice), dice.values().back());
}

bool may_stop_early(const Rules& rules) {
  return throwing_rule(rules).again != 0;
}

Dice roll_dice(const Rules& rules, std::uint64_t seed, Turn turn) {
  const ThrowingRule rule = throwing_rule(rules);
  std::array<std::int32_t, max_dice> values{};
  std::size_t thrown = 0;
  std::int32_t last = 0;
  do {
    last = seeded_die(seed, turn, static_cast<std::uint32_t>(thrown), rules.faces);
    values[thrown++] = last;
  } while (rule.goes_on(static_cast<std::int32_t>(thrown), last));
  return Dice(std::span(values).first(thrown));
}

std::vector<ThrowWays> throw_ways(const Rules& rules) {
  return Ways(rules).take();
}

std::vector<DistanceWays> distance_ways(const Rules& rules) {
  std::vector<DistanceWays> distances;
  for (const auto& [distance, enters, ways, all] : throw_ways(rules)) {
    if (distances.empty() || distances.back().distance != distance)
      distances.push_back({.distance = distance, .ways = 0, .all = all});
    distances.back().ways += ways;
  }
  return distances;
}

std::vector<std::int32_t> distances_of(const Rules& rules) {
  std::vector<std::int32_t> distances;
  for (const DistanceWays& ways : distance_ways(rules))
    distances.push_back(ways.distance);
  return distances;
}

std::string possible_dice(const Rules& rules) {
  const ThrowingRule rule = throwing_rule(rules);
  const std::string faces = "1 to " + std::to_string(rules.faces);
  if (rule.at_once > 1)
    return "a turn is " + dice_of(rule, faces) + ", such as " + to_string(example_dice(rules));
  if (rule.again == 0) return "a turn is " + dice_of(rule, faces);
  const auto sixes = [&](std::int32_t count) {
    return to_string(rolled_again(rule, count, rule.again));
  };
  return "a turn is one to " + std::string(number_word(rule.most)) + " dice of " + faces +
         ", each but the last a " + sixes(1) + ": 3, " + to_string(rolled_again(rule, 2, 2)) +
         ", " + to_string(rolled_again(rule, 3, 1)) + ", and " + sixes(1) + " or " + sixes(2) +
         " alone";
}

Dice example_dice(const Rules& rules) {
  const ThrowingRule rule = throwing_rule(rules);
  if (rule.again != 0) return rolled_again(rule, 2, 3);
  return rule.at_once == 2 ? Dice{1, 2} : Dice{2};
}

std::string throwing_words(const Rules& rules) {
  const ThrowingRule rule = throwing_rule(rules);
  std::string words = dice_of(rule, std::to_string(rules.faces));
  if (rule.again != 0)
    words += "; a " + std::string(number_word(rule.again)) + " rolls again, " +
             std::string(forfeit_name) + " forfeit the turn";
  if (rule.another_turn != 0)
    words += "; a " + std::string(number_word(rule.another_turn)) + " gives another turn";
  return words;
}

}  // namespace snl
