#include "session.hpp"

#include "cli/terminal/terminal_size.hpp"
#include "domain/whole_number.hpp"
#include "failure.hpp"
#include "next_step.hpp"
#include "rejection.hpp"
#include "storage/game_id.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <tuple>
#include <utility>

namespace snl::cli {
namespace {

namespace fs = std::filesystem;

/// The variable's value; none if it is unset or empty.
std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

/// The store's default path, in a folder that snl itself makes; none without a home. As the XDG
/// Base Directory Specification asks, a relative $XDG_DATA_HOME is ignored.
std::optional<fs::path> default_path() {
  const auto data = environment("XDG_DATA_HOME");
  if (data && fs::path(*data).is_absolute()) return fs::path(*data) / "snl" / "snl.db";
  if (const auto home = environment("HOME"))
    return fs::path(*home) / ".local" / "share" / "snl" / "snl.db";
  return std::nullopt;
}

/// Makes a folder and the missing ones above it, for the owner alone, as the XDG Base Directory
/// Specification asks.
void make_folders(const fs::path& folder) {
  std::error_code error;
  if (folder.empty() || fs::is_directory(folder, error)) return;
  make_folders(folder.parent_path());
  if (mkdir(folder.c_str(), 0700) == 0) return;
  const int why = errno;  // checking whether another process made it may change errno
  if (!fs::is_directory(folder, error))
    throw Failure(Exit::failed, fmt::format("folder {} can't be made: {}", folder.string(),
                                            reason_and_next_step(why)));
}

/// "@" is 0, "@-1" is 1; none for anything else.
std::optional<std::size_t> newest_reference(const std::string& reference) {
  if (reference == "@") return 0;
  if (!reference.starts_with("@-")) return std::nullopt;
  return whole_number<std::uint32_t>(std::string_view(reference).substr(2));
}

}  // namespace

std::optional<std::string> Session::db_path_if_any() const {
  if (!db_option.empty()) return db_option;
  if (auto path = environment("SNL_DB")) return path;
  if (const auto path = default_path()) return path->string();
  return std::nullopt;
}

std::string Session::db_path() const {
  if (auto path = db_path_if_any()) return *std::move(path);
  throw Failure(Exit::usage, "there is no $HOME to keep games in; say where with --db FILE");
}

std::string Session::shown_db() const {
  return shown_location(db_path());
}

void Session::check_no_part_of_store(const std::string& file) const {
  const auto store = db_path_if_any();
  if (!store) return;
  const auto owned = admin_of_store(*store)->owns(file);
  if (owned == StoreAdmin::Ownership::none) return;
  const bool is_whole = owned == StoreAdmin::Ownership::whole;
  throw Failure(Exit::usage,
                fmt::format("{}: it {}; name another file", file,
                            is_whole ? "is the store itself" : "belongs to the store"));
}

std::unique_ptr<StoreAdmin> Session::admin() const {
  return admin_of_store(db_path());
}

std::unique_ptr<StoreAdmin> Session::present_admin() const {
  auto found = admin();
  if (!found->exists()) throw Failure(Exit::failed, no_store_yet());
  return found;
}

EventStore& Session::open_to_write() {
  store_.reset();  // a file is opened once at a time
  auto store = open_store(db_path(), for_writing);
  EventStore& opened = *store;
  store_ = std::move(store);
  return opened;
}

std::string Session::db_path_to_create() const {
  if (db_option.empty() && !environment("SNL_DB")) make_folders(fs::path(db_path()).parent_path());
  return db_path();
}

EventStore& Session::store_to_create() {
  std::ignore = db_path_to_create();
  return open_to_write();
}

EventStore& Session::store_to_write(std::string_view game) {
  if (!admin()->exists()) throw no_such_game(game);
  return open_to_write();
}

StoreReader& Session::store_to_read(std::string_view game) {
  if (StoreReader* store = store_to_read_if_any()) return *store;
  throw no_such_game(game);
}

StoreReader* Session::store_to_read_if_any() {
  if (!admin()->exists()) return nullptr;
  store_.reset();
  store_ = open_store(db_path(), for_reading);
  return store_.get();
}

std::string Session::resolve(EventReader& store, const std::string& reference) const {
  constexpr std::size_t most_candidates = 10;
  if (const auto back = newest_reference(reference)) {
    if (auto id = store.newest_game(*back)) return *std::move(id);
    throw no_such_game(reference);
  }
  if (!is_game_id(reference)) throw no_such_game(reference);
  auto candidates = store.games_with_prefix(reference, most_candidates + 1);
  if (candidates.empty()) throw no_such_game(reference);
  if (candidates.size() == 1 || candidates.front() == reference) return candidates.front();
  const bool more = candidates.size() > most_candidates;
  if (more) candidates.pop_back();
  throw Failure(Exit::no_such,
                fmt::format("\"{}\" could be any of {}{}; give more of the ID", reference,
                            fmt::join(candidates, ", "), more ? ", …" : ""));
}

Match Session::match(const std::string& reference) {
  EventStore& store = store_to_write(reference);
  auto match = Match::load(store, resolve(store, reference));
  if (!match) throw no_such_game(reference);
  return *std::move(match);
}

std::string Session::no_store_yet() const {
  const bool is_default = db_option.empty() && !environment("SNL_DB");
  std::error_code error;
  const fs::path folder = fs::absolute(db_path(), error).parent_path();
  if (is_file_location(db_path()) && !is_default && !fs::is_directory(folder, error))
    return fmt::format("store {}: there is none, nor is its folder there; check the path",
                       shown_db());
  return fmt::format("store {}: there is no store yet; {} makes one", shown_db(),
                     snl_command({"new", "Ann", "Bob"}));
}

bool Session::stdout_is_terminal() const {
  return isatty(STDOUT_FILENO) == 1;
}

bool Session::use_color() const {
  if (color_option == "always") return true;
  if (color_option == "never" || environment("NO_COLOR")) return false;
  return can_move_cursor(STDOUT_FILENO);
}

Colours Session::screen_colours() const {
  if (!use_color()) return Colours::none;
  return colours_named(environment("TERM").value_or(""), environment("COLORTERM").value_or(""));
}

int Session::columns() const {
  constexpr int least = 40;
  constexpr int usual = 80;
  const auto window = terminal_size(STDOUT_FILENO);
  return window ? std::max(least, window->columns) : usual;
}

Glyphs Session::glyphs() const {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const auto locale = environment(name);
    if (!locale) continue;
    const bool unicode =
        locale->find("UTF-8") != std::string::npos || locale->find("utf8") != std::string::npos ||
        locale->find("UTF8") != std::string::npos || locale->find("utf-8") != std::string::npos;
    return unicode ? Glyphs::unicode : Glyphs::ascii;
  }
  return Glyphs::ascii;
}

Picture Session::picture() const {
  Picture picture{.glyphs = glyphs(), .colour = use_color()};
  if (const auto size = terminal_size(STDOUT_FILENO)) {
    picture.columns = size->columns;
    picture.rows = size->rows;
  }
  return picture;
}

}  // namespace snl::cli
