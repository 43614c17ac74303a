#include "open_store.hpp"

#include "ascii.hpp"
#include "storage/postgres/open_postgres.hpp"
#include "storage/sqlite/sqlite_admin.hpp"
#include "storage/sqlite/sqlite_hosted_games.hpp"
#include "storage/sqlite/sqlite_store.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace snl {
namespace {

/// URI schemes up to the colon: even if the rest is mistyped, no file is meant.
constexpr std::array<std::string_view, 2> schemes{"postgresql:", "postgres:"};

/// The keywords of libpq, each between blanks. A file whose name looks like a keyword and its value
/// can be given as ./NAME.
constexpr std::string_view keywords =
    " application_name authtype channel_binding client_encoding connect_timeout dbname "
    "fallback_application_name gssdelegation gssencmode gsslib host hostaddr keepalives "
    "keepalives_count keepalives_idle keepalives_interval krbsrvname load_balance_hosts "
    "max_protocol_version min_protocol_version oauth_client_id oauth_client_secret "
    "oauth_issuer oauth_scope options passfile password port replication require_auth "
    "requirepeer requiressl scram_client_key scram_server_key service servicefile "
    "ssl_max_protocol_version ssl_min_protocol_version sslcert sslcertmode sslcompression "
    "sslcrl sslcrldir sslkey sslkeylogfile sslmode sslnegotiation sslpassword sslrootcert "
    "sslsni target_session_attrs tcp_user_timeout tty user ";

constexpr std::string_view spaces = " \t\n\r\f\v";

bool is_uri(std::string_view location) {
  return std::ranges::any_of(schemes, [&](std::string_view scheme) {
    return same_but_for_case(location.substr(0, scheme.size()), scheme);
  });
}

/// Whether the text begins with a word and =, and has a keyword and = in it.
bool has_keyword(std::string_view text) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz_";
  bool is_first = true;
  for (std::size_t at = text.find_first_not_of(spaces); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_not_of(letters, at), text.size());
    const std::size_t equals = text.find_first_not_of(spaces, end);
    const bool is_word = end > at && equals != std::string_view::npos && text[equals] == '=';
    if (is_word && keywords.contains(" " + std::string(text.substr(at, end - at)) + " "))
      return true;
    if (std::exchange(is_first, false) && !is_word) return false;
    at = text.find_first_not_of(spaces, std::min(text.find_first_of(spaces, at), text.size()));
  }
  return false;
}

/// Removes everything after a colon between the user's name and the host of a URI, even text that
/// shouldn't be there.
void hide_in_user(std::string& uri) {
  const std::size_t begin = std::min(uri.find_first_not_of('/', uri.find(':') + 1), uri.size());
  const std::size_t at = uri.rfind('@', uri.find('?', begin));
  const std::size_t colon = uri.find(':', begin);
  if (at != std::string::npos && at >= begin && colon < at) uri.erase(colon, at - colon);
}

/// The end of the value that begins at `from`: before a space, in a URI before an ampersand too, or
/// after its closing quote.
std::size_t end_of_value(std::string_view text, std::size_t from) {
  const bool ends_at_ampersand = is_uri(text);
  const bool is_quoted = from < text.size() && text[from] == '\'';
  for (std::size_t i = from + (is_quoted ? 1 : 0); i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (is_quoted && text[i] == '\'') {
      return i + 1;
    } else if (!is_quoted && (spaces.contains(text[i]) || (ends_at_ampersand && text[i] == '&'))) {
      return i;
    }
  }
  return text.size();
}

/// Removes the values of `password` and `sslpassword`.
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
  return !is_uri(location) && !has_keyword(location);
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

std::unique_ptr<HostedGameStore> open_hosted_games(const std::string& location) {
  if (!is_file_location(location)) return postgres::open_hosted_games(location);
  return SqliteHostedGames::open(location);
}

std::unique_ptr<HostedGameStore> open_hosted_games(const std::string& location,
                                                   ForReading /*access*/) {
  if (!is_file_location(location)) return postgres::open_hosted_games_to_read(location);
  return SqliteHostedGames::open_to_read(location);
}

std::unique_ptr<StoreAdmin> admin_of_store(const std::string& location) {
  if (!is_file_location(location)) return postgres::admin_of(location);
  return std::make_unique<SqliteAdmin>(location);
}

}  // namespace snl
