#include "playback_keys.hpp"

#include "domain/turn_dice.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace snl::cli {
namespace {

using Code = Key::Code;

/// The modes in which a line of the table holds.
enum class Where : std::uint8_t { everywhere, looking_on, at_table };

struct Binding {
  Key key;
  Action action;
};

/// Keys that belong together. Within a mode, no key stands twice.
struct Line {
  Where where;
  std::string keys;  // for the help, with {places}; empty: the help leaves them out
  std::string what;
  std::vector<Binding> bindings;
};

constexpr Key pressed(Code code) {
  return {.code = code};
}

/// Each of these characters asks for the same action.
std::vector<Binding> any_of(std::string_view characters, Action action) {
  std::vector<Binding> bindings;
  for (const char character : characters)
    bindings.push_back({typed(character), action});
  return bindings;
}

// clang-format off
const std::vector<Line>& table() {
  static const std::vector<Line> lines{
      {Where::looking_on, "space", "play, pause",
       {{typed(' '), Action::play_or_pause}}},
      {Where::at_table, "Enter, space", "roll the game's own dice",
       {{pressed(Code::enter), Action::enter}, {typed(' '), Action::enter_or_type}}},

      {Where::looking_on, "q Esc Ctrl-C", "quit",
       {{typed('q'), Action::leave}, {pressed(Code::escape), Action::leave},
        {pressed(Code::interrupt), Action::interrupt}}},
      {Where::at_table, "q Esc Ctrl-C", "leave; the game is kept",
       {{typed('q'), Action::leave}, {pressed(Code::escape), Action::leave_or_drop_dice},
        {pressed(Code::interrupt), Action::interrupt}}},

      {Where::at_table, "{dice}", "dice that you threw, then Enter",
       any_of("0123456789-,.+/", Action::type_dice)},
      {Where::at_table, "", "",
       {{pressed(Code::backspace), Action::delete_typed}}},
      {Where::at_table, "u", "take the last turn back",
       {{typed('u'), Action::undo}}},
      {Where::at_table, "r", "put it back",
       {{typed('r'), Action::redo}}},

      {Where::looking_on, "{arrows}  h l  , .", "turn by turn",
       {{pressed(Code::right), Action::forwards}, {pressed(Code::left), Action::backwards},
        {typed('l'), Action::forwards}, {typed('h'), Action::backwards},
        {typed('.'), Action::forwards}, {typed(','), Action::backwards}}},
      {Where::at_table, "{arrows}", "look back, turn by turn",
       {{pressed(Code::right), Action::forwards}, {pressed(Code::left), Action::backwards}}},
      {Where::everywhere, "Shift {arrows}", "ten turns",
       {{pressed(Code::far_right), Action::ten_forwards},
        {pressed(Code::far_left), Action::ten_backwards}}},

      {Where::looking_on, "0 ... 9", "to a tenth of the game",
       any_of("0123456789", Action::to_tenth)},
      {Where::looking_on, ":", "to a turn by its number",
       {{typed(':'), Action::ask_for_turn}}},
      {Where::looking_on, "+ -", "faster, slower",
       {{typed('+'), Action::faster}, {typed('='), Action::faster},
        {typed('-'), Action::slower}, {typed('_'), Action::slower}}},
      {Where::looking_on, "Backspace", "normal speed",
       {{pressed(Code::backspace), Action::normal_speed}}},

      {Where::everywhere, "[ ]", "previous, next moment that matters",
       {{typed('['), Action::previous_moment}, {typed(']'), Action::next_moment}}},
      {Where::everywhere, "g Home, G End", "to the start, to the end",
       {{typed('g'), Action::to_start}, {pressed(Code::home), Action::to_start},
        {typed('G'), Action::to_end}, {pressed(Code::end), Action::to_end}}},
      {Where::everywhere, "f", "turn the board upside down",
       {{typed('f'), Action::flip}}},
      {Where::everywhere, "w", "the graph of chances",
       {{typed('w'), Action::show_or_hide_graph}}},

      // pointer.hpp handles the mouse.
      {Where::looking_on, "click, wheel", "on timeline, graph, turns", {}},
      {Where::at_table, "click, wheel", "on the graph, on turns", {}},
      {Where::everywhere, "Shift, drag", "marks text, in most terminals", {}},

      // The line below the board mentions this one.
      {Where::everywhere, "", "",
       {{typed('?'), Action::help}}},
      // As in any program on a terminal.
      {Where::everywhere, "", "",
       {{pressed(Code::suspend), Action::suspend}, {pressed(Code::redraw), Action::redraw}}},
  };
  return lines;
}
// clang-format on

bool holds(Where where, Mode mode) {
  return where == Where::everywhere || (where == Where::at_table) == (mode == Mode::table);
}

std::string arrows(const KeyWords& words) {
  return fmt::format("{} {}", words.left, words.right);
}

/// An example of dice that the rules allow.
std::string dice_with(char between, Rules rules) {
  std::string typed = to_string(example_dice(rules));
  std::ranges::replace(typed, '-', between);
  return typed;
}

std::string examples_of_dice(Rules rules) {
  const std::string dashed = dice_with('-', rules);
  const std::string spaced = dice_with(' ', rules);
  return dashed == spaced ? dashed : dashed + ", " + spaced;
}

}  // namespace

std::optional<Action> action_of(const Key& key, Mode mode) {
  for (const Line& line : table()) {
    if (!holds(line.where, mode)) continue;
    const auto binding = std::ranges::find(line.bindings, key, &Binding::key);
    if (binding != line.bindings.end()) return binding->action;
  }
  return std::nullopt;
}

std::vector<KeyHelp> help_of_keys(const KeyWords& words) {
  std::vector<KeyHelp> help;
  for (const Line& line : table())
    if (holds(line.where, words.mode) && !line.keys.empty())
      help.push_back(
          {.keys = fmt::format(fmt::runtime(line.keys), fmt::arg("arrows", arrows(words)),
                               fmt::arg("dice", examples_of_dice(words.rules))),
           .what = line.what});
  return help;
}

std::vector<KeyHelp> hints_of_keys(const KeyWords& words, const KeyMoment& moment) {
  if (words.mode == Mode::table && moment.completed)
    return {{"q", "leaves"},
            {"?", "keys"},
            {"u", "takes the turn back"},
            {arrows(words), "looks back"}};
  if (words.mode == Mode::table && moment.looking_back)
    return {{"Enter", "returns"},
            {"q", "leaves"},
            {"?", "keys"},
            {arrows(words), "turn by turn"},
            {"[ ]", "moments"}};
  if (words.mode == Mode::table)
    return {{"Enter", "rolls"}, {"q", "leaves"},
            {"?", "keys"},      {dice_with('-', words.rules), "plays dice"},
            {"u", "undoes"},    {arrows(words), "looks back"}};
  std::vector<KeyHelp> hints{{"space", moment.playing ? "pauses" : "plays"},
                             {"q", "quits"},
                             {"?", "keys"},
                             {arrows(words), "turn by turn"},
                             {"[ ]", "moments"},
                             {":", "to a turn"}};
  // After the end of a watched game, nothing plays on.
  if (words.mode == Mode::watch && moment.completed) hints.erase(hints.begin());
  return hints;
}

}  // namespace snl::cli
