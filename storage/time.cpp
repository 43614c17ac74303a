#include "time.hpp"

#include "store_error.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace snl {
namespace {

constexpr std::string_view pattern = "0000-00-00T00:00:00.000Z";

/// `value` has at most `digits` digits.
void put(TimeText& text, std::size_t at, std::size_t digits, std::int64_t value) {
  auto rest = static_cast<std::uint32_t>(value);
  for (std::size_t i = digits; i-- > 0; rest /= 10)
    text.characters[at + i] = static_cast<char>('0' + rest % 10);
}

}  // namespace

TimeText time_text(UnixMilliseconds time) {
  using namespace std::chrono;
  const sys_time<milliseconds> point{milliseconds{time}};
  const auto day = floor<days>(point);
  const year_month_day date{day};
  const hh_mm_ss clock{point - day};
  TimeText text{};
  std::ranges::copy(pattern, text.characters.begin());
  put(text, 0, 4, static_cast<int>(date.year()));
  put(text, 5, 2, static_cast<unsigned>(date.month()));
  put(text, 8, 2, static_cast<unsigned>(date.day()));
  put(text, 11, 2, clock.hours().count());
  put(text, 14, 2, clock.minutes().count());
  put(text, 17, 2, clock.seconds().count());
  put(text, 20, 3, clock.subseconds().count());
  return text;
}

std::string format_time(UnixMilliseconds time) {
  return std::string(time_text(time));
}

std::optional<UnixMilliseconds> parse_time(std::string_view text) {
  using namespace std::chrono;
  if (text.size() != pattern.size()) return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t digits) {
    int value = 0;
    std::from_chars(text.data() + at, text.data() + at + digits, value);
    return value;
  };
  const auto day = year_month_day{year{number(0, 4)}, month{static_cast<unsigned>(number(5, 2))},
                                  std::chrono::day{static_cast<unsigned>(number(8, 2))}};
  if (!day.ok()) return std::nullopt;
  const auto point = sys_days{day} + hours{number(11, 2)} + minutes{number(14, 2)} +
                     seconds{number(17, 2)} + milliseconds{number(20, 3)};
  const UnixMilliseconds time = duration_cast<milliseconds>(point.time_since_epoch()).count();
  if (time < 0 || time > max_time || format_time(time) != text) return std::nullopt;
  return time;
}

UnixMilliseconds system_time() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

UnixMilliseconds time_to_record(const Clock& clock) {
  const UnixMilliseconds now = clock();
  if (now >= 0 && now <= max_time) return now;
  throw StoreError(StoreError::Cause::failed,
                   std::string("this machine's clock is set ") +
                       (now < 0 ? "before 1970" : "after 9999") +
                       ", and no log holds such a time; correct the clock, then try again");
}

}  // namespace snl
