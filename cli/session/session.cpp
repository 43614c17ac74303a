#include "session.hpp"

#include "cli/drawing/terminal_text.hpp"
#include "domain/overloaded.hpp"
#include "domain/wording.hpp"
#include "storage/game_id.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <tuple>
#include <utility>

namespace snl::cli {
namespace {

namespace fs = std::filesystem;

/// An environment variable; none if it is unset or empty.
std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

/// A message without most of a value that nobody would read: a name of a megabyte, a list of dice.
/// It ends as it did, since the end says what to do.
std::string brief(std::string_view message) {
  constexpr std::size_t longest = 4096;
  constexpr std::size_t head = 1024;
  constexpr std::size_t tail = 512;
  if (message.size() <= longest) return std::string(message);
  const auto within_a_character = [&](std::size_t at) {
    return (static_cast<unsigned char>(message[at]) & 0xC0U) == 0x80U;
  };
  std::size_t cut = head;
  while (cut > 0 && within_a_character(cut))
    --cut;
  std::size_t go_on = message.size() - tail;
  while (go_on < message.size() && within_a_character(go_on))
    ++go_on;
  return fmt::format("{} … {}", message.substr(0, cut), message.substr(go_on));
}

/// The default place, whose folder is snl's own to make; none without a home.
std::optional<fs::path> default_path() {
  if (const auto data = environment("XDG_DATA_HOME")) return fs::path(*data) / "snl" / "snl.db";
  if (const auto home = environment("HOME"))
    return fs::path(*home) / ".local" / "share" / "snl" / "snl.db";
  return std::nullopt;
}

/// The file itself, whatever links lead to it. It needn't be there.
fs::path file_itself(const std::string& path) {
  std::error_code error;
  const fs::path itself = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? fs::path(path) : itself;
}

bool are_one_file(const std::string& one, const std::string& other) {
  std::error_code error;
  return fs::equivalent(one, other, error) || file_itself(one) == file_itself(other);
}

bool is_terminal(std::FILE* stream) {
  return isatty(fileno(stream)) == 1;
}

Failure no_such_game(std::string_view reference) {
  return {Exit::no_such,
          fmt::format("no game \"{}\"; snl list shows the games there are", reference)};
}

/// "@" is 0, "@-1" is 1; none for anything else.
std::optional<std::size_t> newest_reference(const std::string& reference) {
  if (reference == "@") return 0;
  if (!reference.starts_with("@-") || reference.size() > 12) return std::nullopt;
  const std::string digits = reference.substr(2);
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return std::stoull(digits);
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

void Session::check_no_part_of_store(const std::string& file) const {
  const auto store = db_path_if_any();
  if (!store) return;
  if (are_one_file(file, *store))
    throw Failure(Exit::usage, fmt::format("{}: it is the store itself; name another file", file));
  for (const std::string_view companion : {"-wal", "-shm", "-journal"})
    if (are_one_file(file, file_itself(*store).string() + std::string(companion)))
      throw Failure(Exit::usage,
                    fmt::format("{}: it belongs to the store; name another file", file));
}

SqliteStore& Session::open(SqliteStore::Access access) {
  store_.reset();  // a file is opened once at a time
  store_ = SqliteStore::open(db_path(), access);
  return *store_;
}

std::string Session::db_path_to_create() const {
  if (db_option.empty() && !environment("SNL_DB")) {
    std::error_code error;
    const auto folder = fs::path(db_path()).parent_path();
    fs::create_directories(folder, error);
    if (error)
      throw Failure(Exit::failed,
                    fmt::format("folder {} can't be made: {}", folder.string(), error.message()));
  }
  return db_path();
}

EventStore& Session::store_to_create() {
  std::ignore = db_path_to_create();
  return open(SqliteStore::Access::write);
}

EventStore& Session::store_to_write(std::string_view game) {
  if (!SqliteStore::exists(db_path())) throw no_such_game(game);
  return open(SqliteStore::Access::write);
}

EventStore& Session::store_to_read(std::string_view game) {
  if (SqliteStore* store = store_to_read_if_any()) return *store;
  throw no_such_game(game);
}

SqliteStore* Session::store_to_read_if_any() {
  if (!SqliteStore::exists(db_path())) return nullptr;
  return &open(SqliteStore::Access::read);
}

std::string Session::resolve(EventStore& store, const std::string& reference) const {
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

bool Session::stdout_is_terminal() const {
  return is_terminal(stdout);
}

bool Session::use_color() const {
  if (color_option == "always") return true;
  if (color_option == "never" || environment("NO_COLOR")) return false;
  return stdout_is_terminal() && environment("TERM").value_or("dumb") != "dumb";
}

int Session::columns() const {
  constexpr int least = 40;
  constexpr int usual = 80;
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? std::max<int>(least, size.ws_col) : usual;
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

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
    throw Failure(Exit::failed, fmt::format("stdout can't be written: {}", std::strerror(errno)));
}

void print_line(std::string_view text) {
  print(text);
  print("\n");
}

void print_names(std::string_view text) {
  if (!is_terminal(stdout)) return print(text);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    print(printable(text.substr(0, end)));
    if (end < text.size()) print("\n");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void print_json_line(std::string_view json) {
  if (is_terminal(stdout)) return print_line(printable_json(json));
  print_line(json);
}

void flush() {
  if (std::fflush(stdout) != 0)
    throw Failure(Exit::failed, fmt::format("stdout can't be written: {}", std::strerror(errno)));
}

void warn(std::string_view message) {
  const std::string line = fmt::format("snl: {}\n", printable(brief(message)));
  (void)std::fputs(line.c_str(), stderr);  // there is nobody left to tell if this fails
}

// ---- Rejections

namespace {

std::string turns(Turn count) {
  return counted(count, "turn");
}

}  // namespace

Failure failure_from(const Refusal& refusal, const GameSetup& setup) {
  return std::visit(
      Overloaded{
          [](const InvalidMove&) { return Failure(Exit::refused, invalid_move_result); },
          [](const GameCompleted&) { return Failure(Exit::refused, game_completed_result); },
          [&](const UnknownPlayer&) {
            return Failure(Exit::no_such,
                           fmt::format("nobody plays under this name; the players are {}",
                                       fmt::join(setup.players, ", ")));
          },
          [](const ImpossibleDice& impossible) {
            return Failure(Exit::usage,
                           fmt::format("dice {} are impossible: {}", to_string(impossible.dice),
                                       possible_dice(impossible.rules)));
          },
          [](const NotEnoughTurns& few) {
            return Failure(
                Exit::refused,
                fmt::format("{} can't be taken or put back: there {} {}", turns(few.asked),
                            few.possible == 1 ? "is" : "are", turns(few.possible)));
          },
          [](const TurnOutOfRange& range) {
            return Failure(Exit::usage, fmt::format("turn {} is out of range: {} to {}",
                                                    range.asked, range.first, range.last));
          },
          [](const InvalidSetup& invalid) {
            return Failure(Exit::usage, fmt::format("{}", fmt::join(invalid.faults, "; ")));
          },
          [](const WrongStart&) { return Failure(Exit::failed, "the game has not been started"); },
          [](const Damage& damage) {
            return Failure(Exit::failed,
                           fmt::format("the log is damaged: {}; see snl audit", damage.what));
          },
      },
      refusal);
}

Failure failure_from(const Rejection& rejection, const GameSetup& setup, const std::string& game) {
  return std::visit(
      Overloaded{
          [&](const Refusal& refusal) { return failure_from(refusal, setup); },
          [&](const Conflict& conflict) {
            return Failure(
                Exit::conflict,
                fmt::format("game {} is at version {}, not {}; look at it with snl show {}", game,
                            conflict.actual, conflict.expected, game));
          },
          [&](const CommandIdTaken& taken) {
            return Failure(
                Exit::conflict,
                fmt::format("command ID \"{}\" was used for another command, version {}; "
                            "use a new one",
                            taken.command_id, taken.version));
          },
          [](const InvalidCommandId& invalid) {
            return Failure(Exit::usage,
                           fmt::format("command ID \"{}\" {}", invalid.command_id, invalid.fault));
          },
          [&](const GameIdTaken&) {
            return Failure(Exit::conflict,
                           fmt::format("game ID {} is taken; choose another", game));
          },
          [&](const InvalidGameId&) {
            return Failure(Exit::usage, fmt::format("ID \"{}\": {}", game, game_id_rule));
          },
      },
      rejection);
}

}  // namespace snl::cli
