#include "testbed.hpp"

#include "storage/draw.hpp"

#include <fmt/format.h>
#include <grp.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>

namespace snl::test {

namespace fs = std::filesystem;

// ---- Files

Folder::Folder() : TemporaryFolder(place_for_folders()) {}

std::map<std::string, std::string> Folder::contents() const {
  std::map<std::string, std::string> contents;
  for (const auto& entry : fs::directory_iterator(path()))
    if (entry.is_regular_file())
      contents[entry.path().filename().string()] = bytes_of(entry.path().string());
  return contents;
}

void Folder::fill(const std::map<std::string, std::string>& files) const {
  for (const auto& [name, bytes] : files)
    write_file(file(name), bytes);
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("can't read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) throw std::runtime_error("can't write " + path);
}

// ---- Games

Clock ticking_clock() {
  return [now = std::make_shared<UnixMilliseconds>(new_year - 1001)] { return *now += 1001; };
}

Opening endless_game() {
  return {.board = {.cells = 100,
                    .snakes = {{94, 6}, {95, 5}, {96, 4}, {97, 3}, {98, 2}, {99, 1}},
                    .ladders = {}},
          .rules = {.sixes = Sixes::plain}};
}

StartGame start_of(const Opening& table) {
  auto board = Board::make(table.board);
  if (!board) throw std::logic_error(board.error().front().message);
  return {std::make_shared<const GameSetup>(GameSetup{.players = table.players,
                                                      .board = *std::move(board),
                                                      .rules = table.rules,
                                                      .seed = table.seed})};
}

StartGame drawn(const StartGame& start) {
  GameSetup setup = *start.setup;
  Draw& draw = setup.draw.emplace();
  draw.secret.fill(7);
  draw.commitment = commitment_of(draw.secret);
  draw.entropy.resize(setup.players.size());
  draw.entropy.front().emplace().fill(8);
  setup.seed = seed_of(draw.secret, draw.entropy);
  return {std::make_shared<const GameSetup>(std::move(setup))};
}

Match start(EventStore& store, const std::string& id, const Opening& table, const Clock& clock) {
  auto match = Match::start(store, id, start_of(table), clock);
  if (!match) throw std::logic_error("game " + id + " can't be started");
  return *std::move(match);
}

Recorded perform(Match& match, const Command& command, const Request& request) {
  auto recorded = match.execute(command, request);
  if (!recorded)
    throw std::logic_error(
        fmt::format("a command was rejected: alternative {}", recorded.error().index()));
  return *std::move(recorded);
}

PlayTurn turn_of_next(const Match& match, Dice dice) {
  return {match.state().position.next, dice};
}

namespace {

void record_apple(EventStore& store) {
  Match apple = start(store, "apple");
  perform(apple, turn_of_next(apple, {2}), {.command_id = "first"});  // up the ladder 3 → 22
  perform(apple, turn_of_next(apple, {6, 6, 6}));
  perform(apple, RollTurn{});
  perform(apple, RollTurn{}, {.command_id = "roll \"it\""});
  perform(apple, UndoTurns{2});
  perform(apple, RedoTurns{1});
  perform(apple, UndoToTurn{2});
  perform(apple, turn_of_next(apple, {6, 6, 5}));  // overshoots
  perform(apple, turn_of_next(apple, {2}));
  perform(apple, turn_of_next(apple, {6, 2}));  // wins
  perform(apple, UndoTurns{1});
  perform(apple, RedoTurns{1});
}

void record_branch(EventStore& store, const std::string& from, const std::string& id) {
  const auto origin = Match::load(store, from);
  const Timeline timeline = history_of(store, from).timeline;
  GameSetup setup = *origin->state().setup;
  setup.origin = Origin{
      .game = from, .head = to_hex(origin->head().hash), .position = timeline.position_after(2)};
  auto branch = Match::start(store, id, {std::make_shared<const GameSetup>(std::move(setup))},
                             ticking_clock());
  perform(branch.value(), RollTurn{});
}

}  // namespace

void record_orchard(EventStore& store) {
  record_apple(store);
  Match berry = start(
      store, "berry",
      {.players = {"Cleo", "Dan", "Eve"},
       .board = {},
       .rules = {
           .start = 0, .finish = Finish::bounce, .dice = 2, .faces = 4, .sixes = Sixes::plain}});
  for (int turn = 0; turn < 3; ++turn)
    perform(berry, RollTurn{});
  record_branch(store, "apple", "cherry");
}

std::vector<Commit> commits_of(EventReader& store, const std::string& game, Version from) {
  std::vector<Commit> commits;
  for_each_commit(store, game, from, [&](const CommitView& commit) {
    commits.emplace_back(commit);
    return true;
  });
  return commits;
}

std::vector<Commit> all_commits(EventReader& store, StorePosition from) {
  std::vector<Commit> commits;
  for_each_commit(store, from, [&](const CommitView& commit) {
    commits.emplace_back(commit);
    return true;
  });
  return commits;
}

LaterSchema::LaterSchema(std::string_view sql) {
  const auto today = snl::migrations();
  migrations.assign(today.begin(), today.end());
  migrations.push_back({static_cast<std::int64_t>(today.size()) + 1, "later", sql});
  schema = schema_made_by(migrations);
}

// ---- SQL

void PlainDatabase::Close::operator()(sqlite3* handle) const {
  sqlite3_close_v2(handle);
}

PlainDatabase::PlainDatabase(const std::string& path) {
  sqlite3* handle = nullptr;
  const int code = sqlite3_open(path.c_str(), &handle);
  handle_.reset(handle);
  if (code != SQLITE_OK) throw std::runtime_error("can't open " + path);
  sqlite3_busy_timeout(handle, 5000);
}

std::string PlainDatabase::try_to(const std::string& sql) {
  char* message = nullptr;
  sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, &message);
  std::string error = message == nullptr ? "" : message;
  sqlite3_free(message);
  return error;
}

void PlainDatabase::execute(const std::string& sql) {
  if (const std::string error = try_to(sql); !error.empty())
    throw std::runtime_error(sql + ": " + error);
}

std::vector<PlainDatabase::Row> PlainDatabase::rows(const std::string& sql) {
  std::vector<Row> rows;
  const auto take = [](void* into, int columns, char** values, char** /*names*/) {
    Row row;
    for (int column = 0; column < columns; ++column)
      row.emplace_back(values[column] == nullptr ? "NULL" : values[column]);
    static_cast<std::vector<Row>*>(into)->push_back(std::move(row));
    return 0;
  };
  if (sqlite3_exec(handle_.get(), sql.c_str(), take, &rows, nullptr) != SQLITE_OK)
    throw std::runtime_error(sql + ": " + sqlite3_errmsg(handle_.get()));
  return rows;
}

std::int64_t PlainDatabase::changes() const {
  return sqlite3_changes64(handle_.get());
}

void PlainDatabase::explain_triggers() {
  sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_TRIGGER_EQP, 1, nullptr);
}

void tamper(const std::string& path, const std::function<void(PlainDatabase&)>& work) {
  PlainDatabase database(path);
  database.execute("PRAGMA synchronous = OFF; PRAGMA ignore_check_constraints = ON");
  const auto triggers = database.rows("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'");
  for (const auto& trigger : triggers)
    database.execute("DROP TRIGGER " + trigger[0]);
  work(database);
  for (const auto& trigger : triggers)
    database.execute(trigger[1]);
}

// ---- Processes

pid_t begin_child(const std::function<int()>& work) {
  std::cout.flush();
  std::cerr.flush();
  const pid_t child = fork();
  if (child != 0) return child;
  int status = 99;
  try {
    status = work();
  } catch (const std::exception& error) {
    std::cerr << "a child failed: " << error.what() << '\n';
  }
  _exit(status);
}

int end_of_child(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int without_privileges(const std::function<int()>& work) {
  return in_a_child([&] {
    constexpr uid_t nobody = 65534;
    if (geteuid() == 0 &&
        (setgroups(0, nullptr) != 0 || setgid(nobody) != 0 || setuid(nobody) != 0))
      return 98;
    return work();
  });
}

Signal::Signal() {
  if (pipe(ends_.data()) != 0) throw std::runtime_error("no pipe can be made");
}

Signal::~Signal() {
  close(ends_[0]);
  if (ends_[1] >= 0) close(ends_[1]);
}

void Signal::give() const {
  const char byte = 'x';
  if (write(ends_[1], &byte, 1) != 1) std::cerr << "nobody waits for a signal\n";
}

bool Signal::wait() const {
  char byte = 0;
  return read(ends_[0], &byte, 1) == 1;
}

void Signal::only_wait() {
  close(ends_[1]);
  ends_[1] = -1;
}

}  // namespace snl::test
