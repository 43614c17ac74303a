#include "background_chances.hpp"

#include "domain/analysis/game_chances.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace snl::cli {
namespace {

constexpr std::int32_t most_cells = 10'000;  // more would take long before anything could be shown
constexpr double most_work = 2e10;           // some ten seconds

}  // namespace

std::expected<std::vector<RaceOdds>, std::string> exact_odds(const GameSetup& setup,
                                                             const std::vector<Position>& positions,
                                                             const StopRequested& stop) {
  if (setup.board.cells() > most_cells)
    return std::unexpected("the board is too large for exact ones");
  return chances_at(setup, positions, most_work, stop);
}

BackgroundChances::BackgroundChances()
    : wake_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {
  if (wake_ == -1) throw std::system_error(errno, std::generic_category(), "no event can be had");
}

BackgroundChances::~BackgroundChances() {
  thread_.request_stop();
  thread_.join();
  (void)close(wake_);
}

void BackgroundChances::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (asked_.wait(lock, stop, [&] { return question_.has_value(); })) {
    const Question question = *std::exchange(question_, std::nullopt);
    lock.unlock();
    auto chances =
        exact_odds(question.setup, question.positions, [&stop] { return stop.stop_requested(); });
    lock.lock();
    result_ = Result{question.edition, question.first, std::move(chances)};
    (void)eventfd_write(wake_, 1);
  }
}

void BackgroundChances::serve(Playback& playback) {
  eventfd_t times = 0;
  (void)eventfd_read(wake_, &times);
  {
    const std::lock_guard lock(mutex_);
    if (result_) {
      is_asked_ = false;
      const Result result = *std::exchange(result_, std::nullopt);
      if (!result.chances)
        playback.give_up_chances(result.chances.error());
      else if (result.edition == playback.edition() && result.first == playback.chances().size())
        playback.add_chances(*result.chances);
    }
  }
  if (!is_asked_ && !playback.no_chances() &&
      playback.chances().size() <= playback.recording().shots())
    ask(playback);
}

void BackgroundChances::ask(const Playback& playback) {
  const Recording& recording = playback.recording();
  Question question{.edition = playback.edition(),
                    .first = playback.chances().size(),
                    .setup = recording.setup(),
                    .positions = {}};
  for (std::size_t shot = question.first; shot <= recording.shots(); ++shot)
    question.positions.push_back(recording.position(shot));
  is_asked_ = true;
  {
    const std::lock_guard lock(mutex_);
    question_ = std::move(question);
  }
  asked_.notify_one();
}

}  // namespace snl::cli
