#include "recorded_game.hpp"

#include "printing.hpp"

#include <sstream>
#include <stdexcept>
#include <utility>

namespace snl::test {
namespace {

template <class Value>
std::string shown(const Value& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

}  // namespace

RecordedGame::RecordedGame(std::shared_ptr<const GameSetup> setup) {
  if (const auto started = perform(StartGame{std::move(setup)}); !started)
    throw std::logic_error(shown(started.error()));
}

std::expected<std::vector<Event>, Refusal> RecordedGame::decided(const Command& command) {
  return decide(state_, command, [this](EventRef ref) -> const Event* { return recall(ref); });
}

std::expected<std::vector<Event>, Refusal> RecordedGame::perform(const Command& command) {
  auto decided = this->decided(command);
  if (!decided) return decided;
  if (decided->empty()) throw std::logic_error(shown(command) + " was accepted without an event");
  for (const Event& event : *decided)
    if (const auto recorded = record(event); !recorded)
      throw std::logic_error("decided " + shown(event) + ", but " + recorded.error().what);
  return decided;
}

std::expected<void, Damage> RecordedGame::record(const Event& event) {
  auto evolved = evolve(state_, event);
  if (!evolved) return std::unexpected(std::move(evolved).error());
  if (evolved->version > state_.version) commits_.push_back(events_.size());
  state_ = *std::move(evolved);
  events_.push_back(event);
  return {};
}

const Event* RecordedGame::recall(EventRef ref) {
  ++recalls_;
  if (ref.version < 1 || std::cmp_greater(ref.version, commits_.size())) return nullptr;
  const auto version = static_cast<std::size_t>(ref.version);
  const std::size_t end = version < commits_.size() ? commits_[version] : events_.size();
  const std::size_t found = commits_[version - 1] + static_cast<std::size_t>(ref.index);
  return found < end ? &events_[found] : nullptr;
}

std::vector<Event> events_of(std::shared_ptr<const GameSetup> setup,
                             const std::vector<Command>& commands) {
  RecordedGame game(std::move(setup));
  for (const Command& command : commands)
    if (const auto decided = game.perform(command); !decided)
      throw std::logic_error(shown(command) + " was refused: " + shown(decided.error()));
  return game.events();
}

}  // namespace snl::test
