#include "progress_bar.hpp"

#include "cli/drawing/terminal_text.hpp"
#include "terminal_size.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace snl::cli {
namespace {

constexpr std::chrono::milliseconds between_drawings{200};

/// One column less than the terminal has: some terminals begin a new line after the last one.
int usable_columns() {
  constexpr int usual = 80;
  constexpr int least = 20;
  const std::optional<Size> size = terminal_size(STDERR_FILENO);
  return std::max(least, (size ? size->columns : usual) - 1);
}

/// "1.25 million", "830".
std::string rounded(double number) {
  if (number >= 1e9) return fmt::format("{:.2f} billion", number / 1e9);
  if (number >= 1e6) return fmt::format("{:.2f} million", number / 1e6);
  return fmt::format("{:.0f}", number);
}

/// "0:07", "1:02:03".
std::string clock_text(double seconds) {
  constexpr double longest = 359999;  // 99:59:59
  const auto whole = static_cast<std::int64_t>(std::min(seconds + 0.5, longest));
  if (whole >= 3600)
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

/// A progress bar without a line's end, at most `columns` (≥ 20) wide: how much is done of `all` (≥
/// 1), how much per second, and how long the rest will take at this rate.
std::string progress_line(std::uint64_t done, std::uint64_t all, std::string_view things,
                          std::chrono::duration<double> elapsed, int columns) {
  const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(all));
  const double rate = elapsed.count() > 0 ? static_cast<double>(done) / elapsed.count() : 0;
  std::string figures = fmt::format(" {:3.0f}%", 100 * part);
  if (rate > 0)
    figures += fmt::format("  {} {}/s  {} left", rounded(rate), things,
                           clock_text(static_cast<double>(all - std::min(done, all)) / rate));
  constexpr int widest = 40;
  const int width = std::min(widest, columns - static_cast<int>(figures.size()) - 2);
  if (width < 1) return shortened(figures, columns);
  const auto filled = static_cast<std::size_t>(part * width);
  return '[' + std::string(filled, '#') +
         std::string(static_cast<std::size_t>(width) - filled, '.') + ']' + figures;
}

}  // namespace

ProgressBar::ProgressBar(const std::atomic<std::uint64_t>& done, std::uint64_t all,
                         std::string_view things)
    : done_(done), all_(all), things_(things) {
  if (can_move_cursor(STDERR_FILENO))
    drawer_ = std::jthread([this](const std::stop_token& stopped) { run(stopped); });
}

void ProgressBar::run(const std::stop_token& stopped) {
  const auto begin = std::chrono::steady_clock::now();
  std::size_t drawn = 0;  // columns of the line on the screen
  const auto draw = [&](const std::string& line) {
    const std::string blanks(drawn > line.size() ? drawn - line.size() : 0, ' ');
    const std::string whole = '\r' + line + blanks + (line.empty() ? "\r" : "");
    (void)std::fputs(whole.c_str(), stderr);  // there is nobody to tell if this fails
    (void)std::fflush(stderr);
    drawn = line.size();
  };
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, stopped, between_drawings, [&] { return stopped.stop_requested(); }))
    if (!stopped.stop_requested())
      draw(progress_line(done_.load(std::memory_order_relaxed), all_, things_,
                         std::chrono::steady_clock::now() - begin, usable_columns()));
  if (drawn > 0) draw("");
}

}  // namespace snl::cli
