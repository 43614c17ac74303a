#include "open_store.hpp"

#include "storage/postgres/open_postgres.hpp"
#include "storage/sqlite/sqlite_keeper.hpp"
#include "storage/sqlite/sqlite_rooms.hpp"
#include "storage/sqlite/sqlite_store.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace snl {
namespace {

constexpr std::array<std::string_view, 2> schemes{"postgresql://", "postgres://"};

/// What a location of keywords and values may begin with. A file whose name does is given as
/// ./NAME.
constexpr std::array<std::string_view, 12> keywords{
    "host",     "hostaddr", "port",    "dbname",          "user",    "password",
    "passfile", "service",  "options", "connect_timeout", "sslmode", "target_session_attrs"};

constexpr std::string_view spaces = " \t\n";

bool is_uri(std::string_view location) {
  return std::ranges::any_of(schemes, [&](auto scheme) { return location.starts_with(scheme); });
}

/// Whether a keyword and its = stand there.
bool begins_with_keyword(std::string_view text) {
  const std::size_t end = text.find_first_of("= \t\n");
  const std::size_t equals = text.find_first_not_of(spaces, std::min(end, text.size()));
  return equals != std::string_view::npos && text[equals] == '=' &&
         std::ranges::find(keywords, text.substr(0, end)) != keywords.end();
}

/// Takes out what is between the name and the host of a URI after a colon.
void hide_in_user(std::string& uri) {
  const std::size_t begin = uri.find("://") + 3;
  const std::size_t at = uri.rfind('@', uri.find_first_of("/?", begin));
  const std::size_t colon = uri.find(':', begin);
  if (at != std::string::npos && at >= begin && colon < at) uri.erase(colon, at - colon);
}

/// Where the value that begins at `from` ends: before a space, or after the quote that ends it.
std::size_t end_of_value(std::string_view text, std::size_t from) {
  const bool is_quoted = from < text.size() && text[from] == '\'';
  for (std::size_t i = from + (is_quoted ? 1 : 0); i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (is_quoted && text[i] == '\'') {
      return i + 1;
    } else if (!is_quoted && (spaces.contains(text[i]) || text[i] == '&')) {
      return i;
    }
  }
  return text.size();
}

/// Takes out the values of `password` and `sslpassword`.
void hide_named(std::string& location) {
  constexpr std::string_view name = "password";
  for (std::size_t at = location.find(name); at != std::string::npos;
       at = location.find(name, at + 1)) {
    const std::size_t equals = location.find_first_not_of(spaces, at + name.size());
    if (equals == std::string::npos || location[equals] != '=') continue;
    const std::size_t value = location.find_first_not_of(spaces, equals + 1);
    if (value == std::string::npos) return;
    location.replace(value, end_of_value(location, value) - value, "***");
  }
}

}  // namespace

bool is_file_location(const std::string& location) {
  return !is_uri(location) && !begins_with_keyword(location);
}

std::string shown_location(const std::string& location) {
  if (is_file_location(location)) return location;
  std::string shown = location;
  if (is_uri(shown)) hide_in_user(shown);
  hide_named(shown);
  return shown;
}

std::unique_ptr<StoreReader> open_store(const std::string& location, ForReading /*access*/) {
  if (!is_file_location(location)) return postgres::open_to_read(location);
  return SqliteStore::open(location, SqliteStore::Access::read);
}

std::unique_ptr<EventStore> open_store(const std::string& location, ForWriting /*access*/) {
  if (!is_file_location(location)) return postgres::open_to_write(location);
  return SqliteStore::open(location, SqliteStore::Access::write);
}

std::unique_ptr<RoomStore> open_rooms(const std::string& location) {
  if (!is_file_location(location)) return postgres::open_rooms(location);
  return SqliteRooms::open(location);
}

std::unique_ptr<StoreKeeper> keeper_of_store(const std::string& location) {
  if (!is_file_location(location)) return postgres::keeper_of(location);
  return std::make_unique<SqliteKeeper>(location);
}

}  // namespace snl
