// Points in time as the log holds them: Unix milliseconds, written as ISO 8601 in UTC.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace [[gnu::visibility("default")]] snl {

/// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds; 0 to max_time in the log.
using UnixMilliseconds = std::int64_t;

/// 9999-12-31T23:59:59.999Z
inline constexpr UnixMilliseconds max_time = 253'402'300'799'999;

/// "2026-11-21T02:25:39.123Z", always 24 characters.
struct TimeText {
  std::array<char, 24> characters;
  operator std::string_view() const { return {characters.data(), characters.size()}; }
};
TimeText time_text(UnixMilliseconds time);
std::string format_time(UnixMilliseconds time);

/// The inverse of format_time; none for any other text.
std::optional<UnixMilliseconds> parse_time(std::string_view text);

using Clock = std::function<UnixMilliseconds()>;
UnixMilliseconds system_time();

/// The clock's present time, for the log. Throws StoreError if the log can't hold it, as from a
/// clock that is set before 1970.
UnixMilliseconds time_to_record(const Clock& clock);

}  // namespace snl
